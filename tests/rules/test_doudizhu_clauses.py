"""The clauses of RULES.md, one by one, by example. Test names cite them."""

from itertools import pairwise

import pytest

from mingpai._native import doudizhu as native
from mingpai.core.errors import BadlyWritten, IllegalHere
from mingpai.core.random import stream
from mingpai.games.doudizhu import GAME, notation
from mingpai.games.doudizhu.moves import PASS, Bid
from mingpai.games.doudizhu.rules import PROFILES, TYPE_NAMES
from mingpai.games.doudizhu.state import DoudizhuState
from tests.rules.doudizhu_text import as_set


def types(cards: str, profile: str = "standard") -> set[str]:
    """The types that cards can be read as."""
    return {move[0] for move in as_set(native.classify(notation.parse_cards(cards), native.profile(profile)))}


def move(text: str, profile: str = "standard") -> native.Move:
    (only,) = notation.parse_readings(text, native.profile(profile))
    return only


def endgame(landlord: str, down: str, up: str, *moves: str, rules: str = "standard") -> DoudizhuState:
    state = GAME.start(f"{landlord}/{down}/{up}", rules, {"landlord": 0})
    for text in moves:
        state.play(GAME.parse_move(text, state))
    return state


def test_1_1_the_pack_has_54_cards() -> None:
    assert native.card_count(native.FULL_DECK) == 54


def test_1_2_ranks_from_low_to_high() -> None:
    singles = [move(rank) for rank in "3456789TJQKA2XD"]
    assert all(high.beats(low) for low, high in pairwise(singles))


def test_1_3_seventeen_cards_each_and_three_at_the_bottom() -> None:
    hands = GAME.deal(7).deck().split("/")
    assert [len(hand) for hand in hands] == [17, 17, 17, 3]
    assert sum(notation.parse_cards(hand) for hand in hands) == native.FULL_DECK


@pytest.mark.parametrize("cards", ["TJQKA2", "JQKA2", "KKAA22", "AAA222", "2XD33", "AAA22234"])
def test_1_4_no_chain_beyond_the_ace(cards: str) -> None:
    assert not types(cards)


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("3", "single"), ("D", "single"), ("22", "pair"), ("777", "triple"), ("3777", "triple_single"),
        ("777D", "triple_single"), ("33777", "triple_pair"), ("34567", "straight"), ("3456789TJQKA", "straight"),
        ("334455", "pair_straight"), ("QQKKAA", "pair_straight"), ("333444", "airplane"), ("QQQKKKAAA", "airplane"),
        ("33344456", "airplane_singles"), ("333444XA", "airplane_singles"), ("3334445566", "airplane_pairs"),
        ("333356", "four_singles"), ("33335566", "four_pairs"), ("2222", "bomb"), ("XD", "rocket"),
    ],
)  # fmt: skip
def test_2_1_to_2_14_types(cards: str, name: str) -> None:
    for profile in PROFILES:
        allowed = native.profile(profile).allows(native.Type(native.type_names().index(name)))
        assert types(cards, profile) == ({name} if allowed else set())


@pytest.mark.parametrize("cards", ["34", "3344", "3456", "334456", "333445", "3355", "DX3", "334466", "333555"])
def test_2_6_to_2_12_too_short_or_broken(cards: str) -> None:
    assert not types(cards)


@pytest.mark.parametrize(
    ("cards", "name"),
    [("33334444", "four_straight"), ("333344445678", "four_straight_singles"),
     ("3333444455667788", "four_straight_pairs")],
)  # fmt: skip
def test_2_16_straights_of_fours_only_where_the_profile_has_them(cards: str, name: str) -> None:
    assert name in types(cards, "botzone")
    assert all(name not in types(cards, profile) for profile in PROFILES if profile != "botzone")


@pytest.mark.parametrize("cards", ["33334", "3333444", "333344445", "33334445"])
def test_2_20_kickers_are_of_other_ranks(cards: str) -> None:
    assert not types(cards)


@pytest.mark.parametrize(
    ("cards", "profiles"),
    [
        ("33344455", {"standard", "douzero", "rlcard", "openspiel"}),
        ("333355", {"standard", "douzero", "rlcard"}),
        ("333444555777", {"standard", "douzero", "rlcard", "openspiel"}),
        ("3334445556668888", {"standard", "douzero"}),
    ],
)
def test_2_21_equal_single_kickers(cards: str, profiles: set[str]) -> None:
    assert {p for p in PROFILES if types(cards, p) & {"airplane_singles", "four_singles"}} == profiles


def test_2_22_triples_beside_the_chain_as_wings() -> None:
    allowed = {p for p in PROFILES if "airplane_singles" in types("444555666333", p)}
    assert allowed == {"standard", "douzero", "openspiel"}
    assert "airplane_singles" in types("QQQKKKAAA222", "rlcard"), "the 2 is beside no chain"


@pytest.mark.parametrize("cards", ["3333XD", "333444XD"])
def test_2_23_both_jokers_as_kickers(cards: str) -> None:
    assert {p for p in PROFILES if types(cards, p)} == {"douzero", "botzone"}


