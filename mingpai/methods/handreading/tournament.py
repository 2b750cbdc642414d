"""Many tournaments fast: native tables and native rule players, Python only for the agents under test.

The same rules as a match of the game (`games.holdem.scoring`): chips, one rebuy, fixed blinds, at most so many hands;
players are ranked by hands lasted, then by chips. Decks depend on the seed alone: seats can be rotated on equal cards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from mingpai._native import handreading as reading
from mingpai._native import holdem as native
from mingpai.agents.holdem_styles import Style
from mingpai.core.random import seed_of, stream
from mingpai.games.holdem.rules import rules_of


class TablePlayer(Protocol):
    """An agent that can act on a native table."""

    def start_match(self, seat: int, seats: int) -> None: ...

    def act_on(self, table: native.Table, seat: int, seed: int) -> tuple[native.ActionKind, int]: ...

    def remember(self, table: native.Table) -> None: ...


Player = Style | TablePlayer


@dataclass(frozen=True)
class Format:
    """How a tournament is played."""

    hands: int = 600
    chips: int = 2000
    rebuy: int = 2000
    rebuys: int = 1
    blinds: tuple[int, int] = (20, 40)
    rules: str = "standard"


@dataclass
class SeatResult:
    """How one seat fared."""

    chips: int
    """At the end, an unused rebuy included."""
    lasted: int = 0
    """Hands it was dealt in."""
    volatility: float = 0.0
    """F: the sum of squared stack changes from hand to hand."""
    place: int = 0
    """1 is best; ties share the better place."""
    curve: list[int] = field(default_factory=list)
    """Chips after each hand, an unused rebuy included."""


def deck_of(seed: int, number: int) -> list[int]:
    """The shuffled deck of a hand of a tournament."""
    return [int(card) for card in stream(seed, "deck", number).permutation(52)]


class Tournament:
    """One tournament in progress."""

    def __init__(self, players: Sequence[Player], seed: int, format: Format | None = None) -> None:
        self.players = list(players)
        self.seed = seed
        self.format = format or Format()
        self.stacks = [self.format.chips] * len(players)
        self.rebuys = [self.format.rebuys if self.format.rebuy else 0] * len(players)
        self.results = [SeatResult(self.format.chips) for _ in players]
        self.button = 0
        self.played = 0
        self._styles = [player.native if isinstance(player, Style) else None for player in self.players]
        self._thinkers = {seat: p for seat, p in enumerate(self.players) if not isinstance(p, Style)}
        for seat, thinker in self._thinkers.items():
            thinker.start_match(seat, len(self.players))

    def play(self) -> list[SeatResult]:
        """Play to the end."""
        while self.played < self.format.hands and self._buy_in() > 1:
            self._play_hand()
        self._rank()
        return self.results

    def _buy_in(self) -> int:
        """Rebuy where a blind cannot be paid; how many can go on."""
        for seat, stack in enumerate(self.stacks):
            if stack < self.format.blinds[1] and self.rebuys[seat]:
                self.stacks[seat] += self.format.rebuy
                self.rebuys[seat] -= 1
        return sum(stack > 0 for stack in self.stacks)

    def _play_hand(self) -> None:
        seats = len(self.players)
        while self.stacks[self.button] <= 0:
            self.button = (self.button + 1) % seats
        table = self._deal()
        number = 0
        while not table.is_over:
            reading.play_styles(table, self._styles, seed_of(self.seed, "styles", self.played, number))
            seat = table.to_act
            if seat is not None:
                kind, to = self._thinkers[seat].act_on(table, seat, seed_of(self.seed, "think", self.played, number))
                table.act(kind, to)
            number += 1
        for thinker in self._thinkers.values():
            thinker.remember(table)
        self._settle(table.payoffs())
        self.button = (self.button + 1) % seats
        self.played += 1

    def _deal(self) -> native.Table:
        deck = deck_of(self.seed, self.played)
        hands = [(deck[2 * s], deck[2 * s + 1]) if stack > 0 else None for s, stack in enumerate(self.stacks)]
        board = deck[2 * len(self.stacks) : 2 * len(self.stacks) + 5]
        small, big = self.format.blinds
        return native.Table(self.stacks, self.button, small, big, 0, rules_of(self.format.rules).native, hands, board)

    def _settle(self, payoffs: Sequence[int]) -> None:
        for seat, (result, payoff) in enumerate(zip(self.results, payoffs, strict=True)):
            if self.stacks[seat] > 0:
                result.lasted = self.played + 1
                result.volatility += float(payoff) ** 2
                self.stacks[seat] += payoff
            result.chips = self.stacks[seat] + self.rebuys[seat] * self.format.rebuy
            result.curve.append(result.chips)

    def _rank(self) -> None:
        keys = [(result.lasted, result.chips) for result in self.results]
        for result, key in zip(self.results, keys, strict=True):
            result.place = 1 + sum(other > key for other in keys)


def heads_up(
    one: Player, other: Player, matches: int, seed: int, format: Format | None = None
) -> Mapping[str, npt.NDArray[np.float64]]:
    """Matches of two, each deck played twice with the seats exchanged: wins, margin, hands, volatility of `one`."""
    rows = []
    for number in range(matches):
        swapped = bool(number % 2)
        pair = [other, one] if swapped else [one, other]
        results = Tournament(pair, seed_of(seed, "match", number // 2), format).play()
        mine, theirs = (results[1], results[0]) if swapped else (results[0], results[1])
        won = 1.0 if mine.place < theirs.place else 0.0 if mine.place > theirs.place else 0.5
        rows.append((won, mine.chips - theirs.chips, mine.lasted, mine.volatility))
    columns = np.array(rows, np.float64).T
    return dict(zip(("won", "margin", "hands", "volatility"), columns, strict=True))
