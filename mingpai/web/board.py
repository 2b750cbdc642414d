"""A table drawn without its controls: for play, replays and analysis."""

import html
from collections.abc import Sequence

from nicegui import ui

from mingpai.core.game import State
from mingpai.web.faces import Face, back_html, face_html, row_html
from mingpai.web.frame import language, say
from mingpai.web.scenes import Scene, SeatScene, scene
from mingpai.web.table import PERSON


def draw_board(state: State, seat: int, players: Sequence[str], open_cards: bool) -> Scene:
    """Seats, centre and the hand of one seat."""
    made = scene(state, state.view(seat), language(), open_cards)
    with ui.element("div").classes("mp-felt").mark("table"):
        draw_table(state, seat, players, made)
        ui.html('<div class="mp-hand">' + row_html(made.hand) + "</div>", sanitize=False).classes("w-full").mark("hand")
    return made


def draw_table(state: State, seat: int, players: Sequence[str], made: Scene) -> None:
    """The other seats in the order they sit, the centre, and one's own seat."""
    with ui.element("div").classes("mp-seats"):
        for other in made.around:
            _draw_seat(state, other, players[other], made.seats[other])
    centre = row_html(made.centre, "" if made.centre_is_big else "small") if made.centre else ""
    chips = "".join(f'<span class="chip">{html.escape(word)}</span>' for word in made.facts)
    ui.html(f'<div class="mp-centre">{centre}{chips}</div>', sanitize=False).classes("w-full").mark("centre")
    _draw_seat(state, seat, players[seat], made.seats[seat], is_me=True)


def draw_hand(faces: Sequence[Face], chosen: list[int], can_pick: bool) -> None:
    """A hand whose cards can be picked: `chosen` holds their places."""
    with ui.element("div").classes("mp-hand").mark("hand"):
        for index, face in enumerate(faces):
            is_up = index in chosen
            button = ui.element("button").classes("mp-pick" + (" up" if is_up else "" if can_pick else " still"))
            button.props(f'type="button" aria-label="{face.label}" aria-pressed="{str(is_up).lower()}"')
            with button.mark(f"card-{index}"):
                ui.html(face_html(face), sanitize=False)
            if can_pick:
                button.on("click", lambda _, i=index, b=button: _pick(chosen, i, b))


def _pick(chosen: list[int], index: int, button: ui.element) -> None:
    if index in chosen:
        chosen.remove(index)
        button.classes(remove="up")
    else:
        chosen.append(index)
        button.classes(add="up")


def _draw_seat(state: State, seat: int, player: str, shown: SeatScene, is_me: bool = False) -> None:
    classes = "mp-seat" + " me" * is_me + " turn" * (state.to_move == seat) + " out" * shown.is_out
    with ui.element("div").classes(classes).mark(f"seat{seat}"):
        ui.html(seat_html(shown, player, is_me), sanitize=False).style("display: contents" if is_me else "")


def seat_html(seat: SeatScene, player: str, is_me: bool) -> str:
    """One seat: name, player, cards left, last play."""
    boss = " boss" if seat.is_boss else ""
    face = f'<span class="face{boss}">{html.escape(seat.sign)}</span>'
    agent = html.escape(" · ".join(filter(None, (_player_word(player, is_me), seat.note))))
    names = (f'<span class="names"><div class="name">{html.escape(seat.name)}</div>'
             f'<div class="agent">{agent}</div></span>')  # fmt: skip
    count = back_html(seat.count) if seat.count > 0 and not is_me else ""
    said = f'<span class="said">{html.escape(seat.said)}</span>' if seat.said else ""
    last = row_html(seat.last, "small") if seat.last else ""
    hand = f'<div class="last">{row_html(seat.hand, "tiny")}</div>' if seat.hand and not is_me else ""
    return f'<div class="who">{face}{names}{count}</div><div class="last">{last}{said}</div>{hand}'


def _player_word(player: str, is_me: bool) -> str:
    return say("you") if player == PERSON or (is_me and not player) else pretty(player)


def pretty(spec: str) -> str:
    """An agent's spec as a name: "mingpai:preset=fast" is "mingpai · fast"."""
    name, _, options = spec.partition(":")
    return f"{name} · {options.replace('preset=', '').replace(',', ' ')}" if options else name
