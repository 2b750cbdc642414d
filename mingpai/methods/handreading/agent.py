"""FOLD, the agent: its memory of a match, and the four stages (stages.py) on the table of the contract."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from mingpai._native import holdem as native
from mingpai.core.event import Event
from mingpai.core.game import Seat, View
from mingpai.core.stages import StagedAgent
from mingpai.games.holdem.moves import CALL, CHECK, FOLD, Action, raise_to
from mingpai.games.holdem.notation import parse_cards
from mingpai.games.holdem.view import HoldemView
from mingpai.methods.handreading.belief import Chair, RangeBelief
from mingpai.methods.handreading.decide import Verdict
from mingpai.methods.handreading.family import FamilyModel
from mingpai.methods.handreading.model import Habits
from mingpai.methods.handreading.placing import SEVERAL
from mingpai.methods.handreading.settings import FoldSettings, Reading
from mingpai.methods.handreading.smallpots import SmallPots, won_without_showdown
from mingpai.methods.handreading.stages import Opponents, ReadBetting, ReadHands, Weigh
from mingpai.methods.handreading.understand import spot_of


class FoldAgent(StagedAgent[FoldSettings]):
    """FOLD: reads the opponents' hands and plays by what they are worth."""

    Settings = FoldSettings
    presets = {
        "paper": {
            "policy": "thresholds",
            "reading": "default",
            "one_action": True,
            "tremble": False,
            "shifts": False,
            "frequencies": False,
        },
        "value": {"policy": "value", "reading": "adaptive"},
        "blind": {"reading": "uniform"},
        "fitted": {"reading": "fitted"},
        "cash": {"tournament": False},
    }
    has_memory = True
    is_random = True
    understanding: ReadBetting
    modelling: Opponents
    inference: ReadHands
    deciding: Weigh

    def __init__(self, settings: FoldSettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        self.understanding = ReadBetting()
        self.modelling = Opponents(settings)
        self.inference = ReadHands(settings.one_action)
        self.deciding = Weigh(settings, self.modelling, seed)
        self._seat: Seat = -1
        self._shown: dict[Seat, tuple[int, int]] = {}
        self._board: list[int] = []
        self._table: native.Table | None = None

    @property
    def habits(self) -> dict[Seat, Habits]:
        """How often each player has done what."""
        return self.modelling.habits

    def family_of(self, seat: Seat) -> FamilyModel:
        """What has been learned of the style of a player."""
        return self.modelling.family_of(seat)

    # memory

    def start_match(self, seat: Seat, seats: int) -> None:
        self._seat = seat
        self.modelling.recall({}, {})
        self.deciding.small_pots, self.deciding.played = SmallPots(), 0

    def start_deal(self, view: View) -> None:
        assert isinstance(view, HoldemView)
        self._table = native.Table(view.native)
        self._seat = view.seat
        self._shown, self._board = {}, []
        self._to_units = view.rule_set.to_units

    def observe(self, event: Event) -> None:
        if self._table is None:
            return
        if event.kind == "act" and not self._table.is_over:
            move = _read_act(event.text)
            if self._table.to_act == event.seat and self._table.why_illegal(move.kind, self._to_units(move.to)) is None:
                self._table.act(move.kind, self._to_units(move.to))
        elif event.kind == "board":
            self._board += parse_cards(event.text)
        elif event.kind == "show" and event.seat is not None and "?" not in event.text:
            first, second = parse_cards(event.text)
            self._shown[event.seat] = (first, second)

    def end_deal(self, points: Sequence[float]) -> None:
        if self._table is not None:
            self._remember(self._table, self._board, self._shown)
        self._table = None

    def remember(self, table: native.Table) -> None:
        """Learn from a finished hand; only what was shown is looked at."""
        hands = table.hands
        shown = {seat: hand for seat in table.shown_seats if (hand := hands[seat]) is not None}
        self._remember(table, table.board, shown)

    def _remember(self, table: native.Table, board: Sequence[int], shown: Mapping[Seat, tuple[int, int]]) -> None:
        self.deciding.played += 1
        if self.settings.adapt:
            own = table.hands[self._seat] if 0 <= self._seat < table.seats else None
            self.modelling.learn(spot_of(table), self._seat, own or (), board, shown, table.seats >= SEVERAL)
            if (won := won_without_showdown(table, self._seat)) is not None:
                self.deciding.small_pots.see(won)

    def memory(self) -> dict[str, Any]:
        return {"small_pots": self.deciding.small_pots.to_json(), "played": self.deciding.played,
                "habits": {str(seat): habits.to_json() for seat, habits in self.habits.items()},
                "family": {str(seat): model.to_json() for seat, model in self.modelling.family.items()}}  # fmt: skip

    def recall(self, memory: Mapping[str, Any]) -> None:
        self.deciding.small_pots = SmallPots.from_json(memory.get("small_pots", {}))
        self.deciding.played = int(memory.get("played", 0))
        self.modelling.recall(
            {int(seat): Habits.from_json(data) for seat, data in memory.get("habits", {}).items()},
            {int(seat): FamilyModel.from_json(data) for seat, data in memory.get("family", {}).items()},
        )

    # decisions on a native table

    def weigh(self, table: native.Table, seat: Seat, seed: int, explain: bool = True) -> tuple[Verdict, RangeBelief]:
        """All four stages for a seat of a native table; only what the seat may know is looked at."""
        at = Chair(table, seat)
        spot = self.understanding.understand(at)
        belief = self.inference.infer(at, spot, self.modelling.model(at, spot))
        return self.deciding.weigh(belief, seed, explain), belief

    def act_on(self, table: native.Table, seat: Seat, seed: int) -> tuple[native.ActionKind, int]:
        """The action for a seat, in units: the same as `decide`, without the explanation."""
        verdict, _ = self.weigh(table, seat, seed, explain=False)
        return _KINDS[verdict.choice], int(verdict.to)


_KINDS = {"fold": native.ActionKind.FOLD, "check": native.ActionKind.CHECK, "call": native.ActionKind.CALL,
          "raise": native.ActionKind.RAISE}  # fmt: skip


def _read_act(text: str) -> Action:
    word, _, amount = text.partition(" ")
    if word in ("raise", "bet"):
        total = Fraction(amount)
        return raise_to(total.numerator if total.denominator == 1 else total)
    return {"fold": FOLD, "check": CHECK, "call": CALL}[word]


__all__ = ["FoldAgent", "FoldSettings", "RangeBelief", "Reading"]
