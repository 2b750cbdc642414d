"""The paper's MCM: planes in the printed order, lessons that can be made again, scores, the improvement module."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mingpai._native import doudizhu, mcm
from mingpai.agents.catalogue import REGISTRY
from mingpai.agents.doudizhu_situation import doudizhu_view, situation_of
from mingpai.core.errors import MingpaiError
from mingpai.games.doudizhu import GAME, notation
from mingpai.methods.mcm.improvement import ImprovementTeacher
from mingpai.methods.mcm.lessons import SLACK, Lessons, LessonSettings, SearchTeacher, splitter, write_lessons
from mingpai.methods.mcm.paper_agent import SHIPPED, ImprovementSettings, Scored, improved, is_unsure

RULES = doudizhu.profile("standard")
RANKS = notation.RANKS
SMALL = LessonSettings(iterations=40, deals=3)


def move(text: str) -> doudizhu.Move:
    return doudizhu.classify(notation.parse_cards(text), RULES)[0] if text else doudizhu.Move()


def planes_of(role: int, hand: str, history: Sequence[str]) -> Any:
    moves = [move(text) for text in history]
    counts = [20, 17, 17]
    for i, made in enumerate(moves):
        counts[i % 3] -= made.size
    held = notation.parse_cards(hand)
    counts[role] = doudizhu.card_count(held)
    return mcm.planes([mcm.Position(role, held, 0, counts, moves, RULES)])[0]


def cards_in(plane: Any, first_row: int = 0) -> str:
    counts = plane[first_row : first_row + 4].sum(axis=0)
    return "".join(RANKS[rank] * int(counts[rank]) for rank in range(15))


def test_planes_are_in_the_papers_order_oldest_round_first_own_next_previous() -> None:
    history = ["3", "4", "5", "6", "7", "8"]
    planes = planes_of(0, "999TTT", history)
    assert [cards_in(plane) for plane in planes[21:27]] == history
    assert not planes[:21].any()
    assert cards_in(planes[27]) == "8"
    assert cards_in(planes[28]) == "999TTT"


def test_what_is_older_than_eight_rounds_is_in_the_first_three_planes_by_count() -> None:
    leads = [text for card in "789TJQKA" for text in (card, "", "")]
    history = ["3", "4", "5", "", "", "6", *leads]
    planes = planes_of(0, "22", history)
    assert len(history) == 30
    assert [cards_in(plane) for plane in planes[:3]] == ["3", "4", "56"]
    assert cards_in(planes[3]) == "7"
    assert not planes[27].any()


def test_row_14_says_whether_that_play_was_the_landlords_and_rows_4_to_13_its_type() -> None:
    planes = planes_of(
        1,
        "345",
        [
            "33344",
        ],
    )
    assert planes[26, 14].all()
    assert planes[27, 14].all()
    assert [row for row in range(4, 14) if planes[26, row].any()] == [6, 13]
    assert planes[26, 6, RANKS.index("3")]
    assert planes[26, 13, RANKS.index("4")]
    assert not planes_of(2, "345", ["3", "4"])[26, 14].any()


def test_a_candidate_is_a_plane_of_the_same_rows_with_the_hand_it_leaves() -> None:
    made = move("3334")
    hand = notation.parse_cards("333455D")
    kinds = np.array([(int(made.type), made.rank, made.length)], np.uint8)
    roles, hands = np.array([0], np.uint8), np.array([hand], np.uint64)
    plane = mcm.candidate_planes(roles, hands, np.array([made.cards], np.uint64), kinds)[0]
    assert cards_in(plane) == "3334"
    assert cards_in(plane, 15) == "55D"
    assert plane[14].all()
    with pytest.raises(ValueError, match="not in its hand"):
        mcm.candidate_planes(roles, hands, np.array([move("66").cards], np.uint64), kinds)
    with pytest.raises(ValueError, match="no such move"):
        mcm.candidate_planes(roles, hands, np.array([made.cards], np.uint64), np.array([[99, 0, 0]], np.uint8))


def test_lessons_made_in_two_sittings_are_the_same_as_in_one(tmp_path: Path) -> None:
    teacher = SearchTeacher(SMALL.iterations)
    assert len(list(write_lessons(tmp_path / "one", SMALL, range(2), teacher))) == 2
    list(write_lessons(tmp_path / "two", SMALL, [1], SearchTeacher(SMALL.iterations)))
    made = list(write_lessons(tmp_path / "two", SMALL, range(2), SearchTeacher(SMALL.iterations)))
    assert [number for number, _ in made] == [0]
    one, two = Lessons([tmp_path / "one"]), Lessons([tmp_path / "two"])
    assert all(np.array_equal(value, vars(two)[name]) for name, value in vars(one).items())
    with pytest.raises(MingpaiError, match="other settings"):
        list(write_lessons(tmp_path / "one", dataclasses.replace(SMALL, seed=9), [0], teacher))


def test_a_lesson_is_the_position_it_was_made_in(tmp_path: Path) -> None:
    list(write_lessons(tmp_path, SMALL, [0], SearchTeacher(SMALL.iterations)))
    lessons = Lessons([tmp_path])
    batch = lessons.batch(np.arange(len(lessons)))
    assert np.bincount(batch.of).min() >= 2
    assert np.bincount(batch.of, batch.shares) == pytest.approx(1, abs=0.01)
    firsts = np.flatnonzero(np.diff(batch.of, prepend=-1))
    assert (batch.shares[firsts] >= np.maximum.reduceat(batch.shares, firsts)).all()
    for row, of in zip(batch.candidates[::7], batch.of[::7], strict=True):
        held, left, played = (cards_in(batch.planes[of, 28]), cards_in(row, 15), cards_in(row))
        assert sorted(left + played) == sorted(held)


def test_parts_have_no_deal_in_common_and_no_lesson_twice(tmp_path: Path) -> None:
    list(write_lessons(tmp_path / "a", dataclasses.replace(SMALL, deals=30, iterations=1), [0], SearchTeacher(1)))
    lessons = Lessons([tmp_path / "a", tmp_path / "a"])
    train, test = lessons.parts()
    assert len(train) + len(test) <= len(lessons) / 2
    assert len(test) > 0
    hands = [{tuple(lessons.hands[deal]) for deal in lessons.lessons[part, 0]} for part in (train, test)]
    assert not hands[0] & hands[1]


def test_no_shards_and_damaged_shards_are_said_clearly(tmp_path: Path) -> None:
    with pytest.raises(MingpaiError, match="no shards"):
        Lessons([tmp_path])
    (tmp_path / "lessons-00000.npz").write_bytes(b"no archive")
    with pytest.raises(MingpaiError, match="holds no lessons"):
        Lessons([tmp_path])


def test_a_run_goes_on_exactly_where_it_stopped_and_learns(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from mingpai.methods.mcm.train_paper import PaperLearner, PaperSettings

    list(write_lessons(tmp_path, dataclasses.replace(SMALL, deals=20), [0], SearchTeacher(40)))
    settings = PaperSettings(lessons=str(tmp_path), epochs=6, minibatch=32)
    straight = PaperLearner(settings)
    told = [straight.step() for _ in range(4)]
    halfway = PaperLearner(settings)
    for _ in range(2):
        halfway.step()
    resumed = PaperLearner(settings)
    resumed.load_state_dict(halfway.state_dict())
    assert [resumed.step() for _ in range(2)] == told[2:]
    assert told[-1]["train_loss"] < told[0]["train_loss"]
    assert {"test_loss", "test_accuracy", "best_epoch"} <= set(told[-1])


@pytest.mark.parametrize(
    ("at_once", "role", "scores", "searches"),
    [
        ("landlord", 0, (0.5, 0.45, 0.05), False),
        ("landlord", 1, (0.5, 0.45, 0.05), True),
        ("landlord", 2, (0.6, 0.39, 0.01), False),
        ("never", 0, (0.5, 0.45, 0.05), True),
        ("always", 2, (0.4, 0.39, 0.21), False),
        ("never", 2, (1.0,), False),
    ],
)
def test_the_module_searches_where_the_logs_say(
    at_once: Any, role: int, scores: tuple[float, ...], searches: bool
) -> None:
    moves = [move(text) for text in ("3", "4", "5")][: len(scores)]
    scored = Scored(moves, np.array(scores), np.array(scores))
    assert is_unsure(ImprovementSettings(at_once=at_once), role, scored) == searches


def test_the_agent_plays_the_best_score_or_searches_the_few_best() -> None:
    state = GAME.deal(3, "", GAME.play_only)
    landlord = REGISTRY.agent("doudizhu", "mcm-paper", 1).decide(state.view(0))
    assert "iterations" not in landlord.work
    assert sum(each.probability or 0 for each in landlord.candidates) == pytest.approx(1)
    sure = REGISTRY.agent("doudizhu", "mcm-paper:at_once=never,lead=0,simulations=200", 1).decide(state.view(0))
    assert sure.move == landlord.move
    searched = REGISTRY.agent("doudizhu", "mcm-paper:at_once=never,lead=1,simulations=200,few=3", 1)
    decision = searched.decide(state.view(0))
    assert decision.work["iterations"] == 200
    assert [each.move for each in landlord.candidates[:3]].count(decision.move) == 1
    assert len(decision.candidates) == 3
    assert searched.decide(state.view(0)).move == decision.move


def test_candidates_that_are_far_behind_are_not_searched() -> None:
    view = doudizhu_view(GAME.deal(3, "", GAME.play_only).view(0))
    moves = splitter(view.rule_set.name).less_split_moves(view.hand, view.last, SLACK)[:4]
    scores = np.array((0.4, 0.3, 0.25, 0.05))
    settings = ImprovementSettings(simulations=50)
    search = improved(settings, Scored(moves, scores, scores), situation_of(view), splitter(view.rule_set.name), 1)
    assert {str(root.move) for root in search.moves} == {str(move) for move in moves[:3]}


def test_the_improvement_module_teaches(tmp_path: Path) -> None:
    teacher = ImprovementTeacher(SHIPPED, 100)
    [(_, count)] = write_lessons(tmp_path, dataclasses.replace(SMALL, teacher=SHIPPED), [0], teacher)
    assert count > 0
    assert teacher.searched > 0
    assert teacher.overruled <= teacher.searched
    lessons = Lessons([tmp_path])
    assert np.add.reduceat(lessons.shares.astype(float), lessons.starts[:-1]) == pytest.approx(1, abs=0.02)
