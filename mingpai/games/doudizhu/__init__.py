"""Dou Dizhu: three players, one landlord against two farmers. The rules are in RULES.md, in numbered clauses."""

from collections.abc import Mapping, Sequence
from typing import Any

from mingpai.core.decision import ValueUnit
from mingpai.core.errors import BadSetting
from mingpai.core.game import Game, Setup, State, View
from mingpai.games.doudizhu import notation
from mingpai.games.doudizhu.moves import Action
from mingpai.games.doudizhu.rules import PROFILES, rules_of
from mingpai.games.doudizhu.scoring import DoudizhuMatch, new_match
from mingpai.games.doudizhu.state import DoudizhuState, deal, start
from mingpai.games.doudizhu.view import DoudizhuView, view_from_json

__all__ = ["GAME", "Doudizhu", "DoudizhuMatch", "DoudizhuState", "DoudizhuView"]


class Doudizhu(Game):
    """Makes deals and matches of Dou Dizhu, reads positions and moves."""

    name = "doudizhu"
    unit: ValueUnit = "points"
    titles: Mapping[str, str] = {"en": "Dou Dizhu", "zh": "斗地主"}
    play_only: Setup = {"landlord": 0}

    def profiles(self) -> Sequence[str]:
        return PROFILES

    def profile_json(self, rules: str) -> dict[str, Any]:
        return rules_of(rules).to_json()

    def deal(self, seed: int, rules: str = "", setup: Setup | None = None) -> DoudizhuState:
        return deal(seed, rules, setup)

    def start(self, deck: str, rules: str = "", setup: Setup | None = None) -> DoudizhuState:
        return start(deck, rules, setup)

    def parse_move(self, text: str, position: State | View) -> Action:
        assert isinstance(position, DoudizhuState | DoudizhuView)
        return notation.parse_move(text, position)

    def view_from_json(self, data: Mapping[str, Any]) -> DoudizhuView:
        return view_from_json(data)

    def match(self, seed: int, rules: str = "", settings: Setup | None = None) -> DoudizhuMatch:
        return new_match(seed, rules, settings)

    def match_from_json(self, data: Mapping[str, Any]) -> DoudizhuMatch:
        return DoudizhuMatch.from_json(data)

    def seatings(self, sides: int) -> Sequence[Sequence[int]]:
        """Two agents: each once alone at seat 0, the landlord of a deal without bidding, against the other at both
        other seats. Three agents: all six orders."""
        known = {
            1: ((0, 0, 0),),
            2: ((0, 1, 1), (1, 0, 0)),
            3: ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2)),
        }
        if sides not in known:
            raise BadSetting("sides", sides, "1, 2 or 3 agents")
        return known[sides]


GAME = Doudizhu()
"""The game, as the registry finds it."""
