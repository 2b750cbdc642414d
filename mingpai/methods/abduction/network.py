"""The network of ABL-GD: encoders, ABLN, policy over pseudo-actions, value. Needs torch: training and export only.

`PAPER` is the network of the paper: its sizes (table 4), its inputs (table 1), nothing else. `LITE` is what one machine
can train; `PLAIN` is lite in the paper's form, without the head for each option. All read the encoding of table 1.
A policy head of the paper gives a number for each of the 168 pseudo-actions. With `option_width` a small head is added
that looks at each legal pseudo-action on its own: at what the knowledge base says of it (facts), at the play, the hand
that is left and its plan (marks, beside the scene) and, with ABLN, at how many higher cards, pairs and triples each
other seat is estimated to hold.
"""

import itertools
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from mingpai._native import abduction, guandan
from mingpai.training.sparse import add_rows, scaled

SCORES = (-3, -2, -1, 1, 2, 3)
"""Results of a round for a team; the places of the score head."""
KINDS = abduction.ESTIMATE_SIZE // 3
SEATS, LEVELS, COPIES = 4, 13, 2
LEAST = 1e-3
"""Counted shares are kept this far from certainty, so that ABLN can still move them."""
RIVALS = 9
"""What the estimate says of an option: higher cards, pairs and triples at each of three seats."""
ONE_TYPE = 5
"""Types up to the full house compare by the rank of a group; the others by a sequence or as bombs."""


@dataclass(frozen=True)
class Shape:
    """Sizes of the network. The defaults are the paper's."""

    mlp_layers: int = 4
    """Layers of the encoder of the flat part, from the input to h_o."""
    mlp_width: int = 512
    residual: bool = False
    """Whether its hidden layers add to what comes in."""
    flat_out: int = 216
    """Length of h_o, the encoding of the counts and planes of table 1."""
    attention_layers: int = 6
    """Layers of the encoder of the last plays."""
    attention_width: int = 256
    attention_hidden: int = 256
    """Hidden layer after the attention of each layer."""
    heads: int = 4
    sequence_out: int = 216
    """Length of h_tau, the encoding of the last plays."""
    abln: bool = True
    """Whether hands are estimated, and the policy sees the estimate."""
    abln_layers: int = 3
    """Hidden layers of ABLN."""
    abln_width: int = 512
    counted: bool = False
    """Whether ABLN starts from what counting says (unseen copies by room in the hands) and learns the difference."""
    bounded: bool = False
    """Whether the policy reads the estimate at most as high as the unseen copies; otherwise as ABLN gives it."""
    policy_width: int = 512
    """Hidden layer of policy and value."""
    scores_apart: bool = True
    """Whether the chances of the final scores, which the paper's network does not have, learn without a say in it."""
    option_width: int = 0
    """Width of the head for each legal pseudo-action; 0: none, as in the paper."""
    option_hidden: int = 0
    """Its second layer."""
    marks: bool = False
    """Whether that head reads the scene and the marks of options: the play, the hand that is left, its plan."""
    blind: bool = False
    """Whether options count no cards: what they say of other hands follows from the estimate of ABLN or, without it,
    from ranks and hand sizes alone."""


PAPER = Shape()
LITE = Shape(
    mlp_layers=3, mlp_width=256, residual=True, flat_out=128, attention_layers=1, attention_width=32,
    attention_hidden=64, heads=2, sequence_out=64, abln_layers=2, abln_width=192, counted=True, bounded=True,
    policy_width=192, scores_apart=False, option_width=128, option_hidden=64, marks=True,
)  # fmt: skip
PLAIN = replace(LITE, option_width=0, option_hidden=0, marks=False)
WIDENED = ("option_", "scene_weights", "mark_weights")
"""Names of the weights of the head for options."""
WIDE = replace(LITE, option_width=384, option_hidden=192)
SHAPES = {"paper": PAPER, "lite": LITE, "plain": PLAIN, "wide": WIDE}


class Output(NamedTuple):
    """What the network says of some positions."""

    logits: Tensor
    """Of each option."""
    value: Tensor
    """Expected score of the seat's team at the end of the round."""
    scores: Tensor
    """Logits of the final scores, in the order of SCORES."""
    estimate: Tensor
    """Expected copies of 54 kinds at the three other seats; empty without ABLN."""


