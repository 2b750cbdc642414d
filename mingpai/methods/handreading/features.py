"""The numbers that the fitted model sees: of each combination on a board, and of the situation of an action."""

import functools
import math

import numpy as np

from mingpai.methods.handreading.hands import (
    COMBOS,
    HAND_CLASSES,
    HIGH,
    LOW,
    Floats,
    preflop_percentile,
    strength,
)
from mingpai.methods.handreading.made import made_features
from mingpai.methods.handreading.understand import Line, Position, Seen, StreetLine

FEATURES_VERSION = 2

_PAIR = np.equal(HIGH // 4, LOW // 4).astype(np.float32)
_SUITED = np.equal(HIGH % 4, LOW % 4).astype(np.float32)
_HIGH_RANK: Floats = (HIGH // 4).astype(np.float32) / np.float32(12)
_LOW_RANK: Floats = (LOW // 4).astype(np.float32) / np.float32(12)


@functools.cache
def preflop_hands() -> Floats:
    """One row for each combination before the flop."""
    hands = strength(())
    place = preflop_percentile()
    gap = (_HIGH_RANK - _LOW_RANK) * (1 - _PAIR)
    ace = np.equal(HIGH // 4, 12).astype(np.float32)
    return np.stack(
        [hands.equity * 4 - 2, hands.spread * 4 - 1, place, np.sqrt(place), _PAIR, _PAIR * _HIGH_RANK, _SUITED,
         _SUITED * _LOW_RANK, _HIGH_RANK, _LOW_RANK, gap, ace],
        axis=1,
    )  # fmt: skip


@functools.lru_cache(maxsize=256)
def postflop_hands(board: tuple[int, ...]) -> Floats:
    """One row for each combination on a board."""
    hands = strength(board)
    top = max(card // 4 for card in board) / 12
    classes = np.zeros((COMBOS, len(HAND_CLASSES)), np.float32)
    classes[np.arange(COMBOS), hands.classes] = 1
    columns: list[Floats] = [
        hands.now * 2 - 1, hands.now**4, hands.equity * 2 - 1, hands.equity**4, hands.spread * 4, _PAIR, _SUITED,
        _HIGH_RANK, _LOW_RANK, _HIGH_RANK - top, _draws(board), np.equal(HIGH // 4, 12).astype(np.float32),
        _HIGH_RANK - _LOW_RANK, *preflop_hands()[:, :3:2].T,
    ]  # fmt: skip
    return np.concatenate([np.stack(columns, axis=1), classes, made_features(board)], axis=1)


def _draws(board: tuple[int, ...]) -> Floats:
    """1 for each combination with four cards of a suit, at least one of them its own, and no flush yet."""
    drawing = np.zeros(COMBOS, np.float32)
    if len(board) == 5:
        return drawing
    for suit in range(4):
        count = sum(card % 4 == suit for card in board)
        own = np.equal(HIGH % 4, suit).astype(int) + np.equal(LOW % 4, suit)
        drawing += np.equal(count + own, 4) & (own > 0)
    return drawing


def _clipped_log(value: float, low: float, high: float) -> float:
    return math.log(min(max(value, low), high))


def preflop_context(seen: Seen) -> list[float]:
    """The situation of an action before the flop."""
    blind = max(float(seen.big_blind), 1e-9)
    position = [float(seen.position is place) for place in Position]
    return [
        *position, float(seen.raises == 0), float(seen.raises == 1), float(seen.raises == 2), float(seen.raises >= 3),
        min(seen.callers, 3) / 3, seen.behind / 5, (seen.live - 2) / 4,
        float(seen.to_call) / max(float(seen.pot + seen.to_call), 1e-9),
        _clipped_log(float(seen.to_call) / blind, 0.25, 128) / 3, _clipped_log(float(seen.stack) / blind, 1, 400) / 5,
        float(seen.to_call == 0), float(seen.is_aggressor), float(seen.seats == 2), 1 / seen.seats,
        *_preflop_line(seen, seen.line or IMAGINED_PREFLOP),
    ]  # fmt: skip


IMAGINED_PREFLOP = Line((StreetLine(),), opened=False, at_flop=2)
IMAGINED_POSTFLOP = Line((StreetLine(raises=1),) + (StreetLine(),) * 3, opened=False, at_flop=2)
"""How the hand is taken to have gone where an action is only imagined: one raise before the flop, then nothing."""
LARGEST_SIZE = 3.0
"""Of a raise, in pots: larger ones count as this."""


def _preflop_line(seen: Seen, line: Line) -> list[float]:
    """The player's own actions before, the seat, and the raise that he faces."""
    own = line.streets[0]
    from_button = seen.seats - 1 - seen.seat
    return [
        float(own.called >= 0), float(own.raised > 0), *(float(line.raiser is place) for place in Position),
        float(seen.seat == 0), float(seen.seat == 1),
        *(float(seen.seat > 1 and from_button == place) for place in range(4)),
        min(line.size, LARGEST_SIZE) / 2, float(line.is_all_in),
    ]  # fmt: skip


def _postflop_line(seen: Seen, line: Line) -> list[float]:
    """How the hand has gone before the flop, on the streets since then, and on this one."""
    before, now = line.streets[0], line.streets[seen.street]
    return [
        float(before.raises == 0), float(before.raises == 1), float(before.raises == 2), float(before.raises >= 3),
        float(line.opened), float(before.called == 1), float(before.called >= 2), float(before.called == 0),
        (line.at_flop - 2) / 3,
        *_street_line(line, 1, seen.street), *_street_line(line, 2, seen.street),
        float(now.checked), float(now.raised > 0), min(line.size, LARGEST_SIZE) / 2, float(line.is_all_in),
        float(seen.seat == 0), float(seen.seat == 1), float(seen.seat == seen.seats - 1),
    ]  # fmt: skip


def _street_line(line: Line, street: int, now: int) -> list[float]:
    """A street that is over: checked through, raised or called by the player, raised again, the sizes."""
    if street >= now:
        return [0.0] * 6
    gone = line.streets[street]
    return [
        float(gone.raises == 0), float(gone.raised > 0), float(gone.called >= 0), float(gone.raises >= 2),
        min(gone.raised, 2.0), min(gone.faced, 2.0),
    ]  # fmt: skip


def board_texture(board: tuple[int, ...]) -> list[float]:
    """Pairing, suits, connection and height of a board."""
    ranks = sorted({card // 4 for card in board})
    with_low_ace = ranks if 12 not in ranks else [-1, *ranks]
    connected = max(sum(low <= rank < low + 5 for rank in with_low_ace) for low in range(-1, 9))
    suits = max(sum(card % 4 == suit for card in board) for suit in range(4))
    copies = max(sum(card // 4 == rank for card in board) for rank in ranks)
    return [
        float(len(ranks) < len(board)), float(copies >= 3), float(suits == 2), float(suits == 3), float(suits >= 4),
        float(connected == 3), float(connected >= 4), ranks[-1] / 12,
        sum(card // 4 for card in board) / (12 * len(board)),
    ]  # fmt: skip


def postflop_context(seen: Seen, board: tuple[int, ...]) -> list[float]:
    """The situation of an action after the flop."""
    pot = max(float(seen.pot), 1e-9)
    price = float(seen.to_call) / (pot + float(seen.to_call))
    return [
        float(seen.street == 1), float(seen.street == 2), float(seen.street == 3), float(seen.to_call > 0), price,
        float(seen.raises == 1), float(seen.raises >= 2), min(seen.callers, 2) / 2, float(seen.live == 2),
        (seen.live - 2) / 4,
        float(seen.behind == 0), seen.behind / 4, float(seen.is_aggressor), float(seen.was_aggressor),
        float(seen.is_aggressor) * float(seen.to_call == 0), _clipped_log(float(seen.stack) / pot, 0.05, 50) / 3,
        _clipped_log(pot / max(float(seen.big_blind), 1e-9), 1, 400) / 5, float(seen.position is Position.BLIND),
        *board_texture(board), *_postflop_line(seen, seen.line or IMAGINED_POSTFLOP),
    ]  # fmt: skip
