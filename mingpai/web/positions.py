"""Positions as people type them: each field of the JSON object as a line of text, and back."""

import functools
import itertools
import json
from collections.abc import Mapping
from typing import Any

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.errors import BadlyWritten
from mingpai.core.reading import MOST_DIGITS, read_whole
from mingpai.games.doudizhu.notation import ROLES
from mingpai.games.guandan.notation import RANKS as GUANDAN_RANKS
from mingpai.web.games import BEST

EXAMPLE_MOVES = {"doudizhu": 5, "guandan": 16, "holdem": 8}
EXAMPLE_SETUP: Mapping[str, Mapping[str, Any]] = {"holdem": {"seats": 6}}
EXAMPLE_SEEDS = {"doudizhu": 9, "guandan": 3, "holdem": 9}

SEAT_FIELDS = ("seat", "landlord", "leader", "button", "first")
"""Fields whose numbers are seats."""
FLAGS = ("true", "false")

Fields = dict[str, str]
WIDEST = 10**MOST_DIGITS - 1


@functools.cache
def example(game: str) -> str:
    """A position to start from, as JSON: some moves into a fixed deal."""
    rules = REGISTRY.game(game)
    state = rules.deal(EXAMPLE_SEEDS[game], setup=EXAMPLE_SETUP.get(game, rules.play_only))
    agent = REGISTRY.agent(game, BEST[game])
    for _ in range(EXAMPLE_MOVES[game]):
        assert state.to_move is not None
        move = agent.decide(state.view(state.to_move)).move
        state.play(move)
        if state.is_over:
            state.undo()
            break
    assert state.to_move is not None
    return json.dumps(state.view(state.to_move).to_json(), ensure_ascii=False)


def menu(game: str, key: str, position: Mapping[str, Any]) -> list[str]:
    """What a field can be, where that is little; empty for what has to be typed."""
    seats = seats_of(game, position)
    choices: dict[str, list[str]] = {
        **{name: [str(seat) for seat in range(seats)] for name in SEAT_FIELDS},
        "previous": [" ".join(order) for order in itertools.permutations("0123")],
        "resisted": list(FLAGS),
        "bid": ["0", "1", "2", "3"],
        "level": list(GUANDAN_RANKS),
        "rules": list(REGISTRY.game(game).profiles()),
    }
    if game == "doudizhu" and position.get("seat") in ROLES:
        choices["seat"] = list(ROLES)
    return choices.get(key, [])


def seats_of(game: str, position: Mapping[str, Any]) -> int:
    """How many sit at the table of a position."""
    return {"doudizhu": 3, "guandan": 4}.get(game) or max(2, len(position.get("stacks", ())))


def own_seat(position: Mapping[str, Any]) -> int:
    """The seat from which a position is seen, as a number."""
    seat, landlord = position.get("seat"), position.get("landlord")
    if isinstance(seat, str) and seat in ROLES:
        return (landlord if isinstance(landlord, int) else 0) + ROLES.index(seat)
    return seat if isinstance(seat, int) else 0


def order_of_play(game: str, key: str, position: Mapping[str, Any]) -> list[str]:
    """The seats as the moves of a field name them, whoever begins first."""
    seats = seats_of(game, position)
    if game == "doudizhu" and key == "history":
        return list(ROLES)
    begins = {"doudizhu": "first", "guandan": "leader", "holdem": "button"}[game]
    first = position.get(begins)
    after = (0 if seats == 2 else 3) if game == "holdem" else 0
    start = (first if isinstance(first, int) else 0) + after
    return [str((start + step) % seats) for step in range(seats)]


def to_fields(position: Mapping[str, Any]) -> Fields:
    """A line of text for each field: lists with spaces, moves as `who move, who move`."""
    return {key: _line(value) for key, value in position.items()}


def _line(value: Any) -> str:
    if isinstance(value, list) and any(isinstance(item, list) for item in value):
        return ", ".join(" ".join(map(str, item)) for item in value)
    if isinstance(value, list):
        return " ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def from_fields(fields: Fields, like: Mapping[str, Any]) -> dict[str, Any]:
    """The position that the lines describe; `like` says what each field is. Raises BadlyWritten."""
    return {key: _value(key, text.strip(), like.get(key)) for key, text in fields.items()}


def _value(key: str, text: str, like: Any) -> Any:
    if key in ("history", "bids", "shown"):
        return [_move(key, part.strip()) for part in text.split(",") if part.strip()]
    if isinstance(like, list):
        return [_number(key, word) for word in text.replace(",", " ").split()]
    if isinstance(like, bool):
        return text == "true"
    if isinstance(like, int):
        return _number(key, text)
    return text


def _move(key: str, part: str) -> list[Any]:
    who, space, move = part.partition(" ")
    if not space:
        raise BadlyWritten(part, f"{key}: who and what, such as '0 pass'")
    return [read_whole(who, key) if who.isdecimal() else who, move.strip()]


def _number(key: str, word: str) -> int | str:
    if word.lstrip("-").isdecimal():
        return read_whole(word, key, -WIDEST, WIDEST)
    if "/" in word or "." in word:
        return word
    raise BadlyWritten(word, f"{key}: a whole number")
