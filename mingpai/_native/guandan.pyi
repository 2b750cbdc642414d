# Written by tools/stubs.py from the build. Do not edit.
"""Guandan: cards, plays, rounds, matches, rule bots."""

from collections.abc import Sequence

import numpy
from numpy.typing import NDArray

import mingpai._native.core


def type_names() -> list[str]:
    """Names of the types of plays, by number."""

PSEUDO_ACTIONS: int = 168

PHASE_PLAY: int = 2

DECK_CARDS: int = 108

def profile_switches(name: str) -> tuple[str, str, str, int, int, str, str, str, str]:
    """
    Round level, win at A, what fails at A, failures, demotions, pairing, who leads a tie, without a return, wild straights.
    """

def profile_names() -> list[str]:
    """Names of the rule profiles, the default first."""

class Cards:
    """
    A multiset of cards; kinds are rank * 4 + suit, A first, suits S H D C, 52 and 53 the jokers.
    """

    def __init__(self, kinds: Sequence[int] = []) -> None: ...

    @staticmethod
    def of_planes(once: int, twice: int) -> Cards: ...

    @property
    def once(self) -> int:
        """Bits of the kinds held at least once."""

    @property
    def twice(self) -> int:
        """Bits of the kinds held twice."""

    def kinds(self) -> list[int]:
        """The cards as kinds in ascending order, copies repeated."""

    def count(self, kind: int) -> int: ...

    def contains(self, other: Cards) -> bool: ...

    def __len__(self) -> int: ...

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __add__(self, arg: Cards, /) -> Cards: ...

    def __sub__(self, arg: Cards, /) -> Cards: ...

class Play:
    """A play: type, rank that compares, physical cards."""

    def __init__(self, type: int, rank: int, cards: Cards, level: int) -> None: ...

    @property
    def type(self) -> int: ...

    @property
    def rank(self) -> int: ...

    @property
    def wilds(self) -> int:
        """Wild cards among the cards."""

    @property
    def cards(self) -> Cards: ...

    @property
    def is_pass(self) -> bool: ...

    @property
    def is_off_suit(self) -> bool:
        """
        Whether it is a straight only because a wild card stands for another suit.
        """

    @property
    def is_bomb(self) -> bool: ...

    @property
    def pseudo(self) -> int:
        """The pseudo-action 0..167; -1 for tribute and return."""

    def arranged(self) -> list[tuple[int, int]]:
        """
        The cards slot by slot with the card each stands for: (kind, claimed kind).
        """

    @property
    def level(self) -> int: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def __len__(self) -> int: ...

    def __eq__(self, arg: object | None, /) -> bool: ...

    def __hash__(self) -> int: ...

def beats(play: Play, target: Play, level: int) -> bool: ...

def readings(cards: Cards, level: int, either: bool = False) -> list[Play]:
    """
    Every reading of exactly these cards as a play. `either`: suited cards with a wild one are a straight too.
    """

def order_of(rank: int, level: int) -> int: ...

def lead_plays(hand: Cards, level: int) -> list[Play]: ...

def follow_plays(hand: Cards, level: int, target: Play) -> list[Play]:
    """All plays that beat the target, and the pass."""

def lead_mask(hand: Cards, level: int) -> NDArray[numpy.uint8]: ...

def follow_mask(hand: Cards, level: int, target: Play) -> NDArray[numpy.uint8]: ...

def shape_of(index: int) -> tuple[int, int, int]:
    """Type, rank and (of bombs) size of a pseudo-action."""

class Exchange:
    """One tribute and the card given back; -1 where not yet known."""

    @property
    def payer(self) -> int: ...

    @property
    def receiver(self) -> int: ...

    @property
    def tribute(self) -> int: ...

    @property
    def returned(self) -> int: ...

class Round:
    """One round: tribute, then tricks."""

    def __init__(self, profile: str, hands: Sequence[Cards], level: int, leader: int = 0, previous: Sequence[int] | None = None) -> None: ...

    def copy(self) -> Round: ...

    @property
    def profile(self) -> str: ...

    @property
    def level(self) -> int: ...

    @property
    def phase(self) -> int:
        """0 tribute, 1 return, 2 play, 3 over."""

    @property
    def turn(self) -> int:
        """The seat to decide; -1 when over."""

    @property
    def is_over(self) -> bool: ...

    @property
    def is_leading(self) -> bool: ...

    @property
    def leader(self) -> int:
        """Who led the current trick."""

    @property
    def best(self) -> Play:
        """The play to beat; a pass when leading."""

    @property
    def best_seat(self) -> int: ...

    @property
    def resisted(self) -> bool: ...

    @property
    def exchanges(self) -> list[Exchange]: ...

    @property
    def previous(self) -> list[int] | None: ...

    @property
    def order(self) -> list[int]:
        """Seats in order of finishing, so far."""

    def hand(self, seat: int) -> Cards: ...

    def played(self, seat: int) -> Cards: ...

    def score(self, seat: int) -> int: ...

    @property
    def steps(self) -> list[tuple[int, Play]]: ...

    def legal_plays(self) -> list[Play]: ...

    def legal_mask(self) -> NDArray[numpy.uint8]: ...

    def plays_of(self, pseudo: int) -> list[Play]:
        """The legal concrete plays of a pseudo-action."""

    def why_illegal(self, play: Play) -> str | None: ...

    def apply(self, play: Play) -> None: ...

    def undo(self) -> None: ...

    def inconsistency(self) -> str | None: ...

    @property
    def deck(self) -> Cards:
        """All cards of the deal."""

    @property
    def first_leader(self) -> int:
        """Who leads a round without tribute; -1 after another round."""

    def dealt(self) -> list[Cards]:
        """The hands as dealt."""

    def blinded(self, seat: int) -> Round:
        """
        The round with the cards hidden from the seat drawn from a fixed seed: it tells nothing hidden.
        """

    def worlds(self, seat: int, seed: int, count: int) -> list[Round]:
        """Rounds with hidden cards drawn uniformly."""

    def world(self, hands: Sequence[Cards]) -> Round:
        """The same steps played with other hands."""

    def default_play(self, pseudo: int) -> Play:
        """The play with the fewest wild cards that keeps straight flushes whole."""

    def bot_play(self, number: int) -> Play:
        """
        What a rule bot plays for the seat to move; it sees that seat's cards only.
        """

    def rule4_scores(self) -> list[tuple[Play, float]]:
        """What rule4 weighs for the seat to move, best first, in leads."""

    def with_hands(self, hands: Sequence[Cards]) -> Round: ...

