"""Guandan plays: RULES.md clauses 2 to 5 and 10, and the native lists against the reference."""

import random

import pytest

from mingpai._native import core
from mingpai._native import guandan as native
from tests.reference import guandan as reference
from tests.rules.guandan_text import TYPES, cards_of, native_play, plays_of, reference_play, texts
from tests.scale import count

RANKS = reference.RANKS


def lead_shapes(hand: str, level: str) -> set[tuple[str, str]]:
    return {(p.type, p.rank) for p in map(reference_play, native.lead_plays(cards_of(hand), RANKS.index(level)))}


def best_reading(cards: str, level: str, name: str) -> native.Play:
    (play,) = (p for p in native.readings(cards_of(cards), RANKS.index(level)) if TYPES[p.type] == name)
    return play


def beats(cards: str, target: str, level: str = "2", name: str = "", target_name: str = "") -> bool:
    def read(text: str, kind: str) -> native.Play:
        plays = native.readings(cards_of(text), RANKS.index(level))
        (play,) = [p for p in plays if not kind or TYPES[p.type] == kind]
        return play

    return native.beats(read(cards, name), read(target, target_name), RANKS.index(level))


def test_2_2_level_is_above_ace_and_below_jokers() -> None:
    assert beats("S5", "SA", level="5")
    assert beats("SB", "S5", level="5")
    assert beats("HR", "SB", level="5")
    assert not beats("S5", "SA", level="6")
    assert beats("S2", "SA", level="2")


def test_3_2_pairs_of_jokers_need_one_colour() -> None:
    assert texts(plays_of("SB SB HR", "2", "pair")) == {"B:SB SB"}


def test_3_3_no_triple_with_jokers() -> None:
    assert lead_shapes("SB SB HR", "2") == {("single", "B"), ("single", "R"), ("pair", "B")}


def test_3_6_full_house_may_carry_jokers_and_has_the_rank_of_its_triple() -> None:
    assert texts(plays_of("S3 H3 D3 SB SB", "2", "full-house")) == {"3:D3 H3 S3 SB SB"}
    assert texts(plays_of("S3 H3 D3 SB HR", "2", "full-house")) == set()
    assert beats("S4 H4 D4 S3 H3", "S3 H3 D3 SA HA")


def test_3_7_straights_have_five_cards_and_never_wrap() -> None:
    hand = "SA H2 S3 S4 S5 S6 ST SJ SQ SK"
    assert {p.rank for p in map(reference_play, plays_of(hand, "9", "straight"))} == {"A", "2"}
    assert {p.rank for p in map(reference_play, plays_of(hand, "9", "straight-flush"))} == {"T"}
    assert lead_shapes("SQ SK SA H2 S3", "9") == {("single", r) for r in "QKA23"}


def test_3_8_bombs_of_four_to_ten() -> None:
    hand = "S7 S7 H7 H7 D7 D7 C7 C7 H2 H2"
    sizes = {len(p) for p in plays_of(hand, "2", "bomb")}
    assert sizes == set(range(4, 11))


def test_3_10_four_jokers_are_one_play() -> None:
    assert ("joker-bomb", "") in lead_shapes("SB SB HR HR", "2")
    assert ("joker-bomb", "") not in lead_shapes("SB HR HR S3", "2")


def test_3_11_sequences_ignore_the_level_and_take_a_low_and_high() -> None:
    assert texts(plays_of("SA HA S2 H2 S3 H3", "2", "tube")) >= {"A:H2 H3 HA S2 S3 SA"}
    assert texts(plays_of("SQ HQ SK HK SA HA", "3", "tube")) == {"Q:HA HK HQ SA SK SQ"}
    assert texts(plays_of("SK HK DK SA HA DA", "3", "plate")) == {"K:DA DK HA HK SA SK"}
    assert beats("S3 H4 S5 S6 S7", "S2 H3 S4 S5 S6", level="2")


def test_4_2_wild_cards_alone_are_level_cards() -> None:
    assert texts(plays_of("H2 H2", "2", "single")) == {"2:H2"}
    assert texts(plays_of("H2 H2", "2", "pair")) == {"2:H2 H2"}
    assert texts(plays_of("SK HK DK H2 H2", "2", "full-house")) == {"K:DK H2 H2 HK SK"}
    assert plays_of("S2 D2 C2 H2 H2", "2", "full-house") == []


def test_4_3_one_suit_makes_a_straight_flush_only() -> None:
    assert lead_shapes("S6 S7 S8 S9 H2", "2") & {("straight", "6"), ("straight-flush", "6")} == {
        ("straight-flush", "6")
    }
    assert ("straight", "5") not in lead_shapes("S6 S7 S8 S9 H2", "2")


