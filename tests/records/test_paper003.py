"""The authors' games of paper 003: read, replayed, counted; bad lines are named and cost nothing."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from mingpai.cli.main import app
from mingpai.core.errors import MingpaiError
from mingpai.games.doudizhu import GAME
from mingpai.records.paper003 import (
    PRINTED,
    PaperGame,
    Refused,
    game_from_json,
    high_cards,
    paper_record,
    read_games,
    tallies,
)
from mingpai.records.replay import replay

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "doudizhu" / "paper003-games.jsonl.gz"

FIRST: dict[str, Any] = {
    "table": "3player_CRM", "file": "0.txt", "seats": ["CQL", "RHCP", "MCM"],
    "moves": ["3456789T", "0", "0", "66", "KK", "0", "22", "0", "0", "3", "4", "5", "9", "T", "J", "A", "2", "L", "B",
              "0", "0", "QQ", "0", "AA", "0", "0", "345678", "0", "0", "TT", "KK"],
    "winner": "landlord", "bottom": "BQ2", "hands": ["33456667899TQQKKA22B", "345778899TJJJKKA2", "34455678TTJQQAA2L"],
}  # fmt: skip


def test_a_game_becomes_a_record_that_replays() -> None:
    record = paper_record(game_from_json(FIRST))
    assert replay(record, GAME).is_over
    assert record.players == ("CQL", "RHCP", "MCM")
    assert record.winners == (0,)
    assert record.rules == "douzero"
    assert record.tags["deal"] == "logged"
    assert record.deck.endswith("/Q2D")


def test_high_cards_are_counted_before_the_landlord_takes_the_bottom() -> None:
    dealt = high_cards([game_from_json(FIRST), game_from_json(FIRST)])
    assert (dealt.deals, dealt.means) == (2, (1, 1, 2))
    assert high_cards([]).deals == 0


def test_without_its_deal_the_game_gets_one_that_agrees_with_what_was_played() -> None:
    bare = {key: value for key, value in FIRST.items() if key not in ("hands", "bottom")}
    record = paper_record(game_from_json(bare))
    assert replay(record, GAME).is_over
    assert record.tags["deal"] == "completed"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"moves": ["334455", "33445566"]}, "move 1"),
        ({"moves": FIRST["moves"][:-1]}, "end before"),
        ({"moves": [*FIRST["moves"], "3"]}, "after the deal was over"),
        ({"winner": "up"}, "still holds"),
        ({"bottom": "333"}, "bottom cards"),
    ],
)
def test_a_game_that_breaks_the_rules_is_refused_with_its_reason(change: dict[str, Any], why: str) -> None:
    with pytest.raises(MingpaiError, match=why):
        paper_record(game_from_json(FIRST | change))


def test_lines_that_are_no_games_are_named(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    lines = [
        json.dumps(FIRST),
        "{",
        json.dumps(FIRST | {"winner": "nobody"}),
        json.dumps(FIRST | {"hands": "34"}),
        "9" * 99_999,
    ]
    path.write_text("\n".join(lines) + "\n")
    games = list(read_games(path))
    assert [type(game) for game in games] == [PaperGame, Refused, Refused, Refused, Refused]
    assert isinstance(games[1], Refused)
    assert games[1].name == "line 2"


def test_a_missing_or_torn_file_is_said_clearly(tmp_path: Path) -> None:
    with pytest.raises(MingpaiError, match=r"docs/data\.md"):
        list(read_games(tmp_path / "none.jsonl.gz"))
    torn = tmp_path / "torn.jsonl.gz"
    torn.write_bytes(gzip.compress(json.dumps(FIRST).encode() * 50)[:60])
    with pytest.raises(MingpaiError, match="cannot be read"):
        list(read_games(torn))


@pytest.mark.skipif(not DATA.exists(), reason="public data not present: shared/data/doudizhu")
def test_the_papers_tables_come_out_of_its_games(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["records", "paper003", str(DATA), "--json", "--out", str(tmp_path / "out.jsonl")])
    assert result.exit_code == 0
    tables = json.loads(result.stdout)
    assert (tables["games"], tables["good"], len(tables["refused"])) == (4582, 4538, 44)
    assert sum("does not beat" in bad["reason"] for bad in tables["refused"]) == 43
    printed = {tuple(row["seats"]): row for row in tables["tables"]}
    for seats in (seats for seats in PRINTED if seats in printed):
        row = printed[seats]
        assert tuple(round(100 * wins / row["games"], 1) for wins in row["wins"]) == PRINTED[seats]
    assert printed["RHCP", "MCM", "MCM"]["wins"][0] == 215
    high = tables["high_cards"]
    assert high["deals"] == 3582
    assert all(abs(mean - high["expected"]) < 3 * high["error"] for mean in high["means"])
    assert len(tallies(game for game in read_games(DATA) if isinstance(game, PaperGame))) == 9