def test_2_24_two_pairs_of_one_rank() -> None:
    assert {p for p in PROFILES if "four_pairs" in types("33334444", p)} == {"standard"}
    assert {p for p in PROFILES if "airplane_pairs" in types("3334446666", p)} == {"standard"}


def test_2_25_two_jokers_are_no_pair() -> None:
    assert types("XD") == {"rocket"}
    assert not types("333XD")


def test_2_26_a_puzzle_may_ban_types() -> None:
    state = endgame("33345", "6", "7", rules="standard-triple_single")
    with pytest.raises(IllegalHere, match="no combination"):
        GAME.parse_move("3334", state)
    assert "3334" in {str(m) for m in endgame("33345", "6", "7").legal_moves()}


def test_2_30_readings() -> None:
    rules = native.profile("standard")
    texts = {str(m) for m in native.classify(notation.parse_cards("333444555666"), rules)}
    assert texts == {"333444555666@airplane", "333444555666@airplane_singles/3", "333444555666@airplane_singles/4"}
    texts = {str(m) for m in native.classify(notation.parse_cards("33334444"), rules)}
    assert texts == {"33334444@four_pairs/3", "33334444@four_pairs/4"}


def bids(rules: str, first: int, *values: int) -> DoudizhuState:
    state = GAME.deal(1, rules, {"first": first})
    for value in values:
        state.play(Bid(value))
    return state


def test_3_1_score_bidding() -> None:
    state = bids("standard", 1, 1)
    assert state.to_move == 2
    assert [str(bid) for bid in state.legal_moves()] == ["0", "2", "3"]
    with pytest.raises(IllegalHere, match="higher than 1"):
        state.play(Bid(1))
    assert bids("standard", 1, 1, 0, 2).landlord == 0
    assert bids("standard", 1, 1, 0, 0).landlord == 1
    assert bids("standard", 0, 3).landlord == 0


def test_3_2_auction() -> None:
    state = bids("standard+auction", 0, 0, 0, 1, 0)
    assert state.to_move == 1
    assert bids("standard+auction", 0, 0, 0, 1, 0, 2, 0).landlord is None
    assert bids("standard+auction", 0, 0, 0, 1, 0, 2, 0, 0).landlord == 1
    assert bids("standard+auction", 0, 0, 0, 0).is_over


def test_3_3_1_the_first_call_ends_the_calling() -> None:
    state = bids("standard+callrob", 0, 0, 1)
    assert state.native.status.caller == 1
    assert state.to_move == 2


def test_3_3_2_who_did_not_call_may_not_rob() -> None:
    assert bids("standard+callrob", 0, 0, 1, 0).landlord == 1
    assert bids("standard+callrob", 0, 0, 0, 1).landlord == 2, "nobody is left to rob"


def test_3_3_3_the_caller_may_rob_back_once() -> None:
    state = bids("standard+callrob", 0, 1, 1, 0)
    assert state.to_move == 0
    state.play(Bid(1))
    assert state.landlord == 0
    assert bids("standard+callrob", 0, 1, 0, 0).landlord == 0, "nobody robbed: the caller is not asked"


@pytest.mark.parametrize(
    ("said", "landlord", "stake"),
    [((1, 0, 0), 0, 1), ((1, 1, 0, 0), 1, 2), ((1, 0, 1, 0), 2, 2), ((1, 1, 1, 0), 2, 4), ((1, 1, 1, 1), 0, 8)],
)
def test_3_3_4_each_rob_doubles(said: tuple[int, ...], landlord: int, stake: int) -> None:
    state = bids("standard+callrob", 0, *said)
    assert (state.landlord, state.native.status.bid) == (landlord, stake)


@pytest.mark.parametrize("rules", ["standard", "standard+auction", "standard+callrob"])
def test_3_4_all_pass_is_void(rules: str) -> None:
    state = bids(rules, 2, 0, 0, 0)
    assert state.is_over
    assert list(state.points()) == [0, 0, 0]
    assert not state.winners()


def test_3_5_landlord_given() -> None:
    assert GAME.deal(1, "douzero").landlord == 0
    state = GAME.deal(1, "", {"landlord": 2, "bid": 3})
    assert (state.landlord, state.native.status.bid) == (2, 3)


def test_3_6_the_bottom_cards_are_taken_and_shown() -> None:
    state = bids("standard", 0, 1, 2, 0)
    bottom = notation.parse_cards(state.deck().split("/")[3])
    assert native.card_count(state.hand(1)) == 20
    assert all(state.view(seat).native.bottom == bottom for seat in range(3))
    assert bids("standard", 0, 1).view(0).native.bottom == 0


def test_3_7_names_of_the_seats() -> None:
    state = bids("standard", 0, 1, 2, 0)
    assert [state.seat_name(seat) for seat in range(3)] == ["up", "landlord", "down"]