class AblNet(nn.Module):
    """One network for all seats."""

    ranks: Tensor
    higher: Tensor
    order: Tensor
    nothing: Tensor

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.values_apart = False
        """Whether value and scores learn without a say in what the encoders learn."""
        self.flat_weights = nn.Parameter(scaled(abduction.FLAT_SIZE, shape.mlp_width, nonzero=60, gain=1.5))
        self.flat_bias = nn.Parameter(torch.zeros(shape.mlp_width))
        self.flat_layers = nn.ModuleList(
            nn.Linear(shape.mlp_width, shape.mlp_width) for _ in range(shape.mlp_layers - 2)
        )
        self.flat_project = nn.Linear(shape.mlp_width, shape.flat_out)
        self.embed = nn.Linear(abduction.MOVE_SIZE, shape.attention_width)
        self.places = nn.Parameter(torch.zeros(abduction.HISTORY, shape.attention_width))
        self.attention = nn.ModuleList(Attention(shape) for _ in range(shape.attention_layers))
        self.sequence_project = nn.Linear(abduction.HISTORY * shape.attention_width, shape.sequence_out)
        encoded = shape.flat_out + shape.sequence_out
        if shape.abln:
            widths = [encoded, *[shape.abln_width] * shape.abln_layers]
            self.abln_layers = nn.ModuleList(nn.Linear(a, b) for a, b in itertools.pairwise(widths))
            self.abln_out = nn.Linear(shape.abln_width, abduction.ESTIMATE_SIZE)
            encoded += abduction.ESTIMATE_SIZE
        self.context = nn.Linear(encoded, shape.policy_width)
        self.policy = nn.Linear(shape.policy_width, guandan.PSEUDO_ACTIONS)
        self.value = nn.Linear(shape.policy_width, 1)
        self.scores = nn.Linear(shape.policy_width, len(SCORES))
        if shape.option_width:
            self.option_context = nn.Linear(shape.policy_width, shape.option_width)
            told = abduction.FACTS + (RIVALS if shape.abln else 0)
            self.option_facts = nn.Linear(told, shape.option_width, bias=False)
            self.option_name = nn.Embedding(guandan.PSEUDO_ACTIONS, shape.option_width)
            self.option_hidden = nn.Linear(shape.option_width, shape.option_hidden)
            self.option_out = nn.Linear(shape.option_hidden, 1)
            for name, table in zip(("ranks", "higher", "order"), (ranks_of_kinds(), *higher_ranks()), strict=True):
                self.register_buffer(name, table, persistent=False)
        if shape.marks:
            self.scene = abduction.SEEN_SIZE if shape.blind else abduction.SCENE_SIZE
            self.scene_weights = nn.Parameter(scaled(self.scene, shape.option_width, nonzero=60, gain=0.7))
            self.mark_weights = nn.Parameter(scaled(abduction.MARKS, shape.option_width, nonzero=60, gain=0.7))
            self.register_buffer("nothing", torch.zeros(shape.option_width), persistent=False)
        heads = [self.policy, self.value, self.scores, *([self.abln_out] if shape.abln and shape.counted else [])]
        with torch.no_grad():
            if not shape.residual:
                self._keep_signals()
            for head in heads:
                head.weight.mul_(0.1)

    def _keep_signals(self) -> None:
        """Starts layers that a ReLU follows by He's rule. Without residuals the usual start lets every layer shrink
        what differs between positions, until the deep ones say the same of all."""
        layers = [*self.flat_layers, self.flat_project, self.context, *(self.abln_layers if self.shape.abln else [])]
        for layer in layers:
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            nn.init.zeros_(layer.bias)

    def config(self) -> dict[str, Any]:
        return asdict(self.shape)

    @property
    def informs(self) -> bool:
        """Whether facts of options have to be found by the estimate before the options are looked at."""
        return self.shape.blind and self.shape.abln

    def forward(self, rows: Tensor, pseudo: Tensor, facts: Tensor, marks: Tensor, of: Tensor) -> Output:
        """Rows of positions (bytes); options with their pseudo-action, facts, marks (bytes) and position."""
        joint: Tensor | None = None
        if self.shape.marks:
            scene = add_rows(self._scene(rows).contiguous(), self.scene_weights, self.nothing)
            joint = scene[of] + add_rows(marks, self.mark_weights, self.nothing)
        return self._heads(rows, self._flat_sparse(rows), joint, pseudo, facts, of)

    def dense(self, rows: Tensor, pseudo: Tensor, facts: Tensor, marks: Tensor, of: Tensor) -> Output:
        """The same in plain operators: what is exported."""
        first = rows[:, : abduction.FLAT_SIZE].float() @ self.flat_weights + self.flat_bias
        joint: Tensor | None = None
        if self.shape.marks:
            joint = (self._scene(rows).float() @ self.scene_weights)[of] + marks.float() @ self.mark_weights
        return self._heads(rows, first, joint, pseudo, facts, of)

    def _scene(self, rows: Tensor) -> Tensor:
        return rows[:, abduction.SCENE_AT : abduction.SCENE_AT + self.scene]

    def encode(self, rows: Tensor) -> Tensor:
        """h_o and h_tau side by side: what every head reads."""
        return self._encode(rows, self._flat_sparse(rows))

    def estimate(self, rows: Tensor) -> Tensor:
        """ABLN: expected copies in the other hands, each in [0, 2]."""
        return self._estimate(rows, self.encode(rows))

    def _flat_sparse(self, rows: Tensor) -> Tensor:
        return add_rows(rows[:, : abduction.FLAT_SIZE].contiguous(), self.flat_weights, self.flat_bias)

    def _encode(self, rows: Tensor, first: Tensor) -> Tensor:
        x = functional.relu(first)
        for layer in self.flat_layers:
            through = functional.relu(layer(x))
            x = x + through if self.shape.residual else through
        flat = functional.relu(self.flat_project(x))
        moves = rows[:, abduction.FLAT_SIZE : abduction.SCENE_AT].float()
        moves = moves.view(-1, abduction.HISTORY, abduction.MOVE_SIZE)
        tokens = self.embed(moves) + self.places
        for block in self.attention:
            tokens = block(tokens)
        sequence = functional.relu(self.sequence_project(tokens.flatten(1)))
        return torch.cat([flat, sequence], 1)

    def _estimate(self, rows: Tensor, encoded: Tensor) -> Tensor:
        x = encoded
        for layer in self.abln_layers:
            x = functional.relu(layer(x))
        logits: Tensor = self.abln_out(x)
        if self.shape.counted:
            logits = logits + torch.logit(counted(rows) / COPIES, eps=LEAST)
        return COPIES * torch.sigmoid(logits)

    def _heads(
        self, rows: Tensor, first: Tensor, marked: Tensor | None, pseudo: Tensor, facts: Tensor, of: Tensor
    ) -> Output:
        encoded = self._encode(rows, first)
        if self.shape.abln:
            estimate = self._estimate(rows, encoded)
            known = estimate.detach()
            if self.shape.bounded:
                known = torch.minimum(known, unseen(rows).repeat(1, 3))
            encoded = torch.cat([encoded, known], 1)
        else:
            estimate = known = encoded[:, :0]
        context = functional.relu(self.context(encoded))
        logits = self.policy(context)[of, pseudo]
        if self.shape.option_width:
            if self.shape.abln:
                facts = torch.cat([facts, self._rivals(rows, known, pseudo, of)], 1)
            joint = self.option_context(context)[of] + self.option_facts(facts) + self.option_name(pseudo)
            if marked is not None:
                joint = joint + marked
            hidden = functional.relu(self.option_hidden(functional.relu(joint)))
            logits = logits + self.option_out(hidden)[:, 0]
        seen = context.detach() if self.values_apart else context
        scores = self.scores(seen.detach() if self.shape.scores_apart else seen)
        return Output(logits, self.value(seen)[:, 0], scores, estimate)

    def _rivals(self, rows: Tensor, known: Tensor, pseudo: Tensor, of: Tensor) -> Tensor:
        """For each option, at each other seat: higher cards, and higher ranks held twice, three times, by the estimate.

        Copies of a rank are taken as Poisson with the estimated mean.
        """
        levels = rows[:, :LEVELS].float().argmax(1)
        mean = known.view(-1, 3, KINDS) @ self.ranks
        none = torch.exp(-mean)
        twice = 1 - none * (1 + mean)
        held = torch.cat([mean / 8, twice, twice - none * mean.square() / 2], 1)
        above = held @ self.higher[levels]
        return above.transpose(1, 2)[of, self.order[levels[of], pseudo]]


