# Written by tools/stubs.py from the build. Do not edit.
"""
Dou Dizhu hands split into moves: turns, values, inference, tree search.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

import mingpai._native.core
import mingpai._native.doudizhu
import mingpai._native.selfplay


class Splitter:
    """Partitions of a hand into legal moves under given rules."""

    def __init__(self, rules: mingpai._native.doudizhu.Rules) -> None: ...

    def min_turns(self, hand: int) -> int:
        """L_min: the size of the smallest partition."""

    def min_turns_sum(self, hands: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
        """The sum of L_min over many hands: for measuring speed."""

    def less_split_moves(self, hand: int, last: mingpai._native.doudizhu.Move, slack: int) -> list[mingpai._native.doudizhu.Move]:
        """
        Legal moves on `last` (a pass: leads) that occur in some partition of at most L_min + slack parts.
        """

    def partitions(self, hand: int, max_parts: int, limit: int) -> list[list[mingpai._native.doudizhu.Move]]:
        """All partitions of at most `max_parts` moves, the first `limit`."""

class Weights:
    """Weights of the fast rule player. Without arguments those of RHCP."""

    def __init__(self, values: dict = {}) -> None: ...

    def to_dict(self) -> dict[str, float]: ...

class Evaluator:
    """The worth of hands."""

    def __init__(self, rules: mingpai._native.doudizhu.Rules, weights: Weights) -> None: ...

    def value(self, hand: int) -> float:
        """The best sum of the values of the parts of a partition."""

    def is_one_move(self, hand: int) -> bool: ...

    def best_partition(self, hand: int) -> list[mingpai._native.doudizhu.Move]:
        """The partition of greatest value."""

class Situation:
    """
    What one seat knows of the play, seats by role: 0 landlord, 1 down, 2 up.
    """

    def __init__(self, rules: mingpai._native.doudizhu.Rules, role: int, hand: int, counts: Sequence[int], bottom: int, deck: int, moves: Sequence[tuple[int, mingpai._native.doudizhu.Move]]) -> None: ...

    @property
    def role(self) -> int: ...

    @property
    def first(self) -> int:
        """The role that plays next."""

    @property
    def second(self) -> int: ...

    @property
    def unseen(self) -> int:
        """Cards of the two others together."""

    @property
    def known_of_landlord(self) -> int: ...

    @property
    def turn(self) -> int: ...

    @property
    def owner(self) -> int: ...

    @property
    def last(self) -> mingpai._native.doudizhu.Move: ...

class Player:
    """A fast player without search."""

    def move(self, situation: Situation) -> mingpai._native.doudizhu.Move: ...

def heuristic_player(rules: mingpai._native.doudizhu.Rules, weights: Weights) -> Player:
    """The fast rule player that looks at its hand only."""

def rule_based_player(rules: mingpai._native.doudizhu.Rules) -> Player:
    """RB: active and passive strategy."""

def remaining_value_player(rules: mingpai._native.doudizhu.Rules) -> Player:
    """RHCP: the move that leaves the hand of greatest value."""

def duel(first: Player, second: Player, deals: int, seed: int, budget: mingpai._native.core.Budget) -> list[tuple[int, int]]:
    """
    Duplicate deals, card play only: for each deal the wins of `first` as landlord and as both farmers.
    """

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
    def tree_width(self) -> int: ...

    @tree_width.setter
    def tree_width(self, arg: int, /) -> None: ...

    @property
    def depth(self) -> int: ...

    @depth.setter
    def depth(self, arg: int, /) -> None: ...

    @property
    def exploration(self) -> float: ...

    @exploration.setter
    def exploration(self, arg: float, /) -> None: ...

    @property
    def prior_temperature(self) -> float: ...

    @prior_temperature.setter
    def prior_temperature(self, arg: float, /) -> None: ...

    @property
    def prior_floor(self) -> float: ...

    @prior_floor.setter
    def prior_floor(self, arg: float, /) -> None: ...

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

class Searcher:
    """MCTSHS with its caches. Not for several threads at once."""

    def __init__(self, rules: mingpai._native.doudizhu.Rules, weights: Weights) -> None: ...

    def candidates(self, situation: Situation, settings: SearchSettings) -> list[RootMove]:
        """LessSplit candidates, best prior first."""

    def search(self, situation: Situation, worlds: Worlds | None, settings: SearchSettings, seed: int, budget: mingpai._native.core.Budget, priors: Sequence[float] | None = None) -> SearchResult:
        """
        Without worlds they are drawn fresh and uniform. `priors` replaces those of `candidates`, in their order.
        """

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

    def update(self, situation: Situation, searcher: Searcher, budget: mingpai._native.core.Budget) -> Worlds:
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

    def log_ratio(self, situation: Situation, first_hand: int, searcher: Searcher) -> float:
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

    def prove(self, situation: Situation, worlds: Worlds | None, candidates: Sequence[mingpai._native.doudizhu.Move], settings: EndingSettings, searcher: Searcher, budget: mingpai._native.core.Budget) -> Ending | None:
        """None unless everything is proved."""

class ReadingSettings:
    """How the network reads the belief again."""

    def __init__(self) -> None: ...

    @property
    def worlds(self) -> int:
        """Worlds that are read again; 0 leaves the belief as it is."""

    @worlds.setter
    def worlds(self, arg: int, /) -> None: ...

    @property
    def temperature(self) -> float:
        """Of the softmax over the network's values, in logits."""

    @temperature.setter
    def temperature(self, arg: float, /) -> None: ...

    @property
    def noise(self) -> float:
        """Share of moves that follow no value."""

    @noise.setter
    def noise(self, arg: float, /) -> None: ...

    @property
    def tempering(self) -> float:
        """Exponent of the network's likelihood."""

    @tempering.setter
    def tempering(self, arg: float, /) -> None: ...

    @property
    def kept(self) -> float:
        """Exponent of the weight that the belief had given."""

    @kept.setter
    def kept(self, arg: float, /) -> None: ...

