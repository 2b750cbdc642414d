"""MCM inside the search, on worlds drawn from the belief. Two ways, by the setting `search`:

`tree`: the network gives the tree search of MCTSHS its priors, and its value of a move is counted in with the result of
the tree as if it came from `trust` simulations.

`playouts`: the network chooses what to look at and plays it out. The candidates are the moves that it values close to
its best one. Each is played out on the same worlds, all three seats playing what the network finds best from what that
seat can see; one call of the network serves all worlds and candidates. Candidates that are clearly behind are dropped
between rounds.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mingpai._native import selfplay
from mingpai._native.handsplit import RootMove
from mingpai.agents.doudizhu_rows import (
    POINTS,
    WIN,
    Evaluate,
    Values,
    open_network,
    position_of,
    state_of_each_move,
    values_of,
)
from mingpai.agents.doudizhu_situation import doudizhu_view
from mingpai.core.decision import Belief, Candidate, Decision
from mingpai.core.game import View
from mingpai.core.random import seed_of
from mingpai.core.reasons import Reason
from mingpai.core.stages import Decide, StagedAgent
from mingpai.games.doudizhu.moves import Move
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.methods.handsplit.agent import INFERENCE_SHARE, make_searcher
from mingpai.methods.handsplit.inference import OneModel, ParticleBelief, ParticleInference, ReadMoves, Searchers
from mingpai.methods.handsplit.mcm import SHIPPED, McmAgent, McmSettings, stake_of
from mingpai.methods.handsplit.mcm_match import LANDLORD, best_of_each
from mingpai.methods.handsplit.search import TreeSearch, TreeSettings, search_reasons

ROUNDS = 4
"""The worlds are played in so many rounds; candidates are dropped between them."""

CLEAR = 2.0
"""Standard errors of the paired difference by which a candidate must be behind to be dropped."""

PRIOR_FLOOR = 0.1
"""Share of the priors that is equal for all candidates."""

LEAST_VISITS = 0.1
"""A move must have so large a share of the visits of the most visited one to be chosen."""

POINTS_MARGIN = 0.5
"""Closeness of points that corresponds to one unit of the margin in logits."""


@dataclass(frozen=True)
class McmSearchSettings:
    """Options of `mcm-search`."""

    search: Literal["tree", "playouts"] = "tree"
    """The tree search with the network's priors and values, or playouts by the network."""
    objective: Literal["win", "points"] = "win"
    """Play for the probability to win, or for points (bombs and spring double)."""
    iterations: int = 3000
    """Simulations of the tree search."""
    warmth: float = 0.5
    """Temperature of the network's priors for the tree, in logits."""
    tree_trust: float = 300.0
    """The network's own value counts as much as so many simulations of the tree."""
    threads: int = 1
    """Workers of the tree search."""
    worlds: int = 64
    """Worlds that each candidate is played out on."""
    seconds: float = 0.0
    """Time limit of a decision, 0 for none; looked at between rounds."""
    width: int = 5
    """Candidates at most."""
    margin: float = 1.0
    """How far below the best a move may be valued to be a candidate, in logits."""
    trust: float = 16.0
    """The network's own value counts as much as so many worlds of the playouts."""
    particles: int = 1000
    """Worlds of the belief."""
    belief: Literal["uniform", "inferred"] = "inferred"
    temperature: float = 4.0
    """Player model of the inference: temperature of the softmax over scores."""
    noise: float = 0.02
    """Player model: share of moves that follow no plan."""
    tempering: float = 0.5
    """Player model: exponent of the likelihood."""
    model: str = SHIPPED
    """Name of a shipped model, or path of a model folder."""


