"""`mingpai train bids`: what every bid is worth, learned from deals that the value network plays at all seats.

First the network plays deals, each three times, with each seat as landlord, for points: then what any auction comes to
is known for these cards. After that the bids are learned by self-play over the whole tree of an auction at once. At
every place every legal bid is valued, the others answering as they would today; a deal counts as much as the others'
bids there are likely with its hands, so that the values know what a bid tells of a hand. While they are learned, bids
are drawn by a softmax that grows sharper. Needs the `train` extra.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from mingpai._native import mcm
from mingpai._native.doudizhu import Bidding
from mingpai.agents.doudizhu_greedy import tuned_weights
from mingpai.core.errors import MingpaiError
from mingpai.core.random import stream
from mingpai.core.settings import setting
from mingpai.games.doudizhu.rules import rules_of
from mingpai.methods.bidding.auction import MOST_BID, SEATS, Auction
from mingpai.methods.flagship.bids import BIDS, COLUMNS, FEATURES, FORMS, PLACE_OF, PLACES, SIZE, rows
from mingpai.methods.mcm.agent import SHIPPED
from mingpai.methods.mcm.rows import native_network
from mingpai.models.card import Card
from mingpai.training.export import Graph, about_run, ship_network
from mingpai.training.learning import begin, set_rate
from mingpai.training.method import Training
from mingpai.training.run import TrainingRun, commit

DEALT = 17
CHUNK = 2000
"""Deals of a step that plays."""
STRAYED = 0.02
"""Share of the others' bids that are taken to be any: no place is left without lessons."""
DECAY = 1e-3
RISE = 0.1
"""Share of the epochs in which the rate rises."""


@dataclass(frozen=True)
class BidSettings:
    """How the bids are learned."""

    deals: int = setting(800_000, "Deals that the network plays, each with every seat as landlord.", (1, 10**8))
    epochs: int = setting(20, "Passes over these deals.", (1, 10_000))
    model: str = setting(SHIPPED, "The value network that plays, by name or path.", kind="model")
    rules: str = setting("standard", "The rule profile of the deals.")
    minibatch: int = setting(4096, "Deals of one step of learning.", (1, 10**6))
    rate: float = setting(3e-3, "Learning rate at its highest.", (1e-9, 1))
    width: int = setting(128, "Width of the two hidden layers.", (1, 65_536))
    heat: float = setting(1.0, "Points that make a bid e times likelier while learning, at the start.", (1e-3, 1000))
    last_heat: float = setting(0.1, "And in the end.", (1e-3, 1000))
    seed: int = setting(1, "Of the deals, the weights and the order of the minibatches.", (0, 2**63 - 1))
    threads: int = setting(1, "Threads that learn.", (1, 1024))


class BidNet(nn.Module):
    """Own cards in, points of every bid at every place out."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.mean: Tensor
        self.spread: Tensor
        self.register_buffer("mean", torch.zeros(SIZE))
        self.register_buffer("spread", torch.ones(SIZE))
        self.layers = nn.Sequential(
            nn.Linear(SIZE, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(),
            nn.Linear(width, len(PLACES) * COLUMNS),
        )  # fmt: skip

    def forward(self, cards: Tensor) -> Tensor:
        values: Tensor = self.layers((cards - self.mean) / self.spread)
        return values.view(-1, len(PLACES), COLUMNS)

    def fit_inputs(self, cards: Tensor) -> None:
        """Inputs are read in their own mean and spread."""
        self.mean.copy_(cards.mean(0))
        self.spread.copy_(cards.std(0).clamp(min=0.01))


LEGAL = torch.zeros(len(PLACES), COLUMNS, dtype=torch.bool)
for _number, _place in enumerate(PLACES):
    LEGAL[_number, list(_place.legal())] = True
HIGHEST = torch.tensor([{Bidding.CALL_ROB: 8}.get(place.bidding, MOST_BID) for place in PLACES], dtype=torch.float32)
"""The highest stake of the form of auction: errors count in it, or call and rob would rule the rest."""
PLACES_OF_SEAT = [[number for number, place in enumerate(PLACES) if place.turn == seat] for seat in range(SEATS)]


def dealt(count: int, rng: np.random.Generator) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Hands of three seats and bottom cards."""
    deck = np.array([1 << (4 * rank) for rank in (*np.repeat(np.arange(13), 4), 13, 14)], np.uint64)
    cards = rng.permuted(np.tile(deck, (count, 1)), axis=1)
    hands = [cards[:, DEALT * seat : DEALT * (seat + 1)].sum(1) for seat in range(SEATS)]
    return np.stack(hands, 1), cards[:, DEALT * SEATS :].sum(1)