def test_4_1_order_of_play() -> None:
    state = bids("standard", 0, 1, 2, 0)
    assert state.to_move == 1
    state.play(state.legal_moves()[0])
    assert state.to_move == 2


def test_4_2_passing_does_not_bar() -> None:
    state = endgame("39Q", "5T", "7K", "3", "pass", "7", "9")
    assert {str(m) for m in state.legal_moves()} == {"T", "pass"}


def test_4_3_two_passes_give_the_lead_and_the_leader_may_not_pass() -> None:
    state = endgame("34", "55", "66", "3", "pass", "pass")
    assert state.to_move == 0
    with pytest.raises(IllegalHere, match="must play"):
        state.play(PASS)


@pytest.mark.parametrize(
    ("higher", "lower", "beats"),
    [
        ("4443", "333D", True), ("4443", "333", False), ("45678", "34567", True), ("456789", "34567", False),
        ("44433", "33322", True), ("3333", "2222", False), ("4444", "3333", True), ("3333", "AAA22", True),
        ("XD", "2222", True), ("2222", "XD", False), ("333356", "44", False), ("444435", "3333XA", True),
        ("D", "X", True), ("44455567", "333444AA", True),
    ],
)  # fmt: skip
def test_4_4_and_4_5_what_beats_what(higher: str, lower: str, beats: bool) -> None:
    assert move(higher).beats(move(lower)) == beats


def test_4_6_the_deal_ends_when_a_seat_is_out() -> None:
    state = endgame("3", "4", "5", "3")
    assert state.is_over
    assert state.winners() == (0,)


@pytest.mark.parametrize("bid", [1, 2, 3])
def test_5_1_and_5_4_stakes(bid: int) -> None:
    state = GAME.start("34/45/66", "standard", {"landlord": 0, "bid": bid})
    for text in ("3", "4", "pass", "pass", "5"):
        state.play(GAME.parse_move(text, state))
    # the landlord played one move only: anti-spring
    assert list(state.points()) == [-4 * bid, 2 * bid, 2 * bid]


def test_5_2_bombs_double() -> None:
    moves = ("3", "4", "5", "7777", "pass", "XD", "pass", "pass", "6")
    assert list(endgame("3677779", "48", "56XD", *moves).points()) == [-8, 4, 4]
    assert list(endgame("3677779", "48", "56XD", *moves, rules="rlcard").points()) == [0, 1, 1]


def test_5_3_spring_and_anti_spring() -> None:
    assert list(endgame("3", "4", "5", "3").points()) == [4, -2, -2]
    assert list(endgame("3", "4", "5", "3", rules="douzero").points()) == [2, -1, -1]
    assert list(endgame("37", "4", "5", "3", "4").points()) == [-4, 2, 2]
    assert list(endgame("379", "48", "5", "3", "4", "pass", "7", "8").points()) == [-2, 1, 1]


def test_6_1_a_view_shows_no_hidden_cards() -> None:
    state = bids("standard", 0, 0, 2, 0)
    swapped = GAME.start("/".join(_swap(state.deck().split("/"))), "standard", {"first": 0})
    for value in (0, 2, 0):
        swapped.play(Bid(value))
    assert state.view(1) == swapped.view(1)
    assert state.view(0) != swapped.view(0)


def _swap(hands: list[str]) -> list[str]:
    return [hands[2], hands[1], hands[0], hands[3]]


def test_6_2_unplayed_bottom_cards_are_known() -> None:
    state = bids("standard", 0, 3)
    bottom = state.native.bottom
    assert state.view(1).native.known_of_landlord() == bottom
    rank = next(r for r in range(15) if bottom >> (4 * r) & 15)
    state.play(GAME.parse_move(notation.RANKS[rank], state))
    assert state.view(1).native.known_of_landlord() == bottom - (1 << (4 * rank))
    assert state.view(0).native.known_of_landlord() == 0
    for world in state.view(2).sample_worlds(stream(1), 20):
        assert isinstance(world, DoudizhuState)
        assert native.holds(world.hand(0), bottom - (1 << (4 * rank)))


def test_7_1_names_of_rules() -> None:
    assert GAME.profile_json("standard+callrob")["bidding"] == "callrob"
    assert "four_pairs" not in GAME.profile_json("standard-four_pairs")["types"]
    for wrong in ("nonsense", "standard+nonsense", "standard-pass", "standard-single"):
        with pytest.raises(ValueError, match="expected PROFILE"):
            GAME.profile_json(wrong)


def test_setups_are_checked() -> None:
    wrong = ({"first": 3}, {"landlord": -1}, {"first": 0, "landlord": 0}, {"level": 2}, {"landlord": 0, "bid": 0})
    for setup in (*wrong, {"bid": 1}, {"first": True}):
        with pytest.raises(ValueError, match="expected"):
            GAME.deal(1, "", setup)
    with pytest.raises(BadlyWritten, match="17, 17, 17 and 3"):
        GAME.start("3/4/5", "standard")


def test_every_type_has_a_name() -> None:
    assert len(TYPE_NAMES) == len(native.type_names()) == len(native.Type)
