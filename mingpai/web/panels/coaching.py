"""The coach on a page: accuracy by phase, the costliest moves with the better ones, and the truth of open cards."""

import functools
import html
from collections.abc import Callable

from nicegui import background_tasks, ui

from mingpai.core.errors import MingpaiError
from mingpai.games.doudizhu.moves import Bid
from mingpai.games.doudizhu.state import DoudizhuState
from mingpai.games.guandan.notation import RANKS
from mingpai.games.guandan.state import GuandanState
from mingpai.records.film import Film, Judgement
from mingpai.records.record import Record
from mingpai.web import tasks
from mingpai.web.coach import GivenAway, costliest, first_play, given_away, overall, phase_of, scores
from mingpai.web.frame import language, say, words_of, work
from mingpai.web.games import BEST, film_of
from mingpai.web.moves import move_html
from mingpai.web.panels.again import analyse_from, play_from
from mingpai.web.panels.explain import reason_html
from mingpai.web.seats import seat_words

TRUTH_SECONDS = (2.0, 14.0)
"""Time to look at the open cards: a quick look first, then a long one if that left something open."""
MOST_REASONS = 2


class Coach:
    """What a coach says of one seat's play. `jump` shows a move; without it the coach is brief."""

    def __init__(self, record: Record, seat: int, jump: Callable[[int], None] | None = None) -> None:
        self.record, self.seat, self.jump = record, seat, jump
        self.film: Film = film_of(record)
        start = self.film.at(0)
        self.level = RANKS[start.level] if isinstance(start, GuandanState) else ""
        self.judgements: list[Judgement] = []
        self.truth: list[bool | None] = []
        self.done = 0.0
        self.place = ui.column().classes("w-full gap-2").mark("coach")
        with self.place:
            self.told = ui.column().classes("w-full gap-2")
            self.seen = ui.column().classes("w-full gap-2")
        self._draw()
        background_tasks.create(self._run())

    async def _run(self) -> None:
        """Judge every move of the seat, then look at the open cards; draw what is known so far."""
        with self.place:
            try:
                frames = [n for n, (seat, _) in enumerate(self.film.moves) if seat == self.seat]
                for count, frame in enumerate(frames, start=1):
                    spec = BEST[self.record.game]
                    judged = await work(functools.partial(tasks.judge, self.record, frame, spec), spec)
                    if self.place.is_deleted:
                        return
                    self.judgements.append(judged)
                    self.done = count / len(frames)
                    if count == len(frames) or (self.jump is not None and count % 4 == 0):
                        self._draw()
                await self._look_at_all_cards()
            except MingpaiError as error:
                if not self.place.is_deleted:
                    ui.label(say("coach_failed")).classes("mp-soft").tooltip(words_of(error))

    async def _look_at_all_cards(self) -> None:
        if self.record.game != "doudizhu" or first_play(self.film) is None:
            return
        for seconds in TRUTH_SECONDS if self.jump is not None else TRUTH_SECONDS[:1]:
            truth = await work(functools.partial(tasks.open_truth, self.record, seconds), f"{seconds}")
            if self.place.is_deleted:
                return
            self.truth = truth
            self._draw_truth()
            if None not in truth:
                return

    # --- drawing

    def _draw(self) -> None:
        """What is known of the moves. The open cards have a place of their own: no button moves when they are known."""
        self.told.clear()
        with self.told:
            parts = scores(self.film, self.judgements)
            total = overall(parts)
            if self.done < 1:
                bar = ui.linear_progress(self.done, show_value=False)
                bar.props(f'rounded aria-label="{say("coach_looks")}"')
            if total is None:
                ui.label(say("coach_looks" if self.done < 1 else "coach_nothing")).classes("mp-soft")
            else:
                self._draw_scores(total, [(part.phase, part.accuracy, part.moves) for part in parts])
            if self.done == 1:
                self._draw_mistakes()

    def _draw_scores(self, total: float, parts: list[tuple[str, float, int]]) -> None:
        cells = [f'<span class="all"><b>{total:.0%}</b>{html.escape(say("accuracy"))}</span>']
        for phase, accuracy, moves in parts:
            count = say("of_moves", moves=moves)
            cells.append(f'<span title="{html.escape(count)}"><b>{accuracy:.0%}</b>{html.escape(say(f"phase_{phase}"))}'
                         f'<span class="mp-track"><span class="mp-bar-of" style="width: {100 * accuracy:.0f}%"></span>'
                         "</span></span>")  # fmt: skip
        ui.html(f'<div class="mp-accuracy">{"".join(cells)}</div>', sanitize=False).classes("w-full").mark("accuracy")
        if self.jump is not None:
            ui.label(say("accuracy_about")).classes("mp-soft")

    def _draw_mistakes(self) -> None:
        worst = costliest(self.film, self.judgements)
        if not worst and self.judgements:
            ui.label(say("coach_clean")).classes("mp-good").mark("clean")
        for judged in worst:
            self._draw_mistake(judged)

    def _draw_mistake(self, judged: Judgement) -> None:
        """What was played, what was better and why; then the ways on."""
        number, move = judged.number, self.film.moves[judged.number][1]
        played, best = self._move(move), self._best(judged)
        where = say("coach_where", number=number + 1, phase=say(f"phase_{phase_of(self.film, number)}"))
        words = say("coach_better", played=played, best=best, lost=with_unit(judged.lost or 0.0, judged.unit))
        with ui.element("div").classes("mp-lesson").mark("costly"):
            ui.html(f"<b>{html.escape(where)}</b> <span>{words}</span>", sanitize=False)
            ui.label(self._expected(judged)).classes("mp-soft").mark("coach-expected")
            reasons = self._reasons(judged)
            if reasons and self.jump is not None:
                ui.html(f'<ul class="mp-reasons">{reasons}</ul>', sanitize=False).mark("coach-reasons")
            with ui.row().classes("gap-1"):
                if self.jump is not None:
                    self._way("coach_show", "visibility", lambda: self._show(number), number)
                self._way("coach_try", "sports_esports", lambda: play_from(self.record, number), number)
                if self.jump is not None:
                    self._way("analyse_here", "psychology", lambda: analyse_from(self.record, number), number)

    def _way(self, key: str, icon: str, go: Callable[[], None], number: int) -> None:
        label = html.escape(f"{say(key)} ({number + 1})")
        ui.button(say(key), icon=icon, on_click=go).props(f'flat dense no-caps size=sm aria-label="{label}"').mark(key)

    def _show(self, number: int) -> None:
        if self.jump is not None:
            self.jump(number)

    def _expected(self, judged: Judgement) -> str:
        """What the judge, who saw this player's cards alone, expects of both moves."""
        best, lost = judged.value or 0.0, judged.lost or 0.0
        worth = [signed(value, judged.unit) for value in (best, best - lost)]
        return say(f"coach_expects_{judged.unit}", best=worth[0], played=worth[1])

    def _reasons(self, judged: Judgement) -> str:
        state = self.film.at(judged.number)
        word = seat_words(state, self.seat, language())
        shown = list(judged.reasons)[:MOST_REASONS]
        return "".join(f"<li>{reason_html(reason, self.record.game, self.level, word)}</li>" for reason in shown)

    def _move(self, move: object) -> str:
        return move_html(self.record.game, move, language(), self.level)

    def _best(self, judged: Judgement) -> str:
        """The better move, drawn: a bid where a bid was made."""
        is_bid = isinstance(self.film.moves[judged.number][1], Bid)
        return self._move(Bid(int(judged.best)) if is_bid and judged.best.isdigit() else judged.best)

    # --- with all cards seen

    def _draw_truth(self) -> None:
        """A strip of who wins with open cards, move by move, and where that changed."""
        first = first_play(self.film)
        assert first is not None
        away = given_away(self.film, self.truth, self.judgements)
        self.seen.clear()
        with self.seen, ui.element("div").classes("mp-lesson w-full").mark("truth"):
            ui.label(say("truth_title")).classes("text-weight-medium")
            if self.jump is not None:
                ui.html(self._strip(first, {one.number for one in away}), sanitize=False).classes("w-full")
            ui.label(self._beginning()).mark("truth-start")
            for one in away if self.jump is not None else [one for one in away if one.seat == self.seat][-1:]:
                self._draw_given_away(one)

    def _beginning(self) -> str:
        """Who was to win when the first card was played."""
        known = next((verdict for verdict in self.truth if verdict is not None), None)
        if self.truth[0] is not None:
            return say("truth_landlord" if self.truth[0] else "truth_farmers")
        at = next((n for n, verdict in enumerate(self.truth) if verdict is not None), len(self.truth))
        return say("truth_from", move=at + 1, who=say("truth_l" if known else "truth_f")) if known is not None else ""

    def _draw_given_away(self, one: GivenAway) -> None:
        end = self.film.at(self.film.frames)
        assert isinstance(end, DoudizhuState)
        who = seat_words(end, self.seat, language())(one.seat)
        drawn = self._move(self.film.moves[one.number][1])
        side = say("truth_l" if one.seat == end.landlord else "truth_f")
        words = say("truth_given", number=one.number + 1, who=html.escape(who), move=drawn, side=side)
        if one.seat == self.seat and one.was_visible is not None:
            words += " " + html.escape(say("truth_visible" if one.was_visible else "truth_gods"))
        with ui.row().classes("items-center gap-1"):
            ui.html(words, sanitize=False).mark("given-away")
            if self.jump is not None:
                self._way("coach_show", "visibility", lambda: self._show(one.number), one.number)

    def _strip(self, first: int, marked: set[int]) -> str:
        cells = []
        for play, verdict in enumerate(self.truth):
            kind = "open" if verdict is None else "landlord" if verdict else "farmers"
            mark = " away" if first + play in marked else ""
            told = say("truth_open" if verdict is None else "truth_landlord_wins" if verdict else "truth_farmers_win")
            title = html.escape(f"{first + play + 1}: {told}")
            cells.append(f'<span class="{kind}{mark}" title="{title}"></span>')
        legend = "".join(f'<span><i class="{kind}"></i>{html.escape(say(key))}</span>' for kind, key in
                         (("landlord", "truth_l"), ("farmers", "truth_f"), ("open", "truth_open")))  # fmt: skip
        return f'<div class="mp-strip" aria-hidden="true">{"".join(cells)}</div><div class="mp-legend">{legend}</div>'


def amount(value: float, unit: str) -> str:
    """What was lost, in the unit of the judge."""
    return f"{100 * value:.0f}%" if unit == "win" else f"{value:.1f}" if unit == "points" else f"{value:.0f}"


def with_unit(value: float, unit: str) -> str:
    """What was lost, and of what."""
    return amount(value, unit) if unit == "win" else say(f"lost_{unit}", amount=amount(value, unit))


def signed(value: float, unit: str) -> str:
    """A value; what can be won or lost has its sign."""
    return amount(value, unit) if unit == "win" else f"{'−' if value < 0 else '+'}{amount(abs(value), unit)}"
