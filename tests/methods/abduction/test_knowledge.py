"""The knowledge base and the inconsistency minimiser."""

from pathlib import Path

import numpy as np
import pytest

from mingpai._native import abduction
from mingpai.core.errors import MingpaiError
from mingpai.core.random import stream
from mingpai.games.guandan import GAME
from mingpai.games.guandan.features import action_text
from mingpai.games.guandan.state import GuandanState
from mingpai.methods.abduction.knowledge import (
    FILE,
    RULE_NAMES,
    broken_rule,
    knowledge,
    minimise,
    read_knowledge,
    ruled_out,
)
from tests.contract.games import playout
from tests.scale import count

PSEUDO = {action_text(i): i for i in range(168)}


def distribution(**chances: float) -> np.ndarray:
    out = np.zeros(168)
    for name, chance in chances.items():
        out[PSEUDO[name.replace("_", " ")]] = chance
    return out


NEW_RULE = """
[soft.spend_wild]
weight = 3
measure = { spare_wild = -2.0, keep_pair = 0.5 }
en = "wild cards are played first"
zh = "先出逢人配"
"""


def with_rule(folder: Path, rule: str) -> Path:
    """The shipped knowledge base and one rule more."""
    path = folder / "knowledge.toml"
    path.write_text(FILE.read_text(encoding="utf-8") + rule, encoding="utf-8")
    return path


@pytest.mark.parametrize("more", ["", NEW_RULE], ids=["as shipped", "with a new rule"])
def test_every_rule_explains_itself_in_both_languages(more: str, tmp_path: Path) -> None:
    """And every native measure has a rule; rules may be more than measures."""
    base = read_knowledge(with_rule(tmp_path, more))
    assert {name for rule in base.soft for name in rule.measure} == set(RULE_NAMES)
    for rule in (*base.hard.values(), *base.soft):
        assert rule.texts["en"]
        assert rule.texts["zh"]
    assert all(rule.weight is None for rule in base.hard.values())
    assert all((rule.weight or 0) > 0 for rule in base.soft)


def test_it_falls_through_to_the_next_pseudo_action_and_says_why() -> None:
    state = GAME.start("H4H4C4H8/S3S3/S5S5/S6S6", setup={"level": "8", "leader": 1})
    for move in ("S3S3", "pass", "pass"):
        state.play(GAME.parse_move(move, state))
    least = minimise(distribution(triple_K=0.5, single_4=0.3, pair_4=0.2), state.native)
    assert action_text(least.pseudo) == "pair 4"
    assert [(action_text(one.pseudo), one.rule.name) for one in least.dropped] == [
        ("triple K", "not_held"), ("single 4", "does_not_beat")]  # fmt: skip
    assert broken_rule(167, GAME.deal(1).native) == "must_lead"


def test_rules_decide_between_candidates() -> None:
    """A full house 999 takes the low pair that is one, not part of a triple and not the kings."""
    state = GAME.start("S9H9C9S4D4S7D7C7SKDK/S3/S5/S6", setup={"level": "2", "leader": 0})
    least = minimise(distribution(**{"full-house_9": 1.0}), state.native)
    assert str(least.play) == "S9H9C9S4D4"
    broken = {str(one.play): one.broken for one in least.candidates}
    assert any("keep_triple" in rules for rules in broken.values())
    assert least.deciding()


def test_a_straight_flush_is_kept_whole() -> None:
    state = GAME.start("S3S4S5S6S7D5/H3/H5/H6", setup={"level": "2", "leader": 0})
    assert str(minimise(distribution(single_5=1.0), state.native).play) == "D5"


def test_the_native_choice_is_that_of_the_python_minimiser() -> None:
    base = knowledge()
    for seed in range(count(fast=2, ci=10, verify=50)):
        for state in playout(GAME.deal(seed, "", {"level": "7"}), stream(seed, "minimise")):
            assert isinstance(state, GuandanState)
            if state.is_over:
                continue
            pseudo, *_, plays = abduction.options(state.native, base.weights, False)
            for number, play in zip(pseudo, plays, strict=True):
                alone = np.full(168, -1.0)
                alone[number] = 1
                best = minimise(alone, state.native).candidates
                costs = {str(one.play): one.inconsistency for one in best}
                assert costs[str(play)] == pytest.approx(best[0].inconsistency, abs=1e-5)


def test_a_rule_without_a_measure_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "knowledge.toml"
    path.write_text('[hard.x]\nen="a"\nzh="b"\n[soft.spare_time]\nweight=1\nen="a"\nzh="b"\n', encoding="utf-8")
    with pytest.raises(MingpaiError, match="spare_time measures spare_time, but measures are keep_bomb"):
        read_knowledge(path)


@pytest.mark.parametrize(
    ("rule", "missing"),
    [
        ('[soft.mute]\nweight = 1\nmeasure = { keep_pair = 1 }\nen = "a"\n', "soft rule mute has no sentence in zh"),
        ('[soft.mute]\nweight = 1\nmeasure = { keep_pair = 1 }\nen = " "\nzh = "b"\n', "mute has no sentence in en"),
        ('[hard.mute]\nzh = "b"\n', "hard rule mute has no sentence in en"),
    ],
)
def test_a_rule_without_its_sentence_is_refused(rule: str, missing: str, tmp_path: Path) -> None:
    with pytest.raises(MingpaiError, match=missing):
        read_knowledge(with_rule(tmp_path, rule))


def test_a_new_soft_rule_combines_native_measures(tmp_path: Path) -> None:
    """It changes the native choice too, and explains itself by its own name and sentence."""
    base, shipped = read_knowledge(with_rule(tmp_path, NEW_RULE)), knowledge()
    wild = RULE_NAMES.index("spare_wild")
    assert base.weights[wild] == pytest.approx(shipped.weights[wild] - 6)
    state = GAME.start("H4H4C4H8S3/H3/H5/H6", setup={"level": "8", "leader": 0})
    wanted = distribution(pair_4=1.0)
    assert str(minimise(wanted, state.native).play) == "H4C4"
    least = minimise(wanted, state.native, base)
    assert "H8" in str(least.play)
    assert least.candidates[0].broken["spend_wild"] < 0
    assert base.reason("spend_wild").render("zh") == "知识库：先出逢人配"
    pseudo, *_, plays = abduction.options(state.native, base.weights, False)
    (native_play,) = [play for number, play in zip(pseudo, plays, strict=True) if number == int(np.argmax(wanted))]
    assert native_play == least.play


def test_all_six_hard_rules_are_named_with_what_they_rule_out() -> None:
    def ruled(state: GuandanState) -> dict[str, int]:
        return {one.rule.name: one.count for one in ruled_out(state.native) if one.count}

    names = ["not_held", "no_combination", "does_not_beat", "must_lead", "tribute_highest", "return_low"]
    leading = GAME.start("S3S4S5S6S7H9/H3H8/H5/H6", setup={"level": "2", "leader": 0})
    assert [one.rule.name for one in ruled_out(leading.native)] == names
    first = ruled(leading)
    assert first["no_combination"] == 1  # 34567 is a straight flush and no straight
    assert first["must_lead"] == 1
    assert sum(first.values()) + int(leading.native.legal_mask().sum()) == 168
    leading.play(GAME.parse_move("S7", leading))
    assert ruled(leading) == {"not_held": 165, "does_not_beat": 1}
    paying = GAME.deal(3, setup={"level": "2", "previous": [0, 1, 2, 3]})
    assert set(ruled(paying)) == {"not_held", "tribute_highest"}
    paying.play(paying.legal_moves()[0])
    assert set(ruled(paying)) == {"not_held", "return_low"}
