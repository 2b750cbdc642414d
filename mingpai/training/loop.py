"""The training loop: steps, metrics, checkpoints, Ctrl-C. What a step is, the method knows."""

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol

from mingpai.core.errors import MingpaiError
from mingpai.training.run import TrainingRun

if TYPE_CHECKING:
    import torch

    from mingpai.models.loader import Model

CHECKPOINT_SECONDS = 60.0
LOG_EVERY = 10
FIRST_SECONDS = 10.0
"""After the first step of a sitting something is told again: the time left is known better then."""
QUIET_SECONDS = 60.0
"""Without a word, later on."""


class Learner(Protocol):
    """What a method brings. Its state holds all that was learned: networks, averages, optimisers, counts.

    A run that only goes through a file of samples (bidding) ends where an undisturbed one would. Self-play (mcm and
    abduction) does not keep the deals in play nor the memory of the last ones: a sitting begins new ones, with streams
    of its own number, so that the run goes on as another run of equal quality, and as the same one each time it is
    taken up from that checkpoint.
    """

    def step(self) -> Mapping[str, float]:
        """Learns once; what there is to report."""
        ...

    def state_dict(self) -> dict[str, Any]: ...

    def load_state_dict(self, state: Mapping[str, Any]) -> None: ...


@dataclass(frozen=True)
class Outcome:
    """How a sitting ended."""

    step: int
    """Steps made in all."""
    interrupted: bool
    """By Ctrl-C or a request to end; the checkpoint holds everything."""


def train(
    run: TrainingRun, learner: Learner, steps: int, *, resume: bool = False, log_every: int = LOG_EVERY,
    checkpoint_seconds: float = CHECKPOINT_SECONDS, progress: Callable[[int, Mapping[str, float]], None] | None = None,
) -> Outcome:  # fmt: skip
    """Trains to `steps` steps in all, with a checkpoint now and then and at the end.

    `progress` is told of the first step of a sitting, of those that are logged, of the last, and whenever it has heard
    nothing for a minute (ten seconds after the first step).
    Ctrl-C ends after the step in hand and saves; a second one ends at once, and the last checkpoint stands.
    """
    step = first = run.start(resume=resume)
    if step:
        learner.load_state_dict(run.load())
    saved = told = time.monotonic()
    patience = FIRST_SECONDS
    try:
        with interruptible() as is_interrupted:
            while step < steps and not is_interrupted():
                values = learner.step()
                step += 1
                if step % log_every == 0 or step == steps:
                    run.log(step, values)
                is_overdue = time.monotonic() - told >= patience
                if progress is not None and (is_overdue or step in (first + 1, steps) or step % log_every == 0):
                    progress(step, values)
                    told, patience = time.monotonic(), FIRST_SECONDS if step == first + 1 else QUIET_SECONDS
                if time.monotonic() - saved >= checkpoint_seconds:
                    run.save(step, learner.state_dict())
                    saved = time.monotonic()
            run.save(step, learner.state_dict())
            return Outcome(step, is_interrupted())
    finally:
        run.close()


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Within the block the first Ctrl-C (or SIGTERM) only sets a flag; the second one is as usual."""
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    signals = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in signals}
    asked = False

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        asked = True
        for each in signals:
            signal.signal(each, before[each])

    for number in signals:
        signal.signal(number, ask)
    try:
        yield lambda: asked
    finally:
        for number in signals:
            signal.signal(number, before[number])


def load_shipped(
    module: "torch.nn.Module",
    model: "Model",
    adapt: Callable[[Mapping[str, Any], "torch.nn.Module"], Mapping[str, Any]] = lambda weights, network: weights,
) -> None:
    """`--from-shipped`: gives a network the weights of a shipped model. Shapes and names must be the same, once `adapt`
    has made those of an older layout fit."""
    import torch

    weights = {name: torch.from_numpy(value.copy()) for name, value in adapt(model.weights(), module).items()}
    try:
        module.load_state_dict(weights)
    except RuntimeError as error:
        raise MingpaiError(f"model {model.card.name} has another shape: {error}") from None
