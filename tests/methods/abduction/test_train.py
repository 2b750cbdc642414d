"""Training: phases, resume, learning, Ray."""

import importlib.util
import os
import signal
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

torch = pytest.importorskip("torch")
torch.set_num_threads(1)

from mingpai._native import abduction  # noqa: E402
from mingpai.core.errors import BadSetting, MingpaiError, NotInstalled  # noqa: E402
from mingpai.methods.abduction.actor import Actor, Collecting, OpenJudge, greedy, searchable  # noqa: E402
from mingpai.methods.abduction.duel import play_matches  # noqa: E402
from mingpai.methods.abduction.network import LITE, AblNet  # noqa: E402
from mingpai.methods.abduction.search import SearchPlan  # noqa: E402
from mingpai.methods.abduction.train import (  # noqa: E402
    METHOD,
    TRAINING,
    AblLearner,
    Meter,
    Settings,
    bots_in_turn,
    chosen,
    in_turn,
)
from mingpai.methods.abduction.workers import RaySource, open_source  # noqa: E402
from mingpai.models.loader import Model, load  # noqa: E402
from mingpai.training.learning import log_softmax  # noqa: E402
from mingpai.training.loop import load_shipped, train  # noqa: E402
from mingpai.training.run import TrainingRun  # noqa: E402

SMALL = Settings(
    decisions=3000, pretrain=300, imitate=900, tables=16, every=300, buffer=600, batch=150, imitation_batch=100,
    bots=0.5, critic="open", anchor=0.01,
)  # fmt: skip


def test_the_defaults_are_the_papers() -> None:
    plain = Settings()
    assert (plain.rate, plain.abln_rate, plain.clip, plain.gamma, plain.lam) == (1e-4, 4e-6, 0.2, 0.996, 0.98)
    assert (plain.buffer, plain.batch, plain.every, plain.decisions) == (32768, 16384, 16384, 400_000_000)


@pytest.mark.ci
def test_two_processes_learn_one_network_the_same_way_each_time() -> None:
    """They play other deals, count together and move alike: a snapshot of a league is taken by both at once."""
    settings = replace(SMALL, anchor=0.0, league=0.25, snapshot=400, processes=2, seed=3)

    def learned() -> AblLearner:
        learner = AblLearner(settings)
        for _ in range(7):
            learner.step()
        return learner

    alone, one, two = AblLearner(replace(settings, processes=1)), learned(), learned()
    alone.step()
    assert one.phase == "ppo"
    assert one.progress.snapshots > 0
    assert one.progress.decisions == two.progress.decisions > 7 * settings.every
    assert all(map(torch.equal, one.net.parameters(), two.net.parameters()))
    assert all(map(torch.equal, one.judge.parameters(), two.judge.parameters()))
    assert not torch.equal(one.net.flat_weights, alone.net.flat_weights)


def test_processes_share_out_evenly_and_play_here() -> None:
    with pytest.raises(BadSetting, match=r"divisor of tables \(16\)"):
        AblLearner(replace(SMALL, processes=3))
    with pytest.raises(BadSetting, match="Ray"):
        AblLearner(replace(SMALL, processes=2, engine="ray"))


def test_a_league_meets_frozen_copies_and_learns_only_from_itself(tmp_path: Path) -> None:
    settings = replace(SMALL, pretrain=0, imitate=0, anchor=0.0, bots=0.25, rule3=0.5, league=0.25, snapshot=400)
    learner = AblLearner(settings)
    first = {name: value.clone() for name, value in learner.net.state_dict().items()}
    for _ in range(5):
        learner.step()
    assert learner.progress.snapshots >= 3
    assert len(learner.rivals) <= 4
    assert all(torch.equal(value, first[name]) for name, value in learner.rivals[0].state_dict().items())
    again = AblLearner(settings)
    again.load_state_dict(learner.state_dict())
    assert len(again.rivals) == len(learner.rivals)
    with pytest.raises(BadSetting, match="league"):
        AblLearner(replace(settings, bots=0.9))
    with pytest.raises(BadSetting, match="engine"):
        AblLearner(replace(settings, engine="ray"))


