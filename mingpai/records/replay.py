"""Replay as the validator: a record is good if playing its moves gives its events and its result."""

from collections.abc import Iterator

from mingpai.core.errors import MingpaiError
from mingpai.core.game import Game, Seat, State
from mingpai.records.record import Record

POINTS_TOLERANCE = 1e-9


class ReplayFailed(MingpaiError):
    """The record does not follow the rules it names."""


def replay(record: Record, game: Game) -> State:
    """The state at the end of the record. Raises ReplayFailed with the number of the event that does not fit."""
    state = _started(record, game)
    try:
        _play_through(record, game, state)
    except MingpaiError:
        state = _started(record, game)
        for _, _, _ in _steps(record, game, state):
            pass
    _check_result(record, state)
    return state


def positions(record: Record, game: Game) -> Iterator[tuple[State, Seat, object]]:
    """Each position in which somebody moved: the state before the move (do not change it), the seat, the move."""
    yield from _steps(record, game, _started(record, game))


def _started(record: Record, game: Game) -> State:
    if record.game != game.name:
        raise ReplayFailed(f"a record of {record.game!r}, not of {game.name!r}")
    try:
        if game.profile_json(record.rules) != dict(record.switches):
            raise ReplayFailed(f"the switches of profile {record.rules!r} have changed since it was played")
        state = game.start(record.deck, record.rules, record.setup)
    except ReplayFailed:
        raise
    except (MingpaiError, ValueError, KeyError, TypeError) as error:
        raise ReplayFailed(f"the deal cannot be set up: {error}") from error
    if len(record.players) != state.seats:
        raise ReplayFailed(f"{len(record.players)} players at {state.seats} seats")
    return state


def _steps(record: Record, game: Game, state: State) -> Iterator[tuple[State, Seat, object]]:
    """Plays the record into `state`. A move is the first event that the position so far does not explain."""
    known = _check_events(record, state, 0)
    while known < len(record.events):
        event, seat = record.events[known], state.to_move
        if seat is None:
            raise ReplayFailed(f"event {known}: {event.to_json()} after the deal was over")
        if event.seat != seat:
            raise ReplayFailed(f"event {known}: {event.to_json()}, but seat {seat} is to move")
        try:
            move = game.parse_move(event.text, state)
            yield state, seat, move
            state.play(move)
        except MingpaiError as error:
            raise ReplayFailed(f"event {known}: {error}") from error
        known = _check_events(record, state, known)


def _play_through(record: Record, game: Game, state: State) -> None:
    """As `_steps`, but asks for the state's events only where something else than another move may have happened."""
    known = checked = 0
    kind: str | None = None
    while known < len(record.events):
        event = record.events[known]
        if event.kind != kind or event.seat != state.to_move:
            known = checked = _check_events(record, state, checked)
            if known == len(record.events):
                return
            event = record.events[known]
        if event.seat is None or event.seat != state.to_move:
            raise ReplayFailed(f"event {known}")
        state.play(game.parse_move(event.text, state))
        kind, known = event.kind, known + 1
    if _check_events(record, state, checked) != len(record.events):
        raise ReplayFailed(f"event {known}")


def _check_events(record: Record, state: State, known: int) -> int:
    """Compares what happened since `known` with the record; the number of events explained."""
    events = state.events()
    if len(events) > len(record.events):
        raise ReplayFailed(f"event {len(record.events)}: {events[len(record.events)].to_json()} is missing")
    for number in range(known, len(events)):
        if events[number] != record.events[number]:
            there, here = record.events[number].to_json(), events[number].to_json()
            raise ReplayFailed(f"event {number}: {there}, but the rules give {here}")
    return len(events)


def _check_result(record: Record, state: State) -> None:
    if record.void is not None:
        if record.points is not None or record.winners:
            raise ReplayFailed("a void deal has no result")
        return
    if not state.is_over:
        raise ReplayFailed(f"not finished after {len(record.events)} events and not void")
    if record.points is None or not _equal(record.points, tuple(state.points())):
        raise ReplayFailed(f"points {record.points}, but the rules give {tuple(state.points())}")
    if sorted(record.winners) != sorted(state.winners()):
        raise ReplayFailed(f"winners {record.winners}, but the rules give {tuple(state.winners())}")
    names = tuple(state.seat_name(seat) for seat in range(state.seats))
    if record.seats != names:
        raise ReplayFailed(f"seats {record.seats}, but the rules give {names}")


def _equal(left: tuple[float, ...], right: tuple[float, ...]) -> bool:
    return len(left) == len(right) and all(
        abs(a - b) <= POINTS_TOLERANCE * max(1.0, abs(a)) for a, b in zip(left, right, strict=True)
    )
