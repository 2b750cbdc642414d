"""The moves of a position as a list of small cards: added by clicks, taken back from the end. No codes to type."""

from collections.abc import Callable, Sequence

from nicegui import ui

from mingpai.core.errors import IllegalHere, MingpaiError
from mingpai.core.reasons import Reason
from mingpai.games.doudizhu import notation as doudizhu
from mingpai.games.doudizhu.moves import Bid
from mingpai.games.doudizhu.rules import rules_of
from mingpai.games.guandan import notation as guandan
from mingpai.web.controls import ask_reading
from mingpai.web.frame import complain, language, say
from mingpai.web.moves import bid_word, move_html
from mingpai.web.panels.picker import card_sheet

BIDS = ("0", "1", "2", "3")
WORDS = {"doudizhu": ("pass",), "guandan": ("pass",), "holdem": ("fold", "check", "call")}
"""Moves without cards that a button adds."""
MOST_CHIPS = 10**9

Entry = tuple[str, str]
"""Who, and what: both as the position writes them."""


def readings(game: str, cards: str, level: str, rules: str) -> list[str]:
    """How a position may write a play of these cards: several where wild cards or wings leave a choice."""
    if game == "guandan":
        plays: Sequence[object] = guandan.readings(cards, guandan.parse_level(level or "2"))
    else:
        plays = doudizhu.parse_readings(cards, rules_of(rules).native)
    if not plays:
        raise IllegalHere(cards, Reason(f"{game}.no_combination", {"cards": cards, "rules": rules}))
    return [str(play) for play in plays]


class HistoryField:
    """Who did what, in order. `value` is the line of text that the position is read from."""

    def __init__(
        self, game: str, label: str, line: str, *, seats: Sequence[str], word: Callable[[str], str],
        level: Callable[[], str] = lambda: "", rules: Callable[[], str] = lambda: "", bids: bool = False,
    ) -> None:  # fmt: skip
        self.game, self.seats, self.word, self.level, self.rules, self.bids = game, seats, word, level, rules, bids
        parts = (part.strip().partition(" ") for part in line.split(",") if part.strip())
        self.entries: list[Entry] = [(who, move.strip()) for who, _, move in parts]
        with ui.element("div").classes("w-full"):
            ui.label(label).classes("mp-soft")
            self.list = ui.element("div").classes("mp-movelist").mark("history")
            self.list.props(f'tabindex=0 role=group aria-label="{label}"')
            with ui.element("div").classes("mp-fields"):
                self.who = ui.select({seat: word(seat) for seat in seats}, value=self._next(), label=say("add_move"))
                self.who.props("dense").style("min-width: 140px").mark("history-who")
                self._buttons()
        self._draw()

    @property
    def value(self) -> str:
        return ", ".join(f"{who} {move}" for who, move in self.entries)

    def set_value(self, line: str) -> None:
        parts = (part.strip().partition(" ") for part in line.split(",") if part.strip())
        self.entries = [(who, move.strip()) for who, _, move in parts]
        self._draw()

    def _buttons(self) -> None:
        words = [(bid, bid_word(int(bid), language())) for bid in BIDS] if self.bids else []
        for move, word in words or [(move, say(move)) for move in WORDS[self.game]]:
            button = ui.button(word, on_click=lambda _, m=move: self._add(m)).props("outline dense padding='4px 12px'")
            button.mark(f"history-{move}")
        if self.game == "holdem":
            self.chips = ui.number(say("felt_raise_to"), value=100, min=1, max=MOST_CHIPS, precision=0)
            self.chips.props("dense").style("width: 100px").mark("history-chips")
            ui.button(say("raise"), on_click=lambda: self._add(f"raise {int(self.chips.value or 1)}")).props(
                "outline dense padding='4px 12px'"
            ).mark("history-raise")
        elif not self.bids:
            ui.button(say("pick_cards"), icon="style", on_click=self._pick).props(
                f'outline dense padding="4px 12px" aria-label="{say("pick_cards")}: {say("add_move")}"'
            ).mark("history-cards")
        self.back = ui.button(say("take_back"), icon="undo", on_click=self._take_back).props("flat dense")
        self.back.mark("history-back")

    def _pick(self) -> None:
        card_sheet(self.game, self._add_cards)

    def _add_cards(self, cards: str) -> None:
        """A play of picked cards; where it can be several, ask which is meant."""
        if not cards:
            return
        try:
            possible = readings(self.game, cards, self.level(), self.rules())
        except MingpaiError as error:
            complain(error)
            return
        if len(possible) == 1:
            self._add(possible[0])
        else:
            ask_reading(self.game, possible, self.level(), self._add)

    def _add(self, move: str) -> None:
        self.entries.append((str(self.who.value), move))
        self._draw()

    def _take_back(self) -> None:
        if self.entries:
            self.entries.pop()
        self._draw()

    def _next(self) -> str:
        """Who is likely to be next: the seat after the last one that still plays."""
        if not self.entries:
            return self.seats[0]
        gone = {who for who, move in self.entries if move == "fold"}
        at = self.seats.index(self.entries[-1][0]) if self.entries[-1][0] in self.seats else -1
        after = [self.seats[(at + step) % len(self.seats)] for step in range(1, len(self.seats) + 1)]
        return next((seat for seat in after if seat not in gone), after[0])

    def _draw(self) -> None:
        self.list.clear()
        with self.list:
            for number, (who, move) in enumerate(self.entries, start=1):
                said = Bid(int(move)) if self.bids and move in BIDS else move
                drawn = move_html(self.game, said, language(), self.level())
                with ui.element("span").classes("mp-tag"):
                    ui.label(f"{number}. {self.word(who)}")
                    ui.html(drawn, tag="span", sanitize=False)
            if not self.entries:
                ui.label(say("no_moves_yet")).classes("mp-soft")
        self.who.set_value(self._next())
        self.back.set_enabled(bool(self.entries))
