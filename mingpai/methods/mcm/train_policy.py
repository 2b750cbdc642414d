"""The paper's MCM: decisions of MCTSHS as samples, a convolutional policy learned from them.

`generate` lets MCTSHS play all three seats and keeps the deals: every choice among several moves is a sample. Shards
are written whole, so generation goes on where it stopped. Deals are split 90/10, so that no deal is on both sides;
equal samples are used once. Needs the `train` extra.
"""

import hashlib
import json
import multiprocessing
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from mingpai._native import doudizhu, mcm
from mingpai.core.errors import MingpaiError
from mingpai.core.random import seed_of
from mingpai.methods.mcm.policy import FEATURES, RANKS, SHIPPED, Options, abstract_moves
from mingpai.models.card import NETWORK, RUN, WEIGHTS, Card
from mingpai.models.loader import ship
from mingpai.training.method import Training
from mingpai.training.run import TrainingRun, as_json, commit

METHOD = "handsplit/policy"
SHARD_DEALS = 20
TEST_SHARE = 10
"""One deal in so many is kept for testing."""
PLANES = 29
TENSOR = (PLANES, RANKS, RANKS)


@dataclass(frozen=True)
class Settings:
    """What a run is made of."""

    samples: str = "runs/mctshs"
    """Folder of the shards that `generate` wrote."""
    teacher: str = "mctshs:iterations=600"
    """Who made the samples."""
    deals: int = 1000
    """Deals to generate, if the folder has fewer."""
    jobs: int = 2
    """Processes that generate."""
    epochs: int = 6
    channels: int = 48
    layers: int = 3
    """Convolutions of 3 x 3."""
    minibatch: int = 128
    rate: float = 2e-3
    kicker_weight: float = 1.0
    """Weight of the loss of the kickers against that of the abstract move."""
    seed: int = 1
    threads: int = 1


@dataclass(frozen=True)
class Deal:
    """A deal as MCTSHS played it. Roles as in native/mcm: 0 is the landlord."""

    hands: tuple[int, int, int]
    """As the play began, the landlord's with the bottom cards."""
    bottom: int
    moves: tuple[doudizhu.Move, ...]


def play_deal(teacher: str, seed: int) -> Deal:
    """One deal in which the teacher plays all seats; seat 0 is the landlord."""
    from mingpai.agents.catalogue import REGISTRY
    from mingpai.games.doudizhu import GAME

    agent = REGISTRY.agent("doudizhu", teacher, seed)
    state = GAME.deal(seed, "standard+nobid")
    hands = tuple(state.hand(seat) for seat in range(3))
    made = []
    while state.to_move is not None:
        move = agent.decide(state.view(state.to_move)).move
        made.append(move)
        state.play(move)
    return Deal((hands[0], hands[1], hands[2]), state.native.bottom, tuple(made))  # type: ignore[arg-type]


def write_shard(teacher: str, number: int, seed: int, folder: Path) -> int:
    """Plays the deals of one shard and writes it; returns its number."""
    lines = []
    for i in range(SHARD_DEALS):
        deal = play_deal(teacher, seed_of(seed, "deal", number, i))
        moves = [[move.cards, int(move.type), move.rank, move.length] for move in deal.moves]
        lines.append(json.dumps({"hands": deal.hands, "bottom": deal.bottom, "moves": moves}))
    part = shard_path(folder, number).with_suffix(".part")
    part.write_text("\n".join(lines) + "\n")
    part.rename(shard_path(folder, number))
    return number


def shard_path(folder: Path, number: int) -> Path:
    return folder / f"deals-{number:06}.jsonl"


