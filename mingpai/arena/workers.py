"""Workers on Ray, for matches and for training, on a cluster or on a local Ray started here."""

import importlib.util
import os
from collections.abc import Callable, Iterator
from typing import Any

from mingpai.core.errors import BadSetting, MingpaiError
from mingpai.core.extras import optional

WORKER_DEATHS = 20
"""Deaths after which something else is wrong."""


def open_ray(cpus: int) -> Any:
    """Ray, started here unless it runs already. Raises NotInstalled."""
    ray = optional("ray")
    if cpus < 1:
        raise BadSetting("workers", cpus, "at least 1")
    if not ray.is_initialized():
        ray.init(num_cpus=cpus, include_dashboard=False, log_to_driver=False)
    return ray


def is_ray_open() -> bool:
    """Whether Ray runs in this process already."""
    if importlib.util.find_spec("ray") is None:
        return False
    import ray

    return bool(ray.is_initialized())


class Workers:
    """Objects that live in processes of their own. What they hold is lost when they die; what they were asked is not.

    `make(number)` gives the arguments of a new worker of class `kind`; no number comes twice.
    """

    def __init__(self, kind: type, count: int, make: Callable[[int], dict[str, Any]]) -> None:
        self._ray = open_ray(count)
        self._remote = self._ray.remote(num_cpus=1, max_restarts=0)(kind)
        self._make = make
        self._born = 0
        self.deaths = 0
        """Workers that died and were replaced."""
        self.all = [self._start() for _ in range(count)]

    def __len__(self) -> int:
        return len(self.all)

    def pids(self) -> list[int]:
        """The processes of the workers."""
        return list(self._ray.get([worker.__ray_call__.remote(lambda _: os.getpid()) for worker in self.all]))

    def shared(self, value: Any) -> Any:
        """A value that many calls take, sent once."""
        return self._ray.put(value)

    def each(self, method: str, *arguments: Any) -> list[Any]:
        """The answers of all workers, in their order."""
        pending = [self._call(worker, method, arguments) for worker in self.all]
        return [self._answer(place, reference, method, arguments) for place, reference in enumerate(pending)]

    def stream(self, method: str, arguments: Callable[[], tuple[Any, ...]]) -> Iterator[Any]:
        """Answers as they come, for ever: who has answered is asked again, with the arguments of that moment."""
        pending = {self._call(worker, method, arguments()): place for place, worker in enumerate(self.all)}
        while True:
            (ready, *_), _ = self._ray.wait(list(pending), num_returns=1)
            place = pending.pop(ready)
            try:
                answer = self._ray.get(ready)
            except self._ray.exceptions.RayActorError as error:
                self._replace(place, error)
            else:
                yield answer
            pending[self._call(self.all[place], method, arguments())] = place

    def close(self) -> None:
        for worker in self.all:
            self._ray.kill(worker)
        self.all = []

    def _answer(self, place: int, reference: Any, method: str, arguments: tuple[Any, ...]) -> Any:
        while True:
            try:
                return self._ray.get(reference)
            except self._ray.exceptions.RayActorError as error:
                self._replace(place, error)
                reference = self._call(self.all[place], method, arguments)

    def _call(self, worker: Any, method: str, arguments: tuple[Any, ...]) -> Any:
        return getattr(worker, method).remote(*arguments)

    def _replace(self, place: int, error: Exception) -> None:
        self.deaths += 1
        if self.deaths > WORKER_DEATHS:
            raise MingpaiError(f"workers died {self.deaths} times (out of memory?): {error}") from None
        self.all[place] = self._start()

    def _start(self) -> Any:
        number = self._born
        self._born += 1
        return self._remote.remote(**self._make(number))
