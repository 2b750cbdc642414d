"""What a match is: who plays whom, on which deals, in which seats. The same plan always gives the same results."""

import dataclasses
import hashlib
import importlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from mingpai.arena.table import Side, Sitting
from mingpai.core.errors import BadlyWritten, BadSetting
from mingpai.core.game import Game, State
from mingpai.core.random import seed_of
from mingpai.core.registry import Registry

Unit = Literal["deal", "match"]

CATALOGUE = "mingpai.agents.catalogue:REGISTRY"
"""Where the registry lives; worker processes load it by this name."""


@dataclass(frozen=True)
class Plan:
    """A match between sides. Number of deals, processes and chunks are no part of it: they change no result."""

    game: str
    sides: tuple[str, ...]
    """Agent specs."""
    names: tuple[str, ...]
    """How the sides are called in the results: a, b, or the agents' own specs."""
    seatings: tuple[tuple[int, ...], ...]
    """For each replay of a deal, the side at each seat."""
    seed: int = 0
    rules: str = ""
    """Rule profile; empty for the default."""
    unit: Unit = "deal"
    """What is replayed in every seating: one deal, or a whole match of deals."""
    setup: Mapping[str, Any] = field(default_factory=dict)
    """What each deal, or the match, starts from."""
    registry: str = CATALOGUE

    def __post_init__(self) -> None:
        for seating in self.seatings:
            if any(side not in range(len(self.sides)) for side in seating):
                raise BadSetting("seating", seating, f"sides 0 to {len(self.sides) - 1}")
        if len(self.names) != len(self.sides):
            raise BadSetting("names", self.names, f"{len(self.sides)} names")

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "sides": list(self.sides),
            "names": list(self.names),
            "seatings": [list(seating) for seating in self.seatings],
            "seed": self.seed,
            "rules": self.rules,
            "unit": self.unit,
            "setup": dict(self.setup),
            "registry": self.registry,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Plan":
        try:
            return cls(
                game=data["game"],
                sides=tuple(data["sides"]),
                names=tuple(data["names"]),
                seatings=tuple(tuple(seating) for seating in data["seatings"]),
                seed=data["seed"],
                rules=data["rules"],
                unit=data["unit"],
                setup=data["setup"],
                registry=data["registry"],
            )
        except (KeyError, TypeError) as error:
            raise BadlyWritten(data, f"the plan of a match ({error})") from None

    @property
    def key(self) -> str:
        """Names the plan by its content."""
        text = json.dumps(self.to_json(), sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def load_registry(self) -> Registry:
        module, _, name = self.registry.partition(":")
        registry = getattr(importlib.import_module(module), name)
        assert isinstance(registry, Registry)
        return registry

    def load_game(self) -> Game:
        return self.load_registry().game(self.game)

    def deal_seed(self, number: int) -> int:
        """The seed of the cards of a deal: it depends on the plan's seed and the number alone."""
        return seed_of(self.seed, "deal", number)

    def make_sides(self) -> list[Side]:
        """The competitors. Each side has a stream of its own, so that an agent may meet itself."""
        return [Side(spec, self._maker(number)) for number, spec in enumerate(self.sides)]

    def _maker(self, number: int) -> Any:
        registry, spec = self.load_registry(), self.sides[number]
        seed = seed_of(self.seed, "agent", number)
        return lambda: registry.agent(self.game, spec, seed)

    def sittings(self, numbers: Sequence[int]) -> Iterator[Sitting]:
        """Every seating of each deal."""
        game = self.load_game()
        for number in numbers:
            seed = self.deal_seed(number)
            for seating, players in enumerate(self.seatings):
                tags = {"match": self.key, "deal": number, "seating": seating}
                if self.unit == "deal":
                    state = game.deal(seed, self.rules, self.setup or None)
                    yield Sitting(players, _fitting(state, players), seed=seed, tags=tags)
                else:
                    match = game.match(seed, self.rules, self.setup or None)
                    yield Sitting(players, _fitting(match.next_deal(), players), match, seed=seed, tags=tags)


def _fitting(state: State, players: Sequence[int]) -> State:
    if state.seats != len(players):
        raise BadSetting("seats", len(players), f"{state.seats} players for this game and setup")
    return state


def duel(
    game: Game, a: str, b: str, *, seed: int = 0, rules: str = "", unit: Unit = "deal",
    setup: Mapping[str, Any] | None = None, registry: str = CATALOGUE,
) -> Plan:  # fmt: skip
    """Two agents, every deal played so that each has had every part."""
    seatings = tuple(tuple(seating) for seating in game.seatings(2))
    return Plan(game.name, (a, b), ("a", "b"), seatings, seed, rules, unit, setup or {}, registry)


def table_of(
    game: Game, agents: Sequence[str], *, seed: int = 0, rules: str = "", unit: Unit = "deal",
    setup: Mapping[str, Any] | None = None, rotate: bool = True, registry: str = CATALOGUE,
) -> Plan:  # fmt: skip
    """One agent per seat, rotated through the seats on every deal unless they are to stay."""
    stay = (tuple(range(len(agents))),)
    seatings = tuple(tuple(seating) for seating in game.seatings(len(agents))) if rotate else stay
    return Plan(game.name, tuple(agents), _distinct(agents), seatings, seed, rules, unit, setup or {}, registry)


def rotated(plan: Plan) -> Plan:
    """The plan with every rotation of its seatings: for deals whose parts are not fixed by the seats."""
    turned = (seating[turn:] + seating[:turn] for seating in plan.seatings for turn in range(len(seating)))
    return dataclasses.replace(plan, seatings=tuple(dict.fromkeys(turned)))


def _distinct(agents: Sequence[str]) -> tuple[str, ...]:
    """The specs, numbered where one comes several times."""
    return tuple(
        spec if agents.count(spec) == 1 else f"{spec}#{list(agents[:place]).count(spec) + 1}"
        for place, spec in enumerate(agents)
    )
