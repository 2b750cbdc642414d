"""The logic of the pages, with NiceGUI's simulated user: no browser, no network."""

import asyncio
import dataclasses
import json
import re
import sys
from collections.abc import Awaitable, Callable, Iterator
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from nicegui import Client, app, ui
from nicegui.storage import Storage
from nicegui.testing import User, user_simulation

from mingpai.core.decision import Decision
from mingpai.core.reasons import LANGUAGES
from mingpai.games.guandan.moves import Play
from mingpai.games.guandan.notation import parse_level, readings
from mingpai.methods.endgame.puzzles import levels
from mingpai.records.jsonl import RecordWriter, WriteFailed, read_records
from mingpai.web.felt import Felt
from mingpai.web.frame import who
from mingpai.web.games import keep, keep_opened
from mingpai.web.logs import styles_in
from mingpai.web.panels import sitting
from mingpai.web.texts import text
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
        failure: Exception | None = None
        async with user_simulation(main_file=MAIN) as user:
            try:
                await scenario(user)
            except Exception as error:  # raised below: the simulation does not stop the app when one goes through it
                failure = error
            for client in list(Client.instances.values()):
                client.delete()  # or its outbox may never end: before Python 3.12 wait_for can lose a cancellation
        if failure is not None:
            raise failure

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


def felt(user: User) -> Felt:
    """The table on the page."""
    (found,) = shown(user, "felt")
    assert isinstance(found, Felt)
    return found


def is_my_turn(user: User) -> bool:
    return bool(shown(user, "felt")) and bool(felt(user).scene.get("mine"))


async def act(user: User, what: str, **more: Any) -> None:
    """Do what the element tells when a person does it."""
    with user:
        doing = felt(user).on_act
        assert doing is not None
        done = doing({"do": what, **more})
        if done is not None:
            await done


async def deal(user: User, path: str = "/play", seed: str = "11", *, simple: bool = False, whole: bool = False) -> None:
    await user.open(path)
    with user:
        app.storage.user["table"] = {"pace": "0"}
    user.find(marker="seed").type(seed)
    if simple:
        user.find(marker="simple").click()
    if whole:
        user.find(marker="whole").click()
    user.find(marker="start").click()
    await until(lambda: is_my_turn(user))


def test_a_hint_raises_cards_and_goes_through_the_candidates(simulate: Callable[[Scenario], None]) -> None:
    async def scenario(user: User) -> None:
        await deal(user, simple=True)
        await act(user, "hint")
        first = felt(user).scene["raised"]
        assert first["cards"]
        assert shown(user, "advice")
        await act(user, "hint")
        second = felt(user).scene["raised"]
        assert second["number"] == first["number"] + 1
        assert second["cards"] != first["cards"]
        await act(user, "play", cards=first["cards"])
        assert len(felt(user).scene["hand"]) == 20 - len(first["cards"])
        assert felt(user).scene["raised"] is None

    simulate(scenario)


