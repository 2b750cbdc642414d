from dataclasses import dataclass
from typing import Literal

import pytest

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.agent import Agent
from mingpai.core.decision import Decision
from mingpai.core.errors import BadSetting
from mingpai.core.game import View
from mingpai.core.registry import Spec, settings_of


@dataclass(frozen=True)
class Knobs:
    seconds: float = 0.5
    worlds: int = 10
    objective: Literal["win", "points"] = "win"
    exact: bool = True
    limit: int | None = None


class Knobbed(Agent[Knobs]):
    Settings = Knobs
    presets = {"fast": {"seconds": 0.02}}

    def decide(self, view: View) -> Decision:
        raise AssertionError("never asked")


def settings(text: str) -> Knobs:
    made = settings_of(Knobbed, Spec.parse(text))
    assert isinstance(made, Knobs)
    return made


def test_a_bare_name_takes_the_defaults() -> None:
    assert settings("knobbed") == Knobs()


def test_options_are_converted_by_the_type_of_their_field() -> None:
    asked = settings("knobbed:seconds=2,worlds=3,objective=points,exact=no,limit=4")
    assert asked == Knobs(seconds=2.0, worlds=3, objective="points", exact=False, limit=4)


def test_options_win_over_the_preset() -> None:
    assert settings("knobbed:preset=fast,worlds=1") == Knobs(seconds=0.02, worlds=1)


@pytest.mark.parametrize(("spec", "named"), [
    ("knobbed:speed=1", "exact, limit, objective, seconds, worlds, preset"),
    ("knobbed:worlds=many", "a whole number"),
    ("knobbed:objective=fame", "win, points"),
    ("knobbed:exact=maybe", "true or false"),
    ("knobbed:preset=turbo", "fast"),
    ("knobbed:", "key=value"),
    ("knobbed:worlds", "key=value"),
    ("", "name"),
])  # fmt: skip
def test_a_wrong_spec_says_what_would_be_right(spec: str, named: str) -> None:
    with pytest.raises(BadSetting, match=named):
        settings(spec)


def test_exec_keeps_its_command_whole() -> None:
    assert Spec.parse("exec:bot --depth=3,4").options == (("command", "bot --depth=3,4"),)
    assert Spec.parse("exec:limit=2 bot --depth=3,4").options == (("limit", "2"), ("command", "bot --depth=3,4"))


def test_unknown_names_list_the_known_ones() -> None:
    with pytest.raises(BadSetting, match="doudizhu"):
        REGISTRY.game("bridge")


@pytest.mark.parametrize("spec", ["exec:limit=nan bot", "exec:limit=0 bot", "exec:limit=5", 'exec:bot "unclosed'])
def test_a_wrong_command_or_limit_is_a_bad_setting(spec: str) -> None:
    with pytest.raises(BadSetting, match="exec"):
        REGISTRY.agent("doudizhu", spec)
