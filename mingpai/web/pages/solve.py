"""The Solve page: Dou Dizhu endgames proved and walked, and hold'em equity."""

from urllib.parse import urlencode

from nicegui import ui

from mingpai.core.errors import MingpaiError
from mingpai.games.holdem.equity import equity as compute_equity
from mingpai.games.holdem.ranges import CLASSES, Range
from mingpai.methods.endgame.solver import Solution, solve
from mingpai.web.faces import doudizhu_face, row_html
from mingpai.web.frame import complain, page, say, who
from mingpai.web.limits import MAX_SECONDS
from mingpai.web.scenes import ORDER
from mingpai.web.work import WORKSHOP

SOLVE_SECONDS = 10.0
"""Time for one proof."""
EQUITY_SAMPLES = 400_000
MAX_TEXT = 200
EXAMPLE = {"landlord": "4667788QK2", "down": "334455QK2", "up": ""}
EXAMPLE_RANGES = ("AhKd", "QQ+,AK", "")
GRID = 13


@ui.page("/solve")
def solve_page(landlord: str = "", down: str = "", up: str = "", turn: str = "landlord") -> None:
    hands = {"landlord": landlord, "down": down, "up": up} if landlord else EXAMPLE
    with page("solve"):
        with ui.tabs() as tabs:
            ui.tab("endgame", say("endgame"))
            ui.tab("equity", say("equity"))
        with ui.tab_panels(tabs, value="endgame").classes("w-full"):
            with ui.tab_panel("endgame"):
                EndgamePanel(hands, turn)
            with ui.tab_panel("equity"):
                EquityPanel()


class EndgamePanel:
    """Hands in, verdict out; then the position can be walked against the solver."""

    def __init__(self, hands: dict[str, str], turn: str) -> None:
        self.who = who()
        with ui.row().classes("items-end gap-3"):
            self.hands = {
                role: ui.input(say(f"hand_{role}"), value=hands[role][:MAX_TEXT]).style("min-width: 220px").mark(role)
                for role in ("landlord", "down", "up")
            }
            turns = {role: say(f"role_{role}") for role in ("landlord", "down", "up")}
            self.turn = ui.select(turns, value=turn if turn in turns else "landlord", label=say("to_move"))
            self.last = ui.input(say("last_move")).style("width: 120px")
            ui.button(say("prove"), on_click=self._solve).mark("prove")
            ui.button(say("copy_link"), on_click=self._link).props("flat")
        ui.label(say("two_handed_note")).classes("text-caption")
        self.area = ui.column().classes("w-full gap-2")

    def _asked(self) -> dict[str, str]:
        return {role: str(field.value or "").strip()[:MAX_TEXT] for role, field in self.hands.items()}

    async def _solve(self) -> None:
        asked, last = self._asked(), str(self.last.value or "").strip()[:MAX_TEXT]
        turn = str(self.turn.value)

        def work() -> Solution:
            if asked["up"]:
                by = {"landlord": "up", "down": "landlord", "up": "down"}[turn] if last else ""
                return solve(asked["landlord"], down=asked["down"], up=asked["up"], turn=turn, last=last, by=by,
                             all_moves=True, seconds=SOLVE_SECONDS)  # fmt: skip
            mover = "landlord" if turn == "landlord" else "farmer"
            by = ("farmer" if mover == "landlord" else "landlord") if last else ""
            return solve(asked["landlord"], asked["down"], turn=mover, last=last, by=by, all_moves=True,
                         seconds=SOLVE_SECONDS)  # fmt: skip

        try:
            solution = await WORKSHOP.run(self.who, MAX_SECONDS, work)
        except MingpaiError as error:
            complain(error)
            return
        self._draw(solution, asked)

    def _draw(self, solution: Solution, asked: dict[str, str]) -> None:
        data = solution.to_json()
        self.area.clear()
        with self.area:
            with ui.element("div").classes("mp-felt").mark("table"):
                for role, hand in asked.items():
                    if hand:
                        faces = [doudizhu_face(c) for c in sorted(hand.upper().replace("10", "T"), key=_order)]
                        ui.html(f"<div>{say(f'role_{role}')}</div>" + row_html(faces, small=True), sanitize=False)
            wins = data["landlord_wins"]
            verdict = say("not_proved") if wins is None else say("landlord_wins" if wins else "farmers_win")
            ui.label(verdict).classes("text-h6").mark("verdict")
            if data["winning_moves"]:
                ui.label(f"{say('winning_moves')}: {', '.join(data['winning_moves'])}").mark("winning")
            if data["open_moves"]:
                ui.label(f"{say('open_moves')}: {', '.join(data['open_moves'])}")
            line = " · ".join(f"{_role_word(seat)} {move}" for seat, move in data["line"])
            ui.label(f"{say('line')}: {line}").mark("line")
            work = say("proof_work", nodes=f"{data['nodes']:,}", seconds=f"{data['seconds']:.3f}")
            ui.label(work).classes("text-caption")

    def _link(self) -> None:
        ui.navigate.to("/solve?" + urlencode(self._asked() | {"turn": str(self.turn.value)}))


def _order(card: str) -> int:
    return ORDER.find(card)


def _role_word(name: str) -> str:
    return say("farmer" if name == "farmer" else f"role_{name}")


class EquityPanel:
    """Ranges in, shares of the pot out, with a 13 x 13 matrix for each player."""

    def __init__(self) -> None:
        self.who = who()
        self.ranges = [ui.input(say("player", number=number + 1), value=value).classes("w-full").mark(f"range{number}")
                       for number, value in enumerate(EXAMPLE_RANGES)]  # fmt: skip
        with ui.row().classes("items-end gap-3"):
            self.board = ui.input(say("board")).style("width: 160px")
            ui.button(say("equity"), on_click=self._run).mark("run-equity")
        self.area = ui.column().classes("w-full gap-2")

    async def _run(self) -> None:
        players = [text for field in self.ranges if (text := str(field.value or "").strip()[:MAX_TEXT])]
        board = str(self.board.value or "").strip()[:MAX_TEXT]
        try:
            found = await WORKSHOP.run(
                self.who, MAX_SECONDS, lambda: compute_equity(players, board, "", samples=EQUITY_SAMPLES)
            )
            matrices = [Range.parse(text) for text in players]
        except MingpaiError as error:
            complain(error)
            return
        self.area.clear()
        with self.area, ui.row().classes("gap-4"):
            for text, share, held in zip(players, found.equities, matrices, strict=True):
                with ui.column().classes("gap-1"):
                    ui.label(f"{text}: {share:.2%}").classes("text-subtitle1 text-weight-bold").mark("share")
                    ui.html(matrix_html(held), sanitize=False)


def matrix_html(held: Range) -> str:
    """The 13 x 13 matrix of a range: pairs on the diagonal, suited above it."""
    weights = held.matrix().ravel()
    top = float(weights.max()) or 1.0
    cells = [f'<td class="cell" style="background: rgba(76, 175, 80, {weight / top:.2f})">{name}</td>'
             for name, weight in zip(CLASSES, weights, strict=True)]  # fmt: skip
    rows = ("".join(cells[start : start + GRID]) for start in range(0, GRID * GRID, GRID))
    return '<table class="mp-heat">' + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"
