"""The Solve pages: levels, the endgame solver, the puzzle maker, hold'em equity."""

import functools
import secrets

from nicegui import ui

from mingpai.core.errors import BadSetting, MingpaiError
from mingpai.games.doudizhu.rules import rules_of
from mingpai.methods.endgame.puzzles import DIFFICULTIES, Puzzle, levels
from mingpai.methods.endgame.solver import DEFAULT_RULES, read_position
from mingpai.methods.endgame.walk import Walk
from mingpai.web import home, tasks
from mingpai.web.controls import share_button
from mingpai.web.daily import daily_puzzle, today
from mingpai.web.frame import complain, page, panel, say, who, work
from mingpai.web.panels.dailies import puzzle_door
from mingpai.web.panels.endgames import MAX_TEXT, EndgamePanel
from mingpai.web.panels.equities import EquityPanel
from mingpai.web.panels.walking import WalkPanel
from mingpai.web.player import Player

TABS = ("levels", "endgame", "maker", "equity")
MAX_SEED = 2**31


@ui.page("/solve")
def solve_page(
    tab: str = "",
    landlord: str = "",
    farmer: str = "",
    down: str = "",
    up: str = "",
    turn: str = "",
    last: str = "",
    by: str = "",
    rules: str = "",
    ban: str = "",
    players: str = "",
    board: str = "",
    difficulty: str = "3",
    seed: str = "",
) -> None:
    asked = {
        "landlord": landlord,
        "down": down or farmer,
        "up": up,
        "turn": turn,
        "last": last,
        "by": by,
        "rules": rules,
        "ban": ban,
    }
    shown = tab if tab in TABS else "endgame" if landlord else "levels"
    with page("solve"):
        with ui.tabs().props("no-caps inline-label dense").classes("w-full") as tabs:
            for name, icon in zip(TABS, ("grid_view", "verified", "auto_fix_high", "pie_chart"), strict=True):
                ui.tab(name, say(f"tab_{name}"), icon=icon)
        with ui.tab_panels(tabs, value=shown).classes("w-full"):
            with ui.tab_panel("levels"):
                _levels()
            with ui.tab_panel("endgame"):
                EndgamePanel(asked)
            with ui.tab_panel("maker"):
                MakerPanel(int(difficulty) if difficulty.isdigit() else 3, seed)
            with ui.tab_panel("equity"):
                EquityPanel([text for text in players.split("|") if text], board)


# --- levels


def progress() -> dict[str, dict[str, int]]:
    """Per level: tries and wins of this browser."""
    kept = home.load(_progress_file())
    return kept if isinstance(kept, dict) else {}


def _progress_file() -> str:
    return f"levels/{who()}.json"


def note_end(number: int, has_won: bool) -> None:
    """Keep how a level ended."""
    kept = progress()
    entry = kept.setdefault(str(number), {"tries": 0, "wins": 0})
    entry["tries"] += 1
    entry["wins"] += has_won
    home.save(_progress_file(), kept)


def _levels() -> None:
    kept, all_levels = progress(), levels()
    done = sum(entry["wins"] > 0 for entry in kept.values())
    with ui.column().classes("w-full gap-3"):
        puzzle_door()
        with panel():
            ui.label(say("levels_about")).classes("mp-soft")
            with ui.row().classes("items-center w-full no-wrap gap-3"):
                bar = ui.linear_progress(done / len(all_levels), show_value=False, size="12px").classes("col")
                bar.props(f'rounded aria-label="{say("tab_levels")}"')
                ui.label(f"{done} / {len(all_levels)}").classes("mp-h").mark("progress")
        for difficulty in DIFFICULTIES:
            numbers = [n for n, level in enumerate(all_levels, start=1) if level.difficulty == difficulty]
            with (
                panel(f"{say('difficulty', difficulty=difficulty)}  {'★' * difficulty}"),
                ui.element("div").classes("mp-levels"),
            ):
                for number in numbers:
                    entry = kept.get(str(number), {"tries": 0, "wins": 0})
                    state = "done" if entry["wins"] else "tried" if entry["tries"] else ""
                    ui.link(str(number), f"/solve/level/{number}").classes(f"mp-level {state}")


@ui.page("/solve/daily")
async def daily_page() -> None:
    """The puzzle of the day: the same for everybody."""
    day = today()
    with page("solve"):
        await ui.context.client.connected()
        try:
            puzzle = await work(functools.partial(tasks.make_puzzle, *daily_puzzle(day)))
        except MingpaiError as error:
            complain(error)
            return
        ui.label(f"{say('daily_puzzle')} · {day} · {'★' * puzzle.difficulty}").classes("text-h6").mark("level")
        ui.label(say("level_task")).classes("mp-soft")
        note = ui.row().classes("w-full")

        def ended(has_won: bool, unaided: bool) -> None:
            note.clear()
            if has_won and not unaided:
                with note:
                    ui.label(say("solved_shown")).classes("mp-soft").mark("solved-shown")
            elif has_won:
                player = Player.of(who())
                player.finish_daily("puzzle", day, {"alone": True})
                with note:
                    ui.label(f"{say('daily_solved')} {say('streak', days=player.streak(puzzles=True))}").classes(
                        "mp-h mp-good"
                    ).mark("level-done")

        WalkPanel(Walk(puzzle.position(), rules_of(puzzle.rules), is_landlord=True), ended, tells=True)


