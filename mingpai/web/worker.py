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
from pathlib import Path
from typing import Any

from mingpai.core.errors import MingpaiError

NICE_WHEN_LONG = 5
"""The server and short work go before long work."""
MAX_MEMORY = 3 << 30
"""Bytes of data that one worker may hold."""
TELLS_CPU = Path("/proc/self/stat").exists()

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
        self._is_behind = False
        self._start = 0.0
        """What the process had used before its task."""
        self._guard = threading.Lock()

    @property
    def is_fresh(self) -> bool:
        """Whether it may have another task: it lives and has not stepped back."""
        return not (self._is_dead or self._is_behind)

    def used(self) -> float:
        """Seconds of the processor's time that its task has taken so far."""
        return 0.0 if self._process is None else max(0.0, cpu_seconds(self._process.pid) - self._start)

    def ask(self, task: Task) -> Any:
        """The result of a task. Raises the task's MingpaiError, WorkFailed, or WorkerGone once killed."""
        try:
            connection = self._started()
            connection.send_bytes(pickle.dumps(task))
            outcome, value = pickle.loads(connection.recv_bytes())
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
                process = made.Process(target=serve_tasks, args=(theirs, self._is_behind), daemon=True)
                process.start()
                self._process = process
                theirs.close()
            self._start = cpu_seconds(self._process.pid)
            return self._connection

    def kill(self) -> None:
        """End the process at once, whatever it does."""
        with self._guard:
            self._is_dead = True
            if self._process is not None:
                self._process.kill()

    def step_back(self) -> None:
        """Let others go first from now on. There is no way back: a process may not make itself more important."""
        with self._guard, contextlib.suppress(ProcessLookupError):
            self._is_behind = True
            if self._process is not None and not self._is_dead:
                be_nice(self._process.pid, NICE_WHEN_LONG)


def cpu_seconds(pid: int) -> float:
    """The processor's time that a process has used, 0 once it is gone; the clock's where the system does not tell."""
    if not TELLS_CPU:
        return time.monotonic()
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def be_nice(pid: int, least: int) -> None:
    """Nobody may become less nice than he was started."""
    os.setpriority(os.PRIO_PROCESS, pid, max(least, os.getpriority(os.PRIO_PROCESS, pid)))


def serve_tasks(connection: Connection, is_behind: bool) -> None:
    """In the process: answer one task after another until the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    be_nice(0, NICE_WHEN_LONG if is_behind else 0)
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
    try:
        return pickle.dumps(_outcome(task))
    except Exception:
        return pickle.dumps(("failure", traceback.format_exc()))


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
