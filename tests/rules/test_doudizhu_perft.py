"""Counts of lines of play from fixed deals: any change of the rules, of do or of undo shows here."""

import pytest

from mingpai._native import doudizhu as native
from mingpai.games.doudizhu import GAME
from tests.reference import doudizhu as reference

DEALS = {
    "usual": "44566789TQQKKAAAD/3345578889TTJQK2X/33466779TJJQKA222/59J",
    "triples": "333444555666777XD/345689999TTTTJJJJ/7QQQQKKKKAAAA2222/888",
}

# (deal, profile): numbers of sequences of 1, 2, 3 and 4 moves, the landlord at seat 0
PLAY_COUNTS = {
    ("usual", "standard"): (67, 162, 622, 3714),
    ("usual", "douzero"): (67, 162, 622, 3714),
    ("usual", "rlcard"): (67, 162, 622, 3714),
    ("usual", "openspiel"): (67, 162, 622, 3714),
    ("usual", "botzone"): (67, 162, 622, 3714),
    ("triples", "standard"): (366, 6426, 81994, 151159),
    ("triples", "douzero"): (394, 6752, 85050, 154437),
    ("triples", "rlcard"): (348, 6234, 80422, 147871),
    ("triples", "openspiel"): (366, 6366, 81214, 149599),
    ("triples", "botzone"): (273, 4884, 56118, 103247),
}

# numbers of sequences of 1 to 5 bids and moves of the usual deal
BID_COUNTS = {
    "score": (4, 76, 361, 2721, 10908),
    "auction": (4, 76, 361, 2330, 9264),
    "callrob": (2, 4, 8, 193, 1333),
}


def counts(table: reference.Table, depth: int) -> int:
    """Perft by the reference engine."""
    if depth == 0 or table.is_over:
        return 1
    seat = table.to_move
    assert seat is not None
    total = 0
    if table.landlord is None:
        for bid in table.legal_bids():
            table.bids.append((seat, bid))
            total += counts(table, depth - 1)
            table.bids.pop()
        return total
    for move in table.legal_moves():
        table.plays.append((seat, move))
        total += counts(table, depth - 1)
        table.plays.pop()
    return total


@pytest.mark.parametrize(("deal", "profile"), PLAY_COUNTS)
def test_perft_of_the_play(deal: str, profile: str) -> None:
    state = GAME.start(DEALS[deal], profile, {"landlord": 0})
    before = native.State(state.native)
    assert tuple(native.perft(state.native, depth) for depth in (1, 2, 3, 4)) == PLAY_COUNTS[deal, profile]
    assert state.native == before


@pytest.mark.parametrize("bidding", BID_COUNTS)
def test_perft_from_the_first_bid(bidding: str) -> None:
    state = GAME.start(DEALS["usual"], f"standard+{bidding}")
    assert tuple(native.perft(state.native, depth) for depth in range(1, 6)) == BID_COUNTS[bidding]


@pytest.mark.parametrize(("deal", "profile"), PLAY_COUNTS)
def test_perft_by_the_reference(deal: str, profile: str) -> None:
    hands = DEALS[deal].split("/")
    fields = {**vars(reference.PROFILES[profile]), "bidding": "nobid"}
    table = reference.Table(hands[:3], hands[3], reference.Switches(**fields))
    assert counts(table, 1) == PLAY_COUNTS[deal, profile][0]
    if deal == "usual":
        assert counts(table, 2) == PLAY_COUNTS[deal, profile][1]


def test_all_lines_of_an_endgame() -> None:
    lines, longest = 119, 60
    state = GAME.start("34X/355/4D", "standard", {"landlord": 0})
    assert native.perft(state.native, longest) == lines
    table = reference.Table(["34X", "355", "4D"], "", reference.Switches(bidding="nobid"))
    assert counts(table, longest) == lines
