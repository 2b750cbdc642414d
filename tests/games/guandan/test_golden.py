"""Golden rounds: seeded play of every profile as text. A change of rules or of a bot shows here first."""

from pathlib import Path

import pytest

from mingpai.core.random import stream
from mingpai.games.guandan import GAME, GuandanState, notation

GOLDEN = Path(__file__).parents[2] / "golden" / "guandan"
PREVIOUS = ([0, 2, 1, 3], [1, 0, 2, 3], [2, 1, 3, 0])


def _random_round(rules: str, seed: int) -> GuandanState:
    setup = {"level": notation.RANKS[4 * seed % 13], "previous": PREVIOUS[seed % 3]}
    state, rng = GAME.deal(seed, rules, setup), stream(seed, "golden")
    while not state.is_over:
        legal = state.legal_moves()
        state.play(legal[int(rng.integers(len(legal)))])
    return state


def _bot_round(number: int) -> GuandanState:
    state = GAME.deal(number, "", {"level": "8", "previous": PREVIOUS[number % 3]})
    while not state.is_over:
        state.play(state.native.bot_play(number))
    return state


CASES = {
    **{f"{rules}-{seed}": (rules, seed) for rules in GAME.profiles() for seed in (1, 2)},
    **{f"rule{number}": ("", number) for number in range(1, 5)},
}


@pytest.mark.parametrize("name", CASES)
def test_golden_rounds(name: str) -> None:
    rules, number = CASES[name]
    state = _random_round(rules, number) if rules else _bot_round(number)
    path = GOLDEN / f"{name}.txt"
    text = notation.round_text(state)
    assert path.read_text() == text, f"{path.name} has changed; write it anew if that was meant:\n{text}"
    assert notation.parse_position(notation.position_text(state)).points() == state.points()
