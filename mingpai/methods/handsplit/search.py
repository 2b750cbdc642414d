"""Stage four: MCTSHS, the tree search over LessSplit candidates on worlds drawn from the belief."""

from dataclasses import dataclass, field, replace
from typing import Final, Literal

from mingpai._native.core import Budget
from mingpai._native.handsplit import Ending, RootMove, SearchResult, SearchSettings
from mingpai.agents.doudizhu_rule import reason_of
from mingpai.agents.doudizhu_situation import doudizhu_view
from mingpai.core.decision import Belief, Candidate, Decision
from mingpai.core.game import View
from mingpai.core.notes import Note, Stages
from mingpai.core.random import seed_of
from mingpai.core.reasons import Reason
from mingpai.core.settings import setting
from mingpai.games.doudizhu.moves import Move
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.methods.handsplit.endings import Endings, best_moves, is_certain
from mingpai.methods.handsplit.inference import ParticleBelief

Objective = Literal["win", "points"]
OBJECTIVES: Final[tuple[Objective, ...]] = ("win", "points")

DEFAULT_ITERATIONS = 3000
"""Iterations of a search that is told neither iterations nor seconds."""

NO_LIMIT = 2**62
"""Iterations of a search that is limited by time alone."""

LIKELY = 0.8
"""A hidden card is named among the reasons when a seat holds it at least this probably."""

ENDING_SHARE = 0.3
"""Share of a time limit that proving the ending may take."""

NAMED_CARDS = 3
"""Hidden cards named at most."""


@dataclass(frozen=True)
class TreeSettings:
    """The options of the tree search that are the same for all its agents."""

    iterations: int = setting(
        0,
        "Simulations of a decision over all threads; 0 for as many as the seconds allow, or for 3000 without them. A "
        "fixed number is repeatable.",
        (0, 10**12),
        web=200_000,
    )
    seconds: float = setting(
        0.0,
        "Time limit of a decision; 0 for none. A decision that reaches it does not repeat exactly.",
        (0, 86_400),
        web=5,
    )
    threads: int = setting(
        1, "Workers, each with a tree of its own; their results are added up in order.", (1, 256), web=2
    )
    slack: int = setting(
        3, "Candidates occur in a partition of at most L_min + slack parts; -1 for all legal moves.", (-1, 20), web=20
    )
    width: int = setting(24, "Candidates at the root, the best by prior.", (1, 100_000), web=1000)
    tree: bool = setting(True, "Search a tree; false for flat Monte Carlo: roll-outs right after the candidate.")
    exploration: float = setting(1.0, "Weight of prior and rare visits against the mean result.", (0, 1000), web=1000)
    sees_world: bool = setting(
        True, "Roll-outs look into the sampled world: lead what nobody beats, block who would go out."
    )
    early_stop: bool = setting(True, "End when the choice is clear.")
    objective: Objective = setting(
        "win", "What is maximised: the probability to win, or points (bombs and spring double)."
    )


def native_settings(settings: TreeSettings) -> SearchSettings:
    """The settings as the native search takes them."""
    out = SearchSettings()
    out.iterations = settings.iterations or (NO_LIMIT if settings.seconds > 0 else DEFAULT_ITERATIONS)
    out.threads = settings.threads
    out.slack = settings.slack
    out.width = settings.width
    out.depth = out.depth if settings.tree else 1
    out.exploration = settings.exploration
    out.sees_world = settings.sees_world
    out.early_stop = settings.early_stop
    out.points = settings.objective == "points"
    return out


@dataclass(frozen=True)
class TreeNote(Note):
    """How the tree search ended."""

    stopped_early: bool
    candidates: int
    proved: bool
    """Whether the ending was proved as far as possible."""