def test_a_league_meets_a_search_and_bots_that_weigh_otherwise() -> None:
    settings = replace(
        SMALL, pretrain=0, imitate=0, anchor=0.0, bots=0.25, rule3=0.25, sparring=0.5, league=0.25, strong=0.125
    )
    asked: list[int] = []
    learner = AblLearner(settings)
    search = learner._searching

    def counted(tables: abduction.Tables, which: NDArray[np.int64]) -> NDArray[np.int32]:
        asked.append(len(which))
        return search(tables, which)

    learner.__dict__["_searching"] = counted
    metrics = learner.step()
    assert metrics["decisions"] >= settings.every
    assert sum(asked) > 20
    assert max(asked) <= 2
    with pytest.raises(BadSetting, match="sparring"):
        AblLearner(replace(settings, rule3=0.75))
    with pytest.raises(BadSetting, match="engine"):
        AblLearner(replace(settings, league=0.0, engine="ray"))


def test_bots_come_in_turn_by_their_shares() -> None:
    assert bots_in_turn(0.0, 0.0) == [4] * 20
    assert Counter(bots_in_turn(0.25, 0.0)) == {4: 15, 3: 5}
    assert Counter(bots_in_turn(0.2, 0.3)) == {4: 10, 3: 4, 5: 2, 6: 2, 7: 2}
    assert Counter(bots_in_turn(0.0, 1.0)) == {5: 7, 6: 7, 7: 6}


def test_sparring_partners_are_not_rule4() -> None:
    """Nor each other: they win and lose other rounds of the same cards."""
    results = {
        tuple(tuple(one.score.by_score) for one in play_matches([], (player, 4), 6, 3)) for player in (4, 5, 6, 7)
    }
    assert len(results) == 4


def test_decisions_of_rivals_are_not_kept() -> None:
    """At a table against a rival only team 0 learns."""
    actor = Actor(1, 1, 0, 1.0, 1.0, rival_tables=1)
    net, rival = AblNet(LITE), AblNet(LITE)
    turns = []
    while len(actor.tables.samples) < 40:
        turns.append((int(actor.tables.networks()[0]), int(actor.tables.turns()[0]) % 2))
        actor.tables.play(np.zeros(1, np.int32), np.zeros(1, np.float32), np.zeros(1, np.float32))
    assert {(0, 0), (1, 1)} == set(turns)
    kept = actor.take()
    assert len(kept) < len(turns)
    assert len(actor.collect(net, None, 40, rivals={1: greedy(rival)})) >= 40


def test_winning_is_worth_points_beside_the_score() -> None:
    """With gamma and lambda 1 advantage and value are what the round was worth; the choices are the same."""
    net, judge = AblNet(LITE), OpenJudge()
    plan = SearchPlan(1, width=3, sure=2, least=0, depth=0, prior=1)
    plain, keen = (
        Actor(4, 1, 0, 1.0, 1.0).collect(net, judge, 300, Collecting(ahead=True, plan=plan, winning=winning))
        for winning in (0.0, 0.5)
    )
    assert (plain.choice == keen.choice).all()
    assert np.allclose(plain.advantage + plain.value, plain.score, atol=1e-4)
    assert np.allclose(keen.advantage + keen.value, keen.score + 0.5 * np.sign(keen.score), atol=1e-4)
    played_out = plain.worth == np.round(plain.worth)
    assert played_out.any()
    assert np.allclose(keen.worth[played_out], (plain.worth + 0.5 * np.sign(plain.worth))[played_out], atol=1e-4)


def test_earlier_decisions_hear_less_of_a_win() -> None:
    """As of the score: less by gamma and lambda for each decision of the seat in between."""
    net = AblNet(LITE)
    plain, keen = (Actor(4, 1, 0, 0.9, 0.8).collect(net, None, 300, Collecting(winning=w)) for w in (0.0, 0.5))
    added = 0.5 * np.sign(plain.score) * (0.9 * 0.8) ** (plain.left - 1.0)
    assert np.allclose(keen.advantage - plain.advantage, added, atol=1e-5)


