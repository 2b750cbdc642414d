"""A table drawn without its controls: for replays and analysis."""

import html

from nicegui import ui

from mingpai.core.game import State
from mingpai.web.faces import back_html, row_html
from mingpai.web.frame import language, say
from mingpai.web.scenes import Scene, SeatScene, scene


def draw_board(state: State, seat: int, players: list[str], open_cards: bool) -> Scene:
    """Seats, centre and the hand of one seat."""
    made = scene(state, state.view(seat), language(), open_cards)
    with ui.element("div").classes("mp-felt").mark("table"):
        draw_seats(state, seat, players, made)
        draw_centre(made)
        ui.html('<div class="mp-hand">' + row_html(made.hand) + "</div>", sanitize=False).mark("hand")
    return made


def draw_seats(state: State, seat: int, players: list[str], made: Scene) -> None:
    with ui.element("div").classes("mp-seats"):
        for number, shown in enumerate(made.seats):
            turn = " turn" if state.to_move == number else ""
            with ui.element("div").classes("mp-seat" + turn).mark(f"seat{number}"):
                ui.html(seat_html(shown, number == seat, players[number]), sanitize=False)


def draw_centre(made: Scene) -> None:
    ui.html('<div class="mp-centre">' + row_html(made.centre, small=True) + "</div>", sanitize=False)


def seat_html(seat: SeatScene, is_me: bool, player: str) -> str:
    """One seat: name, cards left, last play."""
    name = html.escape(seat.name + (f" · {say('you')}" if is_me else f" · {player}"))
    count = back_html(seat.count) if seat.count >= 0 else ""
    last = row_html(seat.last, small=True) if seat.last else f"<span>{html.escape(seat.said)}</span>"
    note = f"<div>{html.escape(seat.note)}</div>" if seat.note else ""
    hand = f'<div class="last">{row_html(seat.hand, small=True)}</div>' if seat.hand else ""
    return f'<div class="who"><span>{name}</span>{count}</div>{note}<div class="last">{last}</div>{hand}'
