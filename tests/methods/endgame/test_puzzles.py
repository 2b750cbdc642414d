"""Puzzles: one winning first move, verified by another road than they were made on; the shipped levels."""

import pytest

from mingpai._native.core import Budget
from mingpai._native.endgame import Ask, Engine, brute_force
from mingpai.core.errors import BadSetting
from mingpai.games.doudizhu.rules import rules_of
from mingpai.methods.endgame import puzzles
from mingpai.methods.endgame.puzzles import Puzzle
from mingpai.methods.endgame.solver import solve_position
from tests.scale import count

LEVELS = 140
MOST_EASY = 20
LEAST_TRAPS = 100


def winning_moves(puzzle: Puzzle) -> list[str]:
    position = puzzle.position()
    solution = solve_position(position, rules_of(puzzle.rules), ask=Ask.ALL, line=False)
    return [str(move) for move in solution.winning_moves]


def test_there_are_140_levels_easy_ones_first() -> None:
    levels = puzzles.levels()
    assert len(levels) == LEVELS
    assert len({(level.landlord, level.farmer) for level in levels}) == LEVELS
    assert [level.difficulty for level in levels] == sorted(level.difficulty for level in levels)
    assert {level.difficulty for level in levels} == set(puzzles.DIFFICULTIES)


def test_at_most_20_levels_are_of_difficulty_1() -> None:
    assert sum(level.difficulty == 1 for level in puzzles.levels()) <= MOST_EASY


def test_the_greedy_player_goes_wrong_in_at_least_100_levels() -> None:
    wrong = 0
    for level in puzzles.levels():
        landlord, farmer = level.position().hands
        wrong += str(puzzles.greedy_lead(landlord, farmer, rules_of(level.rules))) != level.solution
    assert wrong >= LEAST_TRAPS


def test_levels_have_exactly_the_solution_that_is_shipped() -> None:
    step = count(fast=10, ci=1, verify=1)
    for level in puzzles.levels()[::step]:
        assert winning_moves(level) == [level.solution]


def test_easy_levels_against_brute_force() -> None:
    limit = 20_000_000
    for level in puzzles.levels()[: count(fast=3, ci=10, verify=20)]:
        rules = rules_of(level.rules)
        position = level.position()
        for move in position.legal_moves(rules.native):
            assert brute_force(position.after(move), rules.native, limit) is (str(move) == level.solution)


def test_new_puzzles_are_repeatable_and_of_the_difficulty_asked_for() -> None:
    for difficulty in (1, 2):
        made = puzzles.take(difficulty, 2, seed=7)
        assert made == puzzles.take(difficulty, 2, seed=7)
        assert made != puzzles.take(difficulty, 2, seed=8)
        assert all(puzzle.difficulty == difficulty for puzzle in made)
        assert all(winning_moves(puzzle) == [puzzle.solution] for puzzle in made)


def test_puzzles_read_back_from_json() -> None:
    (puzzle,) = puzzles.take(1, 1, seed=1)
    assert Puzzle.from_json(puzzle.to_json()) == puzzle


def test_no_sixth_difficulty() -> None:
    with pytest.raises(BadSetting, match="1 to 5"):
        puzzles.take(6, 1, seed=0)
    with pytest.raises(BadSetting, match="1 to 140"):
        puzzles.SHELF.level(141)


def test_an_engine_solves_a_level_within_a_node_budget() -> None:
    level = puzzles.SHELF.level(1)
    engine = Engine()
    engine.set_root(level.position(), rules_of(level.rules).native)
    assert engine.landlord_wins(level.position(), 1_000_000, Budget()) is True
