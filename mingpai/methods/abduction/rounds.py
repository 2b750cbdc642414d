"""Single rounds in every situation of tribute, on duplicate cards, each situation reported apart. No torch.

Every deal is played three times with the same cards: by the two players, with their seats exchanged, and by the second
player alone. So each situation says two things of the first player: its result against the second, and how much more it
makes of the same cards in the same situation against the same opponents than the second would.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mingpai._native import abduction
from mingpai._native import guandan as native
from mingpai.agents.catalogue import REGISTRY
from mingpai.core.errors import BadSetting
from mingpai.core.random import seed_of
from mingpai.games.guandan import GAME
from mingpai.games.guandan.notation import RANKS
from mingpai.games.guandan.rules import SEATS
from mingpai.games.guandan.state import GuandanState
from mingpai.methods.abduction.agent import AblgdAgent
from mingpai.methods.abduction.duel import CONFIDENCE, Chooser, network_chooser, play_on, search_chooser
from mingpai.methods.abduction.knowledge import knowledge

MIRRORED: Mapping[str, str] = {
    "none": "none", "pay 1": "receive 1", "pay 2": "receive 2", "resist": "resisted",
}  # fmt: skip
"""What a situation of one team is for the other."""
ORDERS: Mapping[str, Sequence[int]] = {"pay 1": (1, 0, 3, 2), "pay 2": (1, 3, 0, 2), "resist": (1, 3, 0, 2)}
"""Orders of the round before that make seats 0 and 2 pay; the deals of `resist` are those in which they need not."""
TOGETHER: Mapping[str, Sequence[str]] = {"paying": ("pay 1", "pay 2"), "receiving": ("receive 1", "receive 2")}
"""Situations that are also reported together."""
MOST_TRIES = 1000
BOTS = ("random", "rule1", "rule2", "rule3", "rule4")
"""Native players by their numbers."""


@dataclass(frozen=True)
class Player:
    """Who plays a team: a native bot, or choosers for the tricks and, if it has its own way there, the exchange."""

    bot: int | None = None
    choose: Chooser | None = None
    give: Chooser | None = None
    varied: bool = False
    """Whether it chooses among several concrete plays of each pseudo-action."""


def player_of(spec: str, seed: int = 0) -> Player:
    """The player of an agent's spec: a rule bot, or `ablgd` with options."""
    if spec in BOTS:
        return Player(bot=BOTS.index(spec))
    agent = REGISTRY.agent("guandan", spec, seed)
    if not isinstance(agent, AblgdAgent):
        raise BadSetting("agent", spec, f"one of {', '.join(BOTS)}, or ablgd with options")
    searches = agent.plan.worlds > 0
    return Player(
        choose=search_chooser(agent.runtime, agent.plan, seed) if searches else network_chooser(agent.runtime)
    )


@dataclass(frozen=True)
class Standing:
    """How the first player stands in one situation."""

    rounds: int
    won: float
    won_error: float
    """Standard error of the share won."""
    points: float
    error: float
    """Standard error of the points."""
    gain: float
    """Points above what the second player makes of the same cards in this situation."""
    gain_error: float

    def to_json(self) -> dict[str, Any]:
        return {name: round(value, 4) for name, value in asdict(self).items()}

    def __str__(self) -> str:
        """For people, with 95% intervals."""
        return (
            f"{self.rounds:6d} rounds, won {self.won:.1%} ± {CONFIDENCE * self.won_error:.1%}, "
            f"points {self.points:+.3f} ± {CONFIDENCE * self.error:.3f}, above the other in its place {self.gain:+.3f} "
            f"± {CONFIDENCE * self.gain_error:.3f}"
        )


