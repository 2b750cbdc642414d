"""On from a position of a recorded game: at the table, or under analysis."""

import json
from urllib.parse import urlencode

from nicegui import ui

from mingpai.core.errors import MingpaiError
from mingpai.records.record import Record
from mingpai.web import home
from mingpai.web.frame import complain, who
from mingpai.web.games import BEST, film_of
from mingpai.web.table import Table


def play_from(record: Record, frame: int) -> None:
    """Sit down in the place of whoever moved here, and play on."""
    film = film_of(record)
    frame = min(frame, film.frames - 1)
    try:
        table = Table.from_record(record, frame, film.moves[frame][0], BEST[record.game])
    except MingpaiError as error:
        complain(error)
        return
    home.save(f"tables/again-{who()}-{record.game}.json", table.to_json())
    ui.navigate.to(f"/play?game={record.game}&again=1")


def analyse_from(record: Record, frame: int) -> None:
    """The position before a move, as its player saw it, on the Analyse page."""
    film = film_of(record)
    state = film.at(min(frame, film.frames - 1))
    assert state.to_move is not None
    position = json.dumps(state.view(state.to_move).to_json(), ensure_ascii=False)
    ui.navigate.to("/analyse?" + urlencode({"game": record.game, "position": position}))
