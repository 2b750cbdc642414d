"""The cleaning steps, each on games made for it; and the whole pipeline on a small log."""

import json
from pathlib import Path

import numpy as np
import pytest

from mingpai._native import bidding as native
from mingpai.core.errors import BadlyWritten, BadSetting, MingpaiError
from mingpai.games.doudizhu.notation import cards_text
from mingpai.methods.bidding.clean import GameStore, Samples, read_samples, write_samples
from mingpai.methods.bidding.population import draw_players, simulate
from mingpai.methods.bidding.raw import PAPER, Ending, RawBid, RawGame, RawPlay, Word, format_line
from tests.cli.shell import mingpai

DEALS = native.deals(11, 0, 8)


def game(
    deal: int,
    bids: list[tuple[int, int]],
    *,
    landlord_won: bool,
    ending: Ending = Ending.OVER,
    first: int | None = None,
    users: tuple[str, str, str] = ("a", "b", "c"),
) -> RawGame:
    out = RawGame()
    out.users = list(users)
    out.hands, out.bottom = [int(cards) for cards in DEALS[deal][:3]], int(DEALS[deal][3])
    out.bids = [RawBid(seat, Word.BID, value) for seat, value in bids]
    if out.landlord >= 0:
        out.plays = [RawPlay(out.landlord if first is None else first, 0)]
    out.ending, out.landlord_won = ending, landlord_won and ending == Ending.OVER
    return out


def cleaned(
    tmp_path: Path, games: list[RawGame], enough: int = 1
) -> tuple[Samples, dict[str, dict[str, int]], GameStore]:
    log = tmp_path / "games.log"
    log.write_bytes(b"".join(format_line(one, PAPER) + b"\n" for one in games))
    store = GameStore(None)
    store.import_log(log, PAPER)
    samples, report = store.clean(enough)
    return samples, report.to_json(), store


def rows(samples: Samples) -> set[tuple[int, int, int, int]]:
    return set(zip(*(getattr(samples, name).tolist() for name in ("phase", "value", "hand", "label")), strict=True))


SCORES = [(0, 0), (1, 1), (2, 2)]


def test_step_2_and_3_drop_games_that_did_not_end_and_wrong_first_plays(tmp_path: Path) -> None:
    games = [
        game(0, SCORES, landlord_won=True),
        game(1, SCORES, landlord_won=True, ending=Ending.LEFT),
        game(2, SCORES, landlord_won=True, ending=Ending.CUT),
        game(3, [(0, 0), (1, 0), (2, 0)], landlord_won=False, ending=Ending.VOID),
        game(4, SCORES, landlord_won=True, first=1),
    ]
    _, report, _ = cleaned(tmp_path, games)
    assert report["games"] == {
        "read": 5,
        "dropped: a player left": 1,
        "dropped: unfinished": 1,
        "dropped: nobody bid": 1,
        "dropped: first play not the landlord's": 1,
        "valid": 1,
    }


def test_step_4_a_winning_landlord_is_labelled_one(tmp_path: Path) -> None:
    samples, report, store = cleaned(tmp_path, [game(0, SCORES, landlord_won=True)])
    assert store.strong_players() == ["c"]
    assert rows(samples) == {(0, 1, int(DEALS[0][2]), 1)}
    assert report["decisions"]["dropped: of the losers"] == 2


def test_step_4_winning_farmers_carry_their_own_action(tmp_path: Path) -> None:
    samples, _, store = cleaned(tmp_path, [game(0, SCORES, landlord_won=False)])
    assert store.strong_players() == ["a", "b"]
    assert rows(samples) == {(0, 0, int(DEALS[0][0]), 0), (0, 0, int(DEALS[0][1]), 1)}


def test_step_1_strong_players_have_enough_games_and_win_more_than_the_mean(tmp_path: Path) -> None:
    games = [game(i, SCORES, landlord_won=True) for i in range(3)]
    games.append(game(3, SCORES, landlord_won=True, users=("d", "e", "f")))
    samples, report, store = cleaned(tmp_path, games, enough=2)
    assert store.strong_players() == ["c"]
    assert report["players"] == {"seen": 6, "dropped: too few games": 3, "dropped: win rate not above the mean": 2,
                                 "strong": 1}  # fmt: skip
    assert len(samples) == 3


