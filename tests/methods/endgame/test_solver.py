"""What the solver promises beyond the right verdict: limits, threads, any last move, lines, errors."""

import threading
import time

import pytest

import mingpai
from mingpai._native.core import Budget
from mingpai._native.endgame import Ask, Engine, Position, brute_force, random_position
from mingpai._native.endgame import solve as native_solve
from mingpai.core.errors import BadlyWritten, BadSetting, MingpaiError
from mingpai.games.doudizhu.notation import parse_cards
from mingpai.games.doudizhu.rules import rules_of
from mingpai.methods.endgame.solver import Solution, position_text, rules_with_bans, solve_position
from tests.scale import count

RULES = rules_of("douzero")
HARD = Position([parse_cards("34577888999TTJQKKA2D"), parse_cards("333455677TTQQKKAA22X")])
"""Twenty cards each: tens of millions of nodes."""


def random_solutions(players: int, cards: int, seeds: range, **options: object) -> list[Solution]:
    positions = [random_position(players, cards, seed) for seed in seeds]
    return [solve_position(position, RULES, **options) for position in positions]  # type: ignore[arg-type]


EARLY = 20
"""Nodes of a first round so short that the other threads always join."""


@pytest.mark.parametrize(("players", "cards"), [(2, 12), (3, 8)])
def test_threads_change_neither_verdict_nor_moves(players: int, cards: int) -> None:
    for seed in range(count(fast=20, ci=60, verify=400)):
        position = random_position(players, cards, seed)
        one = native_solve(position, RULES.native, Budget(), Ask.ALL)
        for first_round in (EARLY, 1000):
            several = native_solve(position, RULES.native, Budget(), Ask.ALL, threads=3, first_round=first_round)
            assert several.landlord_wins is one.landlord_wins
            assert several.moves == one.moves


@pytest.mark.parametrize(("players", "cards"), [(2, 7), (3, 5)])
def test_several_threads_against_brute_force(players: int, cards: int) -> None:
    for seed in range(count(fast=60, ci=500, verify=2000)):
        position = random_position(players, cards, seed)
        result = native_solve(
            position, RULES.native, Budget(), Ask.ANY, threads=3, memory=32 << 20, line=False, first_round=EARLY
        )
        assert result.landlord_wins is brute_force(position, RULES.native), position_text(position)


@pytest.mark.parametrize("threads", [1, 3])
def test_first_names_the_first_winning_move_in_root_order(threads: int) -> None:
    for seed in range(count(fast=20, ci=60, verify=400)):
        position = random_position(2, 12, seed)
        first = native_solve(position, RULES.native, Budget(), Ask.FIRST, threads=threads, first_round=EARLY)
        everything = native_solve(position, RULES.native, Budget(), Ask.ALL)
        assert [move for move, wins in first.moves if wins][:1] == [move for move, wins in everything.moves if wins][:1]


def test_every_root_move_against_brute_force() -> None:
    for seed in range(count(fast=60, ci=300, verify=1500)):
        position = random_position(2 + seed % 2, 5, seed)
        for move, wins in solve_position(position, RULES, ask=Ask.ALL).moves:
            child = position.after(move)
            landlord = child.has_landlord_won if child.is_over else brute_force(child, RULES.native)
            assert wins is (landlord is (position.turn == 0)), f"{position_text(position)}: {move}"


@pytest.mark.parametrize(("players", "cards"), [(2, 10), (3, 7)])
def test_lines_are_legal_and_reach_the_proved_result(players: int, cards: int) -> None:
    for solution in random_solutions(players, cards, range(40)):
        position = solution.position
        for seat, move in solution.line:
            assert seat == position.turn
            assert move in position.legal_moves(RULES.native)
            position = position.after(move)
        assert position.is_over
        assert position.has_landlord_won is solution.landlord_wins


def forced_plies(position: Position, landlord_wins: bool, within: int) -> bool:
    """Plain recursion: can the winners end it in so many plies?"""
    if position.is_over:
        return position.has_landlord_won is landlord_wins
    if within == 0:
        return False
    children = (position.after(move) for move in position.legal_moves(RULES.native))
    verdicts = (forced_plies(child, landlord_wins, within - 1) for child in children)
    return any(verdicts) if (position.turn == 0) is landlord_wins else all(verdicts)


def test_shortest_lines_are_as_long_as_plain_recursion_says() -> None:
    for seed in range(count(fast=40, ci=150, verify=600)):
        position = random_position(2 + seed % 2, 4, seed)
        solution = solve_position(position, RULES, shortest=True)
        assert solution.is_line_shortest
        assert solution.landlord_wins is not None
        plies = len(solution.line)
        assert forced_plies(position, solution.landlord_wins, plies)
        assert not forced_plies(position, solution.landlord_wins, plies - 1)