def points_of(auction: Auction, stakes: Tensor) -> Tensor:
    """Points of the three seats after an auction; `stakes`: what each seat would win as landlord, in stakes."""
    if auction.landlord is None:
        return torch.zeros_like(stakes)
    won = auction.stake * stakes[:, auction.landlord]
    return torch.stack([won * (2 if seat == auction.landlord else -1) for seat in range(SEATS)], 1)


class Lessons:
    """What each bid at each place comes to in some deals, and how much it counts."""

    def __init__(self, stakes: Tensor, policy: Tensor) -> None:
        """`policy`: by deal and place, how likely each bid is with the cards of the seat that is asked."""
        self._stakes, self._policy = stakes, policy
        self.values = torch.zeros_like(policy)
        self.weights = torch.zeros(policy.shape[:2])
        for form in FORMS:
            self._value(Auction.start(form, 0), torch.ones(len(stakes), SEATS))

    def _value(self, auction: Auction, reached: Tensor) -> Tensor:
        """Points of the seats from here on. `reached`: how likely each seat's bids so far are with its hand."""
        if auction.turn is None:
            return points_of(auction, self._stakes)
        place, seat = PLACE_OF[auction.bidding, auction.bids], auction.turn
        self.weights[:, place] = reached[:, (seat + 1) % SEATS] * reached[:, (seat + 2) % SEATS]
        total = torch.zeros_like(self._stakes)
        for bid in auction.legal():
            likely = self._policy[:, place, bid]
            then = reached.clone()
            then[:, seat] *= (1 - STRAYED) * likely + STRAYED / len(auction.legal())
            points = self._value(auction.after(bid), then)
            self.values[:, place, bid] = points[:, seat]
            total += likely[:, None] * points
        return total


