"""The population simulator: players with a skill and a temper, whole games between them, written as a platform's log.

Frozen: what is tuned is judged by it, and the tests hold a signature of its lines. A player's temper is two numbers
in logarithms of odds: how much a hand is over-rated (`bias`) and how noisy each decision is (`noise`). Skilled
players slip less often in the play and their tempers lie closer together.
"""

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mingpai._native import bidding as native
from mingpai._native.core import Budget
from mingpai.agents.doudizhu_greedy import tuned_weights
from mingpai.core.errors import BadlyWritten, BadSetting
from mingpai.core.random import seed_of, stream
from mingpai.core.reading import read_number, read_text
from mingpai.methods.bidding.raw import PAPER, Convention
from mingpai.records.jsonl import replacing, writing_text

BLOCK = 20_000
"""Games in memory at a time."""

CARD_PLAYERS = (native.CardPlayer.RB, native.CardPlayer.RHCP, native.CardPlayer.GREEDY)

MOST_SLIPS = 0.25
"""Chance of a slip of the least skilled player; it falls with the square of the skill."""
LEAST_BIAS, MORE_BIAS = 0.05, 0.4
"""Scale of the bias of the most skilled, and what the least skilled have more."""
LEAST_NOISE, MORE_NOISE = 0.02, 0.15
TAIL = 4
"""Degrees of freedom of the bias: a few players are very bold or very timid."""
NOISE_SPREAD = 0.5
ACTIVITY_SPREAD = 0.8

ID_STEP, ID_PLACES = 6_364_136_223, 10**10
"""Ids are places of a cycle that visits every number of ten digits once."""


@dataclass(frozen=True)
class Player:
    """One player of the population, with what only a simulator can know."""

    id: str
    bias: float
    """How much a hand is over-rated, in logarithms of odds; under-rated below 0."""
    noise: float
    """Scale of the logistic noise of each decision, in the same unit."""
    card: str
    """The rule player behind the cards: RB, RHCP or GREEDY."""
    slips: float
    """Chance that a move is any legal one."""
    activity: float
    """How often the player sits down, relative to the others."""

    def native(self) -> native.Member:
        return native.Member(self.id, bias=self.bias, noise=self.noise, card=native.CardPlayer[self.card],
                             slips=self.slips, activity=self.activity)  # fmt: skip


def draw_players(count: int, seed: int) -> list[Player]:
    """Players drawn from the population."""
    if count < 3:
        raise BadSetting("players", count, "at least 3")
    rng = stream(seed, "population")
    skill = rng.random(count)
    bias = rng.standard_t(TAIL, count) * (LEAST_BIAS + MORE_BIAS * (1 - skill))
    noise = (LEAST_NOISE + MORE_NOISE * (1 - skill)) * np.exp(NOISE_SPREAD * rng.standard_normal(count))
    cards = rng.integers(len(CARD_PLAYERS), size=count)
    activity = np.exp(ACTIVITY_SPREAD * rng.standard_normal(count))
    start = seed_of(seed, "ids") % ID_PLACES
    return [
        Player(
            id=f"g-t61{(start + number * ID_STEP) % ID_PLACES:010}",
            bias=round(float(bias[number]), 6),
            noise=round(float(noise[number]), 6),
            card=CARD_PLAYERS[cards[number]].name,
            slips=round(MOST_SLIPS * float(1 - skill[number]) ** 2, 6),
            activity=round(float(activity[number]), 6),
        )
        for number in range(count)
    ]


def table_of(players: Sequence[Player], shares: native.Shares | None = None) -> native.Population:
    """The native population of some players."""
    return native.Population([player.native() for player in players], shares or native.Shares(), tuned_weights())


def simulate(
    out: Path, games: int, players: Sequence[Player], seed: int, *, threads: int = 1, convention: Convention = PAPER,
    shares: native.Shares | None = None, progress: Callable[[int], None] | None = None,
) -> None:  # fmt: skip
    """Writes a log of games. It appears whole or not at all; the same arguments give the same bytes."""
    if games < 1:
        raise BadSetting("games", games, "at least 1")
    table, budget = table_of(players, shares), Budget()
    with replacing(out) as temporary, temporary.open("wb") as file:
        for first in range(0, games, BLOCK):
            count = min(BLOCK, games - first)
            file.write(table.simulate(seed_of(seed, "games"), first, count, threads, convention.native, budget))
            if progress is not None:
                progress(first + count)


FIELDS = ("id", "bias", "noise", "card", "slips", "activity")


def write_tempers(path: Path, players: Sequence[Player]) -> None:
    """The true tempers, apart from the log: for scoring only."""
    with writing_text(path) as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(FIELDS)
        rows.writerows([getattr(player, name) for name in FIELDS] for player in players)


def read_tempers(path: Path) -> list[Player]:
    """What `write_tempers` wrote. Raises BadlyWritten."""
    head, *lines = read_text(path, "tempers").splitlines() or [""]
    if head != ",".join(FIELDS):
        raise BadlyWritten(head, ",".join(FIELDS))
    return [_player(line.split(",")) for line in lines]


def _player(row: Sequence[str]) -> Player:
    match row:
        case [name, bias, noise, ("RB" | "RHCP" | "GREEDY") as card, slips, activity]:
            numbers = [read_number(text, "tempers") for text in (bias, noise, slips, activity)]
            return Player(name, numbers[0], numbers[1], card, numbers[2], numbers[3])
    raise BadlyWritten(",".join(row), ",".join(FIELDS))
