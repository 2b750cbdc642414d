"""The agent `solver`: perfect with known cards, a vote of solved worlds near the end, the rule player before."""

import itertools
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mingpai._native.core import Budget
from mingpai._native.doudizhu import Rules as NativeRules
from mingpai._native.endgame import Engine, Position
from mingpai.agents.doudizhu_bidding import bid_by_strength
from mingpai.agents.doudizhu_greedy import GreedyAgent
from mingpai.agents.doudizhu_situation import doudizhu_view, role_of, seat_of
from mingpai.core.agent import Agent, NoSettings
from mingpai.core.decision import Candidate, Decision
from mingpai.core.game import View
from mingpai.core.reasons import Reason
from mingpai.core.settings import setting
from mingpai.games.doudizhu.moves import PASS, Move
from mingpai.games.doudizhu.notation import RANKS
from mingpai.games.doudizhu.state import SEATS, DoudizhuState
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.methods.endgame.solver import judges_for

LANDLORD = 0


@dataclass(frozen=True)
class SolverSettings:
    """Limits of the solving agent. They count nodes, not time, so that decisions can be repeated."""

    cards: int = setting(
        24, "Cards left in all hands from which worlds are solved; before, the rule player decides.", (1, 54), web=24
    )
    worlds: int = setting(
        12,
        "Most worlds solved for a decision. If no more are possible, all are solved, weighted by their chance.",
        (1, 100_000),
        web=200,
    )
    nodes: int = setting(30_000, "Nodes for each move of each world.", (1, 10**12), web=100_000)
    proof_nodes: int = setting(
        20_000_000, "Nodes for each move when only one world is possible.", (1, 10**12), web=20_000_000
    )


@dataclass(frozen=True)
class World:
    """Hands that the others may hold."""

    hands: Sequence[int]
    """By role."""
    weight: float


class SolverAgent(Agent[SolverSettings]):
    """Counts for each move the worlds in which it is proved to win."""

    Settings = SolverSettings
    is_random = True

    def __init__(self, settings: SolverSettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        self._engine = Engine()
        self._fallback = GreedyAgent(NoSettings(), game=game, spec=spec, seed=seed)

    def decide(self, view: View) -> Decision:
        table = doudizhu_view(view)
        if table.landlord is None:
            return bid_by_strength(table, self.spec)
        start = time.perf_counter()
        moves = table.native_moves().to_list()
        worlds = self._worlds(table)
        if len(moves) == 1 or not worlds:
            return self._fallback.decide(view)
        return self._vote(table, moves, worlds, start)

    def _worlds(self, view: DoudizhuView) -> list[World]:
        few = list(itertools.islice(possible_worlds(view), self.settings.worlds + 1))
        if len(few) == 1 or (len(few) <= self.settings.worlds and sum(view.counts) <= self.settings.cards):
            return few
        if sum(view.counts) > self.settings.cards:
            return []
        worlds = view.sample_worlds(self.rng(view), self.settings.worlds)
        return [World(_hands_of(world, view), 1.0) for world in worlds if isinstance(world, DoudizhuState)]

    def _vote(self, view: DoudizhuView, moves: Sequence[Move], worlds: Sequence[World], start: float) -> Decision:
        is_landlord = role_of(view, view.seat) == LANDLORD
        won, known, nodes = [0.0] * len(moves), [0.0] * len(moves), 0
        for world in worlds:
            answers, spent = self._solve(position_of(view, world.hands), moves, view.rule_set.native, len(worlds) == 1)
            nodes += spent
            for index, result in enumerate(answers):
                if result is not None:
                    known[index] += world.weight
                    won[index] += world.weight * (result is is_landlord)
        total = sum(world.weight for world in worlds)
        preferred = self._fallback.decide(view).move
        order = sorted(
            range(len(moves)), key=lambda i: (won[i], known[i] < total, moves[i] == preferred, -i), reverse=True
        )
        candidates = [Candidate(moves[i], value=won[i] / known[i] if known[i] else None) for i in order]
        best = order[0]
        return Decision(
            move=moves[best],
            candidates=candidates,
            value_unit="win",
            reasons=[_reason(won[best] / total, known[best] >= total, len(worlds))],
            work={"worlds": float(len(worlds)), "nodes": float(nodes)},
            seconds=time.perf_counter() - start,
            agent=self.spec,
            seed=self.seed,
        )

    def _solve(
        self, position: Position, moves: Sequence[Move], rules: NativeRules, is_only_world: bool
    ) -> tuple[list[bool | None], int]:
        """Whether the landlord wins after each move, None where that took too much, and the nodes spent.

        The only possible world is proved, guided by the judge where it is large.
        """
        if not is_only_world:
            budget = Budget()
            self._engine.set_root(position, rules)
            nodes = self.settings.nodes
            return [self._engine.landlord_wins(position.after(move), nodes, budget) for move in moves], budget.used
        engine = Engine(judges=judges_for(position))
        engine.set_root(position, rules)
        budgets = [Budget(0, self.settings.proof_nodes) for _ in moves]
        answers = [engine.prove(position.after(move), budget) for move, budget in zip(moves, budgets, strict=True)]
        return answers, sum(budget.used for budget in budgets)


def position_of(view: DoudizhuView, hands: Sequence[int]) -> Position:
    """The open position that the view and these hands, by role, make."""
    status = view.native.status
    last = status.last
    owner = 0 if last.is_pass or status.owner is None else role_of(view, status.owner)
    return Position(list(hands), role_of(view, status.turn), PASS if last.is_pass else last, owner)


def possible_worlds(view: DoudizhuView) -> Iterator[World]:
    """Every way to place the unseen cards, with its weight."""
    roles = [(role_of(view, view.seat) + step) % SEATS for step in range(SEATS)]
    counts = [view.counts[seat_of(view, role)] for role in roles]
    known = view.native.known_of_landlord() if roles[0] != LANDLORD else 0
    first_known = known if roles[1] == LANDLORD else 0
    second_known = known if roles[2] == LANDLORD else 0
    pool = view.native.unseen(view.deck)
    need = counts[1] - _count(first_known)
    for part, weight in _parts(pool, need, 0):
        by_role = {
            roles[0]: view.hand,
            roles[1]: part + first_known,
            roles[2]: pool - part + second_known,
        }
        yield World([by_role[role] for role in range(SEATS)], weight)


def _parts(pool: int, size: int, rank: int) -> Iterator[tuple[int, float]]:
    """Sub-hands of `size` cards from rank `rank` up, with the number of ways to draw each."""
    if rank == len(RANKS):
        if size == 0:
            yield 0, 1.0
        return
    held = pool >> (4 * rank) & 15
    if size > _count(pool >> (4 * rank)):
        return
    for taken in range(min(held, size) + 1):
        for rest, ways in _parts(pool, size - taken, rank + 1):
            yield rest + (taken << (4 * rank)), ways * math.comb(held, taken)


def _count(hand: int) -> int:
    return sum(hand >> shift & 15 for shift in range(0, hand.bit_length(), 4))


def _hands_of(world: DoudizhuState, view: DoudizhuView) -> list[int]:
    return [world.hand(seat_of(view, role)) for role in range(SEATS)]


def _reason(share: float, is_exact: bool, worlds: int) -> Reason:
    if worlds == 1 and is_exact:
        return Reason("endgame.proved_win" if share else "endgame.proved_loss")
    return Reason("endgame.wins_in_worlds", {"share": round(100 * share), "worlds": worlds})
