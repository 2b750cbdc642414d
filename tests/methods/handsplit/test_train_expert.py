"""Expert iteration: playouts decide, the network learns, and only a better one is kept."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from mingpai.methods.handsplit import train_expert  # noqa: E402
from mingpai.methods.handsplit.mcm_match import MatchResult  # noqa: E402
from mingpai.methods.handsplit.train_expert import METHOD, ExpertLearner, Settings  # noqa: E402
from mingpai.training.loop import train  # noqa: E402
from mingpai.training.run import TrainingRun  # noqa: E402

SMALL = Settings(generations=2, deals=1, worlds=4, candidates=3, particles=20, epochs=1, minibatch=32, gate_deals=256)


@pytest.mark.parametrize("better", [True, False])
def test_a_generation_is_kept_only_if_it_is_better(better: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    result = MatchResult(np.array([1.0, 0.5]), np.array([1.0, 0.0]), 0.5)
    monkeypatch.setattr(train_expert, "is_better", lambda *_: (better, result))
    learner = ExpertLearner(SMALL)
    before = learner.net
    weights = before.out.weight.detach().clone()
    metrics = learner.step()
    assert metrics["generation"] == 1
    assert metrics["kept"] == better
    assert (learner.net is before) != better
    assert torch.equal(before.out.weight, weights)
    assert torch.equal(learner.net.out.weight, weights) != better
    assert np.isfinite([metrics["loss_before"], metrics["loss_after"]]).all()


def test_samples_are_the_candidates_of_each_choice(tmp_path: Path) -> None:
    learner = ExpertLearner(SMALL)
    parts = learner._expert.play(3)
    assert len(parts) > 5
    for part in parts:
        assert len(part.states) == len(part.moves) == len(part.wins) <= SMALL.candidates
        assert ((part.wins >= 0) & (part.wins <= 1)).all()
    again = learner._expert.play(3)
    assert all(np.array_equal(a.wins, b.wins) for a, b in zip(parts, again, strict=True))


def test_a_run_goes_on_in_the_middle_of_a_generation(tmp_path: Path) -> None:
    settings = Settings(**{**SMALL.__dict__, "deals": 4, "generations": 1})
    run = TrainingRun(tmp_path / "run", METHOD, settings)
    train(run, ExpertLearner(settings), 2)
    learner = ExpertLearner(settings)
    learner.load_state_dict(TrainingRun(tmp_path / "run", METHOD, settings).load())
    assert learner.steps == 2
    assert learner.step()["decisions"] > 10
