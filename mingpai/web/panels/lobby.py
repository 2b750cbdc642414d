"""The set-up of a game: whom to play, and behind that what few people change."""

import html
import secrets
from typing import Any

from nicegui import ui

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.errors import BadSetting, MingpaiError
from mingpai.web import home
from mingpai.web.controls import agent_select
from mingpai.web.frame import complain, language, panel, say, who
from mingpai.web.games import BEST
from mingpai.web.opponents import Opponent, company, measured, opponents
from mingpai.web.panels.dailies import deal_door
from mingpai.web.player import Player
from mingpai.web.seats import direction
from mingpai.web.table import Order, Table
from mingpai.web.texts import profile

MOST_SEATS = {"doudizhu": 3, "guandan": 4, "holdem": 10}
SCHEDULES = ("slow", "fast")
"""Rising blinds that a tournament offers, as the rules name them."""


class Lobby:
    """One browser's set-up of a game: a click on an opponent deals the cards."""

    def __init__(self, game: str, saved: bool) -> None:
        self.game = game
        if saved:
            target = f"/play?game={game}&table=1"
            resume = ui.button(say("resume"), icon="history", on_click=lambda: ui.navigate.to(target))
            resume.props("outline no-caps").mark("resume")
        with ui.element("div").classes("mp-doors"):
            deal_door(game)
            self._rating()
        with panel(say("choose_opponent")):
            self._usual()
            about, command = measured(game, language())
            with ui.element("div").classes("mp-opponents").mark("opponents"):
                for opponent in opponents(game):
                    self._card(opponent)
            ui.label(say("ratings_from", what=about)).classes("mp-soft").tooltip(command)
            with ui.expansion(say("advanced"), icon="tune").classes("w-full"):
                self._advanced()
                ui.label(command).classes("mp-soft").style("font-family: monospace; overflow-wrap: anywhere")
        ui.label(say("own_games")).classes("mp-soft")

    def _rating(self) -> None:
        """How the person stands, and what the number is."""
        standing = Player.of(who()).standing(self.game)
        with ui.link(target="/styles").classes("mp-door mp-daily"):
            with ui.element("div").classes("row no-wrap"):
                ui.label(say("your_rating")).classes("title")
                ui.label(f"{standing.elo:.0f}").classes("title").mark("own-rating")
            ui.label(say(f"rating_about_{self.game}", games=standing.games)).classes("mp-soft")

    def _usual(self) -> None:
        game = REGISTRY.game(self.game)
        with ui.element("div").classes("mp-fields"):
            self.seats = self._number("seats", 6, 2, 10) if self.game == "holdem" else None
            self.whole = ui.switch(say(f"whole_match_{self.game}")).mark("whole")
            self.simple = ui.switch(say("no_bidding")).mark("simple") if game.play_only else None

    def _card(self, opponent: Opponent) -> None:
        """An opponent as a button."""
        name, about = opponent.name(language()), opponent.about[language()]
        stars = "★" * opponent.level + "☆" * (len(opponents(self.game)) - opponent.level)
        button = ui.element("button").props("type=button").classes("mp-opponent").mark(f"opponent-{opponent.level}")
        button.on("click", lambda: self._start(opponent))
        rating = f'<span class="rating">{opponent.elo}</span>'
        drawn = (f'<img src="{opponent.picture()}" alt="" width="72" height="72"><span class="words">'
                 f'<b>{html.escape(name)}</b> {rating}<i aria-hidden="true">{stars}</i>'
                 f"<small>{html.escape(about)}</small></span>")  # fmt: skip
        with button:
            ui.html(drawn, tag="span", sanitize=False).classes("inner")

    def _advanced(self) -> None:
        profiles = list(REGISTRY.game(self.game).profiles())
        with ui.element("div").classes("mp-fields"):
            self.agent = agent_select(self.game, None, say("program"), clearable=True).mark("agent")
            self.rules = ui.select({name: profile(name, language()) for name in profiles}, value=profiles[0],
                                   label=say("rule_profile"), with_input=True, new_value_mode="add-unique",
                                   key_generator=lambda typed: typed).props("dense")  # fmt: skip
            self.seed = ui.input(say("seed")).props("dense").style("width: 140px").mark("seed")
            self.helper = agent_select(self.game, BEST[self.game], say("hint_agent"))
            self.open = ui.switch(say("open_cards"))
            self._match_fields()
        with ui.expansion(say("seat_by_seat")).classes("w-full"), ui.element("div").classes("mp-fields"):
            seats = MOST_SEATS[self.game]
            self.others = {seat: agent_select(self.game, None, direction(seat, 0, seats, language()), clearable=True)
                           for seat in range(1, seats)}  # fmt: skip
        begin = ui.button(say("start"), icon="play_arrow", on_click=lambda: self._start())
        begin.props("no-caps").mark("start")

    def _number(self, key: str, value: int, least: int, most: int) -> ui.number:
        field = ui.number(say(key), value=value, min=least, max=most, precision=0).props("dense")
        return field.style("width: 110px").mark(key)

    def _match_fields(self) -> None:
        """What a whole match starts from."""
        self.settings: dict[str, ui.number] = {}
        self.schedule: ui.select | None = None
        if self.game == "doudizhu":
            self.settings["deals"] = self._number("deals", 10, 1, 200)
        elif self.game == "holdem":
            self.settings["chips"] = self._number("start_chips", 2000, 10, 1_000_000)
            self.settings["big"] = self._number("big_blind", 40, 2, 100_000)
            self.settings["hands"] = self._number("most_hands", 600, 1, 5000)
            names = {"": say("blinds_fixed")} | {name: say(f"blinds_{name}") for name in SCHEDULES}
            self.schedule = ui.select(names, value="slow", label=say("blinds_rise")).props("dense").mark("schedule")
            self.schedule.style("min-width: 170px")

    def _order(self, chosen: Opponent) -> Order:
        text = (self.seed.value or "").strip()
        if text and not (text.isdigit() and len(text) <= 18):
            raise BadSetting("seed", text, "a whole number")
        whole = bool(self.whole.value)
        settings = self._holdem_settings(whole) if self.seats is not None else self._settings(whole)
        seats = int(settings.get("seats", MOST_SEATS[self.game]))
        usual = [str(self.agent.value)] * seats if self.agent.value else company(chosen, seats)
        named = [str(self.others[seat].value or usual[seat - 1]) for seat in range(1, seats)]
        return Order(
            game=self.game, rules=str(self.rules.value), seat=0, agents=tuple(named), settings=settings,
            seed=int(text) if text else secrets.randbelow(2**31), whole_match=whole, open_cards=bool(self.open.value),
            helper=str(self.helper.value or BEST[self.game]), bidder="" if self.agent.value else chosen.bids,
        )  # fmt: skip

    def _settings(self, whole: bool) -> dict[str, Any]:
        simple = self.simple is not None and bool(self.simple.value)
        play_only = dict(REGISTRY.game(self.game).play_only) if simple else {}
        if self.game != "doudizhu" or not whole:
            return play_only
        return {"deals": int(self.settings["deals"].value or 1)} | ({"setup": play_only} if simple else {})

    def _holdem_settings(self, whole: bool) -> dict[str, Any]:
        assert self.seats is not None
        assert self.schedule is not None
        values = {name: int(field.value or 0) for name, field in self.settings.items()}
        big = values["big"]
        made = {"seats": int(self.seats.value or 2), "chips": values["chips"], "blinds": [big // 2, big]}
        if whole:
            made |= {"hands": values["hands"]} | ({"schedule": self.schedule.value} if self.schedule.value else {})
        return made

    def _start(self, chosen: Opponent | None = None) -> None:
        """Deal: against an opponent, or whoever is named under Advanced."""
        try:
            table = Table(self._order(chosen or opponents(self.game)[-1]))
        except MingpaiError as error:
            complain(error)
            return
        home.save(f"tables/{who()}-{self.game}.json", table.to_json())
        ui.navigate.to(f"/play?game={self.game}&table=1")