def test_step_5_the_majority_labels_equal_situations(tmp_path: Path) -> None:
    """Seat 0 wins as a farmer in all games: twice without, once with a bid, and as often as not in the second deal."""
    quiet, loud = SCORES, [(0, 1), (1, 2), (2, 3)]
    games = [game(0, bids, landlord_won=False) for bids in (quiet, quiet, loud)]
    games += [game(1, bids, landlord_won=False) for bids in (quiet, loud)]
    samples, report, _ = cleaned(tmp_path, games)
    found = {(value, hand): label for _, value, hand, label in rows(samples)}
    assert found[0, int(DEALS[0][0])] == 0
    assert found[0, int(DEALS[1][0])] == 0
    assert report["decisions"]["labelled"] - report["decisions"]["dropped: merged by the majority"] == len(samples)


def test_call_and_rob_are_two_phases(tmp_path: Path) -> None:
    one = game(0, [], landlord_won=False)
    one.bids = [RawBid(1, Word.CALL, 1), RawBid(2, Word.ROB, 0), RawBid(0, Word.ROB, 1), RawBid(1, Word.ROB, 0)]
    one.plays = [RawPlay(0, 0)]
    one.landlord_won = False
    samples, _, _ = cleaned(tmp_path, [one])
    hands = [int(cards) for cards in DEALS[0]]
    assert rows(samples) == {(0, 0, hands[1], 1), (1, 1, hands[2], 0), (1, 2, hands[1], 0)}


def test_samples_come_back_from_their_file(tmp_path: Path) -> None:
    samples = Samples(
        np.array([0, 1], np.uint8), np.array([2, 1], np.uint8), DEALS[0][:2].copy(), np.array([1, 0], np.uint8)
    )
    path = tmp_path / "samples.csv"
    write_samples(path, samples)
    assert path.read_text().splitlines()[0] == f"0,2,{cards_text(int(DEALS[0][0]))},1"
    again = read_samples(path)
    assert rows(again) == rows(samples)
    path.write_text("0,2,345,1\n")
    with pytest.raises(BadlyWritten, match="line 1"):
        read_samples(path)
    with pytest.raises(MingpaiError, match="no such file"):
        read_samples(tmp_path / "none.csv")
    path.write_text("")
    with pytest.raises(BadSetting, match="at least one"):
        read_samples(path)


def test_two_logs_share_their_players(tmp_path: Path) -> None:
    store = GameStore(tmp_path / "games.duckdb")
    players = draw_players(6, 1)
    for seed in (1, 2):
        simulate(tmp_path / "games.log", 200, players, seed)
        store.import_log(tmp_path / "games.log", PAPER)
    assert store.count("SELECT count(*) FROM players") == 6
    assert store.count("SELECT count(DISTINCT log) FROM games") == 2
    store.close()
    with GameStore(tmp_path / "games.duckdb") as again:
        assert again.count("SELECT count(*) FROM logs") == 2


def test_the_commands_run_one_after_the_other(tmp_path: Path) -> None:
    log, store, out = (str(tmp_path / name) for name in ("games.log", "games.duckdb", "samples.csv"))
    made = mingpai("records", "simulate", "doudizhu", "--games", "2000", "--players", "15", "--seed", "3", "--out", log)
    assert made.code == 0, made
    tempers = (tmp_path / "games.log.tempers.csv").read_text()
    assert tempers.splitlines()[0] == "id,bias,noise,card,slips,activity"
    assert "bias" not in Path(log).read_bytes().decode("latin-1")
    imported = mingpai("records", "raw", log, "--store", store, "--json")
    assert imported.code == 0, imported
    report = json.loads(imported.out)[log]
    assert report["lines"] == 2000
    assert report["records"] + sum(fault["lines"] for fault in report["malformed"].values()) == 2000
    answer = mingpai("records", "clean", "--store", store, "--out", out, "--enough", "50", "--json")
    assert answer.code == 0, answer
    told = json.loads(answer.out)
    assert told["samples"] == len(read_samples(Path(out))) == told["report"]["decisions"]["samples"] > 500
    few = mingpai("records", "clean", "--store", store, "--out", out, "--enough", "50", "--most", "100", "--json")
    assert json.loads(few.out)["samples"] == len(read_samples(Path(out))) == 100


def test_mistakes_are_told(tmp_path: Path) -> None:
    store = str(tmp_path / "no.duckdb")
    for words in (
        ("records", "simulate", "holdem"),
        ("records", "clean", "--store", store),
        ("records", "raw", str(tmp_path / "none.log"), "--store", store),
    ):
        answer = mingpai(*words)
        assert answer.code == 2, answer
        assert answer.err.startswith("mingpai: ")
