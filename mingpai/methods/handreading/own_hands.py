"""Heads-up hands of the arena's own with every card known: to fit and to test the reading of hands by.

Public hands with all cards are of six seats. These are of two: pairs of the rule players, a session for each pair
drawn, the button changing from hand to hand, equal chips at the start of each.
"""

from collections.abc import Iterator

from mingpai._native import handreading as reading
from mingpai._native import holdem as native
from mingpai.agents.holdem_styles import ALL_STYLES
from mingpai.core.random import seed_of, stream
from mingpai.games.holdem.notation import format_cards
from mingpai.games.holdem.rules import rules_of
from mingpai.methods.handreading.tournament import deck_of
from mingpai.records.handhistory import Action, ActionKind, HandHistory

HANDS_A_SESSION = 40
STACK, BLINDS = 2000, (20, 40)

_KINDS: dict[object, ActionKind] = {native.ActionKind.FOLD: "fold", native.ActionKind.RAISE: "raise"}


def own_hands(hands: int, seed: int) -> Iterator[HandHistory]:
    """So many hands; another seed has other decks and other pairs."""
    for number in range(hands):
        session = number // HANDS_A_SESSION
        pair = [str(name) for name in stream(seed, "pair", session).choice(list(ALL_STYLES), 2, replace=False)]
        yield _played(pair, seed, number, f"own {seed}/{session}/{number}")


def _played(pair: list[str], seed: int, number: int, source: str) -> HandHistory:
    """One hand; the player with the button, who acts last after the flop, is the second."""
    deck = deck_of(seed, number)
    order = pair if number % 2 else pair[::-1]
    held = [(deck[0], deck[1]), (deck[2], deck[3])]
    table = native.Table([STACK] * 2, 1, *BLINDS, 0, rules_of("").native, held, deck[4:9])
    reading.play_styles(table, [ALL_STYLES[name].native for name in order], seed_of(seed, "styles", number))
    made = zip(table.actions, table.action_streets, strict=True)
    return HandHistory(
        stacks=(STACK, STACK), posts=(BLINDS[1], BLINDS[0]), antes=(0, 0), board=format_cards(table.board),
        hole=(format_cards(held[0]), format_cards(held[1])), players=(order[0], order[1]),
        actions=tuple(Action(street, seat, _KINDS.get(kind, "call"), to) for (seat, kind, to), street in made),
        source=source,
    )  # fmt: skip
