"""Stage four with a network: it chooses what to look at, and plays it out on worlds of the belief.

The candidates are the moves that the network values close to its best one, and those that a tree search finds good.
Each is played out on the same worlds, all three seats playing what the network finds best from what that seat can see;
natively, many deals side by side (native/mcm/playouts.hpp). A move is worth what came of it, the network's own
value and the result of the tree, each with its weight: their errors differ. Where network and tree agree and the tree
is sure, nothing is played out. Endings that can be proved are proved.
"""

from dataclasses import dataclass, replace

from mingpai._native import mcm as native
from mingpai._native.core import Budget
from mingpai._native.handsplit import Ending, SearchResult
from mingpai._native.mcm import Hint, PlayedMove, PlayoutResult
from mingpai.agents.doudizhu_greedy import tuned_weights
from mingpai.agents.doudizhu_rule import reason_of
from mingpai.agents.doudizhu_situation import doudizhu_view
from mingpai.core.decision import Belief, Candidate, Decision
from mingpai.core.errors import BadSetting
from mingpai.core.game import View
from mingpai.core.notes import Note, Stages
from mingpai.core.random import seed_of
from mingpai.core.reasons import Reason
from mingpai.core.settings import setting
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.methods.handsplit.endings import Endings, is_certain
from mingpai.methods.handsplit.inference import ParticleBelief
from mingpai.methods.handsplit.search import (
    ENDING_SHARE,
    OBJECTIVES,
    Objective,
    TreeSearch,
    TreeSettings,
    aim_of,
    believed_cards,
    forced_decision,
    proved_decision,
    proved_moves,
)
from mingpai.methods.mcm.agent import JUDGE, NO_MODEL, SHIPPED, STUDENT, stake_of
from mingpai.methods.mcm.rows import OPEN_FEATURES, native_network

LEAST_VISITS = 16
"""Simulations of a move below which its mean result says nothing."""

TREE_SHARE = 0.4
"""Share of a time limit that the tree search may take."""


TREE_MARGIN = 0.05
"""How far below its best result (win probability, or stakes) the tree's other candidates may be."""


@dataclass(frozen=True)
class NetworkSettings:
    """The networks of the flagship."""

    model: str = setting(
        SHIPPED,
        "Name of a shipped model, or path of a model folder; none for the tree search alone.",
        kind="model",
        web=(SHIPPED, NO_MODEL),
    )
    player: str = setting(
        STUDENT,
        "The network that plays the worlds out, by name or path: the smaller, the more worlds in the same time.",
        kind="model",
        web=(STUDENT, SHIPPED),
    )
    judge: str = setting(
        JUDGE,
        "The network that values candidates in each world with open hands, by name or path; none for no judge.",
        kind="model",
        web=(JUDGE, NO_MODEL),
    )


@dataclass(frozen=True)
class PlayoutSettings:
    """How the network's playouts are made, and what counts how much."""

    judge_trust: float = setting(
        2.0, "The judge's mean over the worlds counts so many times as much as all worlds.", (0, 1000), web=1000
    )
    judges_read: bool = setting(
        False, "Whether the judge values all worlds that were read, by weight; else those alone that are played out."
    )
    plays_out: bool = setting(True, "Whether worlds are played out; else the network, the judge and the tree decide.")
    depth: int = setting(
        0,
        "Decisions of a playout after which the judge values what is left; 0 to play every deal to its end.",
        (0, 1000),
        web=100,
    )
    worlds: int = setting(128, "Worlds that each candidate is played out on, at most.", (1, 1_000_000), web=20_000)
    candidates: int = setting(5, "Candidates of the network at most.", (1, 10_000), web=100)
    margin: float = setting(
        1.0,
        "How far below the best a move may be valued to be a candidate, in logits or half stakes.",
        (0, 1000),
        web=1000,
    )
    trust: float = setting(
        0.75, "The network's own value counts so many times as much as all worlds.", (0, 1000), web=1000
    )
    clear: float = setting(2.0, "Standard errors of the paired difference that drop a candidate.", (0, 1000), web=1000)
    reads: int = setting(
        64,
        "Worlds of the belief that the network weighs again by what the others did; 0 for none.",
        (0, 1_000_000),
        web=20_000,
    )
    reading_temperature: float = setting(
        0.25,
        "Of the softmax by which the network reads the others' moves, in logits; 0: each player's own, from "
        "0.12 to 1, as its moves tell.",
        (0, 1000),
        web=1000,
    )
    reading_power: float = setting(0.5, "Exponent of the network's likelihood of these moves.", (0, 100), web=100)
    belief_power: float = setting(
        0.5, "Exponent of the weight that a world had before the network read it.", (0, 100), web=100
    )
    tree_trust: float = setting(
        1.0, "The result of the tree counts so many times as much as all worlds.", (0, 1000), web=1000
    )


def native_settings(playouts: PlayoutSettings, tree: TreeSettings, aim: Objective) -> native.PlayoutSettings:
    """The settings as the native playouts take them."""
    out = native.PlayoutSettings()
    out.worlds, out.width, out.margin = playouts.worlds, playouts.candidates, playouts.margin
    out.trust, out.clear, out.threads = playouts.trust * playouts.worlds, playouts.clear, tree.threads
    out.judge_trust, out.plays_out = playouts.judge_trust * playouts.worlds, playouts.plays_out
    out.depth, out.judges_read = playouts.depth, playouts.judges_read
    out.points = aim == "points"
    reading = out.reading
    reading.worlds, reading.temperature = playouts.reads, playouts.reading_temperature
    reading.tempering, reading.kept = playouts.reading_power, playouts.belief_power
    return out


