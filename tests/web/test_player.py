"""Rating, dailies, streak and own results of the person at a browser."""

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from mingpai.arena.ratings import expected_score
from mingpai.core.game import State
from mingpai.web import home
from mingpai.web.daily import DIFFICULTIES, daily_order, daily_puzzle, daily_seed, streak
from mingpai.web.games import keep, kept
from mingpai.web.opponents import company, opponents
from mingpai.web.ownplay import own_plays
from mingpai.web.player import Player
from mingpai.web.rating import NEW_GAMES, START, Standing, deal_score, match_score
from mingpai.web.table import Order, Table
from tests.web.conftest import Server
from tests.web.test_table import play_out

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINGPAI_HOME", str(tmp_path))


def ended(seats: int, winners: Sequence[int]) -> State:
    """A finished deal that says who won, nothing else."""
    told = SimpleNamespace(seats=seats, winners=lambda: winners)
    return cast(State, told)


def finished(game: str = "doudizhu", level: int = 1, seed: int = 5) -> Table:
    chosen = opponents(game)[level - 1]
    settings = {"landlord": 0} if game == "doudizhu" else {}
    table = Table(Order(game, agents=tuple(company(chosen, 3)), seed=seed, settings=settings))
    play_out(table)
    table.close_deal(lambda record: keep(record, "me"))
    return table


def test_a_side_is_as_good_as_the_mean_of_its_players() -> None:
    ratings = {0: 1500.0, 1: 1300.0, 2: 1700.0}
    assert deal_score(ended(3, (0,)), 0, ratings) == (1.0, 0.5)
    scored = deal_score(ended(3, (0,)), 2, ratings)
    assert scored == (0.0, 0.5), "farmer beside one of 1300 against 1500"
    assert deal_score(ended(3, ()), 0, ratings) is None, "nobody bid"


def test_the_rating_moves_by_what_was_scored_above_expectation_and_slower_later() -> None:
    even = Standing().after(1.0, 0.5)
    assert even.elo == START + 20
    assert even.course == (START + 20,)
    assert Standing(START, NEW_GAMES).after(0.0, 0.5).elo == START - 10
    assert Standing.from_json(even.to_json()) == even
    assert Standing.from_json({"elo": "x"}) == Standing()


def test_a_tournament_counts_whom_one_outlasts() -> None:
    class Places:
        def standings(self) -> Sequence[int]:
            return (2, 1, 3)

    scored, expected = match_score(Places(), 0, {0: 1500.0, 1: 1500.0, 2: 1100.0})  # type: ignore[arg-type]
    assert scored == 0.5
    assert expected == pytest.approx((0.5 + expected_score(1500, 1100)) / 2)


def test_a_deal_without_help_is_rated_and_one_with_help_is_not() -> None:
    player = Player.of("me")
    table = finished()
    player.finish_deal(table)
    moved = Player.of("me").last
    assert moved["key"] == table.saved_key
    assert moved["why"] == ""
    assert moved["after"] != moved["before"]
    assert Player.of("me").standing("doudizhu").games == 1
    for tag in ("hints", "autopilot", "again"):
        helped = finished(seed=6)
        helped.tags[tag] = 1
        player.finish_deal(helped)
        assert player.last["why"] == "unrated_helped"
    assert player.standing("doudizhu").games == 1
    stranger = Table(Order("doudizhu", agents=("random",), seed=5, settings={"landlord": 0}))
    play_out(stranger)
    player.finish_deal(stranger)
    assert player.last["why"] == "unrated_program"


def test_help_in_one_deal_of_a_match_is_remembered() -> None:
    table = Table(Order("holdem", agents=("station",), seed=3, settings={"seats": 2}, whole_match=True))
    table.tags["hints"] = 1
    play_out(table)
    table.close_deal(lambda record: None)
    assert table.next_deal({})
    assert not table.is_fair
    assert not Table.from_json(table.to_json()).is_fair


def test_the_daily_deal_is_the_same_for_everybody_and_another_one_tomorrow() -> None:
    for game in ("doudizhu", "guandan", "holdem"):
        decks = [Table(daily_order(game, day, "")).state.deck() for day in ("2026-11-17", "2026-11-17", "2026-11-18")]
        assert decks[0] == decks[1] != decks[2]
    assert daily_seed("puzzle", "2026-11-17") != daily_seed("doudizhu", "2026-11-17")
    assert daily_puzzle("2026-11-16")[0] == DIFFICULTIES[0], "easy on a Monday"
    assert daily_puzzle("2026-11-22")[0] == DIFFICULTIES[-1] == 5


def test_a_streak_counts_days_in_a_row_and_survives_until_the_day_is_over() -> None:
    days = ["2026-02-27", "2026-02-28", "2026-03-01"]
    assert streak(days, "2026-03-01") == 3
    assert streak(days, "2026-03-02") == 3
    assert streak(days, "2026-03-03") == 0
    assert streak([], "2026-03-03") == 0


def test_only_the_first_end_of_a_daily_counts_and_none_with_help(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mingpai.web.player.today", lambda: "2026-03-02")
    player = Player.of("me")
    player.finish_daily("doudizhu", "2026-03-01", {"points": 2, "alone": True})
    player.finish_daily("doudizhu", "2026-03-01", {"points": -4, "alone": False})
    player.finish_daily("guandan", "2026-03-02", {"points": 1, "alone": False})
    assert Player.of("me").daily["doudizhu"]["2026-03-01"]["points"] == 2
    assert Player.of("me").streak(puzzles=False) == 1
    assert Player.of("me").streak(puzzles=True) == 0


def test_own_results_by_part_and_opponent() -> None:
    for seed in (1, 2):
        finished(seed=seed)
    plays = own_plays(kept(who="me", folder=home.home()))
    own = plays["doudizhu"]
    assert own.total.deals == own.parts["landlord"].deals == own.opponents["dou"].deals == 2
    assert own.total.points == own.opponents["dou"].points


@pytest.mark.browser
@pytest.mark.ci
def test_the_daily_puzzle_and_the_own_style_have_a_place(browser: "Browser", server: Server) -> None:
    page = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-US").new_page()
    page.set_default_timeout(60_000)
    page.goto(f"{server.url}/")
    page.get_by_text("Puzzle of the day").click()
    page.locator(".mp-hand .mp-card").first.wait_for()
    first = page.locator(".mp-hand").inner_text()
    page.reload()
    page.locator(".mp-hand .mp-card").first.wait_for()
    assert page.locator(".mp-hand").inner_text() == first
    page.goto(f"{server.url}/styles")
    page.get_by_text("Nothing yet").wait_for()
    assert page.locator(".mp-panel .mp-h").first.inner_text() == "My style"
    page.goto(f"{server.url}/play?daily=1")
    page.locator(".mp-hand .mp-card").nth(19).wait_for()
    page.get_by_role("button", name="Let the helper play").click()
    page.locator(".mp-sheet", has_text="Not rated").wait_for()
    page.get_by_text("With your cards").wait_for()
    assert not page.get_by_role("button", name="Next deal").count(), "there is one deal a day"
    page.context.close()
