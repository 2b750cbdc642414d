"""Paper 001: its worked example, and public positions with proved results."""

import json
from pathlib import Path
from typing import Any

import pytest

from mingpai._native.endgame import Ask
from mingpai.games.doudizhu.notation import parse_cards
from mingpai.methods.endgame.solver import read_position, rules_with_bans, seat_names, solve, solve_position

LANDLORD, FARMER = "4667788QK2", "334455QK2"
GAME_LINE = ["4", "Q", "K", "2", "pass", "334455", "667788", "pass", "2", "pass", "Q"]

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "endgame" / "puzzles.jsonl"
"""Public positions: read where they are present beside the project, never copied into it."""


def public_positions() -> list[dict[str, Any]]:
    if not DATA.exists():
        pytest.skip(f"public data not present: {DATA.name}, 30 endgames; docs/data.md says where they come from")
    return [json.loads(line) for line in DATA.read_text().splitlines()]


def test_figure_2_has_11_root_moves() -> None:
    solution = solve(LANDLORD, FARMER, all_moves=True)
    expected = {"4", "6", "7", "8", "Q", "K", "2", "66", "77", "88", "667788"}
    assert {str(move) for move, _ in solution.moves} == expected
    assert len(solution.moves) == 11


def test_figure_6_leading_4_is_the_only_winning_lead() -> None:
    solution = solve(LANDLORD, FARMER, all_moves=True)
    assert solution.landlord_wins is True
    assert [str(move) for move in solution.winning_moves] == ["4"]


def test_figures_6_to_17_the_game_line_stays_won() -> None:
    rules = rules_with_bans("douzero", ())
    position = read_position(LANDLORD, FARMER, None, None, "landlord", "", "", rules)
    for text in GAME_LINE:
        by_text = {str(move): wins for move, wins in solve_position(position, rules, ask=Ask.ALL).moves}
        assert text in by_text
        if seat_names(position)[position.turn] == "landlord":
            assert by_text[text] is True, text
        move = next(move for move in position.legal_moves(rules.native) if str(move) == text)
        position = position.after(move)
    assert position.is_over
    assert position.has_landlord_won


def test_the_30_public_positions() -> None:
    positions = public_positions()
    assert len(positions) == 30
    for puzzle in positions:
        solution = solve(puzzle["landlord"], puzzle["farmer"], ban=puzzle["banned"].split(), all_moves=True)
        assert solution.landlord_wins is puzzle["landlord_wins"], puzzle["id"]
        found = {move.cards for move in solution.winning_moves}
        assert found == {parse_cards(text) for text in puzzle["winning_first_moves"]}, puzzle["id"]
        assert solution.open_moves == [], puzzle["id"]
