"""A training run as a folder: `run.json`, `metrics.jsonl`, `checkpoints/`. It can be killed at any time and go on."""

import dataclasses
import importlib.metadata
import importlib.util
import io
import json
import logging
import os
import pickle
import platform
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mingpai.core.errors import BadlyWritten, MingpaiError
from mingpai.core.reading import read_mapping, read_object
from mingpai.records.jsonl import RecordWriter, replacing, writing_text

log = logging.getLogger(__name__)

RUN_SCHEMA = 1
KEPT_CHECKPOINTS = 3
CHECKPOINT_PATTERN = "{:012}.pt"


class TrainingRun:
    """The folder of one run.

    `settings` is the dataclass of the method: it is stored, and a resumed run must have the same, except for the fields
    named in `may_change` (length of the run, number of threads).
    """

    def __init__(self, path: Path, method: str, settings: Any, *, may_change: tuple[str, ...] = ()) -> None:
        self.path = path
        self.method = method
        self.settings = settings
        self._may_change = may_change
        self._metrics: RecordWriter | None = None
        self._board: Any = None
        self._loaded: dict[str, Any] | None = None
        """The checkpoint that `start` found, until it is asked for."""

    def start(self, *, resume: bool = False) -> int:
        """Makes the folder, or takes it up again. The step to go on from: that of the last checkpoint, or 0."""
        about = self.path / "run.json"
        earlier: Sequence[Any] = ()
        if about.exists():
            if not resume:
                raise MingpaiError(f"{self.path} holds a run already: go on with --resume or name another folder")
            earlier = self._check_same(about)
        elif self._checkpoints() and not resume:
            raise MingpaiError(f"{self.path} holds checkpoints already: go on with --resume or name another folder")
        for torn in self.path.rglob(".*.tmp"):  # what a killed sitting was writing
            torn.unlink()
        self._write_about(about, earlier)
        step = self._find_checkpoint()
        self._open_metrics(step)
        return step

    def _write_about(self, about: Path, earlier: Sequence[Any]) -> None:
        sitting = {"command": " ".join(sys.argv), "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                   "commit": commit(), "mingpai": _version(), "python": platform.python_version(),
                   "machine": platform.machine(), "processors": os.cpu_count()}  # fmt: skip
        with writing_text(about) as file:
            data = {"schema": RUN_SCHEMA, "method": self.method, "settings": as_json(self.settings),
                    "sittings": [*earlier, sitting]}  # fmt: skip
            json.dump(data, file, indent=1, ensure_ascii=False)

    def _check_same(self, about: Path) -> list[Any]:
        """The sittings so far. Raises MingpaiError unless the run is of this method and has these settings."""
        try:
            data = read_object(about.read_bytes())
            stored, sittings = read_mapping(data["settings"], "settings"), list(data["sittings"])
        except (BadlyWritten, KeyError, TypeError) as error:
            hint = "remove it to go on from the checkpoints with the settings given now"
            raise MingpaiError(f"{about} is damaged ({error}): {hint}") from None
        if data.get("schema") != RUN_SCHEMA or data.get("method") != self.method:
            raise MingpaiError(f"{self.path} holds a run of {data.get('method')!r}, not of {self.method!r}")
        given = as_json(self.settings)
        stored = with_later(stored, as_json(type(self.settings)()))
        changed = [name for name in given if stored.get(name) != given[name] and name not in self._may_change]
        if changed:
            was = ", ".join(f"{name} was {stored.get(name)!r}, now {given[name]!r}" for name in changed)
            raise MingpaiError(f"{self.path} was started with other settings: {was}")
        return sittings

    # checkpoints

    def _checkpoints(self) -> list[Path]:
        return sorted((self.path / "checkpoints").glob("*.pt"))

    def _find_checkpoint(self) -> int:
        """Reads the last checkpoint that is whole; its step, or 0. Damaged ones are set aside, with a warning."""
        last_error: MingpaiError | None = None
        for path in reversed(self._checkpoints()):
            try:
                self._loaded = _read_checkpoint(path)
                return int(path.stem)
            except MingpaiError as error:
                last_error = error
                log.warning("%s; it is set aside", error)
                path.rename(path.with_suffix(".damaged"))
        if last_error is not None:
            raise MingpaiError(f"{self.path} has no checkpoint that can be read: {last_error}")
        return 0

    def save(self, step: int, state: Mapping[str, Any]) -> Path:
        """Writes a checkpoint, whole or not at all, and removes old ones."""
        import torch

        path = self.path / "checkpoints" / CHECKPOINT_PATTERN.format(step)
        whole = io.BytesIO()  # torch's own writer hides why a file could not be written
        torch.save(dict(state), whole)
        with replacing(path) as temporary:
            temporary.write_bytes(whole.getbuffer())
        for old in self._checkpoints()[:-KEPT_CHECKPOINTS]:
            old.unlink()
        return path

    def load(self) -> dict[str, Any]:
        """The last checkpoint. Raises MingpaiError if there is none or it is damaged."""
        if self._loaded is not None:
            state, self._loaded = self._loaded, None
            return state
        paths = self._checkpoints()
        if not paths:
            raise MingpaiError(f"{self.path} has no checkpoint")
        return _read_checkpoint(paths[-1])

    # metrics

    def _open_metrics(self, step: int) -> None:
        """Goes on after `step`: lines of steps that the checkpoint does not know are dropped, with a torn last one."""
        path = self.path / "metrics.jsonl"
        if path.exists():
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            kept = [line for line in lines if 0 <= _step_of(line) <= step]
            with writing_text(path) as file:
                file.writelines(line + "\n" for line in kept)
        self._metrics = RecordWriter(path)
        self._board = open_board(self.path / "tensorboard", step)

    def log(self, step: int, values: Mapping[str, float]) -> None:
        """One line of metrics."""
        assert self._metrics is not None, "start the run first"
        self._metrics.write_line(json.dumps({"step": step, **values}))
        if self._board is not None:
            for name, value in values.items():
                self._board.add_scalar(name, value, step)

    def metrics(self) -> Iterator[dict[str, float]]:
        """All lines of metrics so far."""
        with (self.path / "metrics.jsonl").open(encoding="utf-8") as file:
            yield from map(json.loads, file)

    def close(self) -> None:
        if self._metrics is not None:
            self._metrics.close()
            self._metrics = None
        if self._board is not None:
            self._board.close()
            self._board = None


