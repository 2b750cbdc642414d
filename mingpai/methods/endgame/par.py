"""The par of a deal: who wins with open cards, from each lead and with each seat as landlord; a library of deals."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mingpai._native.core import Budget
from mingpai._native.doudizhu import bid_strength
from mingpai._native.endgame import Ask, Position
from mingpai.core.errors import BadlyWritten, BadSetting, MingpaiError
from mingpai.core.random import stream
from mingpai.core.reading import read_fields, read_object, read_text
from mingpai.games.doudizhu.notation import cards_text
from mingpai.games.doudizhu.rules import Rules, rules_of
from mingpai.games.doudizhu.state import SEATS
from mingpai.methods.endgame.solver import DEFAULT_MEMORY, DEFAULT_RULES, check_position, solve_position
from mingpai.records.jsonl import RecordWriter

DEALT, BOTTOM = 17, 3
"""Cards of a seat before the bottom cards, and those."""

LIBRARY_NODES = 2_000_000
"""Nodes for a deal of the library. They count nodes, not time, so that the library can be made again."""


@dataclass(frozen=True)
class Deal:
    """The cards of three seats in the order of play, and the bottom cards."""

    hands: Sequence[int]
    bottom: int

    @classmethod
    def random(cls, seed: int, number: int = 0) -> "Deal":
        """Deal `number` of a seed."""
        deck = [rank for rank in range(13) for _ in range(4)] + [13, 14]
        order = [deck[int(place)] for place in stream(seed, "open deal", number).permutation(len(deck))]
        parts = [order[DEALT * seat : DEALT * (seat + 1)] for seat in range(SEATS)] + [order[DEALT * SEATS :]]
        *hands, bottom = (sum(1 << (4 * rank) for rank in part) for part in parts)
        return cls(hands, bottom)

    def position(self, landlord: int, lead: int) -> Position:
        """The open position with these seats as landlord and on lead."""
        by_role = [self.hands[(landlord + role) % SEATS] for role in range(SEATS)]
        by_role[0] += self.bottom
        return Position(by_role, (lead - landlord) % SEATS)


@dataclass(frozen=True)
class ParRow:
    """What is proved for one landlord and one lead."""

    landlord: int
    lead: int
    landlord_wins: bool | None
    """None: not proved within the limits."""
    nodes: int
    seconds: float


def par(
    deal: Deal,
    rules: str = DEFAULT_RULES,
    *,
    seconds: float = 0.0,
    memory: int = DEFAULT_MEMORY,
    threads: int | None = None,
    budget: Budget | None = None,
) -> list[ParRow]:
    """Nine verdicts: each seat as landlord, each seat on lead. `seconds` limits each of them; 0 is no limit."""
    rule_set = rules_of(rules)
    for seat in range(SEATS):
        check_position(deal.position(seat, seat), rule_set)
    rows = []
    for landlord in range(SEATS):
        for lead in range(SEATS):
            spent = Budget(seconds) if budget is None else budget
            answer = solve_position(
                deal.position(landlord, lead), rule_set, ask=Ask.ANY, line=False, memory=memory, threads=threads,
                budget=spent,
            )  # fmt: skip
            rows.append(ParRow(landlord, lead, answer.landlord_wins, answer.nodes, answer.seconds))
    return rows


@dataclass(frozen=True)
class LibraryDeal:
    """A random whole deal in which seat 0 is the landlord and leads."""

    deal: int
    landlord: str
    down: str
    up: str
    strength: int
    """Of the landlord's 20 cards: one for each joker and 2, two more for each bomb and the rocket."""
    landlord_wins: bool | None
    nodes: int


def solve_library_deal(seed: int, number: int, rules: Rules, nodes: int) -> LibraryDeal:
    """One deal on one thread: the same verdict and the same nodes in every run."""
    position = Deal.random(seed, number).position(0, 0)
    answer = solve_position(position, rules, ask=Ask.ANY, line=False, threads=1, budget=Budget(0, nodes))
    landlord, down, up = (cards_text(hand) for hand in position.hands)
    worth = bid_strength(position.hands[0])
    return LibraryDeal(number, landlord, down, up, worth, answer.landlord_wins, answer.nodes)


