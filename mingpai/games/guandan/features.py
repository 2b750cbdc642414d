"""Numbers for learning: a view as one row of numbers, and a fixed number for every abstract action.

Actions are the 168 pseudo-actions (RULES.md, clause 10), then the 54 kinds as tribute, then the 54 kinds as a card
given back. `concrete` makes a pseudo-action a play: the fewest wild cards, straight flushes kept whole.
"""

import numpy as np
from numpy.typing import NDArray

from mingpai._native import guandan as native
from mingpai.games.guandan import notation
from mingpai.games.guandan.moves import PSEUDO_ACTIONS, TYPE_NAMES, Cards, Play, Type
from mingpai.games.guandan.rules import SEATS
from mingpai.games.guandan.view import GuandanView

FEATURE_VERSION = 1
"""Models store it and refuse another."""

KINDS = 54
ACTIONS = PSEUDO_ACTIONS + 2 * KINDS
"""Abstract actions, exchange included."""

PLANES = ("hand", "unseen", *(f"played{i}" for i in range(SEATS)), *(f"held{i}" for i in range(1, SEATS)), "best")
"""Counts of 54 kinds; seats are numbered from the viewer."""
LEVELS = 13
PHASES = 4
FACTS = LEVELS + PHASES + SEATS + SEATS + 1
"""Level, phase, cards left at each seat / 27, owner of the play to beat (from the viewer), leading."""
OBSERVATION_SIZE = len(PLANES) * KINDS + FACTS


def counts(cards: Cards) -> NDArray[np.float32]:
    """Copies of each kind."""
    row = np.zeros(KINDS, np.float32)
    for kind in cards.kinds():
        row[kind] += 1
    return row


def observation(view: GuandanView) -> NDArray[np.float32]:
    """Planes and facts in one row. Nothing hidden: the view knows nothing else."""
    known = view.knowledge
    seats = [(view.seat + i) % SEATS for i in range(SEATS)]
    planes = [known.hand, known.unseen, *(view.native.played(seat) for seat in seats)]
    planes += [known.held[seat] for seat in seats[1:]]
    planes.append(view.native.best.cards)
    facts = np.zeros(FACTS, np.float32)
    facts[view.level] = 1
    facts[LEVELS + view.phase] = 1
    at = LEVELS + PHASES
    facts[at : at + SEATS] = [known.sizes[seat] / 27 for seat in seats]
    owner = view.native.best_seat
    facts[at + SEATS + ((owner - view.seat) % SEATS if owner >= 0 else SEATS)] = 1
    return np.concatenate([*map(counts, planes), facts])


def action_number(play: Play) -> int:
    """The abstract action of a play."""
    if play.type == Type.TRIBUTE:
        return PSEUDO_ACTIONS + play.cards.kinds()[0]
    if play.type == Type.RETURN:
        return PSEUDO_ACTIONS + KINDS + play.cards.kinds()[0]
    return play.pseudo


def action_text(action: int) -> str:
    """An abstract action for people: `pair 4`, `bomb 5x9`, `tribute SA`."""
    if action >= PSEUDO_ACTIONS:
        kind = (action - PSEUDO_ACTIONS) % KINDS
        return f"{'tribute' if action < PSEUDO_ACTIONS + KINDS else 'return'} {notation.card_text(kind)}"
    type_, rank, size = native.shape_of(action)
    name = TYPE_NAMES[type_]
    if type_ in (Type.PASS, Type.JOKER_BOMB):
        return name
    return f"{name} {f'{size}x' if size else ''}{notation.RANK_LETTERS[rank]}"


def action_mask(view: GuandanView) -> NDArray[np.int8]:
    """1 at the legal abstract actions of the viewer, nothing when another seat is to move."""
    mask = np.zeros(ACTIONS, np.int8)
    if view.to_move != view.seat:
        return mask
    if view.native.phase == native.PHASE_PLAY:
        mask[:PSEUDO_ACTIONS] = view.native.legal_mask()
    else:
        for play in view.legal_moves():
            mask[action_number(play)] = 1
    return mask


def action_count(rules: str = "") -> int:
    """How many abstract actions there are; the same under all rules."""
    return ACTIONS


def choice(view: GuandanView, play: Play) -> tuple[list[int], int]:
    """The numbers of the legal abstract actions of a view, and that of the play chosen."""
    return [int(number) for number in np.flatnonzero(action_mask(view))], action_number(play)


def concrete(view: GuandanView, action: int) -> Play:
    """The play that an abstract action stands for. Raises ValueError if it is not legal."""
    if action < PSEUDO_ACTIONS:
        return view.native.default_play(action)
    for play in view.legal_moves():
        if action_number(play) == action:
            return play
    raise ValueError(f"action {action} is not legal here")