class McmSearchAgent(StagedAgent[McmSearchSettings]):
    """The network's playouts over inferred worlds."""

    Settings = McmSearchSettings
    is_random = True
    presets = {"playouts": {"search": "playouts"}}

    def __init__(self, settings: McmSearchSettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        self.understanding = ReadMoves()
        self.modelling = OneModel(settings.temperature, settings.noise, settings.tempering)
        self.inference = ParticleInference(
            Searchers(make_searcher), settings.particles, seed, settings.belief == "uniform",
            INFERENCE_SHARE * settings.seconds,
        )  # fmt: skip
        network = open_network(settings.model)
        self.deciding: Decide = (
            GuidedTree(settings, seed, network) if settings.search == "tree" else PlayoutSearch(settings, seed, network)
        )
        self._bidder = McmAgent(McmSettings(settings.objective, settings.model), game=game, spec=spec, seed=seed)

    def decide(self, view: View) -> Decision:
        if doudizhu_view(view).landlord is None:
            return self._bidder.decide(view)
        return super().decide(view)


class GuidedTree:
    """Decide: the tree search of MCTSHS with the network's priors; its results and the network's values together."""

    def __init__(self, settings: McmSearchSettings, seed: int, evaluate: Evaluate) -> None:
        self._settings = settings
        self._evaluate = evaluate
        self._column = POINTS if settings.objective == "points" else WIN
        tree = TreeSettings(
            iterations=settings.iterations, seconds=settings.seconds, threads=settings.threads, early_stop=False,
            objective=settings.objective,
        )  # fmt: skip
        self._tree = TreeSearch(tree, seed, self)
        self._values: dict[Move, float] = {}

    def decide(self, view: View, belief: Belief) -> Decision:
        table = doudizhu_view(view)
        assert isinstance(belief, ParticleBelief)
        position = position_of(table)
        values = values_of(self._evaluate, [position], self._column == POINTS)[0][:, self._column]
        self._values = dict(zip(position.moves, map(float, values), strict=True))
        if len(position.moves) == 1:
            return Decision(position.moves[0], [Candidate(position.moves[0])], self._settings.objective,
                            reasons=[Reason("only_move")])  # fmt: skip
        result = self._tree.search(table, belief)
        stake = 2.0**position.bombs
        scored = [(self._score(root, stake), root) for root in result.moves]
        # A move that the tree hardly tried is not chosen for the network's sake.
        enough = LEAST_VISITS * result.moves[0].visits
        scored.sort(key=lambda pair: (pair[1].visits >= enough, pair[0]), reverse=True)
        scale = stake_of(table) / stake if self._column == POINTS else 1.0
        best = scored[0][1].move
        return Decision(
            move=best,
            candidates=[Candidate(root.move, score * scale, root.visits / max(1, result.iterations), root.visits)
                        for score, root in scored],
            value_unit=self._settings.objective,
            reasons=[*search_reasons(table, belief, result), Reason("doudizhu.network_guides")],
            work={"iterations": result.iterations, "nodes": result.nodes, "worlds": len(belief.worlds)},
            stages={"decide": {"candidates": len(result.moves), "legal": len(position.moves)}},
        )  # fmt: skip

    def priors(self, view: DoudizhuView, moves: Sequence[Move]) -> Sequence[float]:
        """The network's priors of the candidates of the root."""
        values = np.array([self._values[move] for move in moves])
        unit = POINTS_MARGIN if self._column == POINTS else 1.0
        raised = np.exp((values - values.max()) / (unit * self._settings.warmth))
        shares = PRIOR_FLOOR / len(moves) + (1 - PRIOR_FLOOR) * raised / raised.sum()
        return [float(share) for share in shares]

    def _score(self, root: RootMove, stake: float) -> float:
        """Result of the tree and value of the network, the latter counted as `tree_trust` simulations."""
        trust = self._settings.tree_trust
        value = self._values[root.move]
        mine = value * stake if self._column == POINTS else 1 / (1 + math.exp(-value))
        found = root.value if self._column == WIN else 2 * root.value - 1
        return float((root.visits * found + trust * mine) / (root.visits + trust))


class PlayoutSearch:
    """Decide: the candidate with the best mean result over the worlds, the network's value counted in."""

    def __init__(self, settings: McmSearchSettings, seed: int, evaluate: Evaluate) -> None:
        self._settings = settings
        self._seed = seed
        self._evaluate = evaluate
        self._column = POINTS if settings.objective == "points" else WIN

    def decide(self, view: View, belief: Belief) -> Decision:
        table = doudizhu_view(view)
        assert isinstance(belief, ParticleBelief)
        position = position_of(table)
        values = values_of(self._evaluate, [position], self._column == POINTS)[0][:, self._column]
        chosen = self._candidates(values)
        prior = self._expected(values[chosen])
        if len(chosen) == 1:
            return self._decision(table, position, chosen, prior, np.zeros((1, 0)))
        results = self._play_out(table, belief, position, chosen, prior)
        return self._decision(table, position, chosen, prior, results)

    def _candidates(self, values: Values) -> NDArray[np.int32]:
        """Indices of the moves worth a look, best first."""
        order = np.argsort(-values, kind="stable")[: self._settings.width]
        unit = POINTS_MARGIN if self._column == POINTS else 1.0
        close = values[order] >= values[order[0]] - self._settings.margin * unit
        return np.asarray(order[close], np.int32)

    def _expected(self, values: Values) -> NDArray[np.float64]:
        """The network's values in the unit of the results: probability to win, or stakes."""
        wide = values.astype(np.float64)
        return wide if self._column == POINTS else 1 / (1 + np.exp(-wide))

    def _play_out(
        self, view: DoudizhuView, belief: ParticleBelief, position: selfplay.Position, chosen: NDArray[np.int32],
        prior: NDArray[np.float64],
    ) -> NDArray[np.float64]:  # fmt: skip
        """Results, a row for each candidate and a column for each world; candidates that were dropped have NaN."""
        start = time.perf_counter()
        hands = self._worlds(view, belief)
        results = np.full((len(chosen), len(hands)), np.nan)
        alive = np.arange(len(chosen))
        for part in np.array_split(np.arange(len(hands)), ROUNDS):
            if len(part) == 0:
                continue
            rows = np.repeat(chosen[alive], len(part))
            worlds = np.tile(hands[part], (len(alive), 1))
            results[np.ix_(alive, part)] = self._results(view, position, worlds, rows).reshape(len(alive), len(part))
            alive = self._still_open(results[:, : part[-1] + 1], alive, prior)
            late = self._settings.seconds > 0 and time.perf_counter() - start > self._settings.seconds
            if len(alive) == 1 or late:
                break
        return results

    def _worlds(self, view: DoudizhuView, belief: ParticleBelief) -> NDArray[np.uint64]:
        """Hands of the three roles, a row for each world."""
        situation, worlds = belief.situation, belief.worlds
        seed = seed_of(self._seed, "worlds", view.key())
        hands = np.zeros((self._settings.worlds, 3), np.uint64)
        for row, index in zip(hands, worlds.draw(seed, self._settings.worlds), strict=True):
            first = worlds.first_hand(index)
            row[situation.role], row[situation.first] = view.hand, first
            row[situation.second] = situation.unseen - first
        return hands

    def _results(
        self, view: DoudizhuView, position: selfplay.Position, hands: NDArray[np.uint64], choices: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """Plays every world out; the result for the side to move."""
        for_points = self._column == POINTS
        batch = selfplay.Batch.from_worlds(position, hands, choices, view.rule_set.native, for_points)
        play_out(batch, self._evaluate, self._column)
        won = (batch.winners() == LANDLORD) == (view.role == LANDLORD)
        if not for_points:
            return np.asarray(won, np.float64)
        return np.asarray(np.where(won, 1.0, -1.0) * 2.0 ** (batch.doublings() - position.bombs))

    def _still_open(
        self, results: NDArray[np.float64], alive: NDArray[np.int64], prior: NDArray[np.float64]
    ) -> NDArray[np.int64]:
        """The candidates that may still be best."""
        best = max(alive, key=lambda row: self._score(results[row], float(prior[row])))
        difference = results[best] - results[alive]
        error = difference.std(axis=1) / np.sqrt(difference.shape[1])
        kept = (difference.mean(axis=1) <= CLEAR * error) | (error == 0)
        return np.asarray(alive[kept | (alive == best)])

    def _score(self, results: NDArray[np.float64], prior: float) -> float:
        """Mean result, the network's value counted as `trust` worlds."""
        played = results[~np.isnan(results)]
        return float((played.sum() + self._settings.trust * prior) / (len(played) + self._settings.trust))

    def _decision(
        self, view: DoudizhuView, position: selfplay.Position, chosen: NDArray[np.int32], prior: NDArray[np.float64],
        results: NDArray[np.float64],
    ) -> Decision:  # fmt: skip
        played = (~np.isnan(results)).sum(axis=1)
        scores = [self._score(results[i], float(prior[i])) for i in range(len(chosen))]
        # A dropped candidate is behind by what dropped it, whatever its mean over fewer worlds.
        order = sorted(range(len(chosen)), key=lambda i: (-played[i], -scores[i]))
        scale = stake_of(view) if self._column == POINTS else 1.0
        moves = position.moves
        candidates = [Candidate(moves[chosen[i]], scores[i] * scale, visits=int(played[i])) for i in order]
        if len(moves) == 1:
            reason = Reason("only_move")
        else:
            arguments = {"count": len(chosen), "worlds": int(played.max(initial=0))}
            reason = Reason("doudizhu.network_playouts", arguments)
        return Decision(
            move=candidates[0].move, candidates=candidates, value_unit=self._settings.objective, reasons=[reason],
            work={"playouts": int(played.sum()), "worlds": int(played.max(initial=0))},
            stages={"decide": {"candidates": len(chosen), "legal": len(moves)}},
        )  # fmt: skip


def play_out(batch: selfplay.Batch, evaluate: Evaluate, column: int) -> None:
    """Plays all tables to the end, every seat what the network values highest from what it sees."""
    states = np.zeros((len(batch), selfplay.STATE_SIZE), np.uint8)
    while batch.options:
        moves = np.zeros((batch.options, selfplay.MOVE_SIZE), np.uint8)
        batch.observe(states, moves)
        offsets = batch.offsets()
        live = np.diff(offsets) > 0
        of = state_of_each_move(offsets[np.concatenate([[True], live])])
        values = evaluate(states[live], moves, of)[:, column]
        batch.play(best_of_each(values, offsets))