def test_a_minibatch_in_parts_has_the_same_gradient() -> None:
    settings = replace(SMALL, critic="own", anchor=0.0, bots=0.0)
    learner = AblLearner(settings)
    new = learner.source.collect(learner.net, None, 200)
    grads = []
    for size in (len(new), 64):
        learner.optimiser.zero_grad()
        for some in in_turn(new, size):
            (learner.ppo_loss(some, Meter(), new.advantage) * (len(some) / len(new))).backward()  # type: ignore[no-untyped-call]
        grad = learner.net.policy.weight.grad
        assert grad is not None
        grads.append(grad.clone())
    torch.testing.assert_close(grads[0], grads[1], rtol=1e-3, atol=1e-6)


def test_a_run_goes_through_its_phases_and_ships(tmp_path: Path) -> None:
    run = TrainingRun(tmp_path / "run", METHOD, SMALL)
    learner = AblLearner(SMALL)
    train(run, learner, 8, log_every=1)
    lines = list(run.metrics())
    assert [line["phase"] for line in lines][:5] == [0, 1, 1, 1, 2]
    assert lines[-1]["decisions"] >= 8 * SMALL.every
    assert lines[-1]["points_to_rule4"] <= 3
    assert {"abln", "entropy", "kl", "clipped", "divergence"} <= set(lines[-1])
    model = Model(TRAINING.ship(run, learner.state_dict(), tmp_path / "models"))
    assert model.card.method == "abduction"
    assert "--set critic=open" in model.card.command
    assert Model(tmp_path / "models" / "guandan-ablgd-critic").outputs == ["value"]


def test_a_killed_run_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    train(TrainingRun(tmp_path, METHOD, SMALL), AblLearner(SMALL), 5, log_every=1)
    resumed = AblLearner(SMALL)
    train(TrainingRun(tmp_path, METHOD, SMALL), resumed, 7, resume=True, log_every=1)
    assert resumed.progress.updates == 7
    assert resumed.progress.sitting == 1
    assert resumed.phase == "ppo"
    assert resumed.start is not None


def test_the_same_seed_gives_the_same_network() -> None:
    first, second = AblLearner(SMALL), AblLearner(SMALL)
    for _ in range(5):
        assert first.step()["abln"] == second.step()["abln"]
    torch.testing.assert_close(first.mean.state_dict(), second.mean.state_dict())


def test_imitation_learns_to_agree_with_rule4() -> None:
    learner = AblLearner(replace(SMALL, pretrain=0, imitate=9000, every=1500, imitation_batch=64))
    agreements = [learner.step()["agreement"] for _ in range(5)]
    assert agreements[-1] > agreements[0] + 0.1


def test_the_network_moves_to_what_the_search_finds() -> None:
    """After many passes over the same decisions, what the search found better has gained on what it found worse."""
    settings = replace(SMALL, pretrain=0, imitate=0, search=9000, expert=9000, search_sure=1.1)
    learner = AblLearner(settings)
    report = learner.step()
    assert report["phase"] == 3
    assert 0 < report["agreement"] <= 1
    assert learner.start is not None
    plan = settings.plan(settings.search_depth)
    new = learner.source.collect(learner.start, learner.judge, 300, Collecting(plan=plan))
    before = learner.start(*new.options()).logits
    learner._set_rates(2e-3, 1e-4)
    for _ in range(20):
        learner._descend(learner.search_loss(new, Meter()))
    gain = (learner.net(*new.options()).logits - before).detach().numpy()
    firsts, lasts = [], []
    for i in range(len(new)):
        span = slice(new.offsets[i], new.offsets[i + 1])
        moved = new.worth[span] - before.numpy()[span]
        firsts.append(gain[span][moved.argmax()])
        lasts.append(gain[span][moved.argmin()])
    assert np.mean(firsts) > np.mean(lasts) + 0.2


