"""No-limit Texas Hold'em for 2 to 10 seats. The rules are in RULES.md, in numbered clauses."""

from collections.abc import Mapping, Sequence
from typing import Any

from mingpai.core.decision import ValueUnit
from mingpai.core.errors import BadSetting
from mingpai.core.game import Game, Setup, State, View
from mingpai.games.holdem import notation
from mingpai.games.holdem.moves import Action
from mingpai.games.holdem.rules import MAX_SEATS, PROFILES, rules_of
from mingpai.games.holdem.scoring import HoldemMatch, new_match
from mingpai.games.holdem.state import HoldemState, deal, start
from mingpai.games.holdem.view import HoldemView, view_from_json

__all__ = ["GAME", "Holdem", "HoldemMatch", "HoldemState", "HoldemView"]


class Holdem(Game):
    """Makes hands and matches of hold'em, reads positions and moves."""

    name = "holdem"
    unit: ValueUnit = "chips"
    titles: Mapping[str, str] = {"en": "No-limit Texas Hold'em", "zh": "无限注德州扑克"}

    def profiles(self) -> Sequence[str]:
        return PROFILES

    def profile_json(self, rules: str) -> dict[str, Any]:
        return rules_of(rules).to_json()

    def deal(self, seed: int, rules: str = "", setup: Setup | None = None) -> HoldemState:
        return deal(seed, rules, setup)

    def start(self, deck: str, rules: str = "", setup: Setup | None = None) -> HoldemState:
        return start(deck, rules, setup)

    def parse_move(self, text: str, position: State | View) -> Action:
        assert isinstance(position, HoldemState | HoldemView)
        return notation.parse_move(text, position)

    def view_from_json(self, data: Mapping[str, Any]) -> HoldemView:
        return view_from_json(data)

    def match(self, seed: int, rules: str = "", settings: Setup | None = None) -> HoldemMatch:
        return new_match(seed, rules, settings)

    def match_from_json(self, data: Mapping[str, Any]) -> HoldemMatch:
        return HoldemMatch.from_json(data)

    def seatings(self, sides: int) -> Sequence[Sequence[int]]:
        """As many seats as agents, each agent once at every seat: all rotations."""
        if not 1 <= sides <= MAX_SEATS:
            raise BadSetting("sides", sides, f"1 to {MAX_SEATS} agents")
        if sides == 1:
            return ((0, 0),)
        return tuple(tuple((seat + turn) % sides for seat in range(sides)) for turn in range(sides))


GAME = Holdem()
"""The game, as the registry finds it."""
