"""Seven hold'em players of different styles, tight to loose and passive to aggressive, for FOLD to be judged by.

Two more complete the spread of a contest field once measured: one that raises whatever it enters with and then checks
and calls, and one that enters as rarely without raising.

They decide in the native core from their own cards, the board and the betting; equity is taken against uniform hands.
Their play is frozen by behaviour signatures (tests/agents/test_holdem_styles.py): a change changes what results mean.
"""

import dataclasses
import functools
import time
from dataclasses import dataclass
from typing import ClassVar

from mingpai._native import handreading as native
from mingpai.core.agent import Agent, NoSettings
from mingpai.core.decision import Candidate, Decision
from mingpai.core.game import View
from mingpai.core.reasons import Reason
from mingpai.games.holdem.moves import Action
from mingpai.games.holdem.view import HoldemView


@dataclass(frozen=True)
class Style:
    """Habits. Shares of starting hands are those of a full table; against fewer players they widen."""

    limp: float
    """Hands that enter for the blind."""
    open: float
    """Hands that raise when nobody has."""
    call_raise: float
    """Hands that call a raise of up to three big blinds; fewer call more."""
    reraise: float
    """Hands that raise again."""
    bet: float
    """Standing (0.5 is an average hand) that bets when nobody has."""
    raise_at: float
    """Standing that raises a bet."""
    late: float = 0.0
    """How much wider on the button: 1 doubles the shares."""
    caution: float = 0.6
    """How fast the calling range shrinks with the price before the flop."""
    open_size: float = 3.0
    """An opening raise, in big blinds."""
    margin: float = 0.0
    """Equity above the price that a call needs."""
    fear: float = 0.3
    """Equity written off for a bet, by its price and the number of raises."""
    bluff: float = 0.0
    """Chance to bet a hand below `bet` when nobody has."""
    bluff_raise: float = 0.0
    """Chance to raise a bet with a hand that would fold."""
    follow_up: float = 0.0
    """Extra chance to bet on the flop after raising before it."""
    slow: float = 0.0
    """Chance to check or call with a hand that would bet or raise."""
    size: float = 0.6
    """Bets and raises after the flop, by the pot."""
    samples: int = 150
    """Deals behind an estimate of equity."""

    @functools.cached_property
    def native(self) -> native.Style:
        """The same numbers for the native core."""
        made = native.Style()
        for field in dataclasses.fields(self):
            setattr(made, field.name, getattr(self, field.name))
        return made


STABBER = Style(
    limp=0.72, open=0.055, call_raise=0.30, reraise=0.03, late=0.1, bet=0.40, raise_at=0.54, margin=0.16, fear=0.35,
    bluff=0.40, bluff_raise=0.05, follow_up=0.2, size=0.5,
)  # fmt: skip
TAG = Style(
    limp=0.17, open=0.16, call_raise=0.10, reraise=0.055, late=0.5, caution=0.55, open_size=2.75, bet=0.58,
    raise_at=0.68, margin=0.06, fear=0.45, bluff=0.16, bluff_raise=0.05, follow_up=0.40, slow=0.08, size=0.65,
)  # fmt: skip
EQUITY = Style(
    limp=0.38, open=0.115, call_raise=0.20, reraise=0.04, late=0.3, bet=0.58, raise_at=0.75, fear=0.25, bluff=0.05,
)  # fmt: skip
POT_ODDS = Style(
    limp=0.43, open=0.015, call_raise=0.30, reraise=0.01, caution=0.7, bet=0.56, raise_at=0.72, margin=-0.02,
    bluff=0.03, size=0.5,
)  # fmt: skip
ROCK = Style(
    limp=0.06, open=0.001, call_raise=0.04, reraise=0.002, bet=0.72, raise_at=0.9, margin=0.06, fear=0.35, slow=0.4,
    size=0.4,
)  # fmt: skip
MANIAC = Style(
    limp=0.75, open=0.40, call_raise=0.5, reraise=0.15, late=0.1, caution=0.35, open_size=3.5, bet=0.45, raise_at=0.58,
    margin=-0.02, fear=0.1, bluff=0.45, bluff_raise=0.12, follow_up=0.3, size=0.9,
)  # fmt: skip
STATION = Style(
    limp=0.55, open=0.03, call_raise=0.45, reraise=0.01, caution=0.45, bet=0.72, raise_at=0.88, margin=-0.06, fear=0.08,
    bluff=0.02, slow=0.3, size=0.5,
)  # fmt: skip

STYLES = {"stabber": STABBER, "tag": TAG, "equity": EQUITY, "potodds": POT_ODDS, "rock": ROCK, "maniac": MANIAC,
          "station": STATION}  # fmt: skip
"""The field of seven, by the name in the catalogue."""

OPENER = Style(
    limp=0.185, open=0.19, call_raise=0.004, reraise=0.075, late=0.5, caution=0.5, open_size=2.5, bet=0.80,
    raise_at=0.92, fear=0.25, size=0.6,
)  # fmt: skip
LIMPER = Style(
    limp=0.205, open=0.0005, call_raise=0.10, reraise=0.004, late=0.1, bet=0.58, raise_at=0.76, margin=0.02, bluff=0.06,
)  # fmt: skip

ALL_STYLES = {**STYLES, "opener": OPENER, "limper": LIMPER}
"""The seven and the two that complete the spread."""


class StyleAgent(Agent[NoSettings]):
    """Plays a style. Chance decides bluffs and slow play: the same seed and view give the same move."""

    is_random = True
    style: ClassVar[Style]

    def decide(self, view: View) -> Decision:
        assert isinstance(view, HoldemView)
        start = time.perf_counter()
        kind, to = native.style_action(view.native, self.style.native, self.native_seed(view))
        move = Action(kind, view.rule_set.to_chips(to))
        return Decision(
            move=move,
            candidates=[Candidate(move)],
            value_unit=view.game.unit,
            reasons=[Reason("holdem.style", {"style": self.spec})],
            seconds=time.perf_counter() - start,
            agent=self.spec,
            seed=self.seed,
        )


class Stabber(StyleAgent):
    """Enters cheaply with two hands of three, then bets very often."""

    style = STABBER


class TightAggressive(StyleAgent):
    """Few hands, more in late position; raises, follows up on the flop, bluffs now and then."""

    style = TAG


class EquityPlayer(StyleAgent):
    """Bets, raises and calls by equity against uniform hands."""

    style = EQUITY


class PotOddsPlayer(StyleAgent):
    """Limps a lot and calls whenever the price is right."""

    style = POT_ODDS


class Rock(StyleAgent):
    """Waits for very good hands and hardly raises them."""

    style = ROCK


class Maniac(StyleAgent):
    """Raises with anything, bets big, bluffs always."""

    style = MANIAC


class Station(StyleAgent):
    """Enters often, calls nearly everything, almost never raises."""

    style = STATION


class Opener(StyleAgent):
    """Raises every hand it enters with, then checks and calls."""

    style = OPENER


class Limper(StyleAgent):
    """Enters with few hands, hardly ever raises before the flop, plays by equity after it."""

    style = LIMPER