def test_a_search_takes_the_likely_options() -> None:
    logits = np.log(np.array([0.6, 0.3, 0.09, 0.01, 0.97, 0.03], np.float32))
    of, offsets = np.array([0, 0, 0, 0, 1, 1]), np.array([0, 4, 6], np.int32)
    plan = SearchPlan(worlds=1, width=2, sure=0.95, least=0.1, depth=4, prior=0.3)
    assert searchable(logits, of, offsets, plan).tolist() == [0, 1, 4]
    assert searchable(logits, of, offsets, replace(plan, width=9, sure=1.1)).tolist() == [0, 1, 2, 4]


def test_ppo_prefers_what_paid() -> None:
    """One state, two options, advantage for the second: its probability rises and the clip holds it back."""
    learner = AblLearner(replace(SMALL, pretrain=0, imitate=0, abln=False, entropy=0.0, anchor=0.0, critic="own"))
    new = learner.source.collect(learner.net, None, 300)
    before = learner.net(*new.options()).logits.detach()
    for _ in range(3):
        learner._descend(learner.ppo_loss(new, Meter(), new.advantage))
    after = learner.net(*new.options()).logits.detach()
    gain = (after - before)[chosen(new)]
    advantage = torch.from_numpy(new.advantage)
    assert float(gain[advantage > 1].mean()) > float(gain[advantage < -1].mean())


def test_unlikely_options_are_worth_the_mean_of_the_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mingpai.methods.abduction.actor.LIKELY", 0.15)
    learner = AblLearner(replace(SMALL, pretrain=0, imitate=0, ahead=1.0))
    new = learner.source.collect(learner.net, learner.judge, 300, Collecting(ahead=True))
    of = new.options()[-1]
    shares = log_softmax(learner.net(*new.options()).logits, of, len(new)).detach().exp().numpy()
    seen = 0
    for i in range(len(new)):
        span = slice(new.offsets[i], new.offsets[i + 1])
        likely = shares[span] >= 0.15
        if abs(shares[span] - 0.15).min() > 1e-3 and likely.any() and not likely.all():
            mean = np.average(new.worth[span][likely], weights=shares[span][likely])
            assert new.worth[span][~likely] == pytest.approx(mean, abs=1e-3)
            seen += 1
    assert seen


def test_looking_further_ahead_values_the_options_where_the_policy_is_not_sure() -> None:
    """What is played on takes the place of what the judge says at once, for those options alone."""
    settings = replace(SMALL, pretrain=0, imitate=0, ahead=1.0, ahead_depth=2, search_sure=0.5, search_width=2)
    one, other = AblLearner(settings), AblLearner(replace(settings, ahead_depth=0))
    assert one.settings.looking_ahead().plan is not None
    assert other.settings.looking_ahead().plan is None
    further, at_once = (
        learner.source.collect(learner.net, learner.judge, 300, learner.settings.looking_ahead())
        for learner in (one, other)
    )
    np.testing.assert_array_equal(further.rows, at_once.rows)
    of = further.options()[-1]
    logits = log_softmax(one.net(*further.options()).logits, of, len(further)).detach().numpy()
    picked = searchable(logits, of.numpy(), further.offsets, settings.plan(2))
    several = picked[np.bincount(of.numpy()[picked])[of.numpy()[picked]] > 1]
    changed = np.flatnonzero(further.worth != at_once.worth)
    assert 0.5 * len(several) < len(changed) <= len(several)
    assert set(changed) <= set(several)


def test_from_shipped_with_an_open_judge_takes_the_shipped_one() -> None:
    learner = AblLearner(replace(SMALL, critic="open"))
    (name, features), judge = next(iter(TRAINING.teachers(learner).items()))
    load_shipped(judge, load(name, game="guandan", features=features))
    rows = learner.source.imitate(4, 2000)
    found = learner.judge(torch.from_numpy(rows.open)).detach().numpy()
    assert float(np.corrcoef(found, rows.score)[0, 1]) > 0.5
    assert not TRAINING.teachers(AblLearner(replace(SMALL, critic="own")))


