"""Levels from whole deals: one winning move, proved again; what is written is read back."""

import json
from pathlib import Path

import pytest

from mingpai._native.core import Budget
from mingpai._native.endgame import Engine
from mingpai.cli.puzzle import LEVELS_SEED
from mingpai.core.errors import BadSetting, MingpaiError
from mingpai.games.doudizhu.notation import parse_move
from mingpai.games.doudizhu.rules import rules_of
from mingpai.methods.endgame import deal_puzzles
from mingpai.methods.endgame.deal_puzzles import DealPuzzle, deal_levels
from mingpai.methods.endgame.par import Deal
from mingpai.methods.endgame.shelf import write_levels
from tests.scale import count

LEVELS = 9
FIRST_DEAL = 60
"""The first deal of the seed that has a level."""


def winning_moves(puzzle: DealPuzzle) -> list[str]:
    """By another search than the level was made with: no judge, one table for all moves, no limit."""
    position, rules = puzzle.position(), rules_of(puzzle.rules).native
    engine = Engine(128 << 20)
    engine.set_root(position, rules)
    return [str(m) for m in position.legal_moves(rules) if engine.prove(position.after(m), Budget())]


def test_the_levels_are_whole_deals_in_play() -> None:
    assert len(deal_levels()) == LEVELS
    assert len({level.deck for level in deal_levels()}) == LEVELS
    for level in deal_levels():
        state = level.state()
        assert state.to_move == 0
        assert sum(map(len, level.deck.split("/"))) == 54
        assert sum(hand.bit_count() > 0 for hand in level.position().hands) == 3
        assert len(state.legal_moves()) == level.moves
        state.play(parse_move(level.solution, state))


def test_exactly_the_solution_wins() -> None:
    for level in deal_levels()[:: count(fast=4, ci=1, verify=1)]:
        assert winning_moves(level) == [level.solution]


def test_harder_proofs_come_later() -> None:
    nodes = [level.nodes for level in deal_levels()]
    assert all(level.is_greedy_wrong for level in deal_levels())
    assert nodes == sorted(nodes)
    assert nodes[0] >= deal_puzzles.LEAST_NODES


def test_a_deal_gives_the_same_level_again(tmp_path: Path) -> None:
    made = deal_puzzles.puzzle_in(Deal.random(LEVELS_SEED, FIRST_DEAL))
    assert made is not None
    assert made in deal_levels()
    write_levels([made], tmp_path / "levels.jsonl")
    assert DealPuzzle.from_json(json.loads((tmp_path / "levels.jsonl").read_text())) == made


def test_bad_levels_are_told() -> None:
    with pytest.raises(BadSetting, match="1 to"):
        deal_puzzles.SHELF.level(0)
    with pytest.raises(MingpaiError):
        DealPuzzle.from_json({"deck": 3})
