"""Random hands against PokerKit: who acts, what is legal, least and most raise, and the final stacks."""

import random
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from pokerkit import Automation, NoLimitTexasHoldem

from mingpai.games.holdem import HoldemState
from mingpai.games.holdem.moves import CALL, CHECK, FOLD, raise_to
from mingpai.games.holdem.notation import format_cards
from mingpai.games.holdem.rules import rules_of
from mingpai.games.holdem.state import TableSetup, begin
from tests.scale import count

DEALING = (Automation.HOLE_DEALING, Automation.BOARD_DEALING, Automation.CARD_BURNING)
AUTOMATIONS = tuple(automation for automation in Automation if automation not in DEALING)

STACKS = (0.3, 1, 2, 5, 20, 50, 100)
"""Typical stacks in big blinds, each varied by half."""


class Hand:
    """The same hand at both tables. PokerKit's first player is the one after the button."""

    def __init__(self, rng: random.Random, rules: str, *, short_blinds: bool) -> None:
        seats = rng.randint(2, 10 if rng.random() < 0.3 else 6)
        self.big = rng.choice([2, 10, 100])
        small, ante = self.big // 2, rng.choice([0, 0, 1, self.big // 2])
        sizes = STACKS if short_blinds else STACKS[2:]
        stacks = [max(1, int(self.big * rng.choice(sizes) * rng.uniform(0.5, 1.5))) for _ in range(seats)]
        if not short_blinds:
            stacks = [stack + self.big + ante for stack in stacks]
        deck = rng.sample(range(52), 2 * seats + 5)
        holes = [(deck[2 * seat], deck[2 * seat + 1]) for seat in range(seats)]
        self.board = deck[2 * seats :]
        setup = {"stacks": stacks, "button": seats - 1, "blinds": [small, self.big], "ante": ante}
        self.ours: HoldemState = begin(TableSetup(setup), rules_of(rules), holes, self.board)
        self.theirs: Any = NoLimitTexasHoldem.create_state(
            AUTOMATIONS, True, ante, (small, self.big), self.big, tuple(stacks), seats
        )
        for hole in holes:
            self.theirs.deal_hole(format_cards(hole))
        self._run_board()

    def _run_board(self) -> None:
        while self.theirs.status and self.theirs.actor_index is None:
            if self.theirs.can_burn_card():
                self.theirs.burn_card("??")
            else:
                known = len(self.theirs.board_cards)
                self.theirs.deal_board(format_cards(self.board[known : known + (1 if known else 3)]))

    def compare(self) -> None:
        ours, theirs, legal = self.ours, self.theirs, self.ours.native.legal()
        assert ours.to_move == theirs.actor_index
        assert ours.to_call == theirs.checking_or_calling_amount
        assert legal.fold == theirs.can_fold()
        least = theirs.min_completion_betting_or_raising_to_amount
        bounds = None if least is None else (least, theirs.max_completion_betting_or_raising_to_amount)
        assert ours.raise_bounds == bounds
        assert ours.stacks == list(theirs.stacks)
        assert ours.bets == list(theirs.bets)
        assert ours.native.is_consistent()

    def act(self, rng: random.Random, tightness: float) -> None:
        bounds, legal, choice = self.ours.raise_bounds, self.ours.native.legal(), rng.random()
        if bounds is not None and choice < 0.35:
            least, most = map(int, bounds)
            total = rng.choice([least, most, rng.randint(least, most), min(most, least + self.big)])
            self.theirs.complete_bet_or_raise_to(total)
            self.ours.play(raise_to(total))
        elif legal.fold and choice < 0.35 + 0.4 * tightness:
            self.theirs.fold()
            self.ours.play(FOLD)
        else:
            self.theirs.check_or_call()
            self.ours.play(CHECK if legal.check else CALL)
        self._run_board()


def hands(number: int, rules: str, *, short_blinds: bool) -> Iterator[Hand]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(number):
            rng = random.Random(seed)
            hand = Hand(rng, rules, short_blinds=short_blinds)
            tightness = rng.random()
            while hand.theirs.status:
                hand.compare()
                hand.act(rng, tightness)
            yield hand


def test_hands_as_pokerkit_plays_them() -> None:
    """The profile `pokerkit`, all stacks, also those that cannot pay a blind."""
    for hand in hands(count(fast=200, ci=2000, verify=20_000), "pokerkit", short_blinds=True):
        assert hand.ours.is_over
        assert hand.ours.stacks == list(hand.theirs.stacks)


@pytest.mark.ci
def test_standard_hands_differ_only_in_short_openings_and_odd_chips() -> None:
    """The profile `standard`, stacks that can pay: until a short all-in opens a street (5.7), then odd chips (8.5)."""
    differing = forgot = 0
    number = count(fast=0, ci=500, verify=5000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(number):
            rng = random.Random(seed)
            hand = Hand(rng, "standard", short_blinds=False)
            while hand.theirs.status and not _opened_short(hand) and not _forgot_short(hand):
                hand.compare()
                hand.act(rng, 0.5)
            forgot += _forgot_short(hand)
            if hand.theirs.status:
                continue
            gaps = [abs(a - b) for a, b in zip(hand.ours.stacks, hand.theirs.stacks, strict=True)]
            assert sum(hand.ours.stacks) == sum(hand.theirs.stacks)
            assert max(gaps) <= len(gaps)
            differing += max(gaps) > 0
    assert differing < 0.12 * number
    assert forgot <= 1 + number // 1000


def _forgot_short(hand: Hand) -> bool:
    """PokerKit starts counting short all-ins anew once they have added up to a full raise: after one more of them a
    seat that faces more than a full raise in all may not raise there, but may by 5.7."""
    amounts = hand.theirs.consecutive_short_all_in_amounts
    full = hand.theirs.completion_betting_or_raising_amount or 0
    acted = hand.theirs.status and hand.theirs.actor_index in hand.theirs.acted_player_indices
    return bool(acted and amounts and sum(amounts) < full <= hand.ours.to_call)


def _opened_short(hand: Hand) -> bool:
    return 0 < int(hand.theirs.completion_betting_or_raising_amount or 0) < hand.big
