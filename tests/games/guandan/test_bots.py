"""The rule bots: each clearly stronger than the one below, and what they must and must not do."""

import pytest

from mingpai._native import core
from mingpai._native import guandan as native
from mingpai.agents.catalogue import REGISTRY
from mingpai.games.guandan import GAME, notation
from tests.scale import count


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_each_bot_wins_sixty_of_a_hundred_rounds_from_the_one_below(number: int) -> None:
    """Whole matches, seats swapped, the same cards; player 0 is random."""
    pairs = count(fast=15, ci=40, verify=100)
    matches = native.duel_matches(number, number - 1, pairs, 1, "huaian2017", core.Budget())
    assert len(matches) == 2 * pairs
    assert sum(sum(match.by_score[4:]) for match in matches) >= 0.6 * sum(match.rounds for match in matches)


def test_duels_are_reproduced_by_their_seed() -> None:
    once, again = (native.duel_matches(3, 2, 3, 7, "huaian2017", core.Budget()) for _ in range(2))
    assert [match.by_score for match in once] == [match.by_score for match in again]


def test_matches_swap_seats_too() -> None:
    matches = native.duel_matches(2, 2, 5, 3, "huaian2017", core.Budget())
    assert [a.result + b.result for a, b in zip(matches[::2], matches[1::2], strict=True)] == [0] * 5
    assert all(sum(match.by_score) == match.rounds for match in matches)


def test_a_spent_budget_stops_a_duel() -> None:
    budget = core.Budget()
    budget.cancel()
    assert native.duel_matches(4, 4, 1000, 1, "huaian2017", budget) == []


def _move(deck: str, spec: str, *moves: str, level: str = "2", leader: int = 0) -> str:
    """What the bot plays after these moves."""
    state = GAME.start(deck, setup={"level": level, "leader": leader})
    for move in moves:
        state.play(GAME.parse_move(move, state))
    assert state.to_move is not None
    return str(REGISTRY.agent("guandan", spec).decide(state.view(state.to_move)).move)


@pytest.mark.parametrize("spec", ["rule2", "rule3", "rule4"])
def test_a_bot_goes_out_when_it_can(spec: str) -> None:
    assert _move("S5H5D5S7H7/S9STSJSQSK/S3S4S6S8/C3C4C6C8", spec) == "S5H5D5S7H7"


def test_rule4_plays_the_sure_winner_before_its_last_group() -> None:
    """The big jokers cannot be beaten; then the 3 goes out."""
    assert _move("S3HRHR/S9STSJ/S4S6S8/C3C4C6", "rule4") in ("HR", "HRHR")


def test_rule4_lets_the_partner_stand() -> None:
    deck = "S9SKSQ/S3S4S5/SAS7H8D9CTS4/C3C4C6C7C8"
    assert _move(deck, "rule4", "SK", "pass") == "pass"


def test_rule4_does_not_lead_a_single_to_an_opponent_with_one_card() -> None:
    assert _move("S3S6H6S9H9/SA/S4S5S7S8/C3C4C6C8", "rule4") != "S3"


def test_rule4_blocks_an_opponent_about_to_go_out() -> None:
    """Seat 1 has one card left and would win the trick: the bomb stops it."""
    deck = "S5C7/SKS4/S6H6D6C6S9H9/C3C4C8C9"
    assert _move(deck, "rule4", "S5", "SK") == "S6H6D6C6"


def test_rule4_says_what_it_weighed() -> None:
    state = GAME.deal(4)
    assert state.to_move is not None
    decision = REGISTRY.agent("guandan", "rule4").decide(state.view(state.to_move))
    scores = decision.to_json()["stages"]["decide"]["scores"]  # type: ignore[index]
    assert max(scores, key=scores.get) == str(decision.move)


def test_return_does_not_break_a_bomb() -> None:
    """Four threes, four fours and a lone five: the five goes back."""
    rest = "SQHQDQCQSKHKDKCKSAHADACAS2C2D2SJHJDJ"
    hand = "S3H3D3C3S4H4D4C4S5" + rest
    deck = list(notation.CARD_TEXTS) * 2
    for card in notation.parse_cards(hand).kinds():
        deck.remove(notation.card_text(card))
    deck = [card for card in deck if card != "HR"]
    others = ["HR" + "".join(deck[:26]), "HR" + "".join(deck[26:52]), "".join(deck[52:])]
    state = GAME.start("/".join([hand, *others]), setup={"level": "2", "previous": [0, 2, 3, 1]})
    assert not state.native.resisted
    agent = REGISTRY.agent("guandan", "rule4")
    while state.phase != notation.Phase.RETURN or state.to_move != 0:
        assert state.to_move is not None
        state.play(agent.decide(state.view(state.to_move)).move)
    assert str(agent.decide(state.view(0)).move) == "S5"


def test_batches_play_to_the_end_with_outside_actions() -> None:
    batch = native.Batch(8, 5)
    ended = 0
    for _ in range(400):
        masks = batch.masks()
        assert masks.shape == (8, native.PSEUDO_ACTIONS)
        actions = batch.choose(3)
        assert all(masks[i, action] for i, action in enumerate(actions))
        ended += sum(score != 0 for score in batch.step(actions))
    assert ended >= 8
    plays = [batch.round(i).bot_play(4) for i in range(8)]
    assert len(batch.step_plays(plays)) == 8
    with pytest.raises(ValueError, match="illegal"):
        batch.step_plays([batch.round(0).best] * 8 if not batch.round(0).is_leading else [plays[0]] * 8)
    with pytest.raises(ValueError, match="illegal"):
        batch.step([native.PSEUDO_ACTIONS - 1] * 8 if batch.round(0).is_leading else [999] * 8)
