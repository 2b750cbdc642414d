"""The convolutional network of the paper's MCM: from the 15 x 15 x 29 tensor a score for each candidate. Needs torch.

The paper prints no layers; these are ours. A kernel of the first layer spans all 15 rows of a plane, since rows are
kinds of facts and have no neighbours, and three ranks, which have. A candidate is convolved in the same way and joined
rank by rank with what was seen of the position.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from torch import Tensor, nn
from torch.nn import functional

from mingpai.core.settings import setting

PLANES = 29
RANKS = 15
CANDIDATE_ROWS = 19


@dataclass(frozen=True)
class PaperShape:
    """Sizes of the network."""

    channels: int = setting(96, "Channels of the position's convolutions.", (1, 4096))
    layers: int = setting(2, "Convolutions after the first.", (0, 64))
    summary: int = setting(192, "Width of the summary of the whole position.", (1, 4096))
    joint: int = setting(48, "Channels where position and candidate meet.", (1, 4096))


class PaperNet(nn.Module):
    """`scores`: two columns for each candidate, the logit of being the choice and the logit of its earnings."""

    def __init__(self, shape: PaperShape) -> None:
        super().__init__()
        self.first = nn.Conv2d(PLANES, shape.channels, (RANKS, 3), padding=(0, 1))
        sizes = [shape.channels] * shape.layers
        self.deeper = nn.ModuleList(nn.Conv1d(size, size, 3, padding=1) for size in sizes)
        self.summary = nn.Linear(shape.channels * RANKS, shape.summary)
        self.by_rank = nn.Conv1d(shape.channels, shape.joint, 1)
        self.overall = nn.Linear(shape.summary, shape.joint)
        self.candidate = nn.Conv1d(CANDIDATE_ROWS, shape.joint, 3, padding=1)
        self.joined = nn.Conv1d(shape.joint, shape.joint, 3, padding=1)
        self.out = nn.Linear(shape.joint * RANKS, 2)

    def forward(self, planes: Tensor, candidates: Tensor, of: Tensor) -> Tensor:
        """`of` says whose candidate each is: the row of `planes`."""
        seen = functional.relu(self.first(planes.float()).flatten(2))
        for convolution in self.deeper:
            seen = seen + functional.relu(convolution(seen))
        whole = functional.relu(self.summary(seen.flatten(1)))
        position = self.by_rank(seen) + self.overall(whole)[:, :, None]
        met = functional.relu(self.candidate(candidates.float()) + position[of])
        met = met + functional.relu(self.joined(met))
        scores: Tensor = self.out(met.flatten(1))
        return scores


def network_of(weights: Mapping[str, Tensor]) -> PaperNet:
    """The network that has these weights; they say its sizes."""
    shape = PaperShape(
        channels=weights["first.weight"].shape[0],
        layers=len({key for key in weights if key.startswith("deeper.") and key.endswith(".weight")}),
        summary=weights["summary.weight"].shape[0],
        joint=weights["candidate.weight"].shape[0],
    )
    net = PaperNet(shape)
    net.load_state_dict(dict(weights))
    return net.eval().requires_grad_(False)
