"""Hold'em players that are not of the family of the seven styles, to judge an agent by opponents of other kinds.

The styles compare one equity with thresholds of their own. These do other things: bet by pot fractions, slow-play
into huge all-ins, push, re-raise the minimum with strong hands alone, play a table of made hands, change their game in
the middle of a match. Frozen by behaviour signatures (tests/agents/test_holdem_strangers.py) before any agent was tuned
on them; those in APART are never tuned on.
"""

import functools
import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mingpai._native import handreading as reading
from mingpai._native import holdem as native
from mingpai.core.agent import Agent, NoSettings
from mingpai.core.decision import Candidate, Decision
from mingpai.core.game import Seat, View
from mingpai.core.random import stream
from mingpai.core.reasons import Reason
from mingpai.games.holdem.equity import category_of, rank_of
from mingpai.games.holdem.moves import Action, ActionKind
from mingpai.games.holdem.view import HoldemView

Floats = npt.NDArray[np.float32]
Answer = tuple[native.ActionKind, int]
FLOP_RUNOUTS = 48
"""Completions of a flop behind an equity; turns and rivers are exact."""
PAIR, TWO_PAIR = 1, 2
"""Kinds of made hands, as `category_of` numbers them."""


@functools.lru_cache(maxsize=2048)
def _equities(board: tuple[int, ...], others: int) -> Floats:
    """Equity of each combination against `others` uniform hands."""
    _, equity, spread, _, _ = reading.strengths(sum(1 << card for card in board), FLOP_RUNOUTS, 0)
    return reading.multiway(equity, spread, others) if others > 1 else equity


@functools.lru_cache(maxsize=1)
def _places() -> Floats:
    return reading.starting_places()


