"""A table to look at, without controls: for replays and analysis; and how players are called."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from mingpai.core.game import State
from mingpai.web.felt import Felt
from mingpai.web.frame import language, say
from mingpai.web.opponents import faces, opponent_of
from mingpai.web.scenes import Scene, Sitter, scene, scene_json
from mingpai.web.table import PERSON

_ID = re.compile(r"\d{5}|[0-9a-f]{12}")


def board_scene(state: State, seat: int, players: Sequence[str], open_cards: bool) -> tuple[Scene, dict[str, Any]]:
    """What is drawn of a state seen from a seat."""
    made = scene(state, state.view(seat), language(), open_cards)
    drawn = scene_json(made, state, seat, sitters(state.game.name, players), language())
    return made, drawn | {"inset": True, "picks": False, "deal": "", "columns": state.game.name == "guandan"}


def draw_board(state: State, seat: int, players: Sequence[str], open_cards: bool) -> Felt:
    """Seats, centre and the hand of one seat."""
    felt = Felt(board_scene(state, seat, players, open_cards)[1])
    felt.mark("table")
    return felt


def sitters(game: str, players: Sequence[str]) -> list[Sitter]:
    """Who sits at each seat: the person, an opponent by name and portrait, or a program by its name."""
    made, names = [], player_names(game, players)
    for player, known in zip(players, faces(game, players), strict=True):
        if known is not None:
            made.append(Sitter(known[0].name(language(), known[1]), known[0].picture(known[1])))
        else:
            made.append(Sitter(names[player]))
    return made


def player_names(game: str, players: Iterable[str]) -> dict[str, str]:
    """How everybody in some games is called; who has only an id is numbered."""
    names: dict[str, str] = {}
    unnamed = 0
    for player in dict.fromkeys(players):
        unnamed += is_id(player)
        names[player] = say("player_short", number=unnamed) if is_id(player) else called(game, player)
    return names


def is_id(player: str) -> bool:
    """Whether a player is called by a number of a platform, which is no name for people."""
    return _ID.search(player) is not None and ":" not in player


def called(game: str, spec: str) -> str:
    """A player as the app calls them: you, the opponent whom an agent plays for, else the agent or the name."""
    if spec == PERSON:
        return say("you")
    known = opponent_of(game, spec)
    return pretty(spec) if known is None else known.name(language())


def pretty(spec: str) -> str:
    """An agent's spec as a name: "mingpai:preset=fast" is "mingpai · fast"."""
    name, _, options = spec.partition(":")
    return f"{name} · {options.replace('preset=', '').replace(',', ' ')}" if options else name
