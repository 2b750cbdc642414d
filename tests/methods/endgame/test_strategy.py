"""Strategies: every defence answered, files that prove themselves, tampering noticed."""

from pathlib import Path

import pytest

from mingpai._native.endgame import Position, random_position
from mingpai.core.errors import BadlyWritten, MingpaiError
from mingpai.core.random import stream
from mingpai.games.doudizhu.notation import parse_cards
from mingpai.games.doudizhu.rules import rules_of
from mingpai.methods.endgame import strategy
from mingpai.methods.endgame.strategy import StrategyTree
from tests.scale import count

RULES = rules_of("douzero")


def play_against(tree: StrategyTree, seed: int) -> bool:
    """A random defence; whether the winners win."""
    rng = stream(seed, "defence")
    position = tree.position
    while not position.is_over:
        moves = position.legal_moves(RULES.native)
        reply = tree.reply(position)
        is_winners = (position.turn == 0) is tree.landlord_wins
        assert (reply is not None) is is_winners
        if reply is None:
            reply = moves[int(rng.integers(len(moves)))]
        assert reply in moves
        position = position.after(reply)
    return position.has_landlord_won is tree.landlord_wins


@pytest.mark.parametrize(("players", "cards"), [(2, 9), (3, 6)])
def test_random_defences_always_lose(players: int, cards: int) -> None:
    for seed in range(count(fast=15, ci=60, verify=300)):
        tree = strategy.build(random_position(players, cards, seed), RULES)
        assert len(tree) > 0 or tree.position.players == players
        for defence in range(20):
            assert play_against(tree, defence)


def paper_position() -> Position:
    return Position([parse_cards("4667788QK2"), parse_cards("334455QK2")])


def test_save_and_load(tmp_path: Path) -> None:
    tree = strategy.build(paper_position(), RULES)
    path = tmp_path / "paper.strategy"
    tree.save(path)
    again = strategy.load(path)
    assert len(again) == len(tree)
    assert again.to_bytes() == tree.to_bytes()
    assert path.stat().st_size < 2 * len(tree) + 300
    assert play_against(again, 1)


def test_a_file_that_does_not_win_does_not_load() -> None:
    data = strategy.build(paper_position(), RULES).to_bytes()
    for bad in (
        data[:-3],
        data.replace(b'"landlord_wins":true', b'"landlord_wins":false'),
        data.replace(b'"farmer":"334455QK2"', b'"farmer":"334455QKD"'),
        b"something else",
        strategy.MAGIC + b"{}\n",
    ):
        with pytest.raises(BadlyWritten):
            strategy.from_bytes(bad)


def test_no_strategy_without_a_proof() -> None:
    hard = Position([parse_cards("34577888999TTJQKKA2D"), parse_cards("333455677TTQQKKAA22X")])
    with pytest.raises(MingpaiError, match="not proved"):
        strategy.build(hard, RULES, seconds=0.05)
