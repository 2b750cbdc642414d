"""Four ways to write a raise: all pairs agree, on random hands and on one worked by hand."""

from itertools import product

import pytest

from mingpai.agents.random import RandomAgent
from mingpai.core.agent import NoSettings
from mingpai.games.holdem import GAME
from mingpai.games.holdem.moves import raise_to
from mingpai.games.holdem.notation import parse_move
from mingpai.protocols.raises import Convention, street_total, written


def test_a_raise_on_the_flop() -> None:
    """Blinds 20/40, all in for 40; a bet of 100 on the flop is raised to 300 by a seat that has bet nothing there."""
    state = GAME.deal(1, "", {"seats": 3})
    for text in ("call", "call", "check", "raise 100"):
        state.play(parse_move(text, state))
    amounts = {convention: written(convention, 300, state) for convention in Convention}
    assert amounts == {
        Convention.STREET_TOTAL: 300,
        Convention.HAND_TOTAL: 340,
        Convention.OVER_BET: 200,
        Convention.CHIPS_NOW: 300,
    }


def test_a_reraise_by_a_seat_that_has_bet() -> None:
    """Heads-up, ante 5: the button raises to 120, the big blind to 360; the button goes to 800."""
    state = GAME.deal(1, "", {"seats": 2, "ante": 5})
    for text in ("raise 120", "raise 360"):
        state.play(parse_move(text, state))
    assert [int(written(convention, 800, state)) for convention in Convention] == [800, 800, 440, 680]


@pytest.mark.parametrize(("one", "other"), list(product(Convention, repeat=2)))
def test_all_pairs_on_random_hands(one: Convention, other: Convention) -> None:
    for seed in range(15):
        state = GAME.deal(seed, "", {"seats": 2 + seed % 5, "ante": 5 * (seed % 2)})
        agent = RandomAgent(NoSettings(), game="holdem", spec="random", seed=seed)
        while (seat := state.to_move) is not None:
            for total in state.raise_bounds or ():
                there = written(one, total, state)
                again = written(other, street_total(one, there, state), state)
                assert street_total(other, again, state) == total
                assert state.can_play(raise_to(street_total(other, again, state)))
            state.play(agent.decide(state.view(seat)).move)
