"""The native table against the plain-Python one, in every profile, on random hands with uneven stacks."""

import random
from fractions import Fraction

import pytest

from mingpai.games.holdem.moves import CALL, CHECK, FOLD, raise_to
from mingpai.games.holdem.rules import PROFILES as PROFILE_NAMES
from mingpai.games.holdem.rules import rules_of
from mingpai.games.holdem.state import TableSetup, begin
from tests.reference.holdem import PROFILES, ReferenceTable
from tests.scale import count


def test_every_profile_has_a_reference() -> None:
    assert set(PROFILES) == set(PROFILE_NAMES)


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_random_hands(profile: str) -> None:
    for seed in range(count(fast=300, ci=1500, verify=10_000)):
        _play_both(random.Random(seed), profile)


def _play_both(rng: random.Random, profile: str) -> None:
    seats = rng.randint(2, 10 if rng.random() < 0.3 else 5)
    big = rng.choice([2, 10, 100])
    ante = rng.choice([0, 0, 1, big // 2])
    sizes = [0.0, 0.3, 1.0, 2.0, 5.0, 20.0, 50.0]
    stacks: list[Fraction] = [_stack(rng, big * rng.choice(sizes), profile) for _ in range(seats)]
    if sum(stack > 0 for stack in stacks) < 2:
        stacks[:2] = [Fraction(big), Fraction(3 * big)]
    button = rng.choice([seat for seat, stack in enumerate(stacks) if stack > 0])
    deck = rng.sample(range(52), 2 * seats + 5)
    holes = [(deck[2 * seat], deck[2 * seat + 1]) for seat in range(seats)]
    board = deck[2 * seats :]
    setup = {"stacks": stacks, "button": button, "blinds": [big // 2, big], "ante": ante}
    hands = [hole if stack else None for hole, stack in zip(holes, stacks, strict=True)]
    ours = begin(TableSetup(setup), rules_of(profile), hands, board)
    plain = ReferenceTable(stacks, button, (big // 2, big), ante, PROFILES[profile], holes, board)
    tightness = rng.random()
    while plain.turn is not None:
        legal = ours.native.legal()
        assert ours.to_move == plain.turn
        assert ours.street.value == plain.street
        assert (legal.fold, legal.check, legal.call) == (plain.can_fold(), plain.facing() == 0, plain.facing() > 0)
        assert ours.raise_bounds == plain.raise_bounds()
        assert ours.stacks == plain.stack
        assert ours.bets == plain.bet
        assert ours.pots() == plain.pots(plain.live)
        bounds, choice = plain.raise_bounds(), rng.random()
        if bounds is not None and choice < 0.35:
            least, most = bounds
            middle = Fraction(rng.randint(int(least), int(most)))
            total = rng.choice([least, most, middle if middle >= least else most])
            total = total if total == most or total.denominator == 1 else most
            ours.play(raise_to(total.numerator if total.denominator == 1 else total))
            plain.act("raise", total)
        elif plain.can_fold() and choice < 0.35 + 0.4 * tightness:
            ours.play(FOLD)
            plain.act("fold")
        else:
            ours.play(CALL if plain.facing() else CHECK)
            plain.act("call")
        assert ours.native.is_consistent()
    assert ours.is_over
    assert ours.stacks == plain.final_stacks()
    assert sum(stacks) - sum(ours.stacks) == ours.native.discarded / ours.rule_set.unit
    while ours.moves():
        ours.undo()
    assert ours.stacks == begin(TableSetup(setup), rules_of(profile), hands, board).stacks


def _stack(rng: random.Random, about: float, profile: str) -> Fraction:
    whole = Fraction(int(about * rng.uniform(0.5, 1.5)))
    return whole + Fraction(1, 2) if profile == "acpc" and rng.random() < 0.2 else whole
