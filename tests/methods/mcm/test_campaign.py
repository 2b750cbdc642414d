"""The long training as one command: sittings, snapshots with scores, and models at the end."""

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

EXPERIMENTS = Path(__file__).parents[3] / "experiments"


@pytest.fixture
def campaign(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    yield importlib.import_module("doudizhu_campaign")
    for name in ("doudizhu_campaign", "frozen_agents", "network_matches", "script"):
        sys.modules.pop(name, None)


@pytest.mark.ci
def test_a_campaign_goes_on_where_it_stopped_and_leaves_models(campaign: Any, tmp_path: Path) -> None:
    changed = {"tables": 32, "minibatch": 32, "memory": 2000, "first": 200, "start": "fresh", "judge": "fresh",
               "shape": campaign.Shape(128, 2, 128, 128), "seed": 3}  # fmt: skip
    plan = campaign.Plan("tiny", 640, changed, snapshot=320, student=2048)
    run = campaign.Run("tiny", plan, root=tmp_path, begun=tmp_path / "none")
    assert not run.go_on(lambda: True, deals=256)
    assert run.scored() == []
    waits = iter([False, False, False, True])
    assert not run.go_on(lambda: next(waits), deals=256)
    assert [line["decisions"] for line in run.scored()] == [320]
    assert campaign.Run("tiny", plan, root=tmp_path, begun=tmp_path / "none").go_on(lambda: False, deals=256)
    scores = run.scored()
    assert [line["decisions"] for line in scores] == [320, 640]
    assert all(0 <= scores[-1]["wins"][0] < 0.5 and scores[-1][name][0] < 0 for name in ("points", "points, douzero"))
    assert len(list((tmp_path / "tiny" / "snapshots").iterdir())) == 2
    assert_taken_up(campaign, run, tmp_path)
    names = ["doudizhu-judge", "doudizhu-student", "doudizhu-value"]
    assert sorted(path.name for path in (tmp_path / "tiny" / "models").iterdir()) == names
    told = json.loads((tmp_path / "tiny" / "models" / "doudizhu-value" / "run.json").read_text())
    assert told["settings"]["rules"] == "standard,standard,douzero"
    assert str(tmp_path) not in (tmp_path / "tiny" / "models" / "doudizhu-student" / "card.toml").read_text()


def assert_taken_up(campaign: Any, run: Any, folder: Path) -> None:
    """What is kept is enough for another machine: the networks, how far they are, their scores."""
    run.begun = folder / "begun" / "doudizhu-tiny"
    run.keep()
    longer = campaign.Plan("tiny", 960, run.plan.changed, snapshot=320)
    other = campaign.Run("tiny", longer, root=folder / "elsewhere", begun=folder / "begun")
    assert other.go_on(lambda: False, deals=256)
    assert [line["decisions"] for line in other.scored()] == [320, 640, 960]
    assert other.scored()[:2] == run.scored()


def test_who_sees_all_hands_wins_by_playing_close_moves_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the judge alone he hardly does; the network against itself splits every deal."""
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    ahead = importlib.import_module("doudizhu_ahead")
    net = ahead.shipped_network(ahead.SHIPPED)
    judge = ahead.shipped_network(ahead.JUDGE, ahead.OPEN_FEATURES)
    player = ahead.mcm.LookAhead(ahead.whole_numbers(net), ahead.whole_numbers(judge), ahead.tuned_weights())
    alone = ahead.alone(net)
    monkeypatch.setattr(ahead, "TABLES", 128)
    assert ahead.share(alone, alone, 128) == (0.5, 0.0)
    mean, error = ahead.share(alone, ahead.playing_on(player, 3), 256)
    assert 0 < error < 0.03
    assert mean > 0.52
    with pytest.raises(ahead.BadSetting, match="depths"):
        ahead.depths_in("0,x")
    for name in ("doudizhu_ahead", "network_matches", "script"):
        sys.modules.pop(name, None)


def test_every_plan_has_settings_that_are_known(campaign: Any) -> None:
    for plan in campaign.PLANS.values():
        assert plan.settings.samples == plan.decisions
        assert plan.minutes < 30 or plan is campaign.PLANS["campaign"]
    assert campaign.PLANS["campaign"].minutes > 600