def _read_checkpoint(path: Path) -> dict[str, Any]:
    """What a checkpoint holds. Raises MingpaiError for one that is torn or empty."""
    import torch

    try:
        state = torch.load(path, weights_only=True)
    except (RuntimeError, ValueError, EOFError, LookupError, OSError, pickle.UnpicklingError) as error:
        why = (str(error) or "it is empty").splitlines()[0]
        raise MingpaiError(f"checkpoint {path} is damaged: {why}") from None
    if not isinstance(state, dict):
        raise MingpaiError(f"checkpoint {path} is damaged: it holds no state")
    return state


def _step_of(line: str) -> int:
    """The step of a line of metrics; -1 for a line that is none."""
    try:
        return int(json.loads(line)["step"])
    except (ValueError, LookupError, TypeError):
        return -1


def open_board(path: Path, step: int) -> Any:
    """Where TensorBoard is installed, a writer for it; what a lost sitting wrote after `step` is hidden."""
    if importlib.util.find_spec("tensorboard") is None:
        return None
    from torch.utils.tensorboard import SummaryWriter

    return SummaryWriter(str(path), purge_step=step + 1)


def as_json(settings: Any) -> dict[str, Any]:
    """Settings as they come back from JSON."""
    data: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(settings), default=str))
    return data


def with_later(stored: Mapping[str, Any], usual: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of a run, with the usual values of those that came after it: a newer program goes on as the older."""
    later = {name: value for name, value in usual.items() if name not in stored}
    groups = {name: with_later(value, usual[name]) for name, value in stored.items()
              if isinstance(value, Mapping) and isinstance(usual.get(name), Mapping)}  # fmt: skip
    return {**stored, **groups, **later}


def command_of(name: str, settings: Any) -> str:
    """The command that trains with these settings: those that are not the defaults of their kind."""
    usual = as_json(type(settings)())
    changed = [f"--set {key}={value}" for key, value in as_json(settings).items() if value != usual[key]]
    return " ".join([f"mingpai train {name}", *changed])


def _version() -> str:
    try:
        return importlib.metadata.version("mingpai")
    except importlib.metadata.PackageNotFoundError:
        return "source tree"


def commit() -> str:
    """The commit of the source tree, with + for changes; empty outside one."""
    folder = Path(__file__).parent
    try:
        name = subprocess.run(["git", "describe", "--always", "--dirty=+", "--abbrev=12", "--exclude=*"], cwd=folder,
                              capture_output=True, text=True, timeout=10)  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return ""
    return name.stdout.strip() if name.returncode == 0 else ""