def test_a_hint_of_cards_that_can_be_several_plays_is_played_as_it_is_shown(
    simulate: Callable[[Scenario], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the hint the page asks which play is meant (test_table_browser has the same cards)."""
    hints: list[Play] = []

    async def advise(*_: object) -> Decision:
        return Decision(hints[-1])

    async def scenario(user: User) -> None:
        await deal(user, "/play?game=guandan", "0")
        codes = [card["code"] for card in felt(user).scene["hand"]]
        cards = [code for code in codes if code[1] in "49"] + ["H2"]
        hints.extend(readings(" ".join(cards), parse_level("2")))
        assert len(hints) > 1
        monkeypatch.setattr(sitting, "work", advise)
        await act(user, "hint")
        await act(user, "play", cards=felt(user).scene["raised"]["cards"])
        assert len(felt(user).scene["hand"]) == len(codes) - len(cards)

    simulate(scenario)


def test_advice_ends_with_the_position_that_it_was_for(simulate: Callable[[Scenario], None]) -> None:
    async def scenario(user: User) -> None:
        await deal(user, simple=True)
        await act(user, "hint")
        assert shown(user, "advice")
        before = felt(user).scene["number"]
        user.find(marker="autopilot").click()
        await until(lambda: felt(user).scene["number"] > before)
        assert not shown(user, "advice")
        assert felt(user).scene["raised"] is None

    simulate(scenario)


def test_an_illegal_play_is_explained_and_undo_is_kept(simulate: Callable[[Scenario], None], tmp_path: Path) -> None:
    async def scenario(user: User) -> None:
        await deal(user, simple=True)
        hand = felt(user).scene["hand"]
        await act(user, "play", cards=[hand[0]["code"], hand[19]["code"]])
        assert "no combination" in felt(user).scene["status"]
        assert felt(user).scene["wrong"]
        await act(user, "undo")
        assert "nothing to take back" in " ".join(user.notify.messages)
        assert len(felt(user).scene["counter"]) == 15
        await act(user, "play", cards=[hand[19]["code"]])
        await until(lambda: is_my_turn(user))
        await act(user, "undo")
        assert len(felt(user).scene["hand"]) == 20
        (file,) = (tmp_path / "tables").glob("*.json")
        assert json.loads(file.read_text())["deal"]["moves"] == []
        await user.open("/play?table=1")
        await until(lambda: is_my_turn(user))
        assert [card["code"] for card in felt(user).scene["hand"]] == [card["code"] for card in hand]

    simulate(scenario)


def test_the_own_move_is_on_the_disk_before_anybody_answers(
    simulate: Callable[[Scenario], None], tmp_path: Path
) -> None:
    """A kill -9 after the move lost it in seven of ten games: the table was kept when the person was to move again."""

    async def scenario(user: User) -> None:
        await deal(user, simple=True)
        hand = felt(user).scene["hand"]
        await act(user, "play", cards=[hand[19]["code"]])
        (file,) = (tmp_path / "tables").glob("*.json")
        moves = json.loads(file.read_text())["deal"]["moves"]
        assert [seat for seat, _ in moves] == [0], "the own move, and no other yet"

    simulate(scenario)


def test_play_goes_on_when_the_disk_is_full(simulate: Callable[[Scenario], None], monkeypatch: Any) -> None:
    def fail(*_: Any) -> None:
        raise WriteFailed(Path("table"), OSError(28, "No space left on device"))

    async def scenario(user: User) -> None:
        await deal(user, simple=True)
        monkeypatch.setattr("mingpai.web.home.save", fail)
        hand = felt(user).scene["hand"]
        await act(user, "play", cards=[hand[19]["code"]])
        assert len(felt(user).scene["hand"]) == 19
        assert "No space left" in " ".join(user.notify.messages)

    simulate(scenario)


@pytest.mark.parametrize("game", ["doudizhu", "guandan", "holdem"])
def test_the_helper_plays_a_deal_to_its_sheet(simulate: Callable[[Scenario], None], tmp_path: Path, game: str) -> None:
    async def scenario(user: User) -> None:
        await deal(user, f"/play?game={game}")
        user.find(marker="autopilot").click()
        await until(lambda: bool(felt(user).scene.get("sheet")))
        sheet = felt(user).scene["sheet"]
        assert sheet["details"]
        assert len(sheet["seats"]) == len(felt(user).scene["seats"])
        user.find(marker="review").click()
        await user.should_see(marker="last-move")

    simulate(scenario)
    (file,) = (tmp_path / "games").glob(f"*/{game}.jsonl")
    (record,) = read_records(file)
    assert record.tags["autopilot"] >= 1, "the record says that somebody else played"


@pytest.mark.ci
@pytest.mark.parametrize("game", ["doudizhu", "guandan", "holdem"])
def test_a_match_goes_on_from_deal_to_deal(simulate: Callable[[Scenario], None], tmp_path: Path, game: str) -> None:
    async def scenario(user: User) -> None:
        await deal(user, f"/play?game={game}", "5", whole=True)
        for number in (1, 2):
            assert f"Deal {number}" in felt(user).scene["match"]
            await _play_out(user)
            user.find(marker="next").click()
            await until(lambda: not felt(user).scene["over"])
        assert "Deal 3" in felt(user).scene["match"]

    simulate(scenario)
    (file,) = (tmp_path / "games").glob(f"*/{game}.jsonl")
    records = list(read_records(file))
    assert len(records) == 2
    assert records[1].tags["number"] == 1
    if game == "guandan":
        assert "previous" in records[1].setup, "the second round of a match begins with tribute"


async def _play_out(user: User) -> None:
    """Takes hints until the deal is over."""
    while not felt(user).scene["over"]:
        await until(lambda: is_my_turn(user) or felt(user).scene["over"])
        if felt(user).scene["over"]:
            return
        await act(user, "hint")
        scene = felt(user).scene
        if scene["raised"]["cards"]:
            await act(user, "play", cards=scene["raised"]["cards"])
        else:
            move = scene["hinted"]
            await act(user, "move", move=f"raise {scene['raised']['amount']:g}" if move == "raise" else move)


def test_a_level_solved_with_the_answer_shown_does_not_count_and_one_without_does(
    simulate: Callable[[Scenario], None], tmp_path: Path
) -> None:
    async def follow(user: User) -> list[str]:
        """Play what wins as the page shows it; gives back the moves."""
        played: list[str] = []
        user.find(marker="proof").click()
        while True:
            await until(lambda: bool(shown(user, "winning_moves") or shown(user, "solved-shown")))
            if shown(user, "solved-shown"):
                return played
            tag = shown(user, "winning_moves")[0].default_slot.children[0]
            played.append(str(tag.props["data-move"]))
            with user:
                for listener in list(tag._event_listeners.values()):
                    listener.handler(None)
            await asyncio.sleep(0.05)

    async def scenario(user: User) -> None:
        await user.open("/solve/level/3")
        moves = await follow(user)
        await user.open("/solve")
        assert words(user, "progress") == f"0 / {len(levels())}"
        await user.open("/solve/level/3")
        (table,) = shown(user, "table")
        told = []
        for move in moves:
            await until(lambda: bool(table.scene["mine"]))
            told.append(table.scene["status"])
            with user:
                table.on_act({"do": "move", "move": move})
        await until(lambda: bool(shown(user, "level-done")))
        assert all(status.startswith("✓") for status in told[1:]), told
        await user.open("/solve")
        assert words(user, "progress") == f"1 / {len(levels())}"

    simulate(scenario)
    (file,) = (tmp_path / "levels").glob("*.json")
    assert json.loads(file.read_text()) == {"3": {"tries": 2, "wins": 1}}


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
        assert not shown(user, "field-hand"), "cards are picked; whoever wants to type asks for it"
        user.find(marker="type-cards").click()
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
        assert shown(user, "table")[0].scene["hand"]

    simulate(scenario)


def test_a_match_in_the_arena_makes_a_leaderboard(simulate: Callable[[Scenario], None]) -> None:
    async def scenario(user: User) -> None:
        await user.open("/arena?game=guandan")
        shown(user, "deals")[0].set_value(2)
        user.find(marker="start-match").click()
        await until(lambda: bool(shown(user, "elo")))
        assert words(user, "progress") == "2 / 2"
        assert {row["agent"] for row in shown(user, "elo")[0].rows} == {"Zhuge", "Jiang"}

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
        rows = {row["id"]: row for row in shown(user, "statistics")[0].rows}
        assert set(rows) == {"tag", "maniac", "rock"}
        assert rows["maniac"]["hands"] == 12
        points = shown(user, "bidding-map")[0].options["series"][0]["data"]
        assert len(points) == 60
        assert all(-1 <= point["value"][0] <= 1 for point in points)
        assert sorted(point["name"] for point in points) == sorted(f"Player {number}" for number in range(1, 61))
        assert all(row["id"].startswith("g-t61") for row in shown(user, "bidding-table")[0].rows)

    simulate(scenario)


ACTS = {"en": {"bids", "passes", "robs", "does not rob"}, "zh": {"叫牌", "不叫", "抢地主", "不抢"}}


def test_decisions_of_a_player_stand_beside_the_benchmark(simulate: Callable[[Scenario], None]) -> None:
    """The paper's figure 11: hands as cards, decisions in words, as many over-rated as the table of players counts."""
    player = next(style for style in styles_in(None).styles if style.decisions <= 100 and style.over and style.under)

    def rows(user: User) -> list[dict[str, Any]]:
        return [row for table in shown(user, "beside-table") for row in table.rows]

    async def scenario(user: User) -> None:
        for language in LANGUAGES:
            await user.open("/styles")
            await until(lambda: bool(rows(user)))
            shown(user, "beside-player")[0].set_value(player.player)
            await until(lambda: len(rows(user)) == player.decisions)
            assert {row[side] for row in rows(user) for side in ("did", "benchmark")} <= ACTS[language]
            assert all(row["hand"].count("mp-card") == 17 for row in rows(user))
            for name, count in (("over", player.over), ("under", player.under)):
                assert [row["deviation"] for row in rows(user)].count(text(f"beside_{name}", language)) == count
            user.find(marker="language").click()

    simulate(scenario)


LISTED = {
    "en": (
        r"3 Nov 2026, 09:05 · Texas Hold'em · You (won|lost) [+-]\d+ · \w.*",
        r"Game 1 · Dou Dizhu · Player 1 .*Mary.*",
    ),
    "zh": (r"2026年11月3日 09:05 · 德州扑克 · 你(赢|输)了 [+-]\d+ · \w.*", r"第 1 局 · 斗地主 · 玩家 1 .*Mary.*"),
}


def test_saved_games_are_listed_newest_first_by_date_result_and_opponents(simulate: Callable[[Scenario], None]) -> None:
    """No hash; games of a file without dates are numbered, players without a name too."""
    foreign, *others = played("doudizhu", ("greedy", "greedy", "greedy"), 3)
    foreign = dataclasses.replace(foreign, players=("g-t6100000017", "Mary", "g-t6100000018"))
    mine = [dataclasses.replace(one, players=("person", *one.players[1:])) for one in others]
    mine += [dataclasses.replace(next(played("holdem", ("tag", "station"), 1)), players=("person", "station"))]

    async def scenario(user: User) -> None:
        await user.open("/")
        with user, pytest.MonkeyPatch.context() as clock:
            for day, record in enumerate(mine, start=1):
                now = datetime(2026, 11, day, 9, 5).timestamp()
                clock.setattr("mingpai.web.games.time", SimpleNamespace(time=lambda now=now: now))
                keep(record, who())
            keep_opened([foreign], who())
        for first, last in LISTED.values():
            await user.open("/replay")
            lines = list(shown(user, "games")[0].options.values())
            assert re.fullmatch(first, lines[0]), lines
            assert re.fullmatch(last, lines[-1]), lines
            assert len(lines) == 4
            user.find(marker="language").click()

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