class Reader:
    """
    The others' moves as the network would have chosen them. Not for several threads at once.
    """

    def __init__(self, network: mingpai._native.selfplay.Network) -> None: ...

    def log_likelihoods(self, situation: Situation, settings: ReadingSettings, hands: Sequence[int], budget: mingpai._native.core.Budget) -> list[float]:
        """
        log of the likelihood of everything the others were seen to do, for each hand of the next role.
        """

class PlayoutSettings:
    def __init__(self) -> None: ...

    @property
    def worlds(self) -> int:
        """Worlds that each candidate is played out on, at most."""

    @worlds.setter
    def worlds(self, arg: int, /) -> None: ...

    @property
    def round(self) -> int:
        """Worlds between two looks at the standings."""

    @round.setter
    def round(self, arg: int, /) -> None: ...

    @property
    def width(self) -> int:
        """Candidates at most."""

    @width.setter
    def width(self, arg: int, /) -> None: ...

    @property
    def margin(self) -> float:
        """
        How far below the best a candidate may be valued: logits, or half stakes.
        """

    @margin.setter
    def margin(self, arg: float, /) -> None: ...

    @property
    def trust(self) -> float:
        """The network's own value counts as so many worlds."""

    @trust.setter
    def trust(self, arg: float, /) -> None: ...

    @property
    def judge_trust(self) -> float:
        """The judge's mean over the worlds counts as so many worlds."""

    @judge_trust.setter
    def judge_trust(self, arg: float, /) -> None: ...

    @property
    def plays_out(self) -> bool:
        """False: the network, the hints and the judge decide."""

    @plays_out.setter
    def plays_out(self, arg: bool, /) -> None: ...

    @property
    def clear(self) -> float:
        """Standard errors of the paired difference that drop a candidate."""

    @clear.setter
    def clear(self, arg: float, /) -> None: ...

    @property
    def points(self) -> bool:
        """Maximise points instead of the probability to win."""

    @points.setter
    def points(self, arg: bool, /) -> None: ...

    @property
    def threads(self) -> int: ...

    @threads.setter
    def threads(self, arg: int, /) -> None: ...

    @property
    def reading(self) -> ReadingSettings:
        """How the belief is read again before."""

    @reading.setter
    def reading(self, arg: ReadingSettings, /) -> None: ...

class Hint:
    """What something else makes of a move: a tree search."""

    def __init__(self, move: mingpai._native.doudizhu.Move, value: float, weight: float, is_candidate: bool) -> None:
        """
        value: in the unit of the results; weight: counts as so many worlds; is_candidate: played out in any case.
        """

class PlayedMove:
    @property
    def move(self) -> mingpai._native.doudizhu.Move: ...

    @property
    def network(self) -> float:
        """The network's value: probability to win, or stakes of a farmer now."""

    @property
    def value(self) -> float:
        """
        Mean result of the worlds played, the network's value and the hint counted in.
        """

    @property
    def worlds(self) -> int:
        """Worlds played; 0 for a move that was no candidate."""

class PlayoutResult:
    @property
    def moves(self) -> list[PlayedMove]:
        """All legal moves, best first."""

    @property
    def playouts(self) -> int: ...

    @property
    def decisions(self) -> int:
        """Decisions of the network in all playouts."""

class DealtPlayouts:
    """
    What comes of moves at the tables of a batch when the dealt hands are played out.
    """

    def __init__(self, player: mingpai._native.selfplay.Network, rules: mingpai._native.doudizhu.Rules, weights: Weights) -> None: ...

    def results(self, batch: mingpai._native.selfplay.Batch, tables: Sequence[int], moves: Sequence[int]) -> list[float]:
        """
        For moves[i], by its place among the legal ones, at tables[i]: the chance to win or the stakes of a farmer now, as the table is played for, of the side that moves.
        """

class PlayoutSearcher:
    """
    Playouts by the network on worlds of a belief. Not for several threads at once.
    """

    def __init__(self, network: mingpai._native.selfplay.Network, player: mingpai._native.selfplay.Network, judge: mingpai._native.selfplay.Network | None, rules: mingpai._native.doudizhu.Rules, weights: Weights) -> None:
        """
        network values the legal moves; player, which may be smaller, plays the worlds out; judge, an open network, values the candidates in each world.
        """

    def search(self, situation: Situation, worlds: Worlds, hints: Sequence[Hint], settings: PlayoutSettings, seed: int, budget: mingpai._native.core.Budget) -> PlayoutResult:
        """
        hints add to what the network and the worlds say of a move, and may make it a candidate.
        """
