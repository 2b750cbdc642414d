"""Training on Ray: two workers, one of which is killed. Where Ray is missing, it says how to get it."""

import importlib.util
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")

from mingpai.core.errors import BadSetting, NotInstalled  # noqa: E402
from mingpai.methods.mcm.ray import RayPlay  # noqa: E402
from mingpai.methods.mcm.train_value import ValueLearner  # noqa: E402
from tests.methods.mcm.test_train_value import SMALL  # noqa: E402

ON_RAY = replace(SMALL, engine="ray", workers=2, first=200)


def test_a_killed_worker_is_replaced_and_learning_goes_on() -> None:
    if importlib.util.find_spec("ray") is None:
        with pytest.raises(NotInstalled, match=r"mingpai\[scale\]"):
            ValueLearner(ON_RAY)
        return
    import ray

    learner = ValueLearner(ON_RAY)
    assert isinstance(learner.play, RayPlay)
    try:
        for _ in range(6):
            learner.step()
        before = learner.memory.samples.added
        ray.kill(learner.play.workers.all[0])
        for _ in range(12):
            metrics = learner.step()
        assert learner.play.workers.deaths == 1
        assert len(learner.play.workers) == 2
        assert learner.memory.samples.added >= before + 12 * ON_RAY.minibatch - 8 * ON_RAY.tables
        assert metrics["samples"] == 18 * ON_RAY.minibatch
        assert 0 < metrics["landlord_rate"] < 1
    finally:
        learner.play.close()
        ray.shutdown()


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(BadSetting, match="one of local, ray"):
        ValueLearner(replace(SMALL, engine="cluster"))  # type: ignore[arg-type]