def generate(settings: Settings) -> Iterator[int]:
    """Writes the shards that are missing; yields the number of each."""
    folder = Path(settings.samples)
    folder.mkdir(parents=True, exist_ok=True)
    wanted = range(-(-settings.deals // SHARD_DEALS))
    missing = [number for number in wanted if not shard_path(folder, number).exists()]
    with ProcessPoolExecutor(settings.jobs, multiprocessing.get_context("spawn")) as pool:
        tasks = [pool.submit(write_shard, settings.teacher, number, settings.seed, folder) for number in missing]
        for task in tasks:
            yield task.result()


def read_deals(folder: Path) -> list[Deal]:
    """All deals of a folder, in the order of their shards."""
    deals = []
    for path in sorted(folder.glob("deals-*.jsonl")):
        for line in path.read_text().splitlines():
            data = json.loads(line)
            moves = tuple(
                doudizhu.Move(cards, doudizhu.Type(type_), rank, length) for cards, type_, rank, length in data["moves"]
            )
            deals.append(Deal(tuple(data["hands"]), data["bottom"], moves))
    if not deals:
        raise MingpaiError(f"no shards deals-*.jsonl in {folder}: generate some first")
    return deals


@dataclass(frozen=True)
class Sample:
    """A decision: the position, and which of its legal moves the teacher chose."""

    position: mcm.Position
    choice: int


def samples_of(deal: Deal, rules: doudizhu.Rules) -> Iterator[Sample]:
    """The decisions of a deal with more than one legal move."""
    hands = list(deal.hands)
    for i, move in enumerate(deal.moves):
        role = i % 3
        counts = tuple(doudizhu.card_count(hand) for hand in hands)
        position = mcm.Position(role, hands[role], deal.bottom, counts, deal.moves[:i], rules)
        if len(position.moves) > 1:
            yield Sample(position, position.moves.index(move))
        hands[role] -= move.cards


def split(deals: Sequence[Deal]) -> tuple[list[Sample], list[Sample]]:
    """Samples to learn from and to test with: by deal, and every position once."""
    rules = doudizhu.profile("standard")
    seen: set[bytes] = set()
    sides: tuple[list[Sample], list[Sample]] = ([], [])
    for number, deal in enumerate(deals):
        for sample in samples_of(deal, rules):
            key = hashlib.blake2b(mcm.planes([sample.position]).tobytes(), digest_size=12).digest()
            if key not in seen:
                seen.add(key)
                sides[number % TEST_SHARE == 0].append(sample)
    return sides


class PolicyNet(nn.Module):
    """Convolutions over rows and ranks; one score for each abstract move, a row of kicker scores for each of them."""

    def __init__(self, channels: int, layers: int) -> None:
        super().__init__()
        sizes = [PLANES, *[channels] * layers]
        self.convolutions = nn.ModuleList(nn.Conv2d(before, after, 3, padding=1) for before, after in pairwise(sizes))
        self.narrow = nn.Conv2d(channels, 8, 1)
        self.hidden = nn.Linear(8 * RANKS * RANKS, 256)
        self.kinds = nn.Linear(256, len(abstract_moves()))
        self.context = nn.Linear(256, 32)
        self.kind_embedding = nn.Parameter(torch.randn(len(abstract_moves()), 32) * 0.1)
        self.kickers = nn.Linear(32, RANKS)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        x = planes.float()
        for convolution in self.convolutions:
            x = functional.relu(convolution(x))
        x = functional.relu(self.hidden(functional.relu(self.narrow(x)).flatten(1)))
        given = functional.relu(self.context(x)[:, None, :] + self.kind_embedding[None])
        return self.kinds(x), self.kickers(given)


@dataclass(frozen=True)
class Prepared:
    """Samples as arrays; legal moves in one list, `start` says where those of a sample begin."""

    planes: NDArray[np.uint8]
    abstract: NDArray[np.int64]
    kickers: NDArray[np.float32]
    start: NDArray[np.int64]
    choice: NDArray[np.int64]

    @staticmethod
    def of(samples: Sequence[Sample]) -> "Prepared":
        options = [Options.of(sample.position.moves) for sample in samples]
        lengths = [len(each.abstract) for each in options]
        return Prepared(
            mcm.planes([sample.position for sample in samples]),
            np.concatenate([each.abstract for each in options]),
            np.concatenate([each.kickers for each in options]),
            np.concatenate([[0], np.cumsum(lengths)]),
            np.array([sample.choice for sample in samples]),
        )

    def __len__(self) -> int:
        return len(self.choice)


def losses(net: PolicyNet, data: Prepared, rows: NDArray[np.int64]) -> tuple[Tensor, Tensor, Tensor]:
    """Loss of the abstract move, loss of the kickers, and whether the likeliest legal move is the teacher's."""
    scores, kicker_scores = net(torch.from_numpy(data.planes[rows]))
    spans = [np.arange(data.start[row], data.start[row + 1]) for row in rows]
    owner = torch.from_numpy(np.repeat(np.arange(len(rows)), [len(span) for span in spans]))
    index = np.concatenate(spans)
    kind = torch.from_numpy(data.abstract[index])
    carried = (torch.from_numpy(data.kickers[index]) * kicker_scores[owner, kind]).sum(1)
    firsts = np.concatenate([[0], np.cumsum([len(span) for span in spans])])[:-1]
    chosen = torch.from_numpy(firsts + data.choice[rows])

    legal = torch.full_like(scores, -torch.inf)
    legal[owner, kind] = scores[owner, kind]
    kind_log = legal.log_softmax(1)
    same = owner * scores.shape[1] + kind
    carried_log = carried - _log_sum_by(carried, same)[same]
    kind_loss = -kind_log[torch.arange(len(rows)), kind[chosen]].mean()
    total = (kind_log[owner, kind] + carried_log).detach()
    best = torch.full((len(rows),), -torch.inf).scatter_reduce(0, owner, total, "amax")
    return kind_loss, -carried_log[chosen].mean(), (total[chosen] >= best - 1e-6).float()


def _log_sum_by(values: Tensor, group: Tensor) -> Tensor:
    """log of the sum of exp(values) of each group, addressed by group."""
    size = int(group.max()) + 1
    peak = torch.full((size,), -torch.inf).scatter_reduce(0, group, values.detach(), "amax")
    total = torch.zeros(size).scatter_add(0, group, (values - peak[group]).exp())
    return total.clamp_min(1e-30).log() + peak.nan_to_num(neginf=0.0)


class PolicyLearner:
    """One step is one minibatch; an epoch is a shuffled pass over the samples."""

    def __init__(self, settings: Settings) -> None:
        torch.set_num_threads(settings.threads)
        torch.manual_seed(seed_of(settings.seed, "network") % 2**31)
        self.settings = settings
        self.net = PolicyNet(settings.channels, settings.layers)
        self.optimiser = torch.optim.Adam(self.net.parameters(), settings.rate)
        self.steps = 0
        for _ in generate(settings):
            pass
        learning, testing = split(read_deals(Path(settings.samples)))
        self.learning, self.testing = Prepared.of(learning), Prepared.of(testing)
        self.test_metrics: dict[str, float] = {}

    @property
    def steps_per_epoch(self) -> int:
        return max(1, len(self.learning) // self.settings.minibatch)

    @property
    def all_steps(self) -> int:
        return self.settings.epochs * self.steps_per_epoch

    def step(self) -> Mapping[str, float]:
        epoch, at = divmod(self.steps, self.steps_per_epoch)
        order = np.random.default_rng(seed_of(self.settings.seed, "epoch", epoch)).permutation(len(self.learning))
        rows = order[at * self.settings.minibatch : (at + 1) * self.settings.minibatch]
        for group in self.optimiser.param_groups:
            group["lr"] = self.settings.rate * max(0.02, 1 - self.steps / self.all_steps)
        kind_loss, kicker_loss, hit = losses(self.net, self.learning, rows)
        self.optimiser.zero_grad()
        (kind_loss + self.settings.kicker_weight * kicker_loss).backward()  # type: ignore[no-untyped-call]
        self.optimiser.step()
        self.steps += 1
        if self.steps % self.steps_per_epoch == 0 or self.steps == self.all_steps:
            self.test_metrics = self.test()
        return {"epoch": epoch, "loss": kind_loss.item(), "kicker_loss": kicker_loss.item(),
                "accuracy": hit.mean().item(), **self.test_metrics}  # fmt: skip

    @torch.inference_mode()
    def test(self) -> dict[str, float]:
        """Loss and accuracy on the deals that were not learned from."""
        parts = np.array_split(np.arange(len(self.testing)), max(1, len(self.testing) // 256))
        results = [losses(self.net, self.testing, rows) for rows in parts]
        hits = torch.cat([hit for _, _, hit in results])
        return {"test_loss": float(np.mean([kind.item() for kind, _, _ in results])),
                "test_accuracy": float(hits.mean()), "test_samples": len(hits)}  # fmt: skip

    def state_dict(self) -> dict[str, Any]:
        return {"net": self.net.state_dict(), "optimiser": self.optimiser.state_dict(), "steps": self.steps,
                "samples": len(self.learning), "test": self.test_metrics}  # fmt: skip

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        self.net.load_state_dict(state["net"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.steps, self.test_metrics = state["steps"], dict(state["test"])


def ship_policy(run: TrainingRun, state: Mapping[str, Any], root: Path) -> Path:
    """The network of a checkpoint as a model folder."""
    from safetensors.torch import save_file

    settings = run.settings
    net = PolicyNet(settings.channels, settings.layers)
    net.load_state_dict(state["net"])
    work = run.path / "shipped"
    work.mkdir(exist_ok=True)
    example = torch.zeros(2, *TENSOR, dtype=torch.uint8)
    names = ("planes", "scores", "kicker_scores")
    torch.onnx.export(
        net.eval(), (example,), str(work / NETWORK), input_names=[names[0]], output_names=list(names[1:]),
        dynamic_axes={name: {0: "batch"} for name in names}, dynamo=False,
    )  # fmt: skip
    save_file({name: value.contiguous() for name, value in net.state_dict().items()}, str(work / WEIGHTS))
    where = {"samples": Settings.samples}
    about = {
        "method": METHOD,
        "settings": as_json(settings) | where,
        "samples": state["samples"],
        "test": dict(state["test"]),
    }
    (work / RUN).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    card = Card(
        name=SHIPPED, title="Dou Dizhu: the paper's policy over abstract moves and kickers", game="doudizhu",
        method="handsplit", features=FEATURES, seed=settings.seed, commit=commit(),
        data=f"{state['samples']} decisions of {settings.teacher} in {settings.deals} deals",
        command=f"mingpai train mcm-policy --set teacher={settings.teacher} --set deals={settings.deals}"
        f" --set epochs={settings.epochs} --set channels={settings.channels}",
        strength={"accuracy on deals not learned from": f"{state['test'].get('test_accuracy', 0):.1%}"},
    )  # fmt: skip
    return ship(card, {name: work / name for name in (NETWORK, WEIGHTS, RUN)}, root)


TRAINING = Training(
    method=METHOD,
    settings=Settings,
    learner=PolicyLearner,
    steps=lambda learner: learner.all_steps,
    game="doudizhu",
    features=FEATURES,
    shipped=SHIPPED,
    networks=lambda learner: (learner.net,),
    ship=ship_policy,
    may_change=("threads", "jobs"),
    log_every=20,
)
