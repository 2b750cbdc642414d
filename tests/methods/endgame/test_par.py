"""Par of deals, the library, truth lines, and the levels played out."""

import json
from pathlib import Path

import pytest

from mingpai._native.core import Budget
from mingpai._native.endgame import Position
from mingpai.core.errors import BadlyWritten, BadSetting, MingpaiError
from mingpai.core.random import stream
from mingpai.games.doudizhu.moves import Move
from mingpai.games.doudizhu.notation import parse_cards
from mingpai.games.doudizhu.rules import rules_of
from mingpai.methods.endgame.levels_run import run_levels
from mingpai.methods.endgame.par import Deal, extend_library, par, plot, read_library, shares, total
from mingpai.methods.endgame.puzzles import levels
from mingpai.methods.endgame.solver import solve_position
from mingpai.methods.endgame.truth import truth_line

RULES = rules_of("douzero")
SMALL = Deal([parse_cards("3579K"), parse_cards("446QA"), parse_cards("68TJ2")], parse_cards("35"))


def test_the_par_of_a_deal_has_every_landlord_and_every_lead() -> None:
    rows = par(SMALL)
    assert {(row.landlord, row.lead) for row in rows} == {(a, b) for a in range(3) for b in range(3)}
    for row in rows:
        position = SMALL.position(row.landlord, row.lead)
        assert position.hands[0] == SMALL.hands[row.landlord] + SMALL.bottom
        assert row.landlord_wins is solve_position(position, RULES, judge=False, threads=1).landlord_wins


def test_a_random_deal_is_one_deck() -> None:
    deal = Deal.random(7, 3)
    assert sum(deal.hands) + deal.bottom == sum(4 << (4 * rank) for rank in range(13)) + (17 << 52)
    assert deal == Deal.random(7, 3) != Deal.random(7, 4)


def test_a_library_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "deals.jsonl"
    first = list(extend_library(path, 5, 2, 20_000))
    rest = list(extend_library(path, 5, 3, 20_000))
    assert [deal.deal for deal in first + rest] == [0, 1, 2]
    head, deals = read_library(path)
    assert head["seed"] == 5
    assert deals == first + rest
    counted = total(shares(deals))
    assert counted.deals == 3
    assert plot(deals).startswith("<svg")


def test_a_library_refuses_a_file_of_other_settings(tmp_path: Path) -> None:
    path = tmp_path / "deals.jsonl"
    path.write_text(json.dumps({"library": 1, "seed": 4}) + "\n")
    with pytest.raises(BadlyWritten):
        list(extend_library(path, 5, 1, 1000))
    with pytest.raises(BadSetting):
        list(extend_library(tmp_path / "new.jsonl", 5, 0))


def random_game(start: Position, seed: int) -> list[Move]:
    rng, position = stream(seed, "game"), start
    moves: list[Move] = []
    while not position.is_over:
        legal = position.legal_moves(RULES.native)
        moves.append(legal[int(rng.integers(len(legal)))])
        position = position.after(moves[-1])
    return moves


@pytest.mark.parametrize("seed", range(3))
def test_a_truth_line_has_the_verdict_of_every_position(seed: int) -> None:
    start = SMALL.position(seed, seed)
    moves = random_game(start, seed)
    heard: list[tuple[int, int]] = []
    line = truth_line(start, moves, RULES, progress=lambda done, all_: heard.append((done, all_)))
    verdicts = [solve_position(p.position, RULES, line=False, judge=False, threads=1).landlord_wins for p in line]
    assert [point.landlord_wins for point in line] == verdicts
    final = line[-1].position.after(moves[-1]).has_landlord_won
    for point, after in zip(line, [*verdicts[1:], final], strict=True):
        is_own = (point.position.turn == 0) is point.landlord_wins
        assert point.is_mistake is (is_own and after is not point.landlord_wins)
    assert heard[-1] == (len(moves), len(moves))


def test_a_cancelled_truth_line_keeps_what_it_has() -> None:
    budget = Budget()
    budget.cancel()
    start = Deal.random(3).position(0, 0)
    line = truth_line(start, start.legal_moves(RULES.native)[:1], RULES, budget=budget)
    assert [point.landlord_wins for point in line] == [None]


def test_a_truth_line_refuses_moves_that_nobody_could_make() -> None:
    start = SMALL.position(0, 0)
    with pytest.raises(MingpaiError):
        truth_line(start, SMALL.position(1, 1).legal_moves(RULES.native)[-1:], RULES)


def test_levels_are_won_against_both_defences() -> None:
    results = list(run_levels(levels()[:4], 1))
    assert [(result.level, result.defence) for result in results][:2] == [(1, "best"), (1, "random")]
    assert all(result.won for result in results)


def test_a_library_that_two_runs_wrote_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "library.jsonl"
    list(extend_library(path, 3, 2, nodes=2000))
    head, *lines = path.read_text().splitlines()
    path.write_text("\n".join([head, *lines, lines[-1]]) + "\n")
    with pytest.raises(BadlyWritten, match="every deal once"):
        read_library(path)


def test_the_committed_library_can_be_read() -> None:
    head, deals = read_library(Path(__file__).parents[3] / "experiments" / "results" / "endgame_library.jsonl")
    assert head["seed"] == 20261117
    assert total(shares(deals)).deals == len(deals) > 700
