"""Split, LessSplit and L_min against their definitions."""

import functools
from collections import Counter

import numpy as np
import pytest

from mingpai._native import doudizhu as native
from mingpai._native.ruleplay import Splitter
from mingpai.games.doudizhu.notation import parse_cards
from mingpai.games.doudizhu.rules import PROFILES
from mingpai.methods.handsplit.split import less_split, less_split_moves, min_turns, split
from tests.scale import count

DENSE_RANKS = 7
"""Half of the hands come from the lowest ranks only: chains, airplanes and fours abound there."""


def random_hands(seed: int, number: int, cards: int) -> list[int]:
    rng = np.random.default_rng(seed)
    deck = [rank for rank in range(13) for _ in range(4)] + [13, 14]
    dense = [rank for rank in deck if rank < DENSE_RANKS or rank >= 13]
    hands = []
    for i in range(number):
        pool = dense if i % 2 else deck
        chosen = rng.choice(len(pool), size=int(rng.integers(1, cards + 1)), replace=False)
        hands.append(sum(1 << (4 * pool[int(i)]) for i in chosen))
    return hands


def turns_by_definition(rules: native.Rules) -> "functools._lru_cache_wrapper[int]":
    @functools.cache
    def turns(hand: int) -> int:
        if hand == 0:
            return 0
        return 1 + min(turns(hand - move.cards) for move in native.lead_moves(hand, rules))

    return turns


def partitions_by_definition(hand: int, rules: native.Rules) -> set[frozenset[tuple[native.Move, int]]]:
    """Every multiset of moves whose cards are the hand: Split(F, X) of the paper, word for word."""

    @functools.cache
    def of(left: int) -> frozenset[frozenset[tuple[native.Move, int]]]:
        if left == 0:
            return frozenset({frozenset()})
        partitions = set()
        for move in native.lead_moves(left, rules):
            for rest in of(left - move.cards):
                parts = Counter(dict(rest))
                parts[move] += 1
                partitions.add(frozenset(parts.items()))
        return frozenset(partitions)

    return set(of(hand))


@pytest.mark.parametrize("profile", PROFILES)
def test_fewest_turns_equal_the_definition_under_every_profile(profile: str) -> None:
    rules = native.profile(profile)
    turns, splitter = turns_by_definition(rules), Splitter(rules)
    for hand in random_hands(1, count(fast=150, ci=400, verify=2000), 11):
        assert splitter.min_turns(hand) == turns(hand), native.cards_text(hand)


@pytest.mark.parametrize(
    ("cards", "profile", "turns"),
    [
        ("3333444", "standard", 2),  # 333444 may not carry the fourth 3: a bomb and a triple
        ("333344445", "botzone", 2),  # fours in a row are one move there
        ("333344445", "standard", 2),
        ("333444XD", "douzero", 1),  # both jokers as wings
        ("333444XD", "standard", 2),
        ("33344455", "botzone", 2),  # a pair is no two single kickers there
        ("33344455", "standard", 1),
        ("444555333", "rlcard", 1),
        ("33334488", "openspiel", 3),  # no four with two
    ],
)
def test_fewest_turns_of_named_hands(cards: str, profile: str, turns: int) -> None:
    assert min_turns(parse_cards(cards), profile) == turns


@pytest.mark.parametrize("profile", ["standard", "douzero", "botzone"])
def test_partitions_are_those_of_the_definition_each_once(profile: str) -> None:
    rules = native.profile(profile)
    for hand in random_hands(2, count(fast=40, ci=100, verify=400), 8):
        partitions = [frozenset(Counter(partition).items()) for partition in split(hand, profile)]
        assert len(partitions) == len(set(partitions))
        assert set(partitions) == partitions_by_definition(hand, rules), native.cards_text(hand)


@pytest.mark.parametrize("slack", [0, 1, 2, 3])
def test_less_split_moves_are_the_moves_of_small_partitions(slack: int) -> None:
    for hand in random_hands(3, count(fast=40, ci=100, verify=400), 9):
        in_partitions = {move for partition in less_split(hand, slack=slack) for move in partition}
        assert set(less_split_moves(hand, slack=slack)) == in_partitions, native.cards_text(hand)


def test_less_split_moves_that_follow_beat_the_move_or_pass() -> None:
    hand, last = parse_cards("5556677889AA2"), native.classify(parse_cards("44"), native.profile("standard"))[0]
    moves = less_split_moves(hand, last, slack=0)
    assert moves[-1].is_pass
    assert all(move.beats(last) for move in moves[:-1])
    assert {str(move) for move in moves[:-1]} < {str(move) for move in less_split_moves(hand, last, slack=3)}


def test_a_limit_cuts_the_list_of_partitions() -> None:
    hand = parse_cards("33445566778899TTJJQK")
    assert len(split(hand, limit=1000)) == 1000
    assert min_turns(hand) == 2


def test_no_cards_need_no_turns() -> None:
    assert min_turns(0) == 0
    assert split(0) == [()]


def test_a_hand_of_too_many_cards_is_refused() -> None:
    with pytest.raises(ValueError, match="20 cards"):
        min_turns(native.FULL_DECK)
