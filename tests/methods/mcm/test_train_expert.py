"""Expert iteration: moves are played out in the dealt hands, the network learns how they differ, and is tested."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from mingpai._native import doudizhu, mcm  # noqa: E402
from mingpai._native.mcm import DealtPlayouts  # noqa: E402
from mingpai.agents.doudizhu_greedy import tuned_weights  # noqa: E402
from mingpai.core.errors import BadSetting  # noqa: E402
from mingpai.methods.mcm import train_expert  # noqa: E402
from mingpai.methods.mcm.agent import STUDENT  # noqa: E402
from mingpai.methods.mcm.losses import above_mean, rank_in_group, worth_comparing  # noqa: E402
from mingpai.methods.mcm.match import MatchResult  # noqa: E402
from mingpai.methods.mcm.rows import native_network  # noqa: E402
from mingpai.methods.mcm.train_expert import ExpertLearner, ExpertSettings  # noqa: E402

RULES = doudizhu.profile("standard")
SMALL = ExpertSettings(
    samples=1024, tables=32, minibatch=32, model=STUDENT, generation=64, gate_deals=256, points_share=0.5, mixed=False
)


@pytest.mark.parametrize("better", [True, False])
def test_a_generation_is_kept_only_if_it_is_better(better: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    result = MatchResult(np.array([1.0, 0.5]), np.array([1.0, 0.0]), 0.5)
    monkeypatch.setattr(train_expert, "is_better", lambda *_: (better, result))
    learner = ExpertLearner(SMALL)
    before = learner.best.out.weight.clone()
    assert learner.step()["generation"] == 0
    metrics = learner.step()
    assert (metrics["generation"], metrics["kept"]) == (1, int(better))
    assert torch.equal(learner.best.out.weight, before) != better
    assert not torch.equal(learner.mean.out.weight, before)


def test_a_run_goes_on_with_what_it_had_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    result = MatchResult(np.array([1.0, 0.5]), np.array([1.0, 0.0]), 0.5)
    monkeypatch.setattr(train_expert, "is_better", lambda *_: (True, result))
    learner = ExpertLearner(SMALL)
    for _ in range(3):
        learner.step()
    again = ExpertLearner(SMALL)
    again.load_state_dict(learner.state_dict())
    assert (again.steps, again.generation, again.kept) == (3, 1, 1)
    assert torch.equal(again.best.out.weight, learner.best.out.weight)
    assert again.step()["generation"] == 2


@pytest.mark.parametrize("for_points", [False, True])
def test_results_are_those_of_deals_played_to_the_end(for_points: bool) -> None:
    """A move that goes out wins the deal of its side; other results are within their bounds."""
    batch = mcm.Batch(40, 5, RULES, points_share=float(for_points))
    playouts = DealtPlayouts(native_network(STUDENT), RULES, tuned_weights())
    rng = np.random.default_rng(2)
    ended = 0
    for _ in range(60):
        offsets = batch.offsets()
        for table in range(40):
            hand = batch.hands(table)[batch.turns()[table]]
            for place, move in enumerate(batch.moves(table)):
                if move.cards == hand:
                    (result,) = playouts.results(batch, [table], [place])
                    assert result >= 1
                    ended += 1
        choices = rng.integers(0, np.diff(offsets)).astype(np.int32)
        results = playouts.results(batch, list(range(40)), choices.tolist())
        bound = 8 if for_points else 1
        assert all(-bound * for_points <= result <= bound for result in results)
        batch.play(choices)
    assert ended > 0


def test_moves_that_are_not_there_are_refused() -> None:
    batch = mcm.Batch(2, 5, RULES)
    playouts = DealtPlayouts(native_network(STUDENT), RULES, tuned_weights())
    for tables, moves in (([2], [0]), ([0], [len(batch.moves(0))]), ([-1], [0]), ([0, 1], [0])):
        with pytest.raises(ValueError, match="moves"):
            playouts.results(batch, tables, moves)


def test_the_moves_that_are_compared() -> None:
    """States of four, two and one moves: the best two and one other; nothing of a state with a single one."""
    states = torch.zeros(3, mcm.STATE_SIZE, dtype=torch.uint8)
    of = torch.tensor([0, 0, 0, 0, 1, 1, 2])
    own = torch.tensor([[0.1, 9.0], [3.0, 0.0], [0.2, 0.0], [2.0, 0.0], [0.0, 0.0], [1.0, 0.0], [1.0, 0.0]])

    def kept(seed: int, others: int = 0, margin: float = np.inf) -> tuple[int, ...]:
        rng = np.random.default_rng(seed)
        return tuple(worth_comparing(states, of, own, rng, best=2, others=others, margin=margin).tolist())

    assert {kept(seed, others=1) for seed in range(30)} == {(0, 1, 3, 4, 5), (1, 2, 3, 4, 5)}
    assert kept(0) == (1, 3, 4, 5)
    assert kept(0, margin=0.99) == ()
    assert kept(0, margin=1.0) == (1, 3, 4, 5)


def test_ranks_and_means_of_groups() -> None:
    of = np.array([0, 0, 0, 2, 2])
    assert rank_in_group(np.array([3.0, 1.0, 2.0, 5.0, 4.0]), of).tolist() == [2, 0, 1, 1, 0]
    values = above_mean(torch.tensor([1.0, 2.0, 3.0, 5.0, 7.0]), torch.from_numpy(of), 3)
    assert values.tolist() == [-1.0, 0.0, 1.0, -1.0, 1.0]


def test_an_expert_works_on_one_machine() -> None:
    with pytest.raises(BadSetting, match="local"):
        ExpertLearner(ExpertSettings(engine="ray"))
