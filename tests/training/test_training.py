"""Runs that are killed, interrupted and resumed end where an undisturbed one does."""

import importlib.util
import json
import signal
import subprocess
import sys
import time
import types
from pathlib import Path

import numpy as np
import pytest
import torch

from mingpai.core.errors import MingpaiError
from mingpai.models.card import Card
from mingpai.models.loader import Model
from mingpai.training.export import TOLERANCE, Graph, about_run, ship_network
from mingpai.training.loop import interruptible, load_shipped, train
from mingpai.training.run import TrainingRun, commit, with_later
from tests.training.toy import OFFSET, SLOPE, LineLearner, LineSettings


def run_of(path: Path, settings: LineSettings | None = None) -> TrainingRun:
    return TrainingRun(path, "line", settings or LineSettings(), may_change=("steps",))


def test_the_toy_learns_its_line(tmp_path: Path) -> None:
    learner = LineLearner(LineSettings())
    outcome = train(run_of(tmp_path), learner, 300)
    assert (outcome.step, outcome.interrupted) == (300, False)
    assert learner.net.weight.item() == pytest.approx(SLOPE, abs=0.05)
    assert learner.net.bias.item() == pytest.approx(OFFSET, abs=0.05)
    losses = [line["loss"] for line in run_of(tmp_path).metrics()]
    assert losses[-1] < losses[0] / 100


def test_a_resumed_run_is_the_undisturbed_one(tmp_path: Path) -> None:
    whole, parts = LineLearner(LineSettings()), LineLearner(LineSettings())
    train(run_of(tmp_path / "whole"), whole, 100)
    train(run_of(tmp_path / "parts"), parts, 37)
    again = LineLearner(LineSettings())
    train(run_of(tmp_path / "parts", LineSettings(steps=500)), again, 100, resume=True)
    assert again.net.weight.item() == whole.net.weight.item()
    lines = [list(run_of(tmp_path / name).metrics()) for name in ("whole", "parts")]
    assert lines[0][-1] == lines[1][-1]
    about = json.loads((tmp_path / "parts" / "run.json").read_text())
    assert len(about["sittings"]) == 2
    assert about["settings"]["steps"] == 500


def test_a_run_goes_on_where_a_newer_program_has_more_settings(tmp_path: Path) -> None:
    """With their usual values; another value of a setting that the run did not know is refused like any other."""
    train(run_of(tmp_path), LineLearner(LineSettings()), 5)
    about = tmp_path / "run.json"
    data = json.loads(about.read_text())
    del data["settings"]["rate"]
    about.write_text(json.dumps(data))
    with pytest.raises(MingpaiError, match="rate was"):
        train(run_of(tmp_path, LineSettings(rate=0.1)), LineLearner(LineSettings()), 6, resume=True)
    assert train(run_of(tmp_path), LineLearner(LineSettings()), 6, resume=True).step == 6
    assert with_later({"a": {"b": 1}}, {"a": {"b": 2, "c": 3}, "d": 4}) == {"a": {"b": 1, "c": 3}, "d": 4}


def test_other_settings_are_refused_by_name(tmp_path: Path) -> None:
    train(run_of(tmp_path), LineLearner(LineSettings()), 5)
    with pytest.raises(MingpaiError, match="--resume"):
        train(run_of(tmp_path), LineLearner(LineSettings()), 5)
    with pytest.raises(MingpaiError, match=r"rate was 0\.05, now 0\.1"):
        train(run_of(tmp_path, LineSettings(rate=0.1)), LineLearner(LineSettings()), 5, resume=True)
    with pytest.raises(MingpaiError, match="a run of 'line'"):
        TrainingRun(tmp_path, "curve", LineSettings()).start(resume=True)


