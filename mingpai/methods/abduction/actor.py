"""Tables that a network in training plays. Needs torch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from mingpai._native import abduction
from mingpai.methods.abduction.duel import Chooser, waiting_rows
from mingpai.methods.abduction.knowledge import knowledge
from mingpai.methods.abduction.network import AblNet, segments
from mingpai.methods.abduction.search import SearchPlan, play_out
from mingpai.training.learning import best, log_softmax
from mingpai.training.sparse import add_rows, scaled

RULE4 = 4
SPARRING = (5, 6, 7)
"""Native players: rule4 that weighs otherwise (bold, careful, without a partner)."""
RIVALS = 4
"""Frozen networks at the tables of a league, numbered from 1 on."""
SEARCHING = RIVALS + 1
"""The number of the one that searches."""
NOBODY: Mapping[int, Chooser] = {}
LIKELY = 0.004
"""Options at least this likely are looked at one decision ahead."""
RAGGED = ("pseudo", "facts", "marks", "worth")
"""Columns of decisions that have a row for each option."""


@dataclass(frozen=True)
class Decisions:
    """Decisions of finished rounds. Options are ragged: those of decision i are `offsets[i] : offsets[i + 1]`."""

    rows: NDArray[np.uint8]
    open: NDArray[np.uint8]
    """All hands, for a judge in training."""
    hidden: NDArray[np.uint8]
    """The hands of the three other seats."""
    offsets: NDArray[np.int32]
    pseudo: NDArray[np.uint8]
    facts: NDArray[np.float32]
    marks: NDArray[np.uint8]
    worth: NDArray[np.float32]
    """Of each option: what the judge says of the position after it (of unlikely ones the mean of the others), or its
    logit after a search; 0 where neither was asked for."""
    choice: NDArray[np.int32]
    log_prob: NDArray[np.float32]
    value: NDArray[np.float32]
    advantage: NDArray[np.float32]
    score: NDArray[np.int8]
    left: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.choice)

    def take(self, index: NDArray[np.int64]) -> "Decisions":
        """The decisions at these places, with their options."""
        starts, lengths = self.offsets[index], np.diff(self.offsets)[index]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
        options = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
        columns = {f.name: getattr(self, f.name)[index] for f in fields(self)
                   if f.name not in ("offsets", *RAGGED)}  # fmt: skip
        columns |= {name: getattr(self, name)[options] for name in RAGGED}
        return Decisions(**columns, offsets=offsets)

    def options(self) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """What the network reads: rows, pseudo-actions, facts, marks, position of each option."""
        of = segments(torch.from_numpy(self.offsets).long())
        rows, facts, marks = map(torch.from_numpy, (self.rows, self.facts, self.marks))
        return rows, torch.from_numpy(self.pseudo).long(), facts, marks, of


def joined(parts: Sequence[Decisions]) -> Decisions:
    """All decisions of some collections."""
    columns = {f.name: np.concatenate([getattr(part, f.name) for part in parts])
               for f in fields(Decisions) if f.name != "offsets"}  # fmt: skip
    ends = np.cumsum([0, *(part.offsets[-1] for part in parts)])
    offsets = [parts[0].offsets[:1], *(part.offsets[1:] + end for part, end in zip(parts, ends, strict=False))]
    return Decisions(**columns, offsets=np.concatenate(offsets).astype(np.int32))


class OpenJudge(nn.Module):
    """Value of a position with open hands: less chance in it, so a better yardstick in training. Never plays."""

    def __init__(self, width: int = 256, blocks: int = 2) -> None:
        super().__init__()
        self.first_weights = nn.Parameter(scaled(abduction.OPEN_SIZE, width, nonzero=150, gain=1.5))
        self.first_bias = nn.Parameter(torch.zeros(width))
        self.blocks = nn.ModuleList(nn.Linear(width, width) for _ in range(blocks))
        self.out = nn.Linear(width, 1)
        with torch.no_grad():
            self.out.weight.mul_(0.1)

    def forward(self, rows: Tensor) -> Tensor:
        return self._value(add_rows(rows, self.first_weights, self.first_bias))

    def dense(self, rows: Tensor) -> Tensor:
        """The same in plain operators: what is exported."""
        return self._value(rows.float() @ self.first_weights + self.first_bias)

    def _value(self, first: Tensor) -> Tensor:
        x = torch.relu(first)
        for block in self.blocks:
            x = x + torch.relu(block(x))
        out: Tensor = self.out(x)[:, 0]
        return out


@dataclass(frozen=True)
class Collecting:
    """How decisions are collected."""

    ahead: bool = False
    """With what the judge says of the position after each option."""
    plan: SearchPlan | None = None
    """With the logits of the options after this search; needs the judge too. With `ahead`, what it finds of the options
    that it plays on takes the place of what the judge says right after them."""
    heat: float = 1.0
    """Temperature of play."""
    winning: float = 0.0
    """Points that winning the round is worth beside its score, to whoever learns from these decisions."""

    def worth(self, scores: NDArray[Any]) -> NDArray[np.float64]:
        """What the ends of rounds are worth; 0 for one that goes on."""
        worth: NDArray[np.float64] = scores + self.winning * np.sign(scores)
        return worth


PLAINLY = Collecting()


class Actor:
    """Self-play tables. Team 1 of the first tables is a rule bot, of `rival_tables` after them a frozen network, of
    `searching_tables` after those one that searches; all other seats are the network's."""

    def __init__(
        self, tables: int, seed: int, bot_tables: int, gamma: float, lam: float, bots: Sequence[int] = (RULE4,),
        blind: bool = False, rival_tables: int = 0, searching_tables: int = 0,
    ) -> None:  # fmt: skip
        others = [bots[i % len(bots)] for i in range(bot_tables)]
        others += [abduction.NETWORK + 1 + i % RIVALS for i in range(rival_tables)]
        others += [abduction.NETWORK + SEARCHING] * searching_tables
        others += [abduction.NETWORK] * (tables - len(others))
        players = [(abduction.NETWORK, other) for other in others]
        self.bot_tables = bot_tables
        self.tables = abduction.Tables(players, seed, knowledge().weights, gamma=gamma, lam=lam, blind=int(blind))
        self.draw = torch.Generator().manual_seed(seed % 2**63)
        self.fading = gamma * lam

    @torch.inference_mode()
    def collect(
        self, net: AblNet, judge: OpenJudge | None, decisions: int, how: Collecting = PLAINLY,
        rivals: Mapping[int, Chooser] = NOBODY,
    ) -> Decisions:  # fmt: skip
        """Plays by the network until so many of its decisions are there; rivals, by number, choose at their tables."""
        while len(self.tables.samples) < decisions:
            inform(net, self.tables)
            rows, open_, _, pseudo, facts, marks = self.tables.observe(open=judge is not None)
            of = segments(torch.from_numpy(self.tables.offsets()).long())
            options = torch.from_numpy(pseudo).long(), torch.from_numpy(facts), torch.from_numpy(marks), of
            out = net(torch.from_numpy(rows), *options)
            chances = log_softmax(out.logits, of, len(rows))
            option = sampled(chances / how.heat, of, len(rows), self.draw)
            values = out.value if judge is None else judge(torch.from_numpy(open_))
            worth = None
            if judge is not None and how.ahead:
                worth = self._worth(judge, chances, of, how)
                if how.plan is not None:
                    several, gains = self._played_on(net, judge, chances, of, how)
                    worth[several] = gains
            elif judge is not None and how.plan is not None:
                worth = self._searched(net, judge, chances, of, how)
            places = (option - torch.from_numpy(self.tables.offsets()[:-1]).long()).int().numpy()
            self._let_rivals_choose(places, rivals)
            self.tables.play(places, chances[option].numpy(), values.numpy(), worth)
        return self.take(how)

    def imitate(self, player: int, decisions: int, net: AblNet | None = None) -> Decisions:
        """Plays by a native player until so many decisions are there. `net`: whose estimate finds facts, if needed."""
        while len(self.tables.samples) < decisions:
            if net is not None:
                inform(net, self.tables)
            choices = self.tables.advise(player)
            nothing = np.zeros(len(choices), np.float32)
            self.tables.play(choices, nothing, nothing)
        return self.take()

    def _let_rivals_choose(self, places: NDArray[np.int32], rivals: Mapping[int, Chooser]) -> None:
        """Replaces the choices at tables where a rival is to move."""
        networks = self.tables.networks()
        for number, choose in rivals.items():
            which = np.flatnonzero(networks == number)
            if len(which):
                places[which] = choose(self.tables, which)

    def _worth(self, judge: OpenJudge, chances: Tensor, of: Tensor, how: Collecting) -> NDArray[np.float32]:
        """What the judge says of the position after each likely option, for the team that moves.

        The others get the mean of these, so that nothing is learned of them: they weigh next to nothing anyway.
        """
        shares = chances.exp().numpy()
        picked = np.flatnonzero(shares >= LIKELY).astype(np.int32)
        open_, sign, score = self.tables.look_ahead(picked)
        values = judge(torch.from_numpy(open_)).numpy() * sign + how.worth(score)
        places, at = of.numpy(), of.numpy()[picked]
        mass = np.bincount(at, shares[picked], self.tables.waiting)
        means = np.bincount(at, values * shares[picked], self.tables.waiting) / np.maximum(mass, 1e-9)
        worth: NDArray[np.float32] = means[places].astype(np.float32)
        worth[picked] = values
        return worth

    def _searched(
        self, net: AblNet, judge: OpenJudge, chances: Tensor, of: Tensor, how: Collecting
    ) -> NDArray[np.float32]:
        """The logits of the options after a search in one world, the true one.

        It is a fair draw from what the seat cannot know, so that a network that learns the mean of many such answers
        learns what a search over many worlds would find.
        """
        logits, places = chances.numpy(), of.numpy()
        worth: NDArray[np.float32] = logits.copy()
        assert how.plan is not None
        several, gains = self._played_on(net, judge, chances, of, how)
        at, shares = places[several], np.exp(logits[several])
        mass = np.bincount(at, shares, self.tables.waiting)
        means = np.bincount(at, gains * shares, self.tables.waiting) / np.maximum(mass, 1e-9)
        worth[several] += (gains - means[at]) / how.plan.prior
        return worth

    def _played_on(
        self, net: AblNet, judge: OpenJudge, chances: Tensor, of: Tensor, how: Collecting
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The options worth a search where there are several, and what comes of each in the true world."""
        assert how.plan is not None
        logits, places = chances.numpy(), of.numpy()
        picked = searchable(logits, places, self.tables.offsets(), how.plan)
        several = picked[np.bincount(places[picked], minlength=self.tables.waiting)[places[picked]] > 1]
        if not len(several):
            return several, np.zeros(0)
        at = places[several].astype(np.int32)
        branches = self.tables.branches(at, (several - self.tables.offsets()[at]).astype(np.int32))
        choose, everywhere = greedy(net), np.arange(len(several))
        scores = play_out(
            branches, how.plan.depth, lambda tables: choose(tables, everywhere[: tables.waiting]),
            lambda tables: judge(torch.from_numpy(tables.observe(open=True)[1])).numpy(), how.worth,
        )  # fmt: skip
        return several, scores * np.where(self.tables.turns()[at] % 2 == 0, 1.0, -1.0)

    def take(self, how: Collecting = PLAINLY) -> Decisions:
        """What was decided since the last time. The tables count the score alone; winning is added here."""
        taken = Decisions(*self.tables.samples.take())
        added = how.winning * np.sign(taken.score) * self.fading ** (taken.left - 1)
        return replace(taken, advantage=(taken.advantage + added).astype(np.float32))


def searchable(
    logits: NDArray[np.float32], of: NDArray[np.int64], offsets: NDArray[np.int32], plan: SearchPlan
) -> NDArray[np.int64]:
    """The options worth a search, as `search.candidates` has it, of many positions: one where the policy is sure."""
    top = np.maximum.reduceat(logits, offsets[:-1])[of]
    order = np.lexsort((-logits, of))
    rank = np.empty(len(logits), np.int64)
    rank[order] = np.arange(len(logits)) - offsets[of[order]]
    enough = (rank < plan.width) & (np.exp(logits - top) >= plan.least)
    return np.flatnonzero(np.where(np.exp(top) >= plan.sure, rank == 0, enough))


def sampled(log_probs: Tensor, of: Tensor, count: int, draw: torch.Generator) -> Tensor:
    """The option drawn at each position, by the Gumbel trick."""
    noise = -(-torch.rand(len(log_probs), generator=draw).clamp(min=1e-20).log()).clamp(min=1e-20).log()
    return best(log_probs + noise, of, count)


@torch.inference_mode()
def inform(net: AblNet, tables: abduction.Tables, which: NDArray[np.int64] | None = None) -> None:
    """Facts of options by the estimate of a network that wants them so; at some of the waiting tables, or all."""
    if net.informs:
        which = np.arange(tables.waiting) if which is None else which
        estimates = net.estimate(torch.from_numpy(tables.observe()[0][which]))
        tables.inform(which.astype(np.int32), estimates.numpy())


def greedy(net: AblNet) -> Chooser:
    """The likeliest option of a network in training."""

    @torch.inference_mode()
    def choose(tables: abduction.Tables, which: NDArray[np.int64]) -> NDArray[np.int32]:
        inform(net, tables, which)
        given = waiting_rows(tables, which)
        of = segments(torch.from_numpy(given.offsets).long())
        out = net(*map(torch.from_numpy, (given.rows, given.pseudo, given.facts, given.marks)), of)
        chosen = best(out.logits, of, len(given.rows)).numpy() - given.offsets[:-1]
        return np.ascontiguousarray(chosen, np.int32)

    return choose
