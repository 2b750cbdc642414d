"""A table to look at, without controls: for replays and analysis; and how players are called."""

from collections.abc import Sequence
from typing import Any

from mingpai.core.game import State
from mingpai.web.felt import Felt
from mingpai.web.frame import language, say
from mingpai.web.opponents import faces, opponent_of
from mingpai.web.scenes import Scene, Sitter, scene, scene_json
from mingpai.web.table import PERSON


def board_scene(state: State, seat: int, players: Sequence[str], open_cards: bool) -> tuple[Scene, dict[str, Any]]:
    """What is drawn of a state seen from a seat."""
    made = scene(state, state.view(seat), language(), open_cards)
    drawn = scene_json(made, state, seat, sitters(state.game.name, players), language())
    return made, drawn | {"inset": True, "picks": False, "deal": ""}


def draw_board(state: State, seat: int, players: Sequence[str], open_cards: bool) -> Felt:
    """Seats, centre and the hand of one seat."""
    felt = Felt(board_scene(state, seat, players, open_cards)[1])
    felt.mark("table")
    return felt


def sitters(game: str, players: Sequence[str]) -> list[Sitter]:
    """Who sits at each seat: the person, an opponent by name and portrait, or a program by its name."""
    made = []
    for player, known in zip(players, faces(game, players), strict=True):
        if known is not None:
            made.append(Sitter(known[0].name(language(), known[1]), known[0].picture(known[1])))
        else:
            made.append(Sitter(say("you") if player == PERSON else pretty(player)))
    return made


def called(game: str, spec: str) -> str:
    """An agent as the app calls it: the opponent whom it plays for, else the program."""
    known = opponent_of(game, spec)
    return pretty(spec) if known is None else known.name(language())


def pretty(spec: str) -> str:
    """An agent's spec as a name: "mingpai:preset=fast" is "mingpai · fast"."""
    name, _, options = spec.partition(":")
    return f"{name} · {options.replace('preset=', '').replace(',', ' ')}" if options else name
