"""Training: it learns what can be learned, keeps the best snapshot, goes on where it stopped, ships what it trained."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
import torch

from mingpai._native import bidding as native
from mingpai.core.errors import BadSetting, MingpaiError
from mingpai.methods.bidding.clean import Samples, write_samples
from mingpai.methods.bidding.model import BidModel
from mingpai.methods.bidding.train import (
    CALIBRATED_TRAINING,
    TRAINING,
    BiddingLearner,
    OurSettings,
    Settings,
    divided,
    samples_of,
)
from mingpai.training.loop import train
from mingpai.training.run import TrainingRun
from tests.cli.shell import mingpai

SIZE = 1500


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A toy with a known answer: bid from a hand value on, the higher the more was bid before; no noise."""
    hands = np.ascontiguousarray(native.deals(8, 0, SIZE)[:, 0])
    value = np.arange(SIZE) % 3
    label = (native.values(hands) > np.array([-0.3, 0.0, 0.3])[value]).astype(np.uint8)
    path = tmp_path_factory.mktemp("samples") / "samples.csv"
    write_samples(path, Samples(np.zeros(SIZE, np.uint8), value.astype(np.uint8), hands, label))
    return path


def test_it_learns_a_toy_with_a_known_answer(file: Path) -> None:
    learner = BiddingLearner(Settings(data=str(file), rate=3e-3, minibatch=32, dropout=0.1))
    accuracies = [learner.step()["test_accuracy"] for _ in range(12)]
    assert max(accuracies) > 0.93
    assert learner.best_score == pytest.approx(max(accuracies), abs=1e-5)


def test_without_the_situation_or_strong_cards_it_learns_less(file: Path) -> None:
    best = {}
    for variant in ("paper", "no_strong", "no_situation"):
        learner = BiddingLearner(Settings(data=str(file), variant=variant, rate=3e-3, minibatch=32, dropout=0.1))
        best[variant] = max(learner.step()["test_accuracy"] for _ in range(8))
    assert best["paper"] > best["no_strong"] + 0.05
    assert best["paper"] > best["no_situation"] + 0.02


def test_a_test_sample_is_never_trained_on(file: Path) -> None:
    samples = samples_of(Settings(data=str(file)))
    trained, tested = divided(samples, 1)
    assert len(tested) == SIZE // 5
    assert not set(trained.hand.tolist()) & set(tested.hand.tolist())
    other = divided(samples, 2)[1]
    assert set(other.hand.tolist()) != set(tested.hand.tolist())


def test_ours_is_calibrated_on_samples_of_its_own(file: Path) -> None:
    learner = BiddingLearner(OurSettings(data=str(file), rate=3e-3, minibatch=32))
    for _ in range(6):
        learner.step()
    assert len(learner.calibration) == round(0.1 * 0.8 * SIZE)
    assert len(learner.calibration) + len(learner.train) + len(learner.test) == SIZE
    with torch.no_grad():
        chance = torch.sigmoid(learner.net.logit(learner.calibration.rows))
    assert float(chance.mean()) == pytest.approx(float(learner.calibration.labels.float().mean()), abs=0.01)


def test_a_resumed_run_ends_where_the_whole_one_does(file: Path, tmp_path: Path) -> None:
    settings = Settings(data=str(file), epochs=4, minibatch=64)

    def run(name: str, epochs: int, resume: bool) -> dict[str, torch.Tensor]:
        kept = TrainingRun(tmp_path / name, TRAINING.method, dataclasses.replace(settings, epochs=epochs),
                           may_change=TRAINING.may_change)  # fmt: skip
        learner = BiddingLearner(kept.settings)
        train(kept, learner, epochs, resume=resume, log_every=1)
        return learner.net.state_dict()

    whole = run("whole", 4, False)
    run("parts", 2, False)
    parts = run("parts", 4, True)
    assert all(torch.equal(whole[name], parts[name]) for name in whole)


def test_the_command_starts_from_the_shipped_model_and_ships(file: Path, tmp_path: Path) -> None:
    answer = mingpai("train", "bidding", "--run", str(tmp_path / "run"), "--set", f"data={file}", "--set", "epochs=2",
                     "--set", "minibatch=64", "--from-shipped", "--ship", str(tmp_path), "--json")  # fmt: skip
    assert answer.code == 0, answer
    line = json.loads(answer.out.splitlines()[0])
    assert line["step"] == 1
    assert line["test_accuracy"] > 0.8
    model = BidModel(str(tmp_path / "doudizhu-bidding"))
    hands = np.ascontiguousarray(native.deals(9, 0, 50)[:, 0])
    assert np.corrcoef(model.logits([0] * 50, [0] * 50, hands), native.values(hands))[0, 1] > 0.7
    about = json.loads((tmp_path / "doudizhu-bidding" / "run.json").read_text())
    assert len(about["metrics"]) == 2


def test_it_makes_its_own_samples() -> None:
    samples = samples_of(Settings(games=2500, players=12, samples=400))
    assert len(samples) == 400
    assert 0.2 < samples.label.mean() < 0.8
    assert samples_of(Settings(games=2500, players=12, samples=400)).hand.tolist() == samples.hand.tolist()


def test_wrong_settings_are_told(file: Path, tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="variant"):
        BiddingLearner(Settings(data=str(file), variant="best"))  # type: ignore[arg-type]
    few = tmp_path / "few.csv"
    few.write_text("\n".join(file.read_text().splitlines()[:10]))
    with pytest.raises(MingpaiError, match="too few"):
        BiddingLearner(Settings(data=str(few)))
    learner = BiddingLearner(Settings(data=str(file)))
    with pytest.raises(MingpaiError, match="features"):
        learner.load_state_dict(learner.state_dict() | {"features": "other"})
    assert CALIBRATED_TRAINING.shipped != TRAINING.shipped
