"""Several processes that learn one network move by the mean of their gradients, and end with the first."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch.nn import Parameter  # noqa: E402

from mingpai.core.errors import MingpaiError  # noqa: E402
from mingpai.training.together import Alone, FirstPeer  # noqa: E402

STEPS = 4


class Slope:
    """Moves one weight by a gradient that depends on the process; may leave after some steps."""

    def __init__(self, stays: int, peer: Alone, state: Mapping[str, Any]) -> None:
        self.weight = Parameter(state["weight"].clone())
        self.peer, self._stays = peer, stays

    def step(self) -> float:
        if self.peer.rank and not self._stays:
            raise SystemExit(0)
        self._stays -= 1
        self.weight.grad = self.weight.detach() + 2.0 * self.peer.rank
        self.peer.average([self.weight])
        gradient: float = self.weight.grad[0].item()
        with torch.no_grad():
            self.weight.sub_(0.5 * self.weight.grad)
        return gradient


def first_of(count: int, stays: int = 1000) -> Slope:
    state = {"weight": torch.tensor([8.0, 1.0])}
    first = FirstPeer(count, 2, state, partial(Slope, stays))
    return Slope(1000, first, state)


@pytest.mark.ci
def test_gradients_are_the_mean_of_all_processes_step_by_step() -> None:
    """With three processes the mean of 0, 2 and 4 is added; it stays right only if all weights stay equal."""
    slope, wanted = first_of(3), 8.0
    for _ in range(STEPS):
        assert slope.step() == pytest.approx(wanted + 2.0)
        wanted -= 0.5 * (wanted + 2.0)
    assert slope.peer.count == 3
    assert slope.peer.cpu_seconds() > 0


class Counting:
    """Counts what all have together, two more in each process."""

    def __init__(self, peer: Alone, state: Mapping[str, Any]) -> None:
        self.peer = peer

    def step(self) -> int:
        return self.peer.total(5 + 2 * self.peer.rank)


@pytest.mark.ci
def test_all_processes_know_what_they_have_together() -> None:
    first = FirstPeer(3, 1, {}, Counting)
    assert [Counting(first, {}).step() for _ in range(STEPS)] == [5 + 7 + 9] * STEPS
    assert Counting(Alone(), {}).step() == 5
    assert first.seed(7) == 7


def test_a_process_that_ends_is_told() -> None:
    slope = first_of(2, stays=2)
    slope.step()
    slope.step()
    with pytest.raises(MingpaiError, match="--resume"):
        slope.step()


def test_alone_nothing_changes() -> None:
    slope = Slope(1000, Alone(), {"weight": torch.tensor([3.0])})
    assert slope.step() == 3.0
