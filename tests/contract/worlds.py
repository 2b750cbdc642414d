"""What is hidden from a seat, read from texts alone, so that sampled worlds can be checked against exact counting."""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from statistics import NormalDist

from mingpai.core.game import Seat, State

Cards = Counter[str]

Hands = tuple[tuple[str, ...], ...]
"""The hidden cards of each other seat, sorted."""


def single_characters(text: str) -> Cards:
    return Counter(text)


def pairs_of_characters(text: str) -> Cards:
    packed = text.replace(" ", "").replace(",", "")
    return Counter(packed[at : at + 2] for at in range(0, len(packed), 2))


CARDS_OF: Mapping[str, Callable[[str], Cards]] = {
    "guandan": pairs_of_characters,
    "holdem": pairs_of_characters,
}
"""How the cards of a game's hand text are told apart; one character each where nothing is said."""


def hand(state: State, seat: Seat) -> Cards:
    """What a seat holds now."""
    return CARDS_OF.get(state.game.name, single_characters)(str(state.view(seat).to_json()["hand"]))


@dataclass(frozen=True)
class Hidden:
    """The cards that a seat cannot place."""

    pool: Cards
    """All of them, those not dealt to anybody included."""
    sizes: Mapping[Seat, int]
    """How many of them each other seat holds."""

    @property
    def spare(self) -> int:
        """How many of them nobody holds."""
        return self.pool.total() - sum(self.sizes.values())

    def arrangements(self) -> int:
        """In how many ways the single cards can lie, equal cards told apart."""
        return math.factorial(self.pool.total()) // math.prod(
            math.factorial(size) for size in (*self.sizes.values(), self.spare)
        )

    def weights(self) -> dict[Hands, int]:
        """Every way to fill the hands -> in how many ways single cards give it."""
        drawn: Counter[Hands] = Counter()
        for hands, ways in _fill(self.pool, list(self.sizes.values())):
            drawn[hands] += ways
        return dict(drawn)


def hidden(state: State, seat: Seat) -> Hidden:
    """What `seat` cannot place in this state."""
    others = [other for other in range(state.seats) if other != seat]
    known = {other: known_of(state, other) for other in others}
    unknown = {other: hand(state, other) - known[other] for other in others}
    pool = sum(unknown.values(), Counter[str]()) + undealt(state)
    return Hidden(pool, {other: cards.total() for other, cards in unknown.items()})


def known_of(state: State, seat: Seat) -> Cards:
    """Cards of a seat that everybody knows it holds: in Dou Dizhu the landlord's bottom cards until he plays them."""
    known: Cards = Counter()
    for event in state.events():
        if event.kind == "bottom" and event.seat == seat:
            known += Counter(event.text)
        elif event.kind == "play" and event.seat == seat and event.text != "pass":
            known -= Counter(event.text.partition("@")[0])
    return known


def undealt(state: State) -> Cards:
    """Cards that nobody holds and nobody has seen."""
    if state.game.name == "holdem":
        deck = Counter(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
        board = sum((pairs_of_characters(e.text) for e in state.events() if e.kind == "board"), Counter[str]())
        return deck - board - sum((hand(state, seat) for seat in range(state.seats)), Counter[str]())
    if state.game.name == "doudizhu" and not any(event.kind == "bottom" for event in state.events()):
        return Counter(state.deck().rpartition("/")[2])
    if state.game.name == "kuhn":
        return Counter("JQK") - hand(state, 0) - hand(state, 1)
    return Counter()


def _fill(pool: Cards, sizes: list[int]) -> Iterator[tuple[Hands, int]]:
    if not sizes:
        yield (), 1
        return
    for taken in set(itertools.combinations(sorted(pool.elements()), sizes[0])):
        ways = math.prod(math.comb(pool[card], count) for card, count in Counter(taken).items())
        for rest, more in _fill(pool - Counter(taken), sizes[1:]):
            yield (taken, *rest), ways * more


def chi_square_z(observed: Mapping[Hands, int], weights: Mapping[Hands, int]) -> float:
    """How many standard deviations the chi-square statistic lies above its mean (Wilson and Hilferty)."""
    total, count = sum(weights.values()), sum(observed.values())
    expected = {key: count * weight / total for key, weight in weights.items()}
    statistic = sum((observed.get(key, 0) - value) ** 2 / value for key, value in expected.items())
    degrees = len(weights) - 1
    spread = 2 / (9 * degrees)
    return float(((statistic / degrees) ** (1 / 3) - (1 - spread)) / math.sqrt(spread))


SURPRISE = -NormalDist().inv_cdf(1e-6)
"""A statistic this many standard deviations away is a fault, not chance."""
