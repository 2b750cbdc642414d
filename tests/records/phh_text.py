"""Hand histories written as PHH, for tests that read them: the package writes PHH by PokerKit alone."""

from collections.abc import Iterator, Sequence

from mingpai.records.handhistory import BOARD_SIZES, Chips, HandHistory


def to_phh(hand: HandHistory) -> str:
    """The hand as the text of a .phh file."""
    lines = [
        "variant = 'NT'",
        "ante_trimming_status = true",
        f"antes = {_numbers(hand.antes)}",
        f"blinds_or_straddles = {_numbers(hand.posts[::-1] if hand.seats == 2 else hand.posts)}",
        f"min_bet = {_number(max(hand.posts))}",
        f"starting_stacks = {_numbers(hand.stacks)}",
        f"actions = [{', '.join(repr(text) for text in _phh_actions(hand))}]",
    ]
    if hand.players:
        lines.append(f"players = [{', '.join(repr(name) for name in hand.players)}]")
    if hand.finishing:
        lines.append(f"finishing_stacks = {_numbers(hand.finishing)}")
    if hand.source:
        lines.append(f"_source = {hand.source!r}")
    return "\n".join(lines) + "\n"


def _phh_actions(hand: HandHistory) -> Iterator[str]:
    hole = hand.hole or (None,) * hand.seats
    for seat, cards in enumerate(hole):
        yield f"d dh p{seat + 1} {cards or '????'}"
    street = 0
    for action in hand.actions:
        for reached in range(street + 1, action.street + 1):
            yield f"d db {hand.board[2 * BOARD_SIZES[reached - 1] : 2 * BOARD_SIZES[reached]]}"
        street = action.street
        code = {"fold": "f", "call": "cc", "raise": f"cbr {_number(action.to)}"}[action.kind]
        yield f"p{action.seat + 1} {code}"
    for reached in range(street + 1, BOARD_SIZES.index(len(hand.board) // 2) + 1):
        yield f"d db {hand.board[2 * BOARD_SIZES[reached - 1] : 2 * BOARD_SIZES[reached]]}"


def _number(chips: Chips) -> str:
    return str(int(chips)) if chips == int(chips) else str(chips)


def _numbers(chips: Sequence[Chips]) -> str:
    return f"[{', '.join(_number(value) for value in chips)}]"