def deals(situation: str, count: int, seed: int, first: int = 0) -> Iterator[GuandanState]:
    """Rounds in which seats 0 and 2 are in a situation; levels in turn."""
    for number in range(first, first + count):
        level = RANKS[number % len(RANKS)]
        if situation == "none":
            yield GAME.deal(seed_of(seed, situation, number), "", {"level": level, "leader": number % SEATS})
            continue
        for attempt in range(MOST_TRIES):
            setup = {"level": level, "previous": list(ORDERS[situation])}
            state = GAME.deal(seed_of(seed, situation, number, attempt), "", setup)
            if state.native.resisted == (situation == "resist"):
                yield state
                break


def scores(rounds: Sequence[native.Round], teams: tuple[Player, Player], seed: int) -> NDArray[np.float64]:
    """Scores of team 0 in rounds that two players play."""
    choosers = [team.choose for team in teams if team.choose is not None]
    numbers = iter(range(len(choosers)))
    players = tuple(abduction.NETWORK + next(numbers) if team.choose is not None else _bot(team) for team in teams)
    networks = [team for team in teams if team.choose is not None]
    givers = [team.give or plan_giver for team in networks] if any(team.give for team in networks) else []
    varied = sum(1 << i for i, team in enumerate(networks) if team.varied)
    tables = abduction.Tables.rounds(
        list(rounds), (players[0], players[1]), seed, knowledge().weights, exchange=bool(givers), varied=varied
    )
    play_on(tables, choosers, givers)
    played: NDArray[np.float64] = tables.scores().astype(np.float64)
    return played


def _bot(player: Player) -> int:
    assert player.bot is not None
    return player.bot


def plan_giver(tables: abduction.Tables, which: NDArray[np.int64]) -> NDArray[np.int32]:
    """The card to give as rule4 gives it."""
    chosen = [tables.plays(int(at)).index(tables.round(int(at)).bot_play(4)) for at in which]
    return np.array(chosen, np.int32)


Played = dict[str, NDArray[np.float64]]
"""By situation of team 0: scores of team 0, a row for each deal; columns: one-other, other-one, other-other."""


def play(one: Player, other: Player, count: int, seed: int, first: int = 0) -> Played:
    """Plays so many deals of every situation, each three times."""
    by_situation: Played = {}
    for situation in MIRRORED:
        rounds = [state.native for state in deals(situation, count, seed, first)]
        games = ((one, other), (other, one), (other, other))
        by_situation[situation] = np.stack([scores(rounds, teams, seed_of(seed, "table")) for teams in games], 1)
    return by_situation


def report(played: Played) -> dict[str, Standing]:
    """Each situation of the first player, and all of them together."""
    found: dict[str, NDArray[np.float64]] = {}
    everything = []
    for situation, mirrored in MIRRORED.items():
        mine, theirs, alone = played[situation].T
        if situation == mirrored:
            sides = [(np.concatenate([mine, -theirs]), np.concatenate([alone, -alone]))]
            names = [situation]
        else:
            sides, names = [(mine, alone), (-theirs, -alone)], [situation, mirrored]
        for name, (points, base) in zip(names, sides, strict=True):
            found[name] = np.stack([points, points - base], 1)
        everything.append(np.stack([(mine - theirs) / 2, ((mine > 0) * 1.0 + (theirs < 0)) / 2], 1))
    found |= {name: np.concatenate([found[one] for one in parts]) for name, parts in TOGETHER.items()}
    out = {name: _standing(*rows.T) for name, rows in found.items()}
    pairs = np.concatenate(everything)
    (points, won), (error, won_error) = pairs.mean(0).tolist(), (pairs.std(0, ddof=1) / len(pairs) ** 0.5).tolist()
    out["all"] = Standing(2 * len(pairs), won, won_error, points, error, points, error)
    return out


def _standing(points: NDArray[np.float64], gains: NDArray[np.float64]) -> Standing:
    columns = np.stack([points > 0, points, gains], 1).astype(np.float64)
    means, errors = columns.mean(0).tolist(), (columns.std(0, ddof=1) / len(points) ** 0.5).tolist()
    return Standing(len(points), *(one for both in zip(means, errors, strict=True) for one in both))
