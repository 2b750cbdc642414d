"""Native Dou Dizhu against the reference engine, on random hands and whole random deals, in every profile."""

import random

import pytest

from mingpai._native import doudizhu as native
from mingpai.games.doudizhu import GAME, notation
from mingpai.games.doudizhu.moves import Bid
from mingpai.games.doudizhu.rules import PROFILES, rules_of
from tests.reference import doudizhu as reference
from tests.rules.doudizhu_text import as_reference, as_set, random_cards, random_last
from tests.scale import count

BIDDINGS = ("score", "auction", "callrob")


def test_the_reference_knows_the_profiles() -> None:
    assert set(reference.PROFILES) == set(PROFILES)


@pytest.mark.parametrize("profile", PROFILES)
def test_section_7_switches_are_those_of_the_reference(profile: str) -> None:
    ours, theirs = GAME.profile_json(profile), reference.PROFILES[profile]
    assert set(ours["types"]) == {*theirs.types, "pass"}
    for name in ("same_kicker_limit", "beside_kicker_limit", "both_jokers_as_kickers", "same_pair_kickers", "bidding",
                 "bombs_double", "spring_doubles", "unit_score"):  # fmt: skip
        assert ours[name] == getattr(theirs, name), name


@pytest.mark.parametrize("profile", PROFILES)
def test_leads_are_the_subsets_that_are_moves(profile: str) -> None:
    rng = random.Random(f"subsets {profile}")
    switches, rules = reference.PROFILES[profile], native.profile(profile)
    for _ in range(count(fast=15, ci=100, verify=400)):
        hand = random_cards(rng, rng.randint(1, 9))
        expected = reference.leads_by_subsets(hand, switches)
        assert reference.leads(hand, switches) == expected, hand
        assert as_set(native.lead_moves(notation.parse_cards(hand), rules)) == expected, hand


@pytest.mark.parametrize("profile", PROFILES)
def test_leads_equal_the_reference(profile: str) -> None:
    rng = random.Random(f"leads {profile}")
    switches, rules = reference.PROFILES[profile], native.profile(profile)
    for _ in range(count(fast=120, ci=2000, verify=8000)):
        hand = random_cards(rng, rng.randint(1, 20))
        assert as_set(native.lead_moves(notation.parse_cards(hand), rules)) == reference.leads(hand, switches), hand


@pytest.mark.parametrize("profile", PROFILES)
def test_follows_and_can_beat_equal_the_reference(profile: str) -> None:
    rng = random.Random(f"follows {profile}")
    switches, rules = reference.PROFILES[profile], native.profile(profile)
    for _ in range(count(fast=120, ci=2000, verify=8000)):
        hand, last = random_cards(rng, rng.randint(1, 20)), random_last(rng, rules)
        cards = notation.parse_cards(hand)
        expected = reference.legal_moves(hand, as_reference(last), switches)
        assert as_set(native.follow_moves(cards, last, rules)) == expected, (hand, str(last))
        assert native.can_beat(cards, last, rules) == (len(expected) > 1), (hand, str(last))
        assert set(native.legal_cards(cards, last, rules)) == {notation.parse_cards(move[3]) for move in expected}


@pytest.mark.parametrize("profile", PROFILES)
def test_clause_2_30_readings_equal_the_reference(profile: str) -> None:
    rng = random.Random(f"readings {profile}")
    switches, rules = reference.PROFILES[profile], native.profile(profile)
    freest = native.profile("douzero")
    for _ in range(count(fast=300, ci=3000, verify=12_000)):
        cards = notation.cards_text(random_last(rng, freest).cards)
        if rng.random() < 0.3:
            cards = random_cards(rng, rng.randint(1, 16))
        assert as_set(native.classify(notation.parse_cards(cards), rules)) == reference.readings(cards, switches), cards


@pytest.mark.parametrize("profile", PROFILES)
def test_bans_of_types_remove_exactly_those_moves(profile: str) -> None:
    rng = random.Random(f"bans {profile}")
    bans = ("triple_single", "triple_pair", "four_singles", "four_pairs")
    for _ in range(count(fast=30, ci=200, verify=800)):
        banned = rng.sample(bans, rng.randint(1, 4))
        rules = rules_of(profile + "".join(f"-{name}" for name in banned)).native
        hand = notation.parse_cards(random_cards(rng, 17))
        every = as_set(native.lead_moves(hand, native.profile(profile)))
        assert as_set(native.lead_moves(hand, rules)) == {move for move in every if move[0] not in banned}


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("bidding", BIDDINGS)
def test_whole_deals_equal_the_reference(profile: str, bidding: str) -> None:
    rng = random.Random(f"deals {profile} {bidding}")
    switches = reference.PROFILES[profile]
    fields = {**vars(switches), "bidding": bidding}
    for _ in range(count(fast=2, ci=30, verify=120)):
        first = rng.randrange(3)
        state = GAME.deal(rng.randrange(2**32), f"{profile}+{bidding}", {"first": first})
        hands = state.deck().split("/")
        table = reference.Table(hands[:3], hands[3], reference.Switches(**fields), first)
        while not state.is_over:
            assert state.to_move == table.to_move
            seat = state.to_move
            assert seat is not None
            if table.landlord is None:
                assert {int(str(bid)) for bid in state.legal_moves()} == table.legal_bids()
                value = rng.choice(sorted(table.legal_bids()))
                table.bids.append((seat, value))
                state.play(Bid(value))
                continue
            assert as_set(state.native.legal_moves()) == table.legal_moves()
            assert notation.cards_text(state.hand(seat)) == table.hand(seat)
            move = rng.choice(list(state.native.legal_moves()))
            table.plays.append((seat, as_reference(move)))
            state.play(move)
        assert table.is_over
        assert state.landlord == table.landlord
        assert list(state.points()) == table.points()
