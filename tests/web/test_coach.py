"""The coach: accuracy by phase, costly moves, and what open cards show."""

import math
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mingpai.games.doudizhu.moves import PASS
from mingpai.records.film import Film, Judgement
from mingpai.web import tasks
from mingpai.web.coach import accuracy, costliest, first_play, given_away, overall, phase_of, scores, share_lost
from mingpai.web.games import film_of
from mingpai.web.limits import hire
from tests.web.conftest import Server
from tests.web.deals import played

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def film() -> Film:
    return film_of(next(played("doudizhu", ("greedy", "rhcp", "greedy"), 1)))


def judged(number: int, lost: float | None, film: Film) -> Judgement:
    return Judgement(number, film.moves[number][0], str(film.moves[number][1]), "33", lost, 0.5)


def test_accuracy_is_one_for_the_best_move_and_falls_with_what_is_lost(film: Film) -> None:
    assert accuracy(0.0) == 1
    assert accuracy(0.1) == pytest.approx(math.exp(-0.45))
    parts = scores(film, [judged(0, 0.0, film), judged(3, 0.1, film), judged(film.frames - 1, None, film)])
    assert [(part.phase, part.moves) for part in parts] == [("opening", 2)]
    assert overall(parts) == pytest.approx((1 + math.exp(-0.45)) / 2)
    assert overall([]) is None


@pytest.mark.parametrize(("game", "names"), [
    ("doudizhu", {"opening", "middle", "ending"}), ("guandan", {"opening", "middle", "ending"}),
    ("holdem", {"preflop", "flop", "turn", "river"}),
])  # fmt: skip
def test_every_move_has_a_phase_of_its_game(game: str, names: set[str]) -> None:
    agents = {"doudizhu": ("greedy",) * 3, "guandan": ("rule2",) * 4, "holdem": ("station",) * 3}[game]
    shown = film_of(next(played(game, agents, 1)))
    found = {phase_of(shown, frame) for frame in range(shown.frames)}
    assert found <= names
    assert len(found) > 1


def test_chips_are_measured_in_blinds() -> None:
    shown = film_of(next(played("holdem", ("station",) * 3, 1)))
    told = Judgement(0, shown.moves[0][0], "fold", "call", 40.0, 0.0, "chips")
    assert share_lost(shown, told) == pytest.approx(40 / (10 * shown.at(0).blinds[1]))  # type: ignore[attr-defined]


def test_the_three_costliest_moves_and_no_trifles(film: Film) -> None:
    all_ = [judged(0, 0.01, film), *(judged(3 * n, n / 20, film) for n in range(1, 6))]
    assert [one.number for one in costliest(film, all_)] == [15, 12, 9]


def test_truth_marks_where_a_win_was_given_away_and_whether_it_could_be_seen(film: Film) -> None:
    truth = tasks.open_truth(film.record, 2.0)
    first = first_play(film)
    assert first == 0
    assert len(truth) == film.frames
    assert truth[-1] is (0 in film.winners)
    away = given_away(film, truth, [])
    for one in away:
        own = one.seat == 0
        assert truth[one.number] is own
        after = truth[one.number + 1] if one.number + 1 < len(truth) else 0 in film.winners
        assert after is (not own)
        assert one.was_visible is None
    assert away, "the landlord wins a deal that the farmers had"
    for lost, seen in ((0.0, False), (0.2, True)):
        told = given_away(film, truth, [judged(away[0].number, lost, film)])
        assert told[0].was_visible is seen


def test_a_judge_says_why(film: Film) -> None:
    frame = next(n for n, (_, move) in enumerate(film.moves) if move != PASS)
    assert film.judge(frame, hire("doudizhu", "mingpai:preset=fast")).reasons


@pytest.mark.browser
@pytest.mark.ci
def test_the_coach_speaks_without_being_asked(browser: "Browser", server: Server, tmp_path: Path) -> None:
    page = browser.new_context(viewport={"width": 844, "height": 390}, locale="en-US").new_page()
    page.set_default_timeout(90_000)
    page.goto(f"{server.url}/play?daily=1")
    page.get_by_role("button", name="Let the helper play").click()
    page.locator(".mp-sheet .mp-accuracy").wait_for()
    page.get_by_role("button", name="Review").press("Enter")
    page.locator(".mp-accuracy .all b").wait_for()
    page.locator(".mp-strip").wait_for()
    file = tmp_path / "student.jsonl"
    file.write_text(next(played("doudizhu", ("rlcard", "mctshs", "mctshs"), 1)).dumps() + "\n")
    page.locator("input[type=file]").first.set_input_files(file)
    page.get_by_text("Whose play shall the coach look at?").wait_for()
    page.locator("button:has-text('rlcard'), button:has-text('Dou Dou')").first.click()
    page.locator(".mp-lesson .mp-reasons").first.wait_for()
    page.locator("button:has-text('Try it here')").first.press("Enter")
    page.locator(".mp-hand .mp-card").first.wait_for()
    page.context.close()
