from mingpai.agents.catalogue import REGISTRY
from mingpai.records.film import Judgement, mistakes
from mingpai.web.games import film_of
from tests.web.deals import played


def test_frames_go_both_ways() -> None:
    film = film_of(next(played("doudizhu", ("greedy", "greedy", "greedy"), 1)))
    seen = [film.at(frame).view(0).key() for frame in range(film.frames + 1)]
    assert [film.at(frame).view(0).key() for frame in reversed(range(film.frames + 1))] == seen[::-1]
    assert film.at(film.frames).is_over


def test_values_are_told_for_one_side() -> None:
    film = film_of(next(played("doudizhu", ("greedy", "greedy", "greedy"), 1)))
    landlord = film.record.seats.index("landlord")
    farmers = [seat for seat in range(3) if seat != landlord]
    judged = Judgement(0, landlord, "3", "4", 0.1, 0.75)
    assert film.value_for(judged, landlord) == 0.75
    assert [film.value_for(judged, seat) for seat in farmers] == [0.25, 0.25]
    points = Judgement(0, farmers[0], "3", "4", 0.1, 2.0, "points")
    assert film.value_for(points, farmers[1]) == 2.0
    assert film.value_for(points, landlord) == -2.0


def test_an_agent_without_values_plays_the_deals_out() -> None:
    film = film_of(next(played("guandan", ("rule1", "rule1", "rule1", "rule1"), 1)))
    agent = REGISTRY.agent("guandan", "rule4")
    choices = [n for n in range(film.frames) if len(film.at(n).legal_moves()) > 5][:4]
    judged = [film.judge(number, agent) for number in choices]
    assert all(j.unit == "points" and j.value is not None and j.lost is not None for j in judged)
    assert all(j.lost == 0 for j in judged if j.best == j.played)
    assert film.judge(choices[0], agent) == judged[0], "the same question has the same answer"


def test_the_worst_moves_come_first() -> None:
    judged = [Judgement(n, 0, "3", "4", lost, 0.5) for n, lost in enumerate((0.1, None, 0.4, 0.0))]
    assert [j.number for j in mistakes(judged)] == [2, 0]


def test_guandan_is_judged_by_the_judge_and_ends_with_the_result() -> None:
    """The line of a round is one line: its last values have the sign of the result, which is its last point."""
    film = film_of(next(played("guandan", ("rule4", "rule1", "rule4", "rule1"), 1)))
    agent = REGISTRY.agent("guandan", "ablgd")
    choices = [n for n in range(film.frames) if len(film.at(n).legal_moves()) > 1]
    judged = [film.judge(number, agent) for number in choices[-4:]]
    assert all(j.unit == "points" and j.lost is not None and j.lost >= 0 for j in judged)
    result = film.result_for(0, "points")
    assert result is not None
    values = [film.value_for(j, 0) for j in judged]
    assert all(value is not None and abs(value) <= 3 and value * result > 0 for value in values), (values, result)
    assert film.judge(choices[-1], agent) == judged[-1]


def test_losses_of_different_units_have_one_order() -> None:
    win, points = Judgement(1, 0, "3", "4", 0.4, 0.5), Judgement(0, 0, "0", "3", 1.2, 0.5, "points")
    assert [j.number for j in mistakes([points, win])] == [1, 0]
