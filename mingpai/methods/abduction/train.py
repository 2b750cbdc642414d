"""ABL-GD is trained here, top to bottom: ABLN on random play, imitation of rule4 and of a search, PPO in self-play.

The defaults are the paper's table 4. One step of the learner is one update: play until `every` new decisions of
finished rounds are there, then learn from the latest `buffer` of them. Needs the `train` extra.
"""

import functools
import itertools
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from mingpai._native import abduction
from mingpai.core.errors import BadSetting, MingpaiError
from mingpai.core.random import seed_of, stream
from mingpai.core.settings import setting
from mingpai.methods.abduction.actor import (
    RIVALS,
    RULE4,
    SEARCHING,
    SPARRING,
    Collecting,
    Decisions,
    OpenJudge,
    greedy,
    joined,
)
from mingpai.methods.abduction.duel import Chooser, play_matches, search_chooser, strength
from mingpai.methods.abduction.export import ship_agent, shipped_name
from mingpai.methods.abduction.knowledge import knowledge
from mingpai.methods.abduction.network import SCORES, SHAPES, AblNet, Output, Shape, widened
from mingpai.methods.abduction.runtime import FEATURES, JUDGE, JUDGE_FEATURES, SHIPPED, Runtime
from mingpai.methods.abduction.search import SearchPlan
from mingpai.methods.abduction.workers import Source, open_source
from mingpai.training.learning import above_mean, begin, best, draw_closer, log_softmax
from mingpai.training.method import Training
from mingpai.training.precision import half_precision
from mingpai.training.together import Alone, FirstPeer

METHOD = "abduction"
MAY_CHANGE = (
    "decisions", "threads", "engine", "workers", "measure", "measure_pairs", "rate", "last_rate", "abln_rate", "lam",
    "entropy", "epochs", "bots", "rule3", "average", "ahead", "ahead_depth", "critic_rate", "pretrain", "imitate",
    "at_once", "every", "processes", "winning",
)  # fmt: skip
"""Settings that a resumed run may change."""
RANDOM_PLAYER = 0
VALUES = ("value", "open_value")
BOTS_IN_TURN = 20
"""Bots at the tables against bots, over which rule3 and the sparring partners are spread."""
SPARRING_SEARCH = SearchPlan(16, width=3, sure=0.9, least=0.05, depth=4, prior=0.05)
"""Of the network that searches in a league: that of `strong` with a fifteenth of its worlds, unread."""
PHASES = ("pretrain", "imitate", "ppo", "search", "critic")
"""By their number in the metrics; a run goes through pretrain, imitate, critic, search, ppo."""