def test_4_4_what_a_wild_card_stands_for_follows_from_the_play() -> None:
    play = best_reading("S6 H7 H2 H2 CT", "2", "straight")
    claims = [reference.RANKS[claim // 4] for _, claim in play.arranged()]
    assert claims == list("6789T")
    flush = best_reading("S6 S7 H2 H2 ST", "2", "straight-flush")
    assert [claim for _, claim in flush.arranged()] == cards_of("S6 S7 S8 S9 ST").kinds()


def test_figure_4_pair_of_fours_has_exactly_four_candidates() -> None:
    pairs = [p for p in plays_of("H4 H4 C4 H8", "8", "pair") if RANKS[p.rank] == "4"]
    assert texts(pairs) == {"4:H4 H4", "4:C4 H4", "4:H4 H8", "4:C4 H8"}


def test_5_1_only_the_same_type_beats() -> None:
    assert beats("SK HK", "SQ HQ")
    assert not beats("SK", "SQ HQ")
    assert not beats("SK HK DK", "SQ HQ")


def test_5_2_order_of_bombs() -> None:
    ladder = [
        "S3 H3 D3 C3", "SA HA DA CA", "S3 H3 D3 C3 S3", "SA S2 S3 S4 S5", "DT DJ DQ DK DA", "S3 H3 D3 C3 S3 H3",
        "S3 H3 D3 C3 S3 H3 D3", "S3 H3 D3 C3 S3 H3 D3 C3", "S3 H3 D3 C3 S3 H3 D3 C3 H7",
        "S3 H3 D3 C3 S3 H3 D3 C3 H7 H7", "SB SB HR HR",
    ]  # fmt: skip
    for i, low in enumerate(ladder):
        assert beats(low, "SB", level="7"), low
        for high in ladder[i + 1 :]:
            assert beats(high, low, level="7"), (high, low)
            assert not beats(low, high, level="7"), (low, high)


def test_5_3_an_equal_play_does_not_beat() -> None:
    assert not beats("SK", "HK")
    assert not beats("S3 H3 D3 C3", "S3 H3 D3 C3")


def test_10_1_there_are_168_pseudo_actions_in_order() -> None:
    assert native.PSEUDO_ACTIONS == 15 + 15 + 13 + 13 + 12 + 13 + 10 + 65 + 10 + 1 + 1
    shapes = [native.shape_of(i) for i in range(native.PSEUDO_ACTIONS)]
    assert len(set(shapes)) == native.PSEUDO_ACTIONS
    assert shapes[0] == (TYPES.index("single"), 0, 0)
    assert shapes[14] == (TYPES.index("single"), 14, 0)
    assert shapes[91] == (TYPES.index("bomb"), 0, 4)
    assert shapes[155] == (TYPES.index("bomb"), 12, 8)
    assert shapes[167] == (TYPES.index("pass"), 0, 0)


def test_10_2_bombs_of_nine_and_ten_share_the_place_of_eight() -> None:
    hand = cards_of("S7 S7 H7 H7 D7 D7 C7 C7 H2 H2")
    eight = [p for p in native.lead_plays(hand, 1) if len(p) >= 8]
    assert {len(p) for p in eight} == {8, 9, 10}
    assert len({p.pseudo for p in eight}) == 1


def _random_hand(rng: random.Random, level: str, wilds: int) -> list[str]:
    """A hand of random size with exactly this many wild cards."""
    wild = "H" + level
    rest = [card for card in reference.DECK if card != wild]
    size = rng.choice((5, 9, 14, 20, 27))
    return rng.sample(rest, size - wilds) + [wild] * wilds


def _same_sets(hand: list[str], level: str, target: reference.Play | None) -> set[reference.Play]:
    number = RANKS.index(level)
    if target is None:
        wanted = reference.leads(hand, level)
        plays = native.lead_plays(cards_of(hand), number)
        mask = native.lead_mask(cards_of(hand), number)
    else:
        wanted = reference.follows(hand, level, target)
        plays = native.follow_plays(cards_of(hand), number, native_play(target, level))
        mask = native.follow_mask(cards_of(hand), number, native_play(target, level))
    got = [reference_play(play) for play in plays]
    assert len(got) == len(set(got)), f"a play listed twice: {hand} at {level}"
    assert set(got) == wanted, f"{hand} at {level} over {target}"
    assert {i for i, bit in enumerate(mask) if bit} == {play.pseudo for play in plays}
    return wanted


def test_moves_equal_the_reference_on_random_hands() -> None:
    """Levels in turn, 0, 1 and 2 wild cards, leading and following; the target comes from another hand."""
    rng = random.Random(20)
    for i in range(count(fast=150, ci=2000, verify=12_000)):
        level = RANKS[i % 13]
        hand = _random_hand(rng, level, i // 13 % 3)
        leads = _same_sets(hand, level, None) if i % 2 == 0 else None
        if leads is None:
            other = reference.leads(_random_hand(rng, level, rng.randrange(3)), level)
            kinds = sorted({play.type for play in other})
            kind = rng.choice(kinds)
            target = rng.choice(sorted((p for p in other if p.type == kind), key=str))
            _same_sets(hand, level, target)


def test_reference_equals_the_definition_on_small_hands() -> None:
    """The pattern-by-pattern reference against every subset with every reading of its wild cards."""
    rng = random.Random(21)
    for i in range(count(fast=12, ci=60, verify=300)):
        level = RANKS[i % 13]
        near = [
            card for card in reference.DECK if card[1] in (RANKS + "A")[i % 10 : i % 10 + 5] or card in ("SB", "HR")
        ]
        wilds = i % 3
        hand = rng.sample([card for card in near if card != "H" + level], 8 - wilds) + ["H" + level] * wilds
        assert reference.leads(hand, level) == reference.leads_by_definition(hand, level), (hand, level)


def test_sizes_of_opening_leads() -> None:
    """328, 1160 and 2217 legal leads on average with 0, 1 and 2 wild cards, within 2% over 10,000 hands."""
    stats = native.count_opening_leads(10_000, 1)
    means = [plays / hands for plays, hands in zip(stats.plays, stats.hands, strict=True)]
    assert means == pytest.approx([328, 1160, 2217], rel=0.02)
    assert stats.most > 4000


def test_masks_hold_in_a_portable_build_too() -> None:
    """A checksum of masks and lists: equal in every variant of the extension."""
    rng = core.Rng(5)
    total = 0
    for _ in range(20):
        hand = native.deal(rng)[0]
        for level in range(13):
            plays = native.lead_plays(hand, level)
            total = (total * 31 + len(plays) * 168 + sum(play.pseudo for play in plays)) % (1 << 61)
    assert total == EXPECTED_CHECKSUM


EXPECTED_CHECKSUM = 315962608298301411
