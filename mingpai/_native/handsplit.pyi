# Written by tools/stubs.py from the build. Do not edit.
"""Dou Dizhu: inference, tree search, endings."""

from collections.abc import Sequence

import mingpai._native.core
import mingpai._native.doudizhu
import mingpai._native.ruleplay


class SearchSettings:
    """The settings of the tree search; see native/handsplit/search.hpp."""

    def __init__(self) -> None: ...

    @property
    def iterations(self) -> int: ...

    @iterations.setter
    def iterations(self, arg: int, /) -> None: ...

    @property
    def threads(self) -> int: ...

    @threads.setter
    def threads(self, arg: int, /) -> None: ...

    @property
    def slack(self) -> int: ...

    @slack.setter
    def slack(self, arg: int, /) -> None: ...

    @property
    def width(self) -> int: ...

    @width.setter
    def width(self, arg: int, /) -> None: ...

    @property
    def depth(self) -> int: ...

    @depth.setter
    def depth(self, arg: int, /) -> None: ...

    @property
    def exploration(self) -> float: ...

    @exploration.setter
    def exploration(self, arg: float, /) -> None: ...

    @property
    def points(self) -> bool: ...

    @points.setter
    def points(self, arg: bool, /) -> None: ...

    @property
    def sees_world(self) -> bool: ...

    @sees_world.setter
    def sees_world(self, arg: bool, /) -> None: ...

    @property
    def early_stop(self) -> bool: ...

    @early_stop.setter
    def early_stop(self, arg: bool, /) -> None: ...

    @property
    def confidence(self) -> float: ...

    @confidence.setter
    def confidence(self, arg: float, /) -> None: ...

class RootMove:
    """A candidate of the root."""

    @property
    def move(self) -> mingpai._native.doudizhu.Move: ...

    @property
    def prior(self) -> float: ...

    @property
    def visits(self) -> int: ...

    @property
    def value(self) -> float:
        """Mean result for the side to move."""

class SearchResult:
    """What a search found."""

    @property
    def moves(self) -> list[RootMove]:
        """Candidates, most visited first."""

    @property
    def iterations(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def stopped_early(self) -> bool: ...

class UctSettings:
    """The settings of the paper's own search; see native/handsplit/uct.hpp."""

    def __init__(self) -> None: ...

    @property
    def simulations(self) -> int: ...

    @simulations.setter
    def simulations(self, arg: int, /) -> None: ...

    @property
    def slack(self) -> int: ...

    @slack.setter
    def slack(self, arg: int, /) -> None: ...

    @property
    def exploration(self) -> float: ...

    @exploration.setter
    def exploration(self, arg: float, /) -> None: ...

    @property
    def score_weight(self) -> float: ...

    @score_weight.setter
    def score_weight(self, arg: float, /) -> None: ...

def uct_search(situation: mingpai._native.ruleplay.Situation, splitter: mingpai._native.ruleplay.Splitter, moves: Sequence[tuple[mingpai._native.doudizhu.Move, float]], settings: UctSettings, seed: int, budget: mingpai._native.core.Budget) -> SearchResult:
    """
    MCTSHS as the paper prints it, among the moves given with their scores, or among all LessSplit candidates.
    """

class Searcher:
    """MCTSHS with its caches. Not for several threads at once."""

    def __init__(self, rules: mingpai._native.doudizhu.Rules, weights: mingpai._native.ruleplay.Weights) -> None: ...

    def candidates(self, situation: mingpai._native.ruleplay.Situation, settings: SearchSettings) -> list[RootMove]:
        """LessSplit candidates, best prior first."""

    def search(self, situation: mingpai._native.ruleplay.Situation, worlds: Worlds | None, settings: SearchSettings, seed: int, budget: mingpai._native.core.Budget) -> SearchResult:
        """Without worlds they are drawn fresh and uniform."""

    def roll_outs(self, deals: int, each: int, cards_left: int, seed: int) -> tuple[int, int]:
        """
        Complete roll-outs, `each` from a random move of a position with at most `cards_left` cards: (made, landlord's wins).
        """

class PlayerModel:
    """How the others are taken to play."""

    def __init__(self, temperature: float = 3.5, noise: float = 0.019999999552965164, tempering: float = 0.699999988079071) -> None: ...

    @property
    def temperature(self) -> float: ...

    @property
    def noise(self) -> float: ...

    @property
    def tempering(self) -> float: ...

class Particles:
    """Worlds kept from move to move."""

    def __init__(self, seed: int, count: int, model: PlayerModel, uniform: bool = False) -> None: ...

    def update(self, situation: mingpai._native.ruleplay.Situation, searcher: Searcher, budget: mingpai._native.core.Budget) -> Worlds:
        """The weighted worlds of a situation."""

    @property
    def kept(self) -> int:
        """Particles whose likelihood was carried on at the last update."""

class Worlds:
    """Weighted worlds. Immutable."""

    def __len__(self) -> int: ...

    def first_hand(self, index: int) -> int:
        """The hand of the role that plays next."""

    def weight(self, index: int) -> float: ...

    def draw(self, seed: int, count: int) -> list[int]:
        """Indices drawn by weight."""

    @property
    def effective_size(self) -> float: ...

    def expected_first(self) -> list[float]:
        """Expected cards of each rank of the role that plays next."""

    def log_ratio(self, situation: mingpai._native.ruleplay.Situation, first_hand: int, searcher: Searcher) -> float:
        """How much likelier than uniform a world is, as a logarithm."""

class EndingSettings:
    """When endings are proved; see native/handsplit/endings.hpp."""

    def __init__(self) -> None: ...

    @property
    def max_worlds(self) -> int: ...

    @max_worlds.setter
    def max_worlds(self, arg: int, /) -> None: ...

    @property
    def max_cards(self) -> int: ...

    @max_cards.setter
    def max_cards(self, arg: int, /) -> None: ...

    @property
    def nodes(self) -> int: ...

    @nodes.setter
    def nodes(self, arg: int, /) -> None: ...

    @property
    def all_nodes(self) -> int: ...

    @all_nodes.setter
    def all_nodes(self, arg: int, /) -> None: ...

class Proved:
    """What is proved of a candidate."""

    @property
    def move(self) -> mingpai._native.doudizhu.Move: ...

    @property
    def won(self) -> float:
        """Probability of the worlds in which it wins."""

    @property
    def plies(self) -> float:
        """Mean length of a roll-out after it, where it wins."""

class Ending:
    """Every candidate proved in every world."""

    @property
    def moves(self) -> list[Proved]:
        """The most probable win first, ties by the shorter one."""

    @property
    def worlds(self) -> int: ...

    @property
    def nodes(self) -> int: ...

class EndingProver:
    """The endgame solver of an agent."""

    def __init__(self, memory: int) -> None: ...

    def prove(self, situation: mingpai._native.ruleplay.Situation, worlds: Worlds | None, candidates: Sequence[mingpai._native.doudizhu.Move], settings: EndingSettings, searcher: Searcher, budget: mingpai._native.core.Budget) -> Ending | None:
        """None unless everything is proved."""