def test_a_small_table_replaces_entries_and_stays_right() -> None:
    for seed in range(6):
        position = random_position(2, 17, seed)
        small = solve_position(position, RULES, ask=Ask.ANY, line=False, memory=16)
        large = solve_position(position, RULES, ask=Ask.ANY, line=False, memory=512)
        assert small.landlord_wins is large.landlord_wins


def test_at_the_time_limit_nothing_is_guessed() -> None:
    solution = solve_position(HARD, RULES, seconds=0.05)
    assert not solution.is_proved
    assert solution.landlord_wins is None
    assert solution.open_moves
    assert solution.line == []
    assert solution.seconds < 2


def test_a_node_limit_ends_the_search() -> None:
    result = native_solve(HARD, RULES.native, Budget(0, 20_000))
    assert result.landlord_wins is None
    assert result.nodes < 40_000


def test_cancel_ends_the_search_and_keeps_what_is_known() -> None:
    budget = Budget()
    threading.Timer(0.2, budget.cancel).start()
    start = time.monotonic()
    result = native_solve(HARD, RULES.native, budget, Ask.ALL)
    assert time.monotonic() - start < 5
    assert result.landlord_wins is None or all(wins is not None for _, wins in result.moves)


def test_the_refutation_of_a_lost_position() -> None:
    solution = mingpai.solve("2KKTT77554", "AA8")
    assert solution.landlord_wins is False
    assert solution.winning_moves == []
    assert len(solution.losing_moves) == len(solution.moves)


def test_any_last_move_of_any_seat() -> None:
    assert mingpai.solve("K", "A3", turn="landlord", last="Q", by="farmer").landlord_wins is True
    assert mingpai.solve("K", "A3", turn="farmer", last="Q", by="landlord").landlord_wins is False
    three = mingpai.solve("4Q", down="6", up="5K", turn="up", last="3", by="landlord")
    assert three.landlord_wins is False


def test_farmers_feed_each_other() -> None:
    solution = mingpai.solve("KK", down="45", up="6", turn="down", all_moves=True)
    assert solution.landlord_wins is False
    assert [str(move) for move in solution.winning_moves] == ["4", "5"]


def test_bans_take_types_away() -> None:
    assert mingpai.solve("3334", "5", ban=["31"]).winning_moves != mingpai.solve("3334", "5").winning_moves
    assert rules_with_bans("douzero", ["31", "3+1"]).name == "douzero-triple_single-airplane_singles"
    with pytest.raises(BadSetting, match="ban"):
        mingpai.solve("3", "4", ban=["5+5"])


def test_a_joker_alone_is_no_bomb_and_both_are() -> None:
    assert mingpai.solve("DX77633", "888844").landlord_wins is False
    assert mingpai.solve("444333", "DX").landlord_wins is True


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"landlord": "33333", "farmer": "4"}, "at most 4 of 3"),
        ({"landlord": "3", "farmer": ""}, "at least one card"),
        ({"landlord": "3333", "farmer": "3"}, "at most one deck"),
        ({"landlord": "3", "farmer": "4", "turn": "up"}, "one of landlord, farmer"),
        ({"landlord": "3", "farmer": "4", "last": "57", "by": "farmer"}, "a move under the rules"),
        ({"landlord": "3", "farmer": "4", "last": "5", "by": "landlord"}, "not the one that made the last move"),
        ({"landlord": "3", "down": "4"}, "landlord, down and up"),
        ({"landlord": "3z", "farmer": "4"}, "position 1"),
    ],
)
def test_mistakes_are_told(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(BadlyWritten, match=message):
        mingpai.solve(**arguments)  # type: ignore[arg-type]


def test_too_little_memory_is_told() -> None:
    with pytest.raises(MingpaiError, match="at least 16"):
        mingpai.solve("3", "4", memory=1)


def test_engine_answers_within_a_node_budget() -> None:
    engine = Engine()
    engine.set_root(HARD, RULES.native)
    budget = Budget()
    assert engine.landlord_wins(HARD, 1000, budget) is None
    small = Position([parse_cards("345"), parse_cards("67")])
    engine.set_root(small, RULES.native)
    assert engine.landlord_wins(small, 1000, budget) is brute_force(small, RULES.native)
    with pytest.raises(ValueError, match="does not follow"):
        engine.landlord_wins(HARD, 1000, budget)