def extend_library(path: Path, seed: int, count: int, nodes: int = LIBRARY_NODES) -> Iterator[LibraryDeal]:
    """Solve the deals that the file lacks up to `count`, writing each as it is done; yields them."""
    if count < 1 or nodes < 1:
        raise BadSetting("count and nodes", min(count, nodes), "at least 1")
    head = {"library": 1, "seed": seed, "nodes": nodes, "rules": DEFAULT_RULES}
    if path.exists():
        known_head, known = read_library(path)
        if known_head != head:
            raise BadlyWritten(str(path), f"a library made with {json.dumps(head)}")
        start = len(known)
    else:
        with RecordWriter(path) as writer:
            writer.write_line(json.dumps(head))
        start = 0
    rules = rules_of(DEFAULT_RULES)
    for number in range(start, count):
        solved = solve_library_deal(seed, number, rules, nodes)
        with RecordWriter(path) as writer:
            writer.write_line(json.dumps(solved.__dict__))
        yield solved


def read_library(path: Path) -> tuple[Mapping[str, Any], list[LibraryDeal]]:
    """The settings and the deals of a library file."""
    try:
        head, *lines = read_text(path).splitlines() or [""]
        deals = [read_fields(LibraryDeal, read_object(line), "a solved deal") for line in lines]
        settings = read_object(head)
    except MingpaiError as error:
        raise BadlyWritten(str(path), f"a library of solved deals ({error})") from None
    if [deal.deal for deal in deals] != list(range(len(deals))):
        raise BadlyWritten(str(path), "a library with every deal once, in order: two runs must not write one file")
    return settings, deals


@dataclass(frozen=True)
class Share:
    """Deals of one strength of the landlord's hand."""

    strength: int
    won: int
    lost: int
    unproved: int

    @property
    def deals(self) -> int:
        return self.won + self.lost + self.unproved

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest share of landlord wins that the unproved deals leave possible."""
        return self.won / self.deals, (self.won + self.unproved) / self.deals


def shares(deals: Sequence[LibraryDeal]) -> list[Share]:
    """By strength, weakest first."""
    out = []
    for value in sorted({deal.strength for deal in deals}):
        verdicts = [deal.landlord_wins for deal in deals if deal.strength == value]
        out.append(Share(value, verdicts.count(True), verdicts.count(False), verdicts.count(None)))
    return out


def total(parts: Sequence[Share]) -> Share:
    """All strengths together."""
    return Share(-1, *(sum(getattr(part, name) for part in parts) for name in ("won", "lost", "unproved")))


def plot(deals: Sequence[LibraryDeal]) -> str:
    """Bars by strength, as SVG: won, unproved and lost for the landlord, from below."""
    parts = shares(deals)
    left, bottom, height, step = 60, 330, 280, 44
    width = left + step * len(parts) + 20
    rows = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 390" font-family="sans-serif" font-size="11">'
        f'<rect width="{width}" height="390" fill="white"/>'
        f'<text x="{left}" y="22">whole deals with open cards, landlord leads: '
        '<tspan fill="#2a7">won</tspan>, <tspan fill="#999">not proved</tspan>, <tspan fill="#c44">lost</tspan></text>'
    ]
    for percent in (0, 25, 50, 75, 100):
        y = bottom - height * percent / 100
        rows.append(f'<text x="{left - 8}" y="{y + 4:.0f}" text-anchor="end">{percent}%</text>')
    for place, part in enumerate(parts):
        x, y = left + step * place, float(bottom)
        for number, colour in ((part.won, "#2a7"), (part.unproved, "#bbb"), (part.lost, "#c44")):
            size = height * number / part.deals
            y -= size
            rows.append(f'<rect x="{x}" y="{y:.1f}" width="{step - 8}" height="{size:.1f}" fill="{colour}"/>')
        middle = x + (step - 8) / 2
        rows.append(f'<text x="{middle}" y="{bottom + 16}" text-anchor="middle">{part.strength}</text>')
        rows.append(f'<text x="{middle}" y="{bottom + 32}" text-anchor="middle" fill="#777">{part.deals}</text>')
    rows.append(f'<text x="{left}" y="{bottom + 52}">strength of the 20 cards; below it how many deals</text></svg>')
    return "\n".join(rows) + "\n"