@ui.page("/solve/level/{number}")
def level_page(number: str) -> None:
    with page("solve"):
        if not number.isdigit() or not 1 <= int(number) <= len(levels()):
            complain(BadSetting("level", number, f"1 to {len(levels())}"))
            ui.link(say("tab_levels"), "/solve")
            return
        LevelPanel(int(number))


class LevelPanel:
    """One level: the person is the landlord and can win with one first move only."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.has_ended = False
        puzzle = levels()[number - 1]
        with ui.row().classes("items-center w-full gap-3"):
            ui.label(say("level_title", number=number)).classes("text-h6").mark("level")
            ui.label("★" * puzzle.difficulty).style("color: var(--accent)")
            ui.space()
            if number > 1:
                ui.button(icon="chevron_left", on_click=lambda: ui.navigate.to(f"/solve/level/{number - 1}")).props(
                    f'flat dense aria-label="{say("previous_level")}"'
                )
            ui.button(say("tab_levels"), icon="grid_view", on_click=lambda: ui.navigate.to("/solve")).props(
                "flat no-caps dense"
            )
            if number < len(levels()):
                ahead = ui.button(icon="chevron_right", on_click=lambda: ui.navigate.to(f"/solve/level/{number + 1}"))
                ahead.props(f'flat dense aria-label="{say("next_level")}"').mark("next-level")
        ui.label(say("level_task")).classes("mp-soft")
        self.note = ui.row().classes("w-full")
        WalkPanel(Walk(puzzle.position(), rules_of(puzzle.rules), is_landlord=True), self._ended, tells=True)

    def _ended(self, has_won: bool, unaided: bool) -> None:
        note_end(self.number, has_won and unaided)
        self.note.clear()
        if has_won and not unaided:
            with self.note:
                ui.label(say("solved_shown")).classes("mp-soft").mark("solved-shown")
        elif has_won:
            with self.note, panel():
                ui.label(say("level_done", number=self.number)).classes("mp-h mp-good").mark("level-done")
                if self.number < len(levels()):
                    after = f"/solve/level/{self.number + 1}"
                    ui.button(say("next_level"), icon="skip_next", on_click=lambda: ui.navigate.to(after))


# --- the puzzle maker


class MakerPanel:
    """New puzzles of a difficulty, from a seed: the same seed gives the same puzzle."""

    def __init__(self, difficulty: int, seed: str) -> None:
        with panel():
            ui.label(say("maker_about")).classes("mp-soft")
            with ui.element("div").classes("mp-fields"):
                stars = {n: f"{'★' * n}" for n in DIFFICULTIES}
                start = difficulty if difficulty in DIFFICULTIES else 3
                self.difficulty = (
                    ui.select(stars, value=start, label=say("difficulty_short")).props("dense").mark("difficulty")
                )
                self.difficulty.style("min-width: 120px")
                self.seed = ui.input(say("seed"), value=seed[:12]).props("dense").mark("maker-seed")
                ui.button(say("make_puzzle"), icon="auto_fix_high", on_click=self._make).mark("make")
        self.area = ui.column().classes("w-full gap-3")

    async def _make(self) -> None:
        try:
            text = str(self.seed.value or "").strip()
            if text and not (text.isdigit() and int(text) < MAX_SEED):
                raise BadSetting(say("seed_number"), text, f"a whole number below {MAX_SEED}")
            seed, difficulty = int(text) if text else secrets.randbelow(MAX_SEED), int(self.difficulty.value)
            puzzle = await work(functools.partial(tasks.make_puzzle, difficulty, seed))
        except MingpaiError as error:
            complain(error)
            return
        self._draw(puzzle, seed)

    def _draw(self, puzzle: Puzzle, seed: int) -> None:
        self.area.clear()
        with self.area:
            with ui.row().classes("items-center gap-3"):
                ui.label(say("puzzle_made", seed=seed, moves=puzzle.moves)).mark("made")
                hands = {"landlord": puzzle.landlord, "farmer": puzzle.farmer, "rules": puzzle.rules}
                share_button("/solve/puzzle", lambda: hands)
            ui.label(say("level_task")).classes("mp-soft")
            WalkPanel(Walk(puzzle.position(), rules_of(puzzle.rules), is_landlord=True), tells=True)


@ui.page("/solve/puzzle")
def puzzle_page(landlord: str = "", farmer: str = "", rules: str = DEFAULT_RULES) -> None:
    with page("solve"):
        ui.label(say("puzzle")).classes("text-h6")
        ui.label(say("level_task")).classes("mp-soft")
        try:
            rule_set = rules_of(rules[:MAX_TEXT])
            position = read_position(landlord[:MAX_TEXT], farmer[:MAX_TEXT], None, None, "landlord", "", "", rule_set)
            WalkPanel(Walk(position, rule_set, is_landlord=True), tells=True)
        except MingpaiError as error:
            complain(error)