class Attention(nn.Module):
    """A layer of self-attention over the last plays, normalised before."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width = shape.attention_width
        self.heads = shape.heads
        self.before = nn.LayerNorm(width)
        self.mix = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.between = nn.LayerNorm(width)
        self.wide = nn.Linear(width, shape.attention_hidden)
        self.narrow = nn.Linear(shape.attention_hidden, width)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        mixed = self.mix(self.before(x)).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = (mixed[:, :, i].transpose(1, 2) for i in range(3))
        weights = torch.softmax(query @ key.transpose(2, 3) / (width // self.heads) ** 0.5, -1)
        x = x + self.out((weights @ value).transpose(1, 2).reshape(batch, length, width))
        narrowed: Tensor = self.narrow(functional.relu(self.wide(self.between(x))))
        return x + narrowed


def widened(weights: Mapping[str, NDArray[Any]], network: nn.Module) -> dict[str, NDArray[Any]]:
    """Weights for a network whose head for options is wider: it plays as the narrower one did and can learn more. What
    is new in the head keeps its first weights and has no say yet."""
    out = dict(weights)
    for name, first in network.state_dict().items():
        old = weights.get(name)
        if old is not None and name.startswith(WIDENED) and sum(old.shape) < sum(first.shape):
            new = torch.zeros_like(first) if name == "option_out.weight" else first.clone()
            if name == "option_hidden.weight":
                new[: len(old)] = 0
            new[tuple(slice(size) for size in old.shape)] = torch.from_numpy(old.copy())
            out[name] = new.numpy()
    return out


def unseen(rows: Tensor) -> Tensor:
    """Copies of each kind that are neither in the own hand nor played, of a double deck."""
    hand = rows[:, abduction.HAND_AT : abduction.HAND_AT + KINDS].float()
    played = rows[:, abduction.PLAYED_AT : abduction.FLAT_SIZE].float().view(-1, SEATS, KINDS).sum(1)
    return (COPIES - hand - played).clamp(min=0)


def counted(rows: Tensor) -> Tensor:
    """Copies of each kind at the three other seats by room in their hands: what counting alone says."""
    left = rows[:, abduction.LEFT_AT : abduction.PLAYED_AT].float().view(-1, SEATS, KINDS)
    sizes = (left * torch.arange(KINDS, dtype=torch.float32)).sum(2)[:, 1:]
    shares = sizes / sizes.sum(1, keepdim=True).clamp(min=1)
    return (shares[:, :, None] * unseen(rows)[:, None]).flatten(1)


def ranks_of_kinds() -> Tensor:
    """(kind, rank): 1 where the kind is of the rank; jokers last."""
    ranks = torch.tensor([kind // SEATS if kind < KINDS - 2 else kind - KINDS + 2 + LEVELS for kind in range(KINDS)])
    return functional.one_hot(ranks, LEVELS + 2).float()


def higher_ranks() -> tuple[Tensor, Tensor]:
    """(level, rank, order): 1 where the rank is above the order; and the order of each pseudo-action at each level.

    The last order has nothing above it; it stands for all that does not compare by the rank of a group.
    """
    highest = guandan.order_of(LEVELS + 1, 0)
    above = torch.zeros(LEVELS, LEVELS + 2, highest + 1)
    order = torch.full((LEVELS, guandan.PSEUDO_ACTIONS), highest)
    for level in range(LEVELS):
        orders = torch.tensor([guandan.order_of(rank, level) for rank in range(LEVELS + 2)])
        above[level] = (orders[:, None] > torch.arange(highest + 1)).float()
        for pseudo in range(guandan.PSEUDO_ACTIONS):
            kind, rank, _ = guandan.shape_of(pseudo)
            if kind in (0, 1, 2, ONE_TYPE):
                order[level, pseudo] = orders[rank]
    return above, order


def segments(offsets: Tensor) -> Tensor:
    """The position of each option, from the offsets of the positions."""
    return torch.repeat_interleave(torch.arange(len(offsets) - 1), offsets.diff())