@dataclass(frozen=True)
class PlayoutNote(Note):
    """How many of the legal moves were played out, and whether the ending was proved as far as possible."""

    candidates: int
    legal: int
    proved: bool


class NetworkPlayouts:
    """Decide: the candidate with the best mean result over the worlds, the network's value counted in."""

    def __init__(
        self,
        networks: NetworkSettings,
        playouts: PlayoutSettings,
        tree: TreeSettings,
        seed: int,
        endings: Endings | None = None,
    ) -> None:
        if playouts.depth and networks.judge == NO_MODEL:
            raise BadSetting("depth", str(playouts.depth), "0, where no judge values what is left")
        self._weight = playouts.tree_trust * playouts.worlds
        self._objective, self._seconds = tree.objective, tree.seconds
        self._native = {aim: native_settings(playouts, tree, aim) for aim in OBJECTIVES}
        self._seed = seed
        self._endings = endings
        self._network, self._player = native_network(networks.model), native_network(networks.player)
        self._judge = None if networks.judge == NO_MODEL else native_network(networks.judge, OPEN_FEATURES)
        self._tree = None
        if tree.iterations:
            self._tree = TreeSearch(replace(tree, seconds=TREE_SHARE * tree.seconds), seed)
        self._searchers: dict[str, native.PlayoutSearcher] = {}

    def reseed(self, seed: int) -> None:
        """Chance comes from another seed from now on."""
        self._seed = seed
        if self._tree:
            self._tree.reseed(seed)

    def decide(self, view: View, belief: Belief) -> Decision:
        table = doudizhu_view(view)
        assert isinstance(belief, ParticleBelief)
        unit, aim = self._objective, aim_of(self._objective, table)
        if (forced := forced_decision(table, unit)) is not None:
            return forced
        ending = self._prove(table, belief)
        if ending is not None and is_certain(ending) and aim == "win":
            return proved_decision(table, ending)
        result = self.search(table, belief)
        proved = proved_moves(ending, aim)
        best = next(played for played in result.moves if proved is None or played.move in proved)
        return Decision(
            move=best.move,
            candidates=[
                Candidate(played.move, self._told(table, aim, played.value), visits=played.worlds)
                for played in _first(best, result)
            ],
            value_unit=unit,
            reasons=playout_reasons(table, belief, result, best, ending),
            work={"playouts": result.playouts, "evaluations": result.decisions, "worlds": len(belief.worlds)},
            stages=Stages(decide=PlayoutNote(
                sum(played.worlds > 0 for played in result.moves), len(result.moves), ending is not None
            )),
        )  # fmt: skip

    def search(self, view: DoudizhuView, belief: ParticleBelief) -> PlayoutResult:
        """The playouts alone, for those who want their counts."""
        rules = view.rule_set
        if rules.name not in self._searchers:
            self._searchers[rules.name] = native.PlayoutSearcher(
                self._network, self._player, self._judge, rules.native, tuned_weights()
            )
        seed = seed_of(self._seed, "playouts", view.key())
        budget = Budget(seconds=self._seconds)
        searcher, aim = self._searchers[rules.name], aim_of(self._objective, view)
        hints = self._hints(self._tree.search(view, belief), aim) if self._tree else []
        return searcher.search(belief.situation, belief.worlds, hints, self._native[aim], seed, budget)

    def _told(self, view: DoudizhuView, aim: Objective, value: float) -> float:
        """A value in the unit that was asked for: the probability to win, or points."""
        if self._objective == "win":
            return value
        return stake_of(view) * (value if aim == "points" else 2 * value - 1)

    def _hints(self, tree: SearchResult, aim: Objective) -> list[Hint]:
        """The result of the tree for the moves it has tried; candidates are those close to its best."""
        tried = [root for root in tree.moves if root.visits >= LEAST_VISITS] or tree.moves[:1]
        close = max(root.value for root in tried) - TREE_MARGIN
        return [Hint(root.move, _in_unit(root.value, aim), self._weight, root.value >= close) for root in tried]

    def _prove(self, view: DoudizhuView, belief: ParticleBelief) -> Ending | None:
        if self._endings is None:
            return None
        return self._endings.prove(belief, view.native_moves().to_list(), ENDING_SHARE * self._seconds)


def _in_unit(value: float, aim: Objective) -> float:
    """A result of the tree in the unit of the playouts: the tree has points as 0.5 +- half the stake."""
    return value if aim == "win" else 2 * value - 1


def _first(best: PlayedMove, result: PlayoutResult) -> list[PlayedMove]:
    return [best, *(played for played in result.moves if played.move != best.move)]


def playout_reasons(
    view: DoudizhuView, belief: ParticleBelief, result: PlayoutResult, best: PlayedMove, ending: Ending | None
) -> list[Reason]:
    """Why the move was chosen: the work, the margin, the effect on the hand, the cards reckoned with."""
    played = [move for move in result.moves if move.worlds > 0]
    reasons = [Reason("doudizhu.network_value", {"count": len(result.moves)})]
    if played:
        worlds = max(move.worlds for move in played)
        reasons = [Reason("doudizhu.network_playouts", {"count": len(played), "worlds": worlds})]
    if ending is not None and not is_certain(ending):
        reasons.append(Reason("doudizhu.no_win_found", {"worlds": ending.worlds}))
    reasons.append(reason_of(view, best.move))
    return [*reasons, *believed_cards(belief)]