@dataclass
class TreeSearch:
    """Decide: the most visited move of the tree."""

    settings: TreeSettings
    seed: int
    endings: Endings | None = None
    """Proofs of endings; None to search them like everything else."""
    _native: dict[Objective, SearchSettings] = field(init=False)

    def __post_init__(self) -> None:
        self._native = {aim: native_settings(replace(self.settings, objective=aim)) for aim in OBJECTIVES}

    def reseed(self, seed: int) -> None:
        """Chance comes from another seed from now on."""
        self.seed = seed

    def decide(self, view: View, belief: Belief) -> Decision:
        table = doudizhu_view(view)
        assert isinstance(belief, ParticleBelief)
        unit, aim = self.settings.objective, aim_of(self.settings.objective, table)
        if (forced := forced_decision(table, unit)) is not None:
            return forced
        ending = self._prove(belief)
        if ending is not None and is_certain(ending) and aim == "win":
            return proved_decision(table, ending)
        result = self.search(table, belief)
        proved = proved_moves(ending, aim)
        best = next(root for root in result.moves if proved is None or root.move in proved)
        total = max(1, result.iterations)
        return Decision(
            move=best.move,
            candidates=[
                Candidate(root.move, self._value(root), root.visits / total, root.visits) for root in result.moves
            ],
            value_unit=unit,
            reasons=search_reasons(table, belief, result, best, ending),
            work={"iterations": result.iterations, "nodes": result.nodes, "worlds": len(belief.worlds)},
            stages=Stages(decide=TreeNote(result.stopped_early, len(result.moves), ending is not None)),
        )

    def _prove(self, belief: ParticleBelief) -> Ending | None:
        if self.endings is None:
            return None
        roots = belief.searcher.candidates(belief.situation, self._native["win"])
        return self.endings.prove(belief, [root.move for root in roots], ENDING_SHARE * self.settings.seconds)

    def search(self, view: DoudizhuView, belief: ParticleBelief) -> SearchResult:
        """The search alone, for those who want its counts."""
        seed = seed_of(self.seed, "search", view.key())
        budget = Budget(seconds=self.settings.seconds)
        settings = self._native[aim_of(self.settings.objective, view)]
        return belief.searcher.search(belief.situation, belief.worlds, settings, seed, budget)

    def _value(self, root: RootMove) -> float | None:
        if root.visits == 0:
            return None
        # Natively points are 0.5 +- half the stake, so that both objectives agree where nothing doubles.
        return root.value if self.settings.objective == "win" else 2 * root.value - 1


def aim_of(objective: Objective, view: DoudizhuView) -> Objective:
    """What is searched for: once nothing can double any more, points are wins."""
    return "points" if objective == "points" and view.may_double else "win"


def proved_moves(ending: Ending | None, aim: Objective) -> list[Move] | None:
    """The moves that a proof leaves to choose from; None for all. Where points are at stake a sure win alone counts: a
    bomb that wins a little more often may cost twice as much when it does not."""
    if ending is None or (aim == "points" and not is_certain(ending)):
        return None
    return best_moves(ending)


def forced_decision(view: DoudizhuView, objective: Objective) -> Decision | None:
    """The move that needs no thought: the only legal one, or the one that plays the whole hand. For points, playing a
    bomb first may be worth more than going out at once."""
    moves = view.native_moves()
    if len(moves) > 1 and aim_of(objective, view) == "points" and any(move.is_bomb for move in moves):
        return None
    forced = moves[0] if len(moves) == 1 else next((move for move in moves if move.cards == view.hand), None)
    if forced is None:
        return None
    return Decision(forced, [Candidate(forced, probability=1.0)], objective, reasons=[reason_of(view, forced)])


def proved_decision(view: DoudizhuView, ending: Ending) -> Decision:
    """The shortest of the moves that win in every world."""
    best = ending.moves[0].move
    return Decision(
        move=best,
        candidates=[Candidate(proved.move, proved.won, float(proved.move == best)) for proved in ending.moves],
        value_unit="win",
        reasons=[Reason("doudizhu.proved", {"worlds": ending.worlds}), reason_of(view, best)],
        work={"nodes": ending.nodes, "worlds": ending.worlds},
        stages=Stages(decide=TreeNote(False, len(ending.moves), True)),
    )


def search_reasons(
    view: DoudizhuView,
    belief: ParticleBelief,
    result: SearchResult,
    chosen: RootMove | None = None,
    ending: Ending | None = None,
) -> list[Reason]:
    """Why the search chose what it chose: the work, the margin, the effect on the hand, the cards it reckons with."""
    best = chosen or result.moves[0]
    reasons = [Reason("doudizhu.searched", {"count": len(result.moves), "iterations": result.iterations})]
    if ending is not None and not is_certain(ending):
        reasons.append(Reason("doudizhu.no_win_found", {"worlds": ending.worlds}))
    other = next((root for root in result.moves if root.move != best.move and root.visits > 0), None)
    if other is not None:
        margin = {"percent": f"{best.value:.0%}", "other": str(other.move), "second": f"{other.value:.0%}"}
        reasons.append(Reason("doudizhu.win_chance", margin))
    reasons.append(reason_of(view, best.move))
    return [*reasons, *believed_cards(belief)]


def believed_cards(belief: ParticleBelief) -> list[Reason]:
    """The high cards that a seat holds probably."""
    reasons = []
    for seat, cards in belief.marginals().items():
        likely = sorted(((p, card) for card, p in cards.items() if p >= LIKELY and card in "A2XD"), reverse=True)
        if likely:
            named = "".join(card for _, card in likely[:NAMED_CARDS])
            reasons.append(Reason("doudizhu.believes", {"seat": seat, "cards": named}))
    return reasons