def test_metrics_after_the_last_checkpoint_are_dropped_with_a_torn_line(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    train(run, LineLearner(LineSettings()), 20)
    with (tmp_path / "metrics.jsonl").open("a") as file:
        file.write('{"step": 30, "loss": 1}\n{"step": 4')
    assert run.start(resume=True) == 20
    assert [line["step"] for line in run.metrics()] == [10, 20]
    run.close()


def test_only_the_last_checkpoints_are_kept(tmp_path: Path) -> None:
    train(run_of(tmp_path), LineLearner(LineSettings()), 10, checkpoint_seconds=0)
    assert [path.stem for path in sorted((tmp_path / "checkpoints").iterdir())] == ["000000000008", "000000000009",
                                                                                     "000000000010"]  # fmt: skip


def test_ctrl_c_is_a_flag_once_and_itself_twice() -> None:
    with interruptible() as is_interrupted:
        assert not is_interrupted()
        signal.raise_signal(signal.SIGINT)
        assert is_interrupted()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


LONG = """
import sys
from pathlib import Path
from mingpai.training.loop import train
from tests.training.test_training import run_of
from tests.training.toy import LineLearner, LineSettings
outcome = train(run_of(Path(sys.argv[1])), LineLearner(LineSettings()), 10**9, log_every=1,
                checkpoint_seconds=float(sys.argv[2]), progress=lambda step, values: print(step, flush=True))
print("interrupted" if outcome.interrupted else "ended", outcome.step, flush=True)
"""


def start(path: Path, checkpoint_seconds: str) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", LONG, str(path), checkpoint_seconds], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    for _ in range(30):
        process.stdout.readline()
    return process


def test_ctrl_c_saves_the_step_in_hand(tmp_path: Path) -> None:
    with start(tmp_path, "1000") as process:
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        last = process.stdout.read().strip().splitlines()[-1]
    word, step = last.split()
    assert word == "interrupted"
    assert run_of(tmp_path).start(resume=True) == int(step)


def test_a_killed_run_goes_on_from_its_checkpoint_and_ends_the_same(tmp_path: Path) -> None:
    with start(tmp_path / "killed", "0") as process:
        time.sleep(0.1)
        process.kill()
    run = run_of(tmp_path / "killed")
    reached = run.start(resume=True)
    run.close()
    assert reached > 0
    killed, whole = LineLearner(LineSettings()), LineLearner(LineSettings())
    train(run_of(tmp_path / "killed"), killed, reached + 20, resume=True)
    train(run_of(tmp_path / "whole"), whole, reached + 20)
    assert killed.net.weight.item() == whole.net.weight.item()


def test_a_trained_network_is_shipped_runs_on_onnx_and_can_be_trained_on(tmp_path: Path) -> None:
    learner, run = LineLearner(LineSettings()), run_of(tmp_path / "run")
    train(run, learner, 200)
    card = Card("toy-line", "A line", "toy", "line", "1", "made here", "pytest", 1, commit() or "none")
    root = tmp_path / "models"
    root.mkdir()
    graph = Graph(learner.net, {"x": torch.rand(2, 1)}, ["y"])
    model = Model(ship_network(graph, learner.net, card, run, about_run(run, learned=200), root))
    points = np.array([[0.0], [1.0], [5.0]], np.float32)
    assert model.run({"x": points})["y"].ravel() == pytest.approx([OFFSET, OFFSET + SLOPE, OFFSET + 5 * SLOPE], abs=0.2)
    fresh = LineLearner(LineSettings(seed=9))
    load_shipped(fresh.net, model)
    assert torch.equal(fresh.net.weight, learner.net.weight)
    with pytest.raises(MingpaiError, match="another shape"):
        load_shipped(torch.nn.Linear(2, 1), model)


def test_metrics_go_to_tensorboard_where_it_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[tuple[str, float, int]] = []

    class Writer:
        def __init__(self, path: str, purge_step: int) -> None:
            assert path == str(tmp_path / "tensorboard")

        def add_scalar(self, name: str, value: float, step: int) -> None:
            written.append((name, value, step))

        def close(self) -> None:
            written.append(("closed", 0.0, 0))

    module = importlib.util.find_spec("json")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: module)
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", types.SimpleNamespace(SummaryWriter=Writer))
    run = run_of(tmp_path)
    run.start()
    run.log(3, {"loss": 0.5})
    run.close()
    assert written == [("loss", 0.5, 3), ("closed", 0.0, 0)]


def test_a_file_that_differs_from_its_network_is_not_shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learner, run = LineLearner(LineSettings()), run_of(tmp_path / "run")
    train(run, learner, 1)
    card = Card("toy-line", "A line", "toy", "line", "1", "made here", "pytest", 1, commit() or "none")
    monkeypatch.setattr("mingpai.training.export.largest_difference", lambda *_: 2 * TOLERANCE)
    with pytest.raises(MingpaiError, match="differs"):
        ship_network(
            Graph(learner.net, {"x": torch.rand(2, 1)}, ["y"]), learner.net, card, run, {}, tmp_path / "models"
        )
    assert not (tmp_path / "models").exists()


def test_a_damaged_last_checkpoint_is_set_aside_and_the_one_before_it_taken(tmp_path: Path) -> None:
    for damage in (b"", b"PK\x03\x04 torn"):
        folder = tmp_path / str(len(damage))
        train(run_of(folder), LineLearner(LineSettings()), 10, checkpoint_seconds=0)
        (folder / "checkpoints" / "000000000010.pt").write_bytes(damage)
        again = LineLearner(LineSettings())
        assert train(run_of(folder), again, 12, resume=True).step == 12
        whole = LineLearner(LineSettings())
        train(run_of(folder / "whole"), whole, 12)
        assert again.net.weight.item() == whole.net.weight.item()
        assert (folder / "checkpoints" / "000000000010.damaged").exists()


def test_a_run_without_a_good_checkpoint_says_so(tmp_path: Path) -> None:
    train(run_of(tmp_path), LineLearner(LineSettings()), 5)
    (tmp_path / "checkpoints" / "000000000005.pt").write_bytes(b"")
    with pytest.raises(MingpaiError, match="no checkpoint that can be read"):
        train(run_of(tmp_path), LineLearner(LineSettings()), 6, resume=True)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema": 1}', '{"schema": 1, "settings": 3, "sittings": []}'])
def test_a_damaged_run_json_is_named_and_can_be_removed(tmp_path: Path, text: str) -> None:
    train(run_of(tmp_path), LineLearner(LineSettings()), 5)
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(MingpaiError, match="damaged"):
        train(run_of(tmp_path), LineLearner(LineSettings()), 6, resume=True)
    (tmp_path / "run.json").unlink()
    with pytest.raises(MingpaiError, match="--resume"):
        train(run_of(tmp_path), LineLearner(LineSettings()), 6)
    assert train(run_of(tmp_path), LineLearner(LineSettings()), 6, resume=True).step == 6


def test_a_checkpoint_that_cannot_be_written_leaves_the_older_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train(run_of(tmp_path), LineLearner(LineSettings()), 5)

    def torn(path: Path, data: bytes) -> None:
        with path.open("wb") as file:
            file.write(b"half")
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", torn)
        with pytest.raises(MingpaiError, match="No space left"):
            train(run_of(tmp_path), LineLearner(LineSettings()), 6, resume=True)
    assert [path.name for path in (tmp_path / "checkpoints").iterdir()] == ["000000000005.pt"]
    assert train(run_of(tmp_path), LineLearner(LineSettings()), 6, resume=True).step == 6