@dataclass(frozen=True)
class Spot:
    """What a player looks at when he is to act. Amounts are in units of the rules."""

    table: native.Table
    seat: Seat
    luck: float
    """Even between 0 and 1."""

    @functools.cached_property
    def legal(self) -> native.Legal:
        return self.table.legal()

    @functools.cached_property
    def cards(self) -> tuple[int, int]:
        held = self.table.hands[self.seat]
        assert held is not None
        return max(held), min(held)

    @property
    def others(self) -> int:
        """Opponents in the hand."""
        return len(self.table.live_seats) - 1

    @property
    def street(self) -> int:
        return (0, 0, 0, 1, 2, 3)[len(self.table.board)]

    @functools.cached_property
    def place(self) -> float:
        """Share of the starting hands that are better."""
        high, low = self.cards
        return float(_places()[high * (high - 1) // 2 + low])

    @functools.cached_property
    def standing(self) -> float:
        """Equity against uniform hands, brought to where it stands against one: 0.5 is an average hand."""
        high, low = self.cards
        board = tuple(sorted(self.table.board))
        equity = float(_equities(board, max(self.others, 1))[high * (high - 1) // 2 + low])
        return float(equity ** (np.log(2) / np.log(max(self.others, 1) + 1)))

    @property
    def cost(self) -> int:
        return self.legal.call_cost

    @property
    def price(self) -> float:
        return self.cost / max(self.table.pot + self.cost, 1)

    @functools.cached_property
    def raises(self) -> int:
        """Raises on this street."""
        made = zip(self.table.actions, self.table.action_streets, strict=True)
        return sum(kind == native.ActionKind.RAISE and street == self.street for (_, kind, _), street in made)

    @property
    def blind(self) -> int:
        return max(self.table.big_blind, 1)

    def stay(self) -> Answer:
        """Check, or call."""
        return (native.ActionKind.CHECK if self.legal.check else native.ActionKind.CALL), 0

    def leave(self) -> Answer:
        """Check, or fold."""
        return (native.ActionKind.CHECK if self.legal.check else native.ActionKind.FOLD), 0

    def raise_to(self, to: float) -> Answer:
        """Raise to a total, as near as is legal; call where there is no raise."""
        legal, unit = self.legal, self.table.rules.unit
        if not legal.can_raise:
            return self.stay()
        whole = int(to) // unit * unit
        return native.ActionKind.RAISE, min(max(whole, legal.min_to), legal.max_to)

    def raise_by(self, share: float) -> Answer:
        """Raise by a share of the pot after calling."""
        return self.raise_to(self.table.current_bet + share * (self.table.pot + self.cost))

    def push(self) -> Answer:
        return self.raise_to(self.legal.max_to)


class Stranger(Agent[NoSettings]):
    """A player by rules of his own: `act` answers a spot."""

    is_random = True

    @abstractmethod
    def act(self, spot: Spot) -> Answer:
        """What the player does."""

    def act_on(self, table: native.Table, seat: Seat, seed: int) -> Answer:
        """The action at a native table, for fast tournaments."""
        return self.act(Spot(table, seat, float(stream(seed).random())))

    def remember(self, table: native.Table) -> None:
        """A hand of a fast tournament is over."""

    def decide(self, view: View) -> Decision:
        assert isinstance(view, HoldemView)
        start = time.perf_counter()
        kind, to = self.act_on(view.native, view.seat, self.native_seed(view))
        move = Action(ActionKind(kind), view.rule_set.to_chips(to))
        reasons = [Reason("holdem.style", {"style": self.spec})]
        return Decision(
            move=move, candidates=[Candidate(move)], value_unit=view.game.unit, reasons=reasons,
            seconds=time.perf_counter() - start, agent=self.spec, seed=self.seed,
        )  # fmt: skip


class PotFraction(Stranger):
    """The better the hand, the larger the share of the pot it bets; a few large bluffs."""

    def act(self, spot: Spot) -> Answer:
        return self._before(spot) if spot.street == 0 else self._after(spot)

    def _before(self, spot: Spot) -> Answer:
        wide = 2.0 if spot.others == 1 else 1.0
        if spot.raises == 0:
            return spot.raise_to(3 * spot.blind) if spot.place < 0.26 * wide else spot.leave()
        if spot.place < 0.05 * wide and spot.raises < 3:
            return spot.raise_by(1.0)
        return spot.stay() if spot.place < 0.17 * wide * min(1.0, 0.25 / max(spot.price, 0.01)) else spot.leave()

    def _after(self, spot: Spot) -> Answer:
        standing = spot.standing
        if spot.cost == 0:
            if standing < 0.5:
                return spot.raise_by(0.66) if spot.luck < 0.12 else spot.stay()
            return spot.raise_by(0.33 if standing < 0.65 else 0.66 if standing < 0.8 else 1.0)
        if standing > 0.86 and spot.raises < 3:
            return spot.raise_by(1.0)
        return spot.stay() if standing >= spot.price + 0.14 + 0.08 * spot.raises else spot.leave()


class SlowPlayer(Stranger):
    """Enters cheaply with most hands, checks and calls with its best ones, then bets up to four pots."""

    def act(self, spot: Spot) -> Answer:
        if spot.street == 0:
            if spot.raises == 0:
                return spot.stay() if spot.place < 0.67 else spot.leave()
            return spot.stay() if spot.place < 0.35 and spot.cost < 6 * spot.blind else self._trap(spot)
        standing = spot.standing
        if spot.street >= 2 and standing > 0.84:
            return spot.raise_to(spot.table.current_bet + 4 * (spot.table.pot + spot.cost))
        if spot.cost == 0:
            return spot.raise_by(0.4) if spot.street == 3 and 0.70 < standing < 0.84 else spot.stay()
        return spot.stay() if standing >= spot.price + 0.12 + 0.1 * spot.raises else spot.leave()

    def _trap(self, spot: Spot) -> Answer:
        return spot.stay() if spot.place < 0.04 else spot.leave()


class Pusher(Stranger):
    """Heads-up all its chips with six buttons of ten; at larger tables hardly a hand, and then it only calls."""

    def act(self, spot: Spot) -> Answer:
        if spot.street > 0:
            if spot.cost == 0:
                return spot.push() if spot.standing > 0.88 else spot.stay()
            return spot.stay() if spot.standing >= spot.price + 0.3 else spot.leave()
        seats = len(spot.table.dealt_seats)
        if seats == 2 and spot.raises == 0 and spot.seat == spot.table.button:
            return spot.push() if spot.place < 0.6 else spot.leave()
        if seats == 2 and spot.raises:
            return spot.stay() if spot.place < (0.12 if spot.price > 0.4 else 0.3) else spot.leave()
        return spot.stay() if spot.place < 0.055 else spot.leave()


class MinimumRaiser(Stranger):
    """Raises what it enters with; raises again only with strong hands, and then by the least; never bluffs."""

    def act(self, spot: Spot) -> Answer:
        if spot.street == 0:
            wide = 1.8 if spot.others == 1 else 1.0
            if spot.raises == 0:
                return spot.raise_to(2.25 * spot.blind) if spot.place < 0.22 * wide else spot.leave()
            if spot.place < 0.035 * wide:
                return spot.raise_to(spot.legal.min_to)
            return spot.stay() if spot.place < 0.12 * wide and spot.cost < 8 * spot.blind else spot.leave()
        if spot.standing > 0.83:
            return spot.raise_to(spot.legal.min_to)
        if spot.cost == 0:
            return spot.stay()
        return spot.stay() if spot.standing >= spot.price + 0.2 + 0.06 * spot.raises else spot.leave()


class HandTable(Stranger):
    """Plays made hands by a table: two pairs raise, a high pair bets and calls, a low one calls once; no bluffs."""

    def act(self, spot: Spot) -> Answer:
        if spot.street == 0:
            return self._before(spot)
        kind, is_high = self._made(spot)
        if kind >= TWO_PAIR:
            return spot.raise_by(0.75) if spot.raises < 2 or kind > TWO_PAIR else spot.stay()
        if kind == PAIR and is_high:
            return spot.raise_by(0.5) if spot.cost == 0 else self._call(spot, 0.36)
        if kind == PAIR:
            return self._call(spot, 0.26)
        return self._call(spot, 0.15 if spot.street < 3 else 0.0)

    def _before(self, spot: Spot) -> Answer:
        high, low = spot.cards[0] // 4, spot.cards[1] // 4
        if high == low and high >= 9:
            return spot.raise_to(spot.table.current_bet * 3) if spot.raises < 3 else spot.stay()
        is_good = high == low or (low >= 8 and high >= 10) or (high == 12 and spot.cards[0] % 4 == spot.cards[1] % 4)
        if spot.others == 1:
            is_good |= high >= 11 or low >= 7
        if not is_good:
            return spot.leave()
        return spot.stay() if spot.cost <= (4 if spot.raises else 1) * spot.blind else spot.leave()

    @staticmethod
    def _made(spot: Spot) -> tuple[int, bool]:
        """Kind of the hand beyond what lies on the board, and whether a pair is of the board's best card or above."""
        board = spot.table.board
        kind = int(category_of(rank_of([*spot.cards, *board])))
        ranks = [card // 4 for card in board]
        own = [card // 4 for card in spot.cards]
        pairs = [rank for rank in own if rank in ranks] + ([own[0]] if own[0] == own[1] else [])
        if kind <= TWO_PAIR and len(set(pairs)) < kind:
            kind = len(set(pairs))
        return kind, any(rank >= max(ranks) for rank in pairs)

    @staticmethod
    def _call(spot: Spot, dearest: float) -> Answer:
        return spot.stay() if spot.cost == 0 or spot.price <= dearest else spot.leave()


CHANGE_AFTER = 60
"""Hands after which the changing player takes another game."""


class Changing(Stranger):
    """Waits for good hands for a while, then bets and raises nearly everything, then waits again."""

    has_memory = True

    def __init__(self, settings: NoSettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        self._hands = 0

    def start_match(self, seat: Seat, seats: int) -> None:
        self._hands = 0

    def end_deal(self, points: Sequence[float]) -> None:
        self._hands += 1

    def remember(self, table: native.Table) -> None:
        self._hands += 1

    def memory(self) -> dict[str, Any]:
        return {"hands": self._hands}

    def recall(self, memory: Mapping[str, Any]) -> None:
        self._hands = int(memory.get("hands", 0))

    def act(self, spot: Spot) -> Answer:
        return self._wild(spot) if self._hands // CHANGE_AFTER % 2 else self._patient(spot)

    @staticmethod
    def _patient(spot: Spot) -> Answer:
        if spot.street == 0:
            if spot.place < 0.08:
                return spot.raise_by(1.0) if spot.raises < 2 else spot.stay()
            return spot.stay() if spot.place < 0.2 and spot.cost <= 3 * spot.blind else spot.leave()
        if spot.cost == 0:
            return spot.raise_by(0.6) if spot.standing > 0.66 else spot.stay()
        return spot.stay() if spot.standing >= spot.price + 0.18 else spot.leave()

    @staticmethod
    def _wild(spot: Spot) -> Answer:
        if spot.street == 0:
            if spot.place < 0.5 and spot.raises < 2:
                return spot.raise_by(1.2)
            return spot.stay() if spot.place < 0.75 and spot.cost < 12 * spot.blind else spot.leave()
        if spot.luck < 0.55 and spot.raises < 2:
            return spot.raise_by(0.9)
        return spot.stay() if spot.standing >= spot.price + 0.02 else spot.leave()


TUNED_ON = ("potfraction", "pusher", "handtable", "cfr8")
"""Strangers that agents may be tuned on, by the name in the catalogue."""
APART = ("slowplayer", "minraiser", "changing", "cfr")
"""Strangers for judging alone. The two trained by counterfactual regret minimisation, `cfr` here, are in holdem_cfr."""
STRANGERS = TUNED_ON + APART