def test_a_wider_head_begins_as_the_narrower_one_played() -> None:
    """The same logits, and new weights that can learn."""
    narrow, wide = AblLearner(replace(SMALL, config="lite")), AblLearner(replace(SMALL, config="wide"))
    weights = {name: value.numpy() for name, value in narrow.net.state_dict().items()}
    grown = TRAINING.adapt(weights, wide.net)
    wide.net.load_state_dict({name: torch.from_numpy(value.copy()) for name, value in grown.items()})
    decisions = narrow.source.imitate(4, 200)
    one, other = (learner.net(*decisions.options()).logits for learner in (narrow, wide))
    torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)
    other.square().sum().backward()
    out, hidden = wide.net.option_out.weight.grad, wide.net.option_hidden.weight.grad
    assert out is not None
    assert hidden is not None
    assert float(out[0, LITE.option_hidden :].abs().max()) > 0
    assert float(hidden[:, LITE.option_width :].abs().max()) > 0


def test_the_usual_run_goes_on_from_the_shipped_network() -> None:
    model = load("guandan-ablgd", game="guandan", features=TRAINING.features)
    learner = AblLearner(SMALL)
    load_shipped(learner.net, model, TRAINING.adapt)
    assert torch.equal(learner.net.option_out.weight, torch.from_numpy(model.weights()["option_out.weight"]))


def test_a_blind_run_learns_without_counting_cards() -> None:
    settings = replace(SMALL, pretrain=0, imitate=300, abln=False)
    blind, seeing = AblLearner(replace(settings, blind=True)), AblLearner(settings)
    assert len(blind.net.scene_weights) == abduction.SEEN_SIZE < len(seeing.net.scene_weights)
    one, other = (learner.source.imitate(4, 300) for learner in (blind, seeing))
    np.testing.assert_array_equal(one.rows, other.rows)
    hold = abduction.fact_names().index("hold")
    assert (one.facts[:, hold] != other.facts[:, hold]).mean() > 0.3
    assert blind.step()["phase"] == 1
    assert blind.step()["phase"] == 2


def test_facts_follow_from_the_estimate_where_options_count_no_cards() -> None:
    learner = AblLearner(replace(SMALL, pretrain=0, imitate=300, blind=True))
    assert [learner.step()["phase"] for _ in range(2)] == [1, 2]
    new = learner.source.collect(learner.net, learner.judge, 300)
    changed = AblLearner(replace(SMALL, pretrain=0, imitate=300, blind=True))
    with torch.no_grad():
        changed.net.abln_out.bias.add_(3)  # sees all unseen cards everywhere
    other = changed.source.collect(changed.net, changed.judge, 300)
    hold = abduction.fact_names().index("hold")
    assert other.facts[:, hold].mean() < new.facts[:, hold].mean()
    with pytest.raises(BadSetting, match="engine"):
        AblLearner(replace(SMALL, blind=True, engine="ray"))


def test_bad_settings_are_refused() -> None:
    with pytest.raises(BadSetting, match="critic"):
        AblLearner(replace(SMALL, critic="none"))  # type: ignore[arg-type]
    with pytest.raises(BadSetting, match="critic"):
        AblLearner(replace(SMALL, critic="own", search=100))
    with pytest.raises(BadSetting, match="config"):
        AblLearner(replace(SMALL, config="huge"))  # type: ignore[arg-type]
    with pytest.raises(BadSetting, match="engine"):
        open_source("grid", 1, shape={}, tables=1)
    with pytest.raises(MingpaiError, match="shape"):
        AblLearner(replace(SMALL, abln=False)).load_state_dict(AblLearner(SMALL).state_dict())


def test_ray_workers_play_and_a_killed_one_is_replaced() -> None:
    settings = replace(SMALL, engine="ray", workers=2, pretrain=0, imitate=100, every=100, tables=4, bots=0.0)
    if importlib.util.find_spec("ray") is None:
        with pytest.raises(NotInstalled):
            AblLearner(settings).step()
        return
    import ray

    learner = AblLearner(settings)
    try:
        learner.step()
        source = learner.source
        assert isinstance(source, RaySource)
        first, second = source.workers.pids()
        assert first != second != os.getpid()
        os.kill(first, signal.SIGKILL)
        report = learner.step()
        assert source.workers.deaths == 1
        assert report["decisions"] >= 2 * settings.every
        assert first not in source.workers.pids()
    finally:
        ray.shutdown()