@dataclass(frozen=True)
class Settings:
    """What a run is made of."""

    decisions: int = setting(400_000_000, "Decisions of all phases together: the length of the run.", (0, 10**12))
    pretrain: int = setting(300_000, "Decisions of random play for ABLN, first.", (0, 10**12))
    imitate: int = setting(2_000_000, "Decisions of rule4 to imitate, after that.", (0, 10**12))
    search: int = setting(
        0, "Decisions of a search to imitate, after that: the network itself, corrected by looking ahead.", (0, 10**12)
    )
    expert: int = setting(
        400_000,
        "Decisions after which the network that is searched with is replaced by the averaged learner.",
        (1, 10**12),
    )
    search_rate: float = setting(3e-4, "Learning rate of imitating the search; falls to a tenth.", (0, 1))
    search_depth: int = setting(
        4,
        "Decisions that are played on before the judge values the position; 0: to the end of the round.",
        (0, 10_000),
    )
    search_width: int = setting(4, "The most pseudo-actions searched at a decision.", (1, 1000))
    search_sure: float = setting(0.95, "A pseudo-action this likely is not searched; above 1: all are.", (0, 2))
    search_least: float = setting(0.03, "Pseudo-actions below this share of the likeliest are not searched.", (0, 1))
    search_prior: float = setting(0.3, "Points that a factor e in probability is worth.", (0, 100))
    mixed: bool = setting(
        True, "Dense layers in bfloat16 while the search is imitated, where the processor has it: faster there."
    )
    seed: int = setting(1, "Of the weights, the deals and the order of the minibatches.", (0, 2**63 - 1))
    config: Literal["paper", "lite", "plain", "wide"] = setting(
        "wide",
        "Sizes of the network: paper; lite; wide, which is shipped (lite with three times the head for options, into "
        "which a network of lite can grow); plain (lite without facts of options, as the paper's network).",
    )
    abln: bool = setting(True, "Whether hands are estimated; without, the ablation of table 7.")
    blind: bool = setting(
        False,
        "Whether options count no cards: what they say of other hands follows from ABLN's estimate or, with "
        "abln=false, from ranks and hand sizes alone.",
    )
    tables: int = setting(512, "Rounds played side by side.", (1, 100_000))
    every: int = setting(16384, "New decisions between two updates.", (1, 10**8))
    buffer: int = setting(32768, "Latest decisions that an update learns from.", (1, 10**8))
    batch: int = setting(16384, "Decisions in a minibatch.", (1, 10**8))
    epochs: int = setting(1, "Passes over the buffer in an update.", (1, 1000))
    rate: float = setting(1e-4, "Learning rate of PPO.", (0, 1))
    last_rate: float = setting(1e-4, "Learning rate at the end of the run; in between it falls evenly.", (0, 1))
    abln_rate: float = setting(4e-6, "Learning rate of ABLN in PPO.", (0, 1))
    imitation_rate: float = setting(1e-3, "Learning rate of pre-training and imitation; falls to a tenth.", (0, 1))
    imitation_batch: int = setting(1024, "Decisions in a minibatch of pre-training and imitation.", (1, 10**7))
    imitation_abln: float = setting(
        1.0, "Weight of ABLN's error in the imitation of rule4, through which it has a say in the encoders.", (0, 1000)
    )
    at_once: int = setting(
        2048, "Decisions computed at once: gradients of a minibatch are added up in parts, for its memory.", (1, 10**8)
    )
    clip: float = setting(
        0.2,
        "How far PPO lets the probability of an action move: the ratio stays within 1 - clip and 1 + clip.",
        (0, 10),
    )
    gamma: float = setting(0.996, "Discount of later rewards.", (0, 1))
    lam: float = setting(
        0.98, "Weight of later rewards against the value of the next position (lambda of GAE).", (0, 1)
    )
    entropy: float = setting(0.01, "Weight of the entropy of the policy.", (0, 10))
    value_weight: float = setting(0.5, "Weight of the error of values.", (0, 100))
    abln_weight: float = setting(
        1.0, "Weight of ABLN's error in PPO, through which it has a say in the encoders.", (0, 100)
    )
    critic_first: int = setting(
        0,
        "Decisions after the imitation of rule4 from which only values are learned, for what follows to rely on.",
        (0, 10**12),
    )
    heat: float = setting(
        0.5, "Temperature of play while the judge and the search are learned; PPO plays by its own chances.", (0, 100)
    )
    anchor: float = setting(0.0, "Weight of the divergence from the policy that started PPO.", (0, 100))
    critic_rate: float = setting(
        1e-3, "Learning rate of the judge that sees all hands; falls to a tenth over the run.", (0, 1)
    )
    critic: Literal["own", "open"] = setting(
        "own", "Whose values measure advantages: the network's own, or a judge that sees all hands in training (open)."
    )
    ahead: float = setting(
        0.0,
        "Weight of the expected worth of all options under the policy, as the open judge values the positions after "
        "them: learning from what was not played too. Needs critic=open.",
        (0, 100),
    )
    ahead_depth: int = setting(
        0,
        "Decisions that the options worth a search (search_width, search_sure, search_least) are played on, in the "
        "true world, before the judge values the position for `ahead`; 0: at once.",
        (0, 10_000),
    )
    winning: float = setting(
        0.0,
        "Points that winning a round is worth beside its score: more of them, and rounds are won oftener, not larger. "
        "The judge learns to value positions so too, and is not shipped then.",
        (0, 100),
    )
    bots: float = setting(0.0, "Share of the tables at which rule4 plays the other team.", (0, 1))
    rule3: float = setting(0.0, "Share of those tables at which rule3 plays instead.", (0, 1))
    sparring: float = setting(
        0.0,
        "Share of those tables at which rule4 that weighs otherwise plays: bold, careful, without a partner.",
        (0, 1),
    )
    league: float = setting(
        0.0,
        "Share of the tables at which frozen copies play the other team: the network at the start of PPO, and the "
        "averaged network every `snapshot` decisions after it. Needs engine=local.",
        (0, 1),
    )
    strong: float = setting(
        0.0,
        "Share of the tables at which the shipped network, which searches 16 worlds where it is not sure, plays the "
        "other team. Needs engine=local.",
        (0, 1),
    )
    snapshot: int = setting(
        500_000, "Decisions between two frozen copies of a league; the latest few are kept.", (1, 10**12)
    )
    average: float = setting(
        0.99, "Weights are averaged over about 1 / (1 - average) updates; the average is what plays in the end.", (0, 1)
    )
    measure: int = setting(
        0, "Measure the average against rule3 and rule4 every so many updates; 0: never.", (0, 10**9)
    )
    measure_pairs: int = setting(
        40, "Pairs of matches of a measurement against rule4; a quarter of them against rule3.", (4, 10**6)
    )
    engine: Literal["local", "ray"] = setting("local", "Where rounds are played: here, or by workers on Ray (ray).")
    workers: int = setting(2, "Workers on Ray.", (1, 1024))
    threads: int = setting(1, "Threads that learn and play.", (1, 1024))
    processes: int = setting(
        1, "Processes that play and learn side by side, each its share of tables, buffer and minibatch.", (1, 64)
    )

    @property
    def share(self) -> "Settings":
        """What one of the processes does. Raises BadSetting."""
        names = ("tables", "every", "buffer", "batch", "imitation_batch")
        uneven = [f"{name} ({getattr(self, name)})" for name in names if getattr(self, name) % self.processes]
        if uneven:
            raise BadSetting("processes", self.processes, f"a divisor of {', '.join(uneven)}")
        if self.processes > 1 and self.engine != "local":
            raise BadSetting("processes", self.processes, "1, where rounds are played by workers on Ray")
        return replace(self, **{name: getattr(self, name) // self.processes for name in names})

    def shape(self) -> Shape:
        return replace(SHAPES[self.config], abln=self.abln, blind=self.blind)

    def plan(self, depth: int) -> SearchPlan:
        """The search that is learned from: in one world at a time, the true one."""
        return SearchPlan(1, self.search_width, self.search_sure, self.search_least, depth, self.search_prior)

    def looking_ahead(self) -> Collecting:
        """How decisions are collected for PPO."""
        plan = self.plan(self.ahead_depth) if self.ahead and self.ahead_depth else None
        return Collecting(ahead=self.ahead > 0, plan=plan, winning=self.winning)


@dataclass
class Progress:
    """How far a run is."""

    updates: int = 0
    decisions: int = 0
    rounds: int = 0
    cpu_seconds: float = 0.0
    """Processor time of the learner in the sittings before this one."""
    seconds: float = 0.0
    """Time by the clock of those sittings."""
    experts: int = 0
    """How many experts were imitated so far."""
    snapshots: int = 0
    """How many frozen copies a league took so far."""
    sitting: int = 0
    """How often the run was taken up again. The tables then start anew."""


def bots_in_turn(rule3: float, sparring: float) -> list[int]:
    """The native players of the tables against bots, in turn: rule4 but for these shares, spread evenly."""
    owed = dict.fromkeys(("rule4", "rule3", "sparring"), 0.0)
    shares = {"rule4": 1 - rule3 - sparring, "rule3": rule3, "sparring": sparring}
    players = {"rule4": itertools.repeat(RULE4), "rule3": itertools.repeat(3), "sparring": itertools.cycle(SPARRING)}
    bots = []
    for _ in range(BOTS_IN_TURN):
        owed = {kind: debt + shares[kind] for kind, debt in owed.items()}
        due = max(owed, key=owed.__getitem__)
        owed[due] -= 1
        bots.append(next(players[due]))
    return bots


class AblLearner:
    """Network, its average, judge, optimiser and the source of decisions.

    A resumed run begins new rounds with streams of its sitting: the decisions in the buffer are not kept.
    """

    def __init__(self, settings: Settings, peer: Alone | None = None) -> None:
        self.share = settings.share
        self.peers = peer or Alone()
        begin(settings)
        if settings.search and settings.critic != "open":
            raise BadSetting("critic", settings.critic, "open, where a search is imitated")
        if (settings.league or settings.strong) and settings.engine != "local":
            raise BadSetting("engine", settings.engine, "local, where other networks play in a league")
        if settings.bots + settings.league + settings.strong > 1:
            beside = f"bots={settings.bots:g} and strong={settings.strong:g}"
            raise BadSetting("league", settings.league, f"no more than is left beside {beside}")
        if settings.rule3 + settings.sparring > 1:
            raise BadSetting(
                "sparring", settings.sparring, f"at most {1 - settings.rule3:g} beside rule3={settings.rule3:g}"
            )
        if settings.blind and settings.abln and settings.engine != "local":
            raise BadSetting("engine", settings.engine, "local, where the estimate finds the facts of options")
        self.settings = settings
        self.net, self.mean = AblNet(settings.shape()), AblNet(settings.shape()).requires_grad_(False)
        self.mean.load_state_dict(self.net.state_dict())
        self.judge = OpenJudge()
        self.start: AblNet | None = None
        """The policy at the beginning of PPO, where the run is anchored to it; before, the expert that searches."""
        self.rivals: list[AblNet] = []
        """The frozen copies of a league, the oldest first."""
        abln = [p for name, p in self.net.named_parameters() if name.startswith("abln")]
        others = [p for name, p in self.net.named_parameters() if not name.startswith("abln")]
        groups = [{"params": others}, {"params": abln}, {"params": list(self.judge.parameters())}]
        self.optimiser = torch.optim.Adam([group for group in groups if group["params"]], settings.rate, fused=True)
        self.progress = Progress()
        self.kept: list[Decisions] = []
        self.begin_sitting()

    def begin_sitting(self) -> None:
        self._last_phase = ""
        self._first_cpu, self._marks = time.process_time(), (time.monotonic(), 0)
        self._first_second = time.monotonic()
        self._source: Source | None = None
        self._first_rounds = self.progress.rounds
        self._seed = self.peers.seed(self.settings.seed)
        self.rng = stream(self._seed, "minibatches", self.progress.sitting)

    @property
    def source(self) -> Source:
        """The tables; made when first needed."""
        if self._source is None:
            s = self.share
            self._source = open_source(
                s.engine, s.workers, tables=s.tables, seed=seed_of(self._seed, "tables", self.progress.sitting),
                bot_tables=round(s.bots * s.tables), gamma=s.gamma, lam=s.lam, blind=s.blind,
                shape=asdict(s.shape()), **self._opponents(),
            )  # fmt: skip
        return self._source

    def _opponents(self) -> dict[str, Any]:
        """Bots and rivals, where they are not the plain ones."""
        s = self.share
        rivals = {"rival_tables": round(s.league * s.tables), "searching_tables": round(s.strong * s.tables)}
        bots = {"bots": bots_in_turn(s.rule3, s.sparring)} if s.rule3 or s.sparring else {}
        return bots | {name: count for name, count in rivals.items() if count}

    @property
    def phase(self) -> str:
        done, last = self.progress.decisions, "ppo"
        for name, length in self._lengths().items():
            if done < length:
                return name
            done -= length
            last = name if length else last
        return last if self.settings.decisions <= sum(self._lengths().values()) else "ppo"

    def _lengths(self) -> dict[str, int]:
        """Decisions of each phase before PPO, in order."""
        s = self.settings
        return {"pretrain": s.pretrain, "imitate": s.imitate, "critic": s.critic_first, "search": s.search}

    def _call_others(self) -> None:
        """Starts the other processes of a run that has several, once it is known what they begin with."""
        if self.settings.processes > 1 and type(self.peers) is Alone:
            size = sum(parameter.numel() for parameter in self._parameters())
            begin_one = functools.partial(learn_beside, self.settings)
            self.peers = FirstPeer(self.settings.processes, size, self.state_dict(), begin_one)

    def step(self) -> Mapping[str, float]:
        self._call_others()
        phase = self.phase
        if phase != self._last_phase:
            self._forget_gradients()
            self._last_phase = phase
        if phase == "ppo":
            values = self.improve()
        elif phase == "critic":
            values = self.learn_values()
        elif phase == "search":
            values = self.follow()
        else:
            values = self.supervise(RANDOM_PLAYER if phase == "pretrain" else RULE4)
        self.progress.updates += 1
        self._average()
        return self._report(phase, values)

    def _forget_gradients(self) -> None:
        """Adam starts anew with a phase where layers are plain: by the small gradients of the one before, the first
        steps of this one would be many times too long."""
        if self._last_phase and not self.settings.shape().residual:
            self.optimiser.state.clear()

    # 1. and 2. ABLN on random play, then imitation

    def supervise(self, player: int) -> dict[str, float]:
        """Learns from decisions of a native player: ABLN from random ones, policy and value too from rule4."""
        s = self.share
        decisions = self.source.imitate(player, s.every, self.net if player == RULE4 else None)
        self._count(decisions)
        done = min(1.0, self.progress.decisions / max(1, s.pretrain + s.imitate))
        self._set_rates(s.imitation_rate * (1 - 0.9 * done), s.imitation_rate * (1 - 0.9 * done))
        meter = Meter()
        for part in self._minibatches(decisions, s.imitation_batch):
            out = self.net(*part.options())
            losses = self._common_losses(part, out)
            if player != RANDOM_PLAYER:
                at = chosen(part)
                losses["imitation"] = -log_softmax(out.logits, part.options()[-1], len(part))[at].mean()
                losses["score"] = functional.cross_entropy(out.scores, score_class(part))
                meter.add(agreement=(best(out.logits.detach(), part.options()[-1], len(part)) == at).float().mean())
            weights = {"value": 0.1, "score": 0.1, "open_value": 0.5, "abln": s.imitation_abln}
            self._descend(sum(weights.get(name, 1.0) * loss for name, loss in losses.items()))
            meter.add(**losses)
        return meter.means()

    # 3. values of the play that was learned

    def learn_values(self) -> dict[str, float]:
        """Learns values alone, from the network's own play."""
        s = self.share
        is_open = s.critic == "open"
        self.net.values_apart = True
        how = Collecting(heat=s.heat, winning=s.winning)
        new = self.source.collect(self.mean, self.judge if is_open else None, s.every, how)
        self._count(new)
        self._set_rates(s.imitation_rate, 0.0)
        meter = Meter()
        for part in self._minibatches(new, s.imitation_batch):
            returns = torch.from_numpy(part.advantage + part.value)
            if is_open:
                losses = {"open_value": functional.mse_loss(self.judge(torch.from_numpy(part.open)), returns)}
            else:
                losses = {"value": functional.mse_loss(self.net(*part.options()).value, returns)}
            self._descend(sum(losses.values()))
            meter.add(**losses)
        return meter.means() | {"points_to_rule4": self.source.bot_points()}

    # 4. imitation of a search

    def follow(self) -> dict[str, float]:
        """One update towards the expert: a frozen copy of the network whose likely options are played on."""
        s = self.share
        done = self.progress.decisions - s.pretrain - s.imitate - s.critic_first
        self.net.values_apart = True
        if self.start is None or done >= self.progress.experts * s.expert:
            self.progress.experts += 1
            self._freeze(self.mean)
        assert self.start is not None
        how = Collecting(plan=s.plan(s.search_depth), heat=s.heat, winning=s.winning)
        new = self.source.collect(self.start, self.judge, s.every, how)
        self._count(new)
        self.kept = latest([*self.kept, new], s.buffer)
        self._set_rates(s.search_rate * (1 - 0.9 * done / s.search), s.abln_rate)
        meter = Meter()
        for part in self._minibatches(joined(self.kept), s.batch):
            with half_precision(s.mixed):
                loss = self.search_loss(part, meter)
            self._descend(loss)
        return meter.means() | {"points_to_rule4": self.source.bot_points()}

    def search_loss(self, part: Decisions, meter: "Meter") -> Tensor:
        """Divergence of the policy from the expert's, as its search corrected it."""
        s = self.settings
        *given, of = part.options()
        out = Output(*(one.float() for one in self.net(*given, of)))
        wanted = log_softmax(torch.from_numpy(part.worth), of, len(part))
        log_probs = log_softmax(out.logits, of, len(part))
        divergence = (wanted.exp() * (wanted - log_probs)).sum() / len(part)
        entropy = -(log_probs.exp() * log_probs).sum() / len(part)
        losses = self._common_losses(part, out)
        losses["score"] = functional.cross_entropy(out.scores, score_class(part))
        agreement = (best(log_probs.detach(), of, len(part)) == best(wanted, of, len(part))).float().mean()
        meter.add(**losses, search=divergence, entropy=entropy, agreement=agreement)
        total = divergence + self._values_loss(losses) + 0.1 * losses["score"]
        return total + s.abln_weight * losses.get("abln", torch.zeros(()))

    def _freeze(self, net: AblNet) -> None:
        self.start = AblNet(self.settings.shape()).requires_grad_(False)
        self.start.load_state_dict(net.state_dict())

    # 5. PPO

    def improve(self) -> dict[str, float]:
        """One update: new decisions by the policy, then passes over the latest ones."""
        s = self.share
        self.net.values_apart = s.critic == "open"
        if self.progress.experts or (s.anchor and self.start is None):
            self.progress.experts, self.kept = 0, []
            self._freeze(self.net)
        judge = self.judge if s.critic == "open" else None
        self._meet_rivals()
        new = self.source.collect(self.net, judge, s.every, s.looking_ahead(), self._rivals())
        self._count(new)
        self.kept = latest([*self.kept, new], s.buffer)
        decisions = joined(self.kept)
        progress = min(1.0, self.progress.decisions / s.decisions)
        self._set_rates(s.rate + (s.last_rate - s.rate) * progress, s.abln_rate)
        meter = Meter()
        for _ in range(s.epochs):
            for part in self._minibatches(decisions, s.batch):
                self.optimiser.zero_grad()
                for some in in_turn(part, s.at_once):
                    loss: Any = self.ppo_loss(some, meter, part.advantage) * (len(some) / len(part))
                    loss.backward()
                self._move()
        return meter.means() | {"points_to_rule4": self.source.bot_points()}

    def _meet_rivals(self) -> None:
        """A league takes a frozen copy now and then: first the network that PPO started from, which always stays."""
        s = self.settings
        if s.league and self.progress.snapshots * s.snapshot <= self.progress.decisions - sum(self._lengths().values()):
            self.progress.snapshots += 1
            copy = AblNet(s.shape()).requires_grad_(False)
            copy.load_state_dict(self.mean.state_dict())
            self.rivals = [*self.rivals[:1], *self.rivals[1:][-(RIVALS - 2) :], copy]

    def _rivals(self) -> dict[int, Chooser]:
        """Who chooses at the tables of others, by number; where there are few frozen copies, they share theirs."""
        frozen = [greedy(rival) for rival in self.rivals]
        rivals = {1 + i: frozen[i % len(frozen)] for i in range(RIVALS if frozen else 0)}
        return rivals | ({SEARCHING: self._searching} if self.settings.strong else {})

    @functools.cached_property
    def _searching(self) -> Chooser:
        return search_chooser(Runtime(SHIPPED, knowledge(), JUDGE), SPARRING_SEARCH, self.settings.seed)

    def ppo_loss(self, part: Decisions, meter: "Meter", advantages: NDArray[np.float32]) -> Tensor:
        """Clipped surrogate, value, entropy, score and ABLN on a part of a minibatch, whose advantages are given."""
        s = self.settings
        *given, of = part.options()
        out = Output(*(one.float() for one in self.net(*given, of)))
        log_probs = log_softmax(out.logits, of, len(part))
        at = chosen(part)
        advantage = torch.from_numpy((part.advantage - advantages.mean()) / (advantages.std(ddof=1) + 1e-8))
        log_ratio = log_probs[at] - torch.from_numpy(part.log_prob)
        ratio = log_ratio.exp()
        surrogate = torch.minimum(ratio * advantage, ratio.clamp(1 - s.clip, 1 + s.clip) * advantage)
        entropy = -(log_probs.exp() * log_probs).sum() / len(part)
        losses = self._common_losses(part, out)
        losses["score"] = functional.cross_entropy(out.scores, score_class(part))
        total = -surrogate.mean() - s.entropy * entropy
        if s.ahead:
            expected = (log_probs.exp() * above_mean(torch.from_numpy(part.worth), of, len(part))).sum() / len(part)
            total = total - s.ahead * expected
            meter.add(ahead=expected)
        total = total + self._values_loss(losses) + 0.1 * losses["score"]
        total = total + s.abln_weight * losses.get("abln", torch.zeros(()))
        if s.anchor and self.start is not None:
            with torch.no_grad():
                before = log_softmax(self.start(*given, of).logits, of, len(part))
            divergence = (log_probs.exp() * (log_probs - before)).sum() / len(part)
            total = total + s.anchor * divergence
            meter.add(divergence=divergence)
        clipped = ((ratio - 1).abs() > s.clip).float().mean()
        meter.add(**losses, entropy=entropy, clipped=clipped, kl=(ratio - 1 - log_ratio).mean())
        return total

    def _common_losses(self, part: Decisions, out: Output) -> dict[str, Tensor]:
        """ABLN against the true hands; both values against what came of the decision."""
        score = torch.from_numpy(part.score).float()
        returns = score
        if self.phase in ("search", "ppo"):
            returns = torch.from_numpy(part.advantage + part.value)
        losses = {"value": functional.mse_loss(out.value, score if self.settings.critic == "open" else returns)}
        if self.settings.critic == "open":
            judged = self.judge(torch.from_numpy(part.open)).float()
            losses["open_value"] = functional.mse_loss(judged, returns)
        if self.settings.abln:
            losses["abln"] = functional.mse_loss(out.estimate, torch.from_numpy(part.hidden).float())
        return losses

    def _values_loss(self, losses: Mapping[str, Tensor]) -> Tensor:
        return self.settings.value_weight * sum((losses[name] for name in VALUES if name in losses), torch.zeros(()))

    def _minibatches(self, decisions: Decisions, size: int) -> Iterator[Decisions]:
        """Of about this size: as many in all processes, whose collections differ a little in length."""
        mean = self.peers.total(len(decisions)) / self.peers.count
        return minibatches(decisions, round(mean / size), self.rng)

    def _descend(self, loss: Any) -> None:
        self.optimiser.zero_grad()
        loss.backward()
        self._move()

    def _parameters(self) -> list[nn.Parameter]:
        """All that learns."""
        return [parameter for group in self.optimiser.param_groups for parameter in group["params"]]

    def _move(self) -> None:
        if self.peers.count > 1:
            for parameter in self._parameters():
                parameter.grad = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
            self.peers.average(self._parameters())
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimiser.step()

    def _set_rates(self, rate: float, abln_rate: float) -> None:
        done = min(1.0, self.progress.decisions / self.settings.decisions)
        critic_rate = self.settings.critic_rate * (1 - 0.9 * done)
        rates = [rate, abln_rate, critic_rate] if self.settings.abln else [rate, critic_rate]
        for group, value in zip(self.optimiser.param_groups, rates, strict=True):
            group["lr"] = value

    def _average(self) -> None:
        is_taught = self.phase in ("pretrain", "imitate", "critic")
        draw_closer(self.mean, self.net, 0.0 if is_taught else self.settings.average, self.progress.updates)

    def _count(self, decisions: Decisions) -> None:
        self.progress.decisions += self.peers.total(len(decisions))
        self.progress.rounds = self._first_rounds + self.peers.total(self.source.rounds())

    # what a run tells and keeps

    def _report(self, phase: str, values: Mapping[str, float]) -> dict[str, float]:
        """Means of the update; `agreement` is with rule4, `points_to_rule4` the mean score against it in training."""
        wall, before = self._marks
        now = time.monotonic()
        self._marks = (now, self.progress.decisions)
        report = {
            "phase": float(PHASES.index(phase)),
            "decisions": self.progress.decisions,
            "rounds": self.progress.rounds,
            "cpu_seconds": round(self._cpu_seconds(), 1),
            "seconds": round(self._seconds(), 1),
            "per_second": round((self.progress.decisions - before) / max(1e-9, now - wall)) if before else 0,
            **{name: round(value, 5) for name, value in values.items() if math.isfinite(value)},
        }
        s = self.settings
        if s.measure and not self.peers.rank and phase != "critic" and self.progress.updates % s.measure == 0:
            report |= self.measured()
        return report

    def measured(self) -> dict[str, float]:
        """Matches of the averaged network, playing the likeliest pseudo-action, against rule3 and rule4."""
        out: dict[str, float] = {}
        for bot in (3, RULE4):
            pairs = self.settings.measure_pairs if bot == RULE4 else max(5, self.settings.measure_pairs // 4)
            seed = seed_of(self.settings.seed, "measure", bot)
            players = (abduction.NETWORK, bot)
            result = strength(play_matches([greedy(self.mean)], players, pairs, seed, blind=int(self.settings.blind)))
            out |= {f"won_rule{bot}": round(result.won, 4), f"points_rule{bot}": round(result.points, 4)}
        return out

    def _cpu_seconds(self) -> float:
        return self.progress.cpu_seconds + time.process_time() - self._first_cpu + self.peers.cpu_seconds()

    def _seconds(self) -> float:
        return self.progress.seconds + time.monotonic() - self._first_second

    def state_dict(self) -> dict[str, Any]:
        progress = asdict(replace(self.progress, cpu_seconds=self._cpu_seconds(), seconds=self._seconds()))
        return {"shape": self.net.config(), "encoding": abduction.ENCODING_VERSION, "net": self.net.state_dict(),
                "mean": self.mean.state_dict(), "critic": self.judge.state_dict(), "progress": progress,
                "optimiser": self.optimiser.state_dict(),
                "start": None if self.start is None else self.start.state_dict(),
                "rivals": [rival.state_dict() for rival in self.rivals]}  # fmt: skip

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        if state["encoding"] != abduction.ENCODING_VERSION or state["shape"] != self.net.config():
            raise MingpaiError(f"the checkpoint is of encoding {state['encoding']} and shape {state['shape']}")
        self.net.load_state_dict(state["net"])
        self.mean.load_state_dict(state["mean"])
        self.judge.load_state_dict(state["critic"])
        self.optimiser.load_state_dict(state["optimiser"])
        if state["start"] is not None:
            self.start = AblNet(self.settings.shape()).requires_grad_(False)
            self.start.load_state_dict(state["start"])
        self.rivals = []
        for weights in state.get("rivals", []):
            self.rivals.append(AblNet(self.settings.shape()).requires_grad_(False))
            self.rivals[-1].load_state_dict(weights)
        self.progress = Progress(**state["progress"])
        self.progress.sitting += 1
        self.kept = []
        if not self.peers.rank:
            self.peers = Alone()
        self.begin_sitting()


def learn_beside(settings: Settings, peer: Alone, state: Mapping[str, Any]) -> AblLearner:
    """The learner of another process, with the state of the first."""
    learner = AblLearner(settings, peer)
    learner.load_state_dict(state)
    return learner


class Meter:
    """Means of what minibatches report."""

    def __init__(self) -> None:
        self._sums: dict[str, float] = {}
        self._counts: dict[str, int] = {}

    def add(self, **values: Tensor) -> None:
        for name, value in values.items():
            self._sums[name] = self._sums.get(name, 0.0) + float(value.detach())
            self._counts[name] = self._counts.get(name, 0) + 1

    def means(self) -> dict[str, float]:
        return {name: total / self._counts[name] for name, total in self._sums.items()}


def minibatches(decisions: Decisions, parts: int, rng: np.random.Generator) -> Iterator[Decisions]:
    """All decisions once, in random order, in so many parts or one."""
    order = rng.permutation(len(decisions))
    for index in np.array_split(order, max(1, parts)):
        yield decisions.take(index)


def in_turn(decisions: Decisions, size: int) -> Iterator[Decisions]:
    """All decisions once, as they come, in parts of at most about `size`."""
    for index in np.array_split(np.arange(len(decisions)), max(1, math.ceil(len(decisions) / size))):
        yield decisions.take(index)


def latest(parts: Sequence[Decisions], count: int) -> list[Decisions]:
    """The newest collections that together have at least `count` decisions, and no more of them than that takes."""
    kept: list[Decisions] = []
    for part in reversed(parts):
        if sum(map(len, kept)) >= count:
            break
        kept.insert(0, part)
    return kept


def chosen(part: Decisions) -> Tensor:
    """The place of each chosen option."""
    return torch.from_numpy(part.offsets[:-1] + part.choice).long()


def score_class(part: Decisions) -> Tensor:
    """The place of each final score in SCORES."""
    score = torch.from_numpy(part.score).long()
    return torch.where(score > 0, score + 2, score + 3)


def expected_updates(learner: AblLearner) -> int:
    """Updates of a whole run."""
    return math.ceil(learner.settings.decisions / learner.settings.every)


assert len(SCORES) == 2 * 3

TRAINING = Training(
    method=METHOD,
    what="{0.pretrain:,} decisions of random play, {0.imitate:,} of rule4, then its own (PPO), {0.decisions:,} in all",
    settings=Settings,
    learner=AblLearner,
    steps=expected_updates,
    game="guandan",
    features=FEATURES,
    shipped=shipped_name,
    networks=lambda learner: (learner.net, learner.mean),
    adapt=widened,
    teachers=lambda learner: {(JUDGE, JUDGE_FEATURES): learner.judge} if learner.settings.critic == "open" else {},
    ship=ship_agent,
    may_change=MAY_CHANGE,
    log_every=1,
)
