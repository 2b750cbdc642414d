"""The opponents: measured strength, a face for each, one click to sit down."""

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from mingpai.agents.catalogue import REGISTRY
from mingpai.games.doudizhu.state import DoudizhuState
from mingpai.web.games import BEST
from mingpai.web.limits import check
from mingpai.web.opponents import company, faces, measured, opponents
from mingpai.web.table import Order, Table
from tests.web.conftest import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

GAMES = sorted(REGISTRY.games())


@pytest.mark.parametrize("game", GAMES)
def test_five_opponents_each_stronger_than_the_last_by_one_measurement(game: str) -> None:
    found = opponents(game)
    assert [one.level for one in found] == [1, 2, 3, 4, 5]
    assert [one.elo for one in found] == sorted({one.elo for one in found})
    assert all(one.low < one.elo < one.high for one in found)
    about, command = measured(game, "en")
    assert about
    assert "league" in command


@pytest.mark.parametrize("game", GAMES)
def test_every_opponent_may_play_here_and_has_words_and_a_portrait(game: str) -> None:
    for one in opponents(game):
        check(game, one.spec)
        assert one.about["en"]
        assert one.about["zh"]
        assert len(one.names["en"]) == len(one.names["zh"])
        assert len({one.svg(variant) for variant in range(len(one.names["en"]))}) == len(one.names["en"])
        assert ElementTree.fromstring(one.svg()).tag.endswith("svg")


def test_friends_have_the_same_strength_but_holdem_mixes_those_next_in_strength() -> None:
    third = opponents("guandan")[2]
    assert company(third, 3) == [third.spec] * 3
    found = faces("guandan", ["person", *company(third, 3)])
    assert found[0] is None
    assert [known[0].name("zh", known[1]) for known in found if known] == list(third.names["zh"])
    mixed = company(opponents("holdem")[4], 5)
    assert mixed[0] == opponents("holdem")[4].spec
    assert set(mixed) == {one.spec for one in opponents("holdem")}


@pytest.mark.browser
@pytest.mark.ci
def test_one_click_on_an_opponent_deals_the_cards(browser: "Browser", server: Server) -> None:
    page = browser.new_context(viewport={"width": 390, "height": 844}, locale="zh-CN").new_page()
    page.goto(f"{server.url}/play?new=1")
    assert page.locator(".mp-opponent").count() == 5
    assert not re.search(r"rlcard|greedy|preset", page.locator(".mp-opponents").inner_text()), "no names of programs"
    page.keyboard.press("Tab")
    page.locator(".mp-opponent").nth(2).focus()
    page.keyboard.press("Enter")
    page.locator(".mp-hand .mp-card").nth(16).wait_for(timeout=60_000)
    names = page.locator(".mp-seat .agent").all_inner_texts()
    assert sorted(name.partition(" · ")[0] for name in names) == sorted(opponents("doudizhu")[2].names["zh"])
    shown = "[...document.querySelectorAll('.mp-seat img')].map(image => image.naturalWidth > 0)"
    assert page.evaluate(shown) == [True, True]
    page.context.close()


def test_somebody_bids_in_most_deals_against_every_opponent() -> None:
    """Nobody wants to deal again and again because all pass; the person bids as the helper says."""
    for opponent in opponents("doudizhu"):
        void = 0
        for seed in range(20):
            order = Order("doudizhu", agents=(opponent.spec,), seed=seed, bidder=opponent.bids, helper=BEST["doudizhu"])
            table = Table(order)
            assert isinstance(table.state, DoudizhuState)
            while table.state.landlord is None and not table.state.is_over:
                table.agent_plays(table.hint() if table.is_mine else table.agent_decision())
            void += table.state.landlord is None
        assert void <= 3, opponent.key
