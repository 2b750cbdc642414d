"""`ablgd` with the shipped model, its search, and the command line."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from mingpai._native import abduction
from mingpai._native import guandan as native
from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.table import play_deal
from mingpai.core.random import stream
from mingpai.games.guandan import GAME
from mingpai.games.guandan.moves import Play
from mingpai.games.guandan.state import GuandanState
from mingpai.methods.abduction.agent import AblgdAgent
from mingpai.methods.abduction.duel import network_chooser, play_on
from mingpai.methods.abduction.knowledge import knowledge
from mingpai.methods.abduction.rounds import deals
from mingpai.methods.abduction.search import (
    Question,
    SearchPlan,
    likeliest,
    parts_of,
    promise,
    search,
    search_all,
    still_open,
)
from mingpai.methods.abduction.stages import AbducedNote
from mingpai.methods.abduction.story import RecordedChoice, agreement, by_stage, evaluate, explain
from mingpai.records.record import Record
from tests.cli.shell import mingpai
from tests.contract.games import playout
from tests.scale import count

STAGES = {"-max", "-30", "-20", "-10", "-5", "-1", "all"}
HARD_RULES = {"not_held", "no_combination", "does_not_beat", "must_lead", "tribute_highest", "return_low"}


@pytest.fixture(scope="module")
def agent() -> AblgdAgent:
    made = REGISTRY.agent("guandan", "ablgd")
    assert isinstance(made, AblgdAgent)
    return made


@pytest.fixture(scope="module")
def record() -> Record:
    state = GAME.deal(11, "", {"level": "8", "previous": [0, 1, 2, 3]})
    return play_deal(state, [REGISTRY.agent("guandan", "rule4") for _ in range(4)], seed=11)


def test_its_estimate_agrees_with_what_is_known(agent: AblgdAgent) -> None:
    for state in playout(GAME.deal(4, "", {"level": "5", "previous": [1, 0, 3, 2]}), stream(4)):
        assert isinstance(state, GuandanState)
        if state.is_over or state.native.phase != 2:
            continue
        view = state.view(state.native.turn)
        belief = agent.decide(view).belief
        assert abduction.violation(view.knowledge, belief.estimate) < 1e-6  # type: ignore[union-attr]


def test_tribute_and_return_are_decided_by_the_plan_of_rule4() -> None:
    agent = REGISTRY.agent("guandan", "ablgd")
    for seed in range(count(fast=4, ci=20, verify=100)):
        state = GAME.deal(seed, "", {"level": "5", "previous": [0, 2, 1, 3]})
        while state.to_move is not None and state.native.phase != 2:
            decision = agent.decide(state.view(state.to_move))
            assert decision.move == state.native.bot_play(4)
            state.play(decision.move)


def test_worlds_in_parts_leave_out_what_is_behind() -> None:
    assert parts_of(10, 4) == [2, 3, 2, 3]
    assert parts_of(2, 4) == [1, 1]
    seen = [np.array([1.0, 2.0, 3.0]), np.array([-2.0, -1.0, -3.0]), np.array([0.0, 3.0, 2.0])]
    even = np.ones(3)
    assert still_open(seen, np.zeros(3), [0, 1, 2], even) == [0, 2]
    assert still_open(seen, np.array([0.0, 9.0, 0.0]), [0, 1, 2], even) == [1]
    assert still_open([seen[0], seen[0]], np.zeros(2), [0, 1], even) == [0], "nothing to find out"
    assert promise(0, 1) == pytest.approx(0.3989, abs=1e-4)
    assert promise(2, 1) == pytest.approx(0.0085, abs=1e-4)
    assert promise(-1, 0.5) == pytest.approx(1 + promise(1, 0.5))


def test_a_search_of_several_decisions_is_that_of_each(agent: AblgdAgent) -> None:
    plan = SearchPlan(worlds=6, width=3, sure=1.1, least=0.0, depth=3, prior=0.2, rounds=2)
    views = [state.view(state.native.turn) for state in (GAME.deal(seed) for seed in (5, 6, 7))]
    readings = agent.runtime.read([view.native for view in views])
    questions = [Question(view.native, reading, None, seed)
                 for seed, (view, reading) in enumerate(zip(views, readings, strict=True))]  # fmt: skip
    together = search_all(agent.runtime, questions, plan)
    for one, q in zip(together, questions, strict=True):
        alone = search(agent.runtime, q.round, q.reading, None, plan, q.seed)
        assert alone.places == one.places
        np.testing.assert_allclose(alone.values, one.values, atol=1e-4)
    with pytest.raises(ValueError, match="one round"):
        abduction.Tables.joined([abduction.Tables([(abduction.NETWORK, 1)], 1, [1.0] * abduction.RULES)])


def test_branches_are_the_positions_after_options() -> None:
    tables = abduction.Tables([(abduction.NETWORK, abduction.NETWORK)] * 2, 1, [1.0] * abduction.RULES)
    branches = tables.branches(np.array([0, 1, 1], np.int32), np.array([0, 0, 1], np.int32))
    assert len(branches) == 3
    for place, (waiting, option) in enumerate([(0, 0), (1, 0), (1, 1)]):
        before, after = tables.round(waiting), branches.round(place)
        before.apply(tables.plays(waiting)[option])
        assert [after.hand(seat) for seat in range(4)] == [before.hand(seat) for seat in range(4)]
    with pytest.raises(ValueError, match="none of the options"):
        tables.branches(np.array([0], np.int32), np.array([999], np.int32))


def test_networks_are_asked_in_the_exchange_of_a_round(agent: AblgdAgent) -> None:
    asked: list[list[native.Play]] = []

    def give(tables: abduction.Tables, which: NDArray[np.int64]) -> NDArray[np.int32]:
        asked.extend(tables.plays(int(i)) for i in which)
        return np.zeros(len(which), np.int32)

    rounds = [state.native for state in deals("pay 2", 2, 1)]
    weights = agent.runtime.weights
    tables = abduction.Tables.rounds(rounds, (1, abduction.NETWORK), 3, weights, exchange=True)
    play_on(tables, [network_chooser(agent.runtime)], [give])
    assert asked
    assert all(len(plays) > 1 for plays in asked)


def test_the_search_values_its_candidates_in_the_same_worlds() -> None:
    spec = "ablgd:worlds=6,sure=1.1,least=0,depth=4"
    searching = REGISTRY.agent("guandan", spec, 5)
    state = GAME.deal(9)
    decision = searching.decide(state.view(state.native.turn))
    note = decision.stages.decide
    assert isinstance(note, AbducedNote)
    assert note.searched is not None
    assert len(note.searched) == 4
    assert all(-3 <= one.value <= 3 for one in note.searched.values())
    assert decision.work["worlds"] == 6
    again = REGISTRY.agent("guandan", spec, 5).decide(state.view(state.native.turn))
    assert str(again.move) == str(decision.move)


def test_a_winning_play_is_found_by_the_search() -> None:
    """One play goes out, a joker beats the other; the search knows that the round is won by the first."""
    state = GAME.start("SASA/SBS4S5/H3/H4H6H8", setup={"level": "2", "leader": 0})
    searching = REGISTRY.agent("guandan", "ablgd:worlds=4,sure=1.1,least=0", 1)
    assert str(searching.decide(state.view(0)).move) == "SASA"


def test_likeliest_takes_the_first_best_of_each_position() -> None:
    logits = np.array([0.0, 2.0, 2.0, 5.0, 1.0], np.float32)
    assert likeliest(logits, np.array([0, 3, 5], np.int32)).tolist() == [1, 0]


def test_explain_holds_what_figure_4_shows(agent: AblgdAgent, record: Record) -> None:
    explained = explain(record, 30, agent)
    assert set(explained.estimated()) == {0, 1, 2, 3} - {explained.view.seat}
    note = explained.decision.stages.decide
    assert isinstance(note, AbducedNote)
    assert sum(note.pseudo_actions.values()) <= 1 + 1e-3
    assert note.plays[0].play == str(explained.decision.move)
    assert note.plays[0].inconsistency == min(one.inconsistency for one in note.plays)


def test_agreement_by_stage(agent: AblgdAgent, record: Record) -> None:
    stages = by_stage(list(evaluate([record], agent)))
    assert set(stages) == STAGES
    assert stages["-max"].decisions == 1
    assert 0.3 < stages["all"].action <= 1


def test_agreement_has_errors_over_rounds() -> None:
    """Decisions of one round are one unit; where all agree the rule of three holds."""
    choices = [RecordedChoice(number, 1, False, number % 2 == 0, True) for number in range(20) for _ in range(5)]
    one = agreement(choices)
    assert (one.decisions, one.action, one.score) == (100, 0.5, 1.0)
    assert one.action_error == pytest.approx(0.5 / 19**0.5)
    assert 1.96 * one.score_error == pytest.approx(3 / 20)
    assert math.isnan(agreement(choices[:5]).action_error)
    assert math.isnan(agreement([]).action)


def test_explain_and_eval_on_the_command_line(tmp_path: Path, record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")  # so that no sentence is broken
    path = tmp_path / "rounds.jsonl"
    path.write_text(record.dumps() + "\n", encoding="utf-8")
    shown = mingpai("explain", "guandan", f"{path}:1", "--at", "25")
    assert shown.code == 0
    assert "Estimated hand of seat" in shown.out
    assert "Pseudo-actions" in shown.out
    chinese = mingpai("explain", "guandan", str(path), "--at", "25", "--lang", "zh").out
    assert "估计手牌" in chinese
    hard = knowledge().hard
    assert set(hard) == HARD_RULES
    for rule in hard.values():
        assert rule.texts["en"] in shown.out
        assert rule.texts["zh"] in chinese
    data = json.loads(mingpai("explain", "guandan", str(path), "--at", "25", "--json").out)
    assert data["decision"]["stages"]["decide"]["plays"]
    assert set(data["hard_rules"]) == HARD_RULES
    assert sum(data["decision"]["stages"]["decide"]["value"]["scores"].values()) == pytest.approx(1, abs=1e-3)
    measured = json.loads(mingpai("eval", "guandan", str(path), "--json").out)
    assert set(measured["stages"]) == STAGES


@pytest.mark.parametrize(
    "words",
    [
        ("explain", "guandan", "{path}", "--at", "9999"),
        ("explain", "guandan", "{path}", "--at", "3", "--agent", "rule4"),
        ("explain", "holdem", "{path}", "--at", "3"),
        ("eval", "guandan", "{path}.missing"),
    ],
)
def test_mistakes_are_one_message_and_code_2(words: tuple[str, ...], tmp_path: Path, record: Record) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_text(record.dumps() + "\n", encoding="utf-8")
    answer = mingpai(*(word.format(path=path) for word in words))
    assert answer.code == 2
    assert answer.err.startswith("mingpai: ")
    assert "Traceback" not in answer.err


def test_variants_let_the_network_choose_the_cards() -> None:
    """The pseudo-action stays; the play is one of the three that the knowledge base likes best."""
    plain, varied = (REGISTRY.agent("guandan", spec) for spec in ("ablgd", "ablgd:variants=3"))
    base, differ = knowledge(), 0
    for state in map(GAME.deal, range(4, 8)):
        while state.to_move is not None:
            view = state.view(state.to_move)
            one, other = plain.decide(view).move, varied.decide(view).move
            assert isinstance(one, Play)
            assert isinstance(other, Play)
            assert one.pseudo == other.pseudo
            numbers, _, _, plays = abduction.options(view.native, base.weights, variants=3)
            assert other in [play for number, play in zip(numbers, plays, strict=True) if number == other.pseudo]
            differ += one != other
            state.play(one)
    assert differ


def test_the_preset_of_the_paper_plays_its_network() -> None:
    made = REGISTRY.agent("guandan", "ablgd:preset=paper")
    assert isinstance(made, AblgdAgent)
    assert made.settings.model == "guandan-ablgd-paper"
    state = GAME.deal(6)
    assert state.to_move is not None
    assert state.can_play(made.decide(state.view(state.to_move)).move)
    sizes = [path.stat().st_size for path in made.runtime.model.folder.iterdir()]
    assert max(sizes) < 8_000_000
