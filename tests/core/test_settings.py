"""One way to declare and to read settings, held for every agent and every training."""

import functools
import math
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from mingpai.agents.catalogue import ENTRIES, REGISTRY
from mingpai.core.errors import BadSetting
from mingpai.core.registry import Entry, Spec, settings_of
from mingpai.core.settings import Option, check, for_strangers, options_of, part, read_settings, setting


@dataclass(frozen=True)
class Tree:
    nodes: int = setting(100, "Nodes.", (1, 1000), web=200)
    quiet: bool = setting(False, "Say nothing.")


@dataclass(frozen=True)
class Shape:
    width: int = setting(8, "Width.", (1, 64), web=16)


@dataclass(frozen=True)
class Knobs:
    tree: Tree = part(Tree())
    shape: Shape = Shape()
    rate: float = setting(0.5, "Rate.", (0, 1))
    mode: Literal["fast", "slow"] = setting("fast", "Mode.")
    model: str = setting("shipped", "Model.", kind="model", web=("shipped", "none"))
    folder: str = setting("", "Folder.", kind="path")
    limit: int | None = setting(None, "Limit.", (0, 9))


@dataclass(frozen=True)
class MoreKnobs(Knobs):
    tree: Tree = part(Tree(nodes=300))
    rate: float = 0.25


def test_parts_are_written_flat_and_other_groups_with_a_dot() -> None:
    keys = ["nodes", "quiet", "shape.width", "rate", "mode", "model", "folder", "limit"]
    assert list(options_of(Knobs)) == keys
    made = read_settings(Knobs, {"nodes": "7", "shape.width": "9", "limit": "none", "rate": "1"})
    assert made == Knobs(Tree(7), Shape(9), 1.0)


def test_a_subclass_that_changes_a_default_keeps_range_and_help() -> None:
    rate, nodes = options_of(MoreKnobs)["rate"], options_of(MoreKnobs)["nodes"]
    assert (rate.default, rate.help, rate.least, rate.most) == (0.25, "Rate.", 0, 1)
    assert (nodes.default, nodes.most) == (300, 1000)


@pytest.mark.parametrize(("text", "value"), [
    ("true", True), ("True", True), ("TRUE", True), ("yes", True), ("on", True), ("1", True),
    ("false", False), ("False", False), ("no", False), ("off", False), ("0", False),
])  # fmt: skip
def test_switches_have_several_spellings(text: str, value: bool) -> None:
    assert read_settings(Knobs, {"quiet": text}).tree.quiet is value


@pytest.mark.parametrize(("key", "text", "told"), [
    ("quiet", "maybe", "true or false"),
    ("nodes", "0", "x:nodes = '0': expected a whole number from 1 to 1000"),
    ("nodes", "1001", "from 1 to 1000"),
    ("nodes", "1.5", "a whole number"),
    ("nodes", "1e400", "a whole number"),
    ("rate", "nan", "a number from 0 to 1"),
    ("rate", "inf", "a number from 0 to 1"),
    ("mode", "warp", "one of fast, slow"),
    ("shape.height", "1", "shape.width"),
    ("limit", "10", "from 0 to 9"),
])  # fmt: skip
def test_a_wrong_value_is_refused_with_field_and_range(key: str, text: str, told: str) -> None:
    with pytest.raises(BadSetting, match=told):
        read_settings(Knobs, {key: text}, "x:")


def test_a_whole_number_may_be_written_with_an_exponent() -> None:
    assert read_settings(Knobs, {"nodes": "1e3"}).tree.nodes == 1000


def test_settings_made_by_hand_are_checked_too() -> None:
    with pytest.raises(BadSetting, match="x:nodes = 0: expected a whole number from 1 to 1000"):
        check(Knobs(Tree(nodes=0)), "x:")


def test_strangers_get_narrower_ranges_and_no_files() -> None:
    assert list(for_strangers(Knobs)) == ["nodes", "quiet", "shape.width", "mode", "model"]
    assert read_settings(Knobs, {"nodes": "200", "model": "none"}, is_stranger=True).model == "none"
    for key, text in (("nodes", "201"), ("model", "/etc"), ("model", "other"), ("folder", "x"), ("rate", "0")):
        with pytest.raises(BadSetting):
            read_settings(Knobs, {key: text}, is_stranger=True)


# every agent and every training


def trainings() -> dict[str, type[Any]]:
    pytest.importorskip("torch")
    from mingpai.training.method import METHODS, training

    return {name: training(name).settings for name in METHODS}


def check_declared(owner: str, kind: type[Any]) -> None:
    """Each option has help; each number has bounds that hold its default and refuse what is outside."""
    check(kind(), owner)
    for key, option in options_of(kind).items():
        assert option.help.strip(), f"{owner}{key} has no help"
        assert option.allows(option.default), f"{owner}{key} refuses its default"
        if option.kind == "number":
            assert math.isfinite(option.least), f"{owner}{key} has no bounds"
            assert math.isfinite(option.most), f"{owner}{key} has no bounds"
            for text in (repr(option.least - 1), repr(option.most * 2 + 1), "nan", "inf"):
                with pytest.raises(BadSetting, match=key):
                    option.read(text, owner)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.game}-{entry.name}")
def test_every_option_of_every_agent_is_declared(entry: Entry) -> None:
    check_declared(f"{entry.name}:", entry.load().Settings)


def test_every_setting_of_every_training_is_declared() -> None:
    for name, kind in trainings().items():
        check_declared(f"{name} ", kind)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.game}-{entry.name}")
def test_defaults_and_presets_are_within_what_strangers_may_ask(entry: Entry) -> None:
    """A request that writes out a preset is as good as one that names it."""
    kind = entry.load()
    for preset in ("", *kind.presets):
        made = settings_of(kind, Spec(entry.name, (("preset", preset),) if preset else ()))
        check(made, f"{entry.name}:")
        for key, option in for_strangers(kind.Settings).items():
            assert option.allows(value_of(made, option)), f"{entry.name}:preset={preset} has {key} beyond the web's"


def value_of(settings: Any, option: Option) -> Any:
    return functools.reduce(getattr, option.attributes, settings)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.game}-{entry.name}")
def test_no_stranger_names_a_file_of_this_machine(entry: Entry) -> None:
    kind = entry.load()
    game = "doudizhu" if entry.game == "*" else entry.game
    for key, option in options_of(kind.Settings).items():
        if option.kind not in ("path", "model", "text"):
            continue
        for text in ("/tmp", "../models", ".", "no-such-model"):
            with pytest.raises(BadSetting):
                REGISTRY.agent(game, f"{entry.name}:{key}={text}", is_stranger=True)
