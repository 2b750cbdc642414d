import pytest

from mingpai.core.errors import IllegalHere, MingpaiError
from mingpai.games.doudizhu.rules import rules_of
from mingpai.methods.endgame.puzzles import levels
from mingpai.methods.endgame.solver import read_position
from mingpai.methods.endgame.walk import Walk

RULES = rules_of("douzero")


def two_handed(landlord: str = "4667788QK2", farmer: str = "334455QK2") -> Walk:
    position = read_position(landlord, farmer, None, None, "landlord", "", "", RULES)
    return Walk(position, RULES, is_landlord=True)


def let_the_solver_answer(walk: Walk) -> None:
    while not walk.is_over and not walk.is_mine:
        walk.make(walk.reply())


def test_winning_moves_win_against_every_answer() -> None:
    walk = two_handed()
    while not walk.is_over:
        assert walk.solution().landlord_wins is True
        walk.play(str(walk.solution().winning_moves[0]))
        let_the_solver_answer(walk)
    assert walk.is_won


@pytest.mark.parametrize("number", [1, 40, 90])
def test_a_wrong_first_move_of_a_level_is_punished(number: int) -> None:
    puzzle = levels()[number - 1]
    walk = Walk(puzzle.position(), rules_of(puzzle.rules), is_landlord=True)
    wrong = walk.solution().losing_moves[0]
    walk.play(str(wrong))
    let_the_solver_answer(walk)
    assert walk.is_over or walk.solution().landlord_wins is False
    walk.take_back()
    assert walk.position.hands == walk.start.hands
    assert walk.solution().landlord_wins is True


def test_illegal_moves_name_the_rule_and_change_nothing() -> None:
    walk = two_handed()
    for text, code in (("3", "not_held"), ("46", "no_combination"), ("pass", "must_lead")):
        with pytest.raises(IllegalHere) as caught:
            walk.play(text)
        assert caught.value.reason.code == f"doudizhu.{code}"
    walk.play("Q")
    let_the_solver_answer(walk)
    assert len(walk.steps) >= 2


def test_three_hands_with_a_move_to_beat() -> None:
    position = read_position("2", None, "34", "55", "down", "3", "landlord", RULES)
    walk = Walk(position, RULES, is_landlord=False)
    assert walk.is_mine
    with pytest.raises(IllegalHere):
        walk.play("3")
    walk.play("4")
    assert walk.names[walk.position.turn] == "up"
    assert walk.is_mine, "the person plays both farmers"


def test_one_can_go_back_to_any_step() -> None:
    walk = two_handed()
    walk.play("4")
    let_the_solver_answer(walk)
    steps = len(walk.steps)
    walk.back_to(1)
    assert len(walk.steps) == 1
    assert steps > 1
    walk.back_to(0)
    with pytest.raises(MingpaiError, match="nothing to take back"):
        walk.take_back()