def rebuild(profile: str, level: int, leader: int, previous: Sequence[int] | None, resisted: bool, seat: int, hand: Cards, steps: Sequence[tuple[int, Play]], deck: Cards | None = None, sizes: Sequence[int] | None = None) -> Round:
    """
    A round that agrees with what one seat saw; its hidden cards say nothing. ValueError: the story breaks a rule.
    """

class Knowledge:
    """What a seat knows of the hidden hands."""

    def __init__(self, round: Round, seat: int) -> None: ...

    @property
    def hand(self) -> Cards: ...

    @property
    def unseen(self) -> Cards: ...

    @property
    def sizes(self) -> list[int]: ...

    @property
    def held(self) -> list[Cards]:
        """Cards each other seat certainly holds."""

    @property
    def barred(self) -> list[int]:
        """Bits of the kinds each seat cannot hold, beyond those of `held`."""

class WorldSampler:
    """Uniform worlds that agree with a seat's knowledge."""

    def __init__(self, knowledge: Knowledge) -> None: ...

    def sample(self, rng: mingpai._native.core.Rng) -> list[Cards]: ...

class Match:
    """Levels and rounds of a match."""

    def __init__(self, profile: str, even_level: int = 1, odd_level: int = 1) -> None: ...

    def copy(self) -> Match: ...

    def level(self, team: int) -> int: ...

    def failures(self, team: int) -> int: ...

    @property
    def demotions(self) -> int: ...

    @property
    def rounds(self) -> int: ...

    @property
    def round_level(self) -> int: ...

    @property
    def is_over(self) -> bool: ...

    @property
    def result(self) -> int:
        """0 open, 1 seats 0 and 2, 2 seats 1 and 3, 3 draw."""

    def record(self, order: Sequence[int]) -> None: ...

def deal(rng: mingpai._native.core.Rng) -> list[Cards]:
    """Four hands of 27."""

def perft(round: Round, depth: int) -> int:
    """Leaves of the tree of legal plays."""

class RandomPlayStats:
    """Totals of rounds played at random."""

    @property
    def rounds(self) -> int: ...

    @property
    def decisions(self) -> int: ...

def play_random_rounds(rounds: int, seed: int, budget: mingpai._native.core.Budget) -> RandomPlayStats: ...

class LeadStats:
    """Sizes of opening leads, by number of wild cards."""

    @property
    def hands(self) -> list[int]: ...

    @property
    def plays(self) -> list[float]: ...

    @property
    def most(self) -> int: ...

def count_opening_leads(hands: int, seed: int) -> LeadStats: ...

class MatchScore:
    """A whole match from player a's side."""

    @property
    def result(self) -> int:
        """1 won, -1 lost, 0 drawn."""

    @property
    def rounds(self) -> int: ...

    @property
    def points(self) -> int:
        """Sum of the round scores."""

    @property
    def by_score(self) -> list[int]:
        """Rounds by score, -3 to 3."""

def duel_matches(a: int, b: int, pairs: int, seed: int, profile: str, budget: mingpai._native.core.Budget) -> list[MatchScore]:
    """
    Two whole matches for each pair, seats swapped, the same cards round by round. Players: 0 random, 1..4 rule bots.
    """

class Batch:
    """N rounds in step; a finished round is dealt anew."""

    def __init__(self, size: int, seed: int, profile: str = 'huaian2017') -> None: ...

    def __len__(self) -> int: ...

    def round(self, index: int) -> Round:
        """A copy of one round."""

    def turns(self) -> list[int]: ...

    def masks(self) -> NDArray[numpy.uint8]:
        """(N, 168) legal pseudo-actions."""

    def choose(self, player: int) -> list[int]:
        """The pseudo-action of a player for each round."""

    def step(self, pseudo: Sequence[int]) -> list[int]:
        """
        Plays one pseudo-action in each round; score of seat 0 where a round ended, else 0.
        """

    def step_plays(self, plays: Sequence[Play]) -> list[int]:
        """The same with concrete plays."""

def time_lead_lists(hands: Sequence[Cards], rounds: int) -> int:
    """Lists all leads of each hand `rounds` times; how many."""

def time_lead_masks(hands: Sequence[Cards], rounds: int) -> int:
    """Computes the mask of each hand `rounds` times; the sum of their sizes."""
