"""A process that does one piece of work after another for the server, and can be killed in the middle of any of them.

The server asks in a thread of its own and gets the result, the user's mistake (a MingpaiError), or a failure. What
travels between the two is pickled: tasks are module-level functions with plain arguments (`tasks.py`).
"""

import contextlib
import multiprocessing
import os
import pickle
import queue
import resource
import signal
import threading
import time
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from typing import Any

from mingpai.core.errors import MingpaiError

NICE = 5
"""The server answers before its workers compute."""
MAX_MEMORY = 3 << 30
"""Bytes of data that one worker may hold."""

Task = Callable[[], Any]


class WorkFailed(Exception):
    """A piece of work ended with an error that is not the user's; the message is its traceback."""


class WorkerGone(Exception):
    """The process ended before it answered: it was killed."""


def context() -> ForkServerContext:
    """Processes fork from a clean one that has the code loaded but no thread, no socket and no file of the server."""
    made = multiprocessing.get_context("forkserver")
    made.set_forkserver_preload(["__main__", "mingpai.web.tasks"])
    return made


class Worker:
    """The server's end of one process, which starts with its first task."""

    def __init__(self) -> None:
        self._process: Any = None
        self._connection: Connection | None = None
        self._is_dead = False
        self.seconds: float | None = None
        """How long the last task took, without the start of the process; None before there is an answer."""
        self._guard = threading.Lock()

    @property
    def is_dead(self) -> bool:
        return self._is_dead

    @property
    def pid(self) -> int | None:
        """None until the first task."""
        return None if self._process is None else int(self._process.pid)

    def ask(self, task: Task) -> Any:
        """The result of a task. Raises the task's MingpaiError, WorkFailed, or WorkerGone once killed."""
        self.seconds = None
        try:
            connection = self._started()
            connection.send_bytes(pickle.dumps(task))
            (outcome, value), self.seconds = pickle.loads(connection.recv_bytes())
        except (EOFError, OSError):
            self.kill()
            raise WorkerGone from None
        if outcome == "result":
            return value
        raise _unpacked(*value) if outcome == "mistake" else WorkFailed(value)

    def _started(self) -> Connection:
        with self._guard:
            if self._is_dead:
                raise WorkerGone
            if self._connection is None:
                made = context()
                self._connection, theirs = made.Pipe()
                self._process = made.Process(target=serve_tasks, args=(theirs,), daemon=True)
                self._process.start()
                theirs.close()
            return self._connection

    def kill(self) -> None:
        """End the process at once, whatever it does."""
        with self._guard:
            self._is_dead = True
            if self._process is not None:
                self._process.kill()

    def pause(self) -> None:
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        with self._guard, contextlib.suppress(ProcessLookupError):
            if self.pid is not None and not self._is_dead:
                os.kill(self.pid, number)


def serve_tasks(connection: Connection) -> None:
    """In the process: answer one task after another until the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICE)
    resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY, MAX_MEMORY))
    tasks: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(connection, tasks), daemon=True).start()
    while True:
        answer = _answer(tasks.get())
        with contextlib.suppress(OSError):
            connection.send_bytes(answer)


def nothing() -> None:
    """The first task of a process that is started before it is needed."""


def _listen(connection: Connection, tasks: "queue.SimpleQueue[bytes]") -> None:
    """A thread that hears at once when the server has died, even in the middle of a task."""
    while True:
        try:
            tasks.put(connection.recv_bytes())
        except (EOFError, OSError):
            os._exit(0)


def _answer(task: bytes) -> bytes:
    start = time.perf_counter()
    outcome = _outcome(task)
    try:
        return pickle.dumps((outcome, time.perf_counter() - start))
    except Exception:
        return pickle.dumps((("failure", traceback.format_exc()), 0.0))


def _outcome(task: bytes) -> tuple[str, Any]:
    try:
        return "result", pickle.loads(task)()
    except MingpaiError as error:
        return "mistake", _packed(error)
    except MemoryError:
        return "mistake", (MingpaiError, ("the work needs more memory than it may have",), {})
    except Exception:
        return "failure", traceback.format_exc()


def _packed(error: MingpaiError) -> tuple[type[MingpaiError], tuple[Any, ...], dict[str, Any]]:
    """An error whose class takes other arguments than its message."""
    return type(error), error.args, vars(error)


def _unpacked(kind: type[MingpaiError], args: tuple[Any, ...], fields: dict[str, Any]) -> MingpaiError:
    error = kind.__new__(kind)
    error.args = args
    vars(error).update(fields)
    return error
