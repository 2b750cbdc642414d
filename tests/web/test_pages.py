"""The logic of the pages, with NiceGUI's simulated user: no browser, no network."""

import asyncio
import json
import re
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from nicegui import Client, ui
from nicegui.storage import Storage
from nicegui.testing import User, user_simulation

from mingpai.methods.endgame.puzzles import levels
from mingpai.records.jsonl import RecordWriter, read_records
from mingpai.web.frame import who
from tests.web.deals import played

MAIN = Path(__file__).with_name("simulated.py")
KEPT = ("mingpai", "mingpai.web")
"""Packages that the simulation forgets and the other tests still need."""
SECONDS = 20.0

Scenario = Callable[[User], Awaitable[None]]


@pytest.fixture
def simulate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Scenario], None]]:
    """Runs a scenario with a user of a fresh app."""
    monkeypatch.setenv("MINGPAI_HOME", str(tmp_path))
    monkeypatch.setattr(Storage, "path", tmp_path / "browser")
    kept = {name: sys.modules[name] for name in KEPT if name in sys.modules}
    for name in [name for name in sys.modules if name.startswith("mingpai.web.pages")]:
        del sys.modules[name]

    async def run(scenario: Scenario) -> None:
        async with user_simulation(main_file=MAIN) as user:
            try:
                await scenario(user)
            finally:
                for client in list(Client.instances.values()):
                    client.delete()  # or its outbox may never end: before Python 3.12 wait_for can lose a cancellation

    yield lambda scenario: asyncio.run(run(scenario))
    sys.modules.update(kept)


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something that the page does on its own."""
    for _ in range(int(SECONDS / 0.05)):
        if condition():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it did not happen")


def shown(user: User, marker: str) -> list[Any]:
    try:
        return list(user.find(marker=marker).elements)
    except AssertionError:
        return []


def words(user: User, marker: str) -> str:
    return " ".join(str(getattr(element, "text", "")) for element in shown(user, marker))


async def deal(user: User, path: str = "/play", seed: str = "11") -> None:
    await user.open(path)
    user.find(marker="seed").type(seed)
    user.find(marker="start").click()
    await until(lambda: bool(shown(user, "hint")))


def test_a_hint_is_shown_with_candidates_and_played(simulate: Callable[[Scenario], None], tmp_path: Path) -> None:
    async def scenario(user: User) -> None:
        await deal(user)
        await user.should_see(marker="table")
        user.find(marker="hint").click()
        await until(lambda: bool(shown(user, "play-hint")))
        await user.should_see(marker="decision")
        user.find(marker="play-hint").click()
        await until(lambda: not shown(user, "play-hint"))
        await until(lambda: bool(list((tmp_path / "tables").glob("*-doudizhu.json"))))

    simulate(scenario)


def test_an_illegal_play_is_explained_and_undo_takes_back(simulate: Callable[[Scenario], None]) -> None:
    async def scenario(user: User) -> None:
        await user.open("/play")
        user.find(marker="seed").type("11")
        user.find("No bidding: seat 0 is the landlord").click()
        user.find(marker="start").click()
        await until(lambda: bool(shown(user, "play")))
        for card in ("card-0", "card-19"):
            user.find(marker=card).click()
        user.find(marker="play").click()
        assert "no combination" in words(user, "status")
        user.find(marker="undo").click()
        await user.should_see("there is nothing to take back")
        assert shown(user, "counter")

    simulate(scenario)


@pytest.mark.ci
@pytest.mark.parametrize("game", ["doudizhu", "guandan", "holdem"])
def test_a_match_goes_on_from_deal_to_deal(simulate: Callable[[Scenario], None], tmp_path: Path, game: str) -> None:
    async def scenario(user: User) -> None:
        await user.open(f"/play?game={game}")
        user.find(marker="seed").type("5")
        user.find(marker="whole").click()
        next(iter(shown(user, "pace"))).set_value("0")
        user.find(marker="start").click()
        for _ in range(2):
            await _play_out(user)
            assert re.search(r"[+-]\d|Nothing won", words(user, "status"))
            user.find(marker="next").click()
        await until(lambda: "3" in words(user, "match").partition("·")[0])

    simulate(scenario)
    (file,) = (tmp_path / "games").glob(f"*/{game}.jsonl")
    records = list(read_records(file))
    assert len(records) == 2
    assert records[1].tags["number"] == 1
    if game == "guandan":
        assert "previous" in records[1].setup, "the second round of a match begins with tribute"


async def _play_out(user: User) -> None:
    await until(lambda: bool(shown(user, "hint") or shown(user, "next")))
    while not shown(user, "next"):
        user.find(marker="hint").click()
        await until(lambda: bool(shown(user, "play-hint")))
        user.find(marker="play-hint").click()
        await until(lambda: bool(not shown(user, "play-hint") and (shown(user, "hint") or shown(user, "next"))))


def test_a_level_is_solved_and_progress_is_kept(simulate: Callable[[Scenario], None], tmp_path: Path) -> None:
    async def scenario(user: User) -> None:
        await user.open("/solve/level/3")
        user.find(marker="proof").click()
        for _ in range(40):
            await until(lambda: bool(shown(user, "winning_moves") or shown(user, "level-done")))
            if shown(user, "level-done"):
                break
            tag = shown(user, "winning_moves")[0].default_slot.children[0]
            with user:
                for listener in list(tag._event_listeners.values()):
                    listener.handler(None)
            await asyncio.sleep(0.05)
        assert "Level 3 is solved" in words(user, "level-done")
        await user.open("/solve")
        assert words(user, "progress") == f"1 / {len(levels())}"

    simulate(scenario)
    (file,) = (tmp_path / "levels").glob("*.json")
    assert json.loads(file.read_text()) == {"3": {"tries": 1, "wins": 1}}


def test_a_wrong_first_move_loses_the_level(simulate: Callable[[Scenario], None]) -> None:
    async def scenario(user: User) -> None:
        await user.open("/solve/level/1")
        user.find(marker="proof").click()
        await until(lambda: bool(shown(user, "losing_moves")))
        tag = shown(user, "losing_moves")[0].default_slot.children[0]
        with user:
            for listener in list(tag._event_listeners.values()):
                listener.handler(None)
        await until(lambda: "The farmers win" in " ".join(e.text for e in user.find(kind=ui.label).elements))

    simulate(scenario)


@pytest.mark.parametrize("game", ["doudizhu", "guandan", "holdem"])
def test_an_analysis_shows_belief_and_stages(simulate: Callable[[Scenario], None], game: str) -> None:
    async def scenario(user: User) -> None:
        await user.open(f"/analyse?game={game}")
        user.find(marker="analyse").click()
        await until(lambda: bool(shown(user, "decision")))
        assert shown(user, "belief")
        for stage in ("understand", "model", "infer", "decide"):
            assert shown(user, f"stage-{stage}")

    simulate(scenario)


def test_a_position_that_cannot_be_read_is_refused_in_words(simulate: Callable[[Scenario], None]) -> None:
    async def scenario(user: User) -> None:
        await user.open("/analyse")
        shown(user, "field-hand")[0].set_value("3333333")
        user.find(marker="analyse").click()
        await until(lambda: any("3333333" in message for message in user.notify.messages))
        assert not shown(user, "decision")

    simulate(scenario)


def test_a_puzzle_is_made_from_its_seed(simulate: Callable[[Scenario], None]) -> None:
    async def scenario(user: User) -> None:
        await user.open("/solve?tab=maker&difficulty=1&seed=77")
        user.find(marker="make").click()
        await until(lambda: "Seed 77" in words(user, "made"))
        assert shown(user, "hand")

    simulate(scenario)


def test_a_match_in_the_arena_makes_a_leaderboard(simulate: Callable[[Scenario], None]) -> None:
    async def scenario(user: User) -> None:
        await user.open("/arena?game=guandan")
        shown(user, "deals")[0].set_value(2)
        user.find(marker="start-match").click()
        await until(lambda: bool(shown(user, "elo")))
        assert words(user, "progress") == "2 / 2"
        assert [row["agent"] for row in shown(user, "elo")[0].rows] in (["rule4", "rule3"], ["rule3", "rule4"])

    simulate(scenario)


def test_styles_are_mapped_from_stored_games_and_simulated_players(
    simulate: Callable[[Scenario], None], tmp_path: Path
) -> None:
    async def scenario(user: User) -> None:
        await user.open("/")
        with user:
            own = tmp_path / "games" / who() / "holdem.jsonl"
        with RecordWriter(own) as writer:
            for record in played("holdem", ("tag", "maniac", "rock"), 12):
                writer.write(record)
        await user.open("/styles")
        await until(lambda: bool(shown(user, "statistics") and shown(user, "bidding-map")))
        rows = {row["player"]: row for row in shown(user, "statistics")[0].rows}
        assert set(rows) == {"tag", "maniac", "rock"}
        assert rows["maniac"]["hands"] == 12
        points = shown(user, "bidding-map")[0].options["series"][0]["data"]
        assert len(points) == 60
        assert all(-1 <= point["value"][0] <= 1 for point in points)

    simulate(scenario)


@pytest.mark.parametrize("path", ["/", "/play", "/solve", "/analyse", "/replay", "/styles", "/arena", "/rules"])
def test_every_page_opens_in_both_languages(simulate: Callable[[Scenario], None], path: str) -> None:
    async def scenario(user: User) -> None:
        await user.open(path)
        await user.should_see("Play")
        user.find(marker="language").click()
        await user.open(path)
        await user.should_see("对局")

    simulate(scenario)