class BidLearner:
    """Steps that play deals, then one step for each epoch."""

    def __init__(self, settings: BidSettings) -> None:
        begin(settings)
        self.settings = settings
        self.net = BidNet(settings.width)
        self.optimiser = torch.optim.AdamW(self.net.parameters(), settings.rate, weight_decay=DECAY)
        self.network, self.rules = native_network(settings.model), rules_of(settings.rules).native
        self.hands, self.stakes = torch.zeros(0, SEATS, dtype=torch.int64), torch.zeros(0, SEATS)
        self.done = 0
        self._cards: list[Tensor] = []

    @property
    def chunks(self) -> int:
        """Steps that play."""
        return -(-self.settings.deals // CHUNK)

    @property
    def steps(self) -> int:
        return self.chunks + self.settings.epochs

    def step(self) -> Mapping[str, float]:
        told = self._play() if self.done < self.chunks else self._learn(self.done - self.chunks)
        self.done += 1
        return told

    def _play(self) -> Mapping[str, float]:
        count = min(CHUNK, self.settings.deals - len(self.hands))
        hands, bottoms = dealt(count, stream(self.settings.seed, "deals", self.done))
        stakes = mcm.landlord_stakes(self.network, self.rules, tuned_weights(), hands, bottoms)
        self.hands = torch.cat([self.hands, torch.from_numpy(hands.astype(np.int64))])
        self.stakes = torch.cat([self.stakes, torch.from_numpy(stakes).view(-1, SEATS)])
        return {"deals": len(self.hands), "landlord_stakes": round(float(self.stakes.mean()), 4)}

    def _learn(self, epoch: int) -> Mapping[str, float]:
        if not self._cards:
            seats = (self.hands[:, seat].numpy().astype(np.uint64) for seat in range(SEATS))
            self._cards = [torch.from_numpy(rows(hands)) for hands in seats]
        if epoch == 0:
            self.net.fit_inputs(self._cards[0])
        order = torch.from_numpy(stream(self.settings.seed, "order", epoch).permutation(len(self.hands)))
        parts = torch.split(order, self.settings.minibatch)
        loss = 0.0
        for number, which in enumerate(parts):
            set_rate(self.optimiser, self.settings.rate * rate_at((epoch + number / len(parts)) / self.settings.epochs))
            loss += self._descend(which, self._heat(epoch)) * len(which)
        return {"deals": len(self.hands), "epoch": epoch + 1, "loss": round(loss / len(order), 4)}

    def _heat(self, epoch: int) -> float:
        share = epoch / max(1, self.settings.epochs - 1)
        return float(self.settings.heat * (self.settings.last_heat / self.settings.heat) ** share)

    def _descend(self, which: Tensor, heat: float) -> float:
        """One step: squared errors of all bids, each as much as its place is likely to be reached."""
        out = torch.zeros(len(which), len(PLACES), COLUMNS)
        for seat, places in enumerate(PLACES_OF_SEAT):
            out[:, places] = self.net(self._cards[seat][which])[:, places]
        policy = torch.softmax(out.detach().masked_fill(~LEGAL, -torch.inf) / heat, -1)
        lessons = Lessons(self.stakes[which], policy)
        errors = ((out - lessons.values) / HIGHEST[:, None]).square() * LEGAL * lessons.weights[..., None]
        loss = errors.sum() / len(which)
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimiser.step()
        return loss.item()

    def state_dict(self) -> dict[str, Any]:
        return {"net": self.net.state_dict(), "optimiser": self.optimiser.state_dict(), "done": self.done,
                "hands": self.hands, "stakes": self.stakes, "features": FEATURES}  # fmt: skip

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        if state["features"] != FEATURES:
            raise MingpaiError(f"the checkpoint is of features {state['features']}, not {FEATURES}")
        self.net.load_state_dict(state["net"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.done, self.hands, self.stakes = state["done"], state["hands"], state["stakes"]
        self._cards = []


def rate_at(progress: float) -> float:
    """The rate as a share of the highest: it rises at first, then falls as a cosine."""
    if progress < RISE:
        return progress / RISE
    return 0.5 * (1 + float(np.cos(np.pi * (progress - RISE) / (1 - RISE)))) + 1e-3


def ship_bids(run: TrainingRun, state: Mapping[str, Any], root: Path) -> Path:
    settings: BidSettings = run.settings
    net = BidNet(settings.width)
    net.load_state_dict(state["net"])
    card = Card(
        name=BIDS, title="Dou Dizhu: what every bid is worth in points, by the own cards", game="doudizhu",
        method="flagship", features=FEATURES, seed=settings.seed, commit=commit(),
        data=f"{len(state['hands'])} deals that {Path(settings.model).name} played, every seat landlord once",
        command=f"mingpai train bids --set deals={settings.deals} --set seed={settings.seed}",
    )  # fmt: skip
    hands, _ = dealt(64, np.random.default_rng(0))
    graph = Graph(net, {"rows": torch.from_numpy(rows(hands[:, 0]))}, ["values"])
    return ship_network(graph, net, card, run, about_run(run), root)


TRAINING = Training(
    method="flagship/bids",
    what="plays {0.deals:,} deals with every seat as landlord, then learns bids from them for {0.epochs} epochs",
    settings=BidSettings,
    learner=BidLearner,
    steps=lambda learner: learner.steps,
    game="doudizhu",
    features=FEATURES,
    shipped=BIDS,
    networks=lambda learner: (learner.net,),
    ship=ship_bids,
    may_change=("threads",),
    log_every=1,
)
