"""Guandan (掼蛋): four players in two teams, two decks. The rules are in RULES.md, in numbered clauses."""

from collections.abc import Mapping, Sequence
from typing import Any

from mingpai.core.decision import ValueUnit
from mingpai.core.errors import BadSetting
from mingpai.core.game import Game, Setup, State, View
from mingpai.games.guandan import notation
from mingpai.games.guandan.moves import Play
from mingpai.games.guandan.rules import PROFILES, rules_of
from mingpai.games.guandan.scoring import GuandanMatch, new_match
from mingpai.games.guandan.state import GuandanState, deal, start
from mingpai.games.guandan.view import GuandanView, view_from_json

__all__ = ["GAME", "Guandan", "GuandanMatch", "GuandanState", "GuandanView"]


class Guandan(Game):
    """Makes rounds and matches of Guandan, reads positions and moves."""

    name = "guandan"
    unit: ValueUnit = "points"
    titles: Mapping[str, str] = {"en": "Guandan", "zh": "掼蛋"}

    def profiles(self) -> Sequence[str]:
        return PROFILES

    def profile_json(self, rules: str) -> dict[str, Any]:
        return rules_of(rules).to_json()

    def deal(self, seed: int, rules: str = "", setup: Setup | None = None) -> GuandanState:
        return deal(seed, rules, setup)

    def start(self, deck: str, rules: str = "", setup: Setup | None = None) -> GuandanState:
        return start(deck, rules, setup)

    def parse_move(self, text: str, position: State | View) -> Play:
        assert isinstance(position, GuandanState | GuandanView)
        return notation.parse_move(text, position)

    def view_from_json(self, data: Mapping[str, Any]) -> GuandanView:
        return view_from_json(data)

    def match(self, seed: int, rules: str = "", settings: Setup | None = None) -> GuandanMatch:
        return new_match(seed, rules, settings)

    def match_from_json(self, data: Mapping[str, Any]) -> GuandanMatch:
        return GuandanMatch.from_json(data)

    def seatings(self, sides: int) -> Sequence[Sequence[int]]:
        """Two agents: each once at seats 0 and 2, once at 1 and 3. Four agents: every pairing of partners, twice."""
        known = {
            1: ((0, 0, 0, 0),),
            2: ((0, 1, 0, 1), (1, 0, 1, 0)),
            4: ((0, 1, 2, 3), (1, 0, 3, 2), (0, 2, 1, 3), (2, 0, 3, 1), (0, 1, 3, 2), (1, 0, 2, 3)),
        }
        if sides not in known:
            raise BadSetting("sides", sides, "1, 2 or 4 agents")
        return known[sides]


GAME = Guandan()
"""The game, as the registry finds it."""
