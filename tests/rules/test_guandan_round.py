"""Guandan rounds and matches: RULES.md clauses 6 to 9, do and undo, perft, worlds."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from mingpai._native import core
from mingpai._native import guandan as native
from tests.reference import guandan as reference
from tests.rules.guandan_text import NUMBER, TYPES, cards_of, native_play, reference_play, words_of
from tests.scale import count

RANKS = reference.RANKS
TRIBUTE, RETURN, PLAY, OVER = range(4)
PASS = native.Play(TYPES.index("pass"), 0, native.Cards(), 1)


def small_round(hands: Sequence[str], level: str = "2", leader: int = 0) -> native.Round:
    return native.Round("huaian2017", [cards_of(hand) for hand in hands], RANKS.index(level), leader)


def play(round_: native.Round, cards: str) -> None:
    """Plays the cards in their only legal reading here; "" passes."""
    if not cards:
        round_.apply(PASS)
        return
    legal = [p for p in round_.legal_plays() if sorted(words_of(p.cards)) == sorted(cards.split())]
    assert len(legal) == 1, (cards, legal)
    round_.apply(legal[0])


def dealt_with(wanted: dict[int, str], seed: int = 0) -> list[native.Cards]:
    """A full deal in which the seats hold these cards, the rest at random without jokers and wild cards moved there."""
    rest = list(reference.DECK)
    hands: list[list[str]] = [[], [], [], []]
    for seat, text in wanted.items():
        for card in text.split():
            rest.remove(card)
            hands[seat].append(card)
    random.Random(seed).shuffle(rest)
    for hand in hands:
        while len(hand) < 27:
            hand.append(rest.pop())
    return [cards_of(hand) for hand in hands]


def after(
    previous: Sequence[int], wanted: dict[int, str], level: str = "2", profile: str = "huaian2017"
) -> native.Round:
    return native.Round(profile, dealt_with(wanted), RANKS.index(level), previous=list(previous))


# --- tricks -----------------------------------------------------------------------------------------------------------


def test_6_1_the_leader_must_play_and_a_pass_does_not_bar() -> None:
    r = small_round(["S3 S9 SK", "S4 ST", "S5 S6", "S7 SQ"])
    assert r.why_illegal(PASS) == "must_lead"
    play(r, "S3")
    for cards in ("", "S5", "S7", "S9", "ST"):
        play(r, cards)
    assert r.turn == 2


def test_6_2_the_best_play_leads_the_next_trick() -> None:
    r = small_round(["S3 S9", "S4 ST", "S5 S6", "S7 SQ"])
    for cards in ("S3", "S4", "", "S7", "", ""):
        play(r, cards)
    assert (r.turn, r.is_leading) == (2, False)
    play(r, "")
    assert (r.turn, r.is_leading) == (3, True)


def test_6_3_the_partner_leads_for_a_player_who_is_out() -> None:
    r = small_round(["SK", "S4 ST", "S5 S6", "S7 S8"])
    for cards in ("SK", "", "", ""):
        play(r, cards)
    assert (r.turn, r.is_leading) == (2, True)


def test_6_3_whoever_beats_the_last_card_leads_himself() -> None:
    r = small_round(["SK", "S4 SA", "S5 S6", "S7 S8"])
    for cards in ("SK", "SA", "", ""):
        play(r, cards)
    assert (r.turn, r.is_leading) == (1, True)


def test_6_4_seats_without_cards_are_skipped() -> None:
    r = small_round(["S3", "S4 ST", "S5 S6", "S7 S8"])
    for cards in ("S3", "S4", "S5", "S7"):
        play(r, cards)
    assert r.turn == 1


def test_6_5_the_round_ends_when_partners_are_first_and_second() -> None:
    r = small_round(["SK", "S4 ST", "SA", "S7 S8"])
    for cards in ("SK", "", "SA"):
        play(r, cards)
    assert r.is_over
    assert r.order == [0, 2, 3, 1]


def test_6_5_the_round_ends_when_three_have_finished() -> None:
    r = small_round(["S3", "S4", "S5", "S7 S8"])
    for cards in ("S3", "S4", "S5"):
        play(r, cards)
    assert r.is_over
    assert r.order == [0, 1, 2, 3]


@pytest.mark.parametrize(("order", "points"), [([0, 2, 1, 3], 3), ([0, 1, 2, 3], 2), ([0, 1, 3, 2], 1)])
def test_6_6_scores(order: list[int], points: int) -> None:
    match = native.Match("huaian2017")
    match.record(order)
    assert RANKS[match.level(0)] == "2345"[points]


# --- tribute ----------------------------------------------------------------------------------------------------------


def test_7_1_and_7_2_the_last_pays_his_highest_card_that_is_not_wild() -> None:
    r = after([0, 1, 2, 3], {3: "H2 H2 SA DA", 0: "SB SB HR HR", 1: "S2 S2 D2 D2 C2 C2"})
    assert (r.phase, r.turn) == (TRIBUTE, 3)
    assert {w for p in r.legal_plays() for w in words_of(p.cards)} == {w for w in words_of(r.hand(3)) if w[1] == "A"}
    card = words_of(r.legal_plays()[0].cards)[0]
    r.apply(r.legal_plays()[0])
    assert r.hand(0).count(NUMBER[card]) >= 1
    assert (len(r.hand(0)), len(r.hand(3))) == (28, 26)


def test_7_1_double_tribute() -> None:
    r = after([1, 3, 0, 2], {0: "SB", 2: "HR", 1: "HR SB"})
    assert [(e.payer, e.receiver) for e in r.exchanges] == [(2, -1), (0, -1)]
    for _ in range(2):
        r.apply(r.legal_plays()[0])
    assert {(e.payer, e.receiver) for e in r.exchanges} == {(2, 1), (0, 3)}


@pytest.mark.parametrize(
    ("previous", "jokers"),
    [([0, 1, 2, 3], {3: "HR HR"}), ([0, 2, 1, 3], {1: "HR", 3: "HR"}), ([0, 2, 1, 3], {1: "HR HR"})],
)
def test_7_3_both_big_jokers_cancel_the_tribute(previous: list[int], jokers: dict[int, str]) -> None:
    r = after(previous, jokers)
    assert (r.phase, r.turn, r.resisted) == (PLAY, 0, True)


def test_7_3_the_partner_of_a_single_payer_does_not_count() -> None:
    r = after([0, 1, 2, 3], {3: "HR", 1: "HR"})
    assert (r.phase, r.resisted) == (TRIBUTE, False)


def test_7_4_the_higher_card_goes_to_the_first() -> None:
    r = after([0, 2, 1, 3], {1: "SB", 3: "HR", 0: "HR", 2: "SB"})
    for _ in range(2):
        r.apply(r.legal_plays()[0])
    assert {(e.payer, e.receiver) for e in r.exchanges} == {(3, 0), (1, 2)}


def test_7_4_equal_cards_the_seat_after_the_first_pays_the_first() -> None:
    r = after([0, 2, 3, 1], {1: "SB", 3: "SB", 0: "HR HR"})
    for _ in range(2):
        r.apply(r.legal_plays()[0])
    assert {(e.payer, e.receiver) for e in r.exchanges} == {(1, 0), (3, 2)}
    for _ in range(2):
        r.apply(r.legal_plays()[0])
    assert (r.phase, r.turn) == (PLAY, 1)  # 7.6


def test_7_5_returns_are_two_to_ten_without_level_cards() -> None:
    r = after([0, 1, 2, 3], {3: "HR", 0: "HR"}, level="5")
    r.apply(r.legal_plays()[0])
    assert (r.phase, r.turn) == (RETURN, 0)
    given = {w for p in r.legal_plays() for w in words_of(p.cards)}
    assert given == {w for w in words_of(r.hand(0)) if w[1] in "2346789T" and w not in ("SB", "HR")}


def test_7_5_without_such_a_card_the_lowest_is_returned() -> None:
    high = (
        " ".join(f"{s}{r}" for r in "JQKA" for s in "SHDC")
        + " "
        + " ".join(f"{s}J" for s in "SHDC")
        + " SQ HQ DQ CQ SB SB SK"
    )
    r = after([0, 1, 2, 3], {0: high, 3: "HR", 1: "HR"}, level="5")
    r.apply(r.legal_plays()[0])
    assert {w for p in r.legal_plays() for w in words_of(p.cards)} == {f"{s}J" for s in "SHDC"}
    anything = after([0, 1, 2, 3], {0: high, 3: "HR", 1: "HR"}, level="5", profile="openguandan")
    anything.apply(anything.legal_plays()[0])
    assert {w for p in anything.legal_plays() for w in words_of(p.cards)} == set(words_of(anything.hand(0)))  # 9.8


def test_7_6_the_payer_leads() -> None:
    r = after([0, 1, 2, 3], {3: "HR", 0: "HR"})
    for _ in range(2):
        r.apply(r.legal_plays()[0])
    assert (r.phase, r.turn) == (PLAY, 3)


def test_9_6_and_9_7_tributes_by_seat_and_the_last_in_order_leads() -> None:
    r = after([0, 2, 1, 3], {1: "SB", 3: "HR", 0: "HR"}, profile="openguandan")
    for _ in range(2):
        r.apply(r.legal_plays()[0])
    assert {(e.payer, e.receiver) for e in r.exchanges} == {(1, 0), (3, 2)}
    equal = after([0, 2, 1, 3], {1: "SB", 3: "SB", 0: "HR HR"}, profile="openguandan")
    for _ in range(4):
        equal.apply(equal.legal_plays()[0])
    assert equal.turn == 3


# --- levels -----------------------------------------------------------------------------------------------------------

DOUBLE, GOOD, BARE = [0, 2, 1, 3], [0, 1, 2, 3], [0, 1, 3, 2]
ODD_DOUBLE, ODD_BARE = [1, 3, 0, 2], [1, 0, 2, 3]


def played(profile: str, orders: Sequence[Sequence[int]], even: str = "2", odd: str = "2") -> native.Match:
    match = native.Match(profile, RANKS.index(even), RANKS.index(odd))
    for order in orders:
        match.record(list(order))
    return match


def levels(match: native.Match) -> str:
    return RANKS[match.level(0)] + RANKS[match.level(1)]


def test_8_2_winners_rise_but_never_past_a() -> None:
    assert levels(played("huaian2017", [DOUBLE, ODD_BARE, GOOD])) == "73"
    assert levels(played("huaian2017", [DOUBLE], even="Q")) == "A2"
    assert not played("huaian2017", [DOUBLE], even="Q").is_over


def test_8_3_and_9_1_level_of_a_round() -> None:
    orders = [DOUBLE, ODD_BARE]
    assert RANKS[played("huaian2017", orders).round_level] == "5"
    assert RANKS[played("njupt-v1006", orders).round_level] == "3"


def test_8_4_and_9_2_winning_at_a() -> None:
    assert played("huaian2017", [GOOD], even="A").result == 1
    assert played("huaian2017", [DOUBLE], even="A").result == 1
    assert played("huaian2017", [BARE], even="A").result == 0
    assert played("njupt-v1006", [GOOD], even="A").result == 0
    assert played("njupt-v1006", [DOUBLE], even="A").result == 1


def test_8_4_only_in_an_own_round() -> None:
    match = played("njupt-v1006", [ODD_BARE, DOUBLE], even="A", odd="3")
    assert (match.result, levels(match)) == (0, "A4")


def test_8_5_three_failures_send_back() -> None:
    assert levels(played("huaian2017", [BARE, BARE], even="A")) == "A2"
    assert levels(played("huaian2017", [BARE, BARE, BARE], even="A")) == "22"
    assert levels(played("huaian2017", [ODD_BARE, ODD_BARE, BARE], even="A")) == "24"


def test_9_3_and_9_4_what_counts_as_a_failure() -> None:
    assert levels(played("njupt-v1006", [BARE, BARE], even="A")) == "22"
    assert levels(played("openguandan", [BARE, BARE, BARE], even="A")) == "A2"
    assert levels(played("openguandan", [BARE, BARE, BARE, BARE], even="A")) == "22"
    lost = played("openguandan", [ODD_BARE, ODD_BARE, ODD_BARE, ODD_BARE], even="A")
    assert lost.failures(0) == 0


def test_9_5_fifty_demotions_draw() -> None:
    match = native.Match("njupt-v1006", 0, RANKS.index("K"))
    for _ in range(2000):
        if match.is_over:
            break
        match.record(BARE)
    assert (match.result, match.demotions) == (3, 50)


# --- the whole round against the reference, undo, perft ---------------------------------------------------------------


def _random_round(rng: core.Rng, i: int, tribute: bool) -> native.Round:
    hands = native.deal(rng)
    if tribute:
        previous = [[0, 2, 1, 3], [1, 0, 2, 3], [2, 1, 3, 0], [3, 1, 0, 2]][i % 4]
        return native.Round(native.profile_names()[i % 4], hands, i % 13, previous=previous)
    return native.Round("huaian2017", hands, i % 13, i % 4)


def test_rounds_equal_the_reference() -> None:
    """Whose turn, what is legal, who leads after a finished player, order of finishing: step by step."""
    rng, choose = core.Rng(7), random.Random(7)
    for i in range(count(fast=3, ci=25, verify=200)):
        r = _random_round(rng, i, tribute=False)
        slow = reference.Tricks([words_of(r.hand(s)) for s in range(4)], RANKS[r.level], r.turn)
        while not r.is_over:
            assert r.turn == slow.turn
            legal = r.legal_plays()
            assert {reference_play(p) for p in legal} == slow.legal()
            chosen = choose.choice(legal)
            r.apply(chosen)
            slow.play(reference_play(chosen))
        assert slow.is_over
        assert r.order == slow.order


def _snapshot(r: native.Round) -> tuple[object, ...]:
    exchanges = tuple((e.payer, e.receiver, e.tribute, e.returned) for e in r.exchanges)
    cards = [(r.hand(s), r.played(s)) for s in range(4)]
    return (r.phase, r.turn, r.best, r.best_seat, r.leader, tuple(r.order), exchanges, *cards)


def test_undo_restores_every_step_and_the_table_stays_consistent() -> None:
    rng, choose = core.Rng(9), random.Random(9)
    for i in range(count(fast=12, ci=100, verify=400)):
        r = _random_round(rng, i, tribute=True)
        past = []
        while not r.is_over:
            past.append(_snapshot(r))
            r.apply(choose.choice(r.legal_plays()))
            assert r.inconsistency() is None
        while past:
            r.undo()
            assert _snapshot(r) == past.pop()
        with pytest.raises(ValueError, match="nothing to undo"):
            r.undo()


def _slow_perft(tricks: reference.Tricks, depth: int) -> int:
    if depth == 0 or tricks.is_over:
        return 1
    total = 0
    for move in tricks.legal():
        twin = reference.Tricks(tricks.hands, tricks.level, tricks.turn)
        twin.table, twin.passed, twin.order = tricks.table, set(tricks.passed), list(tricks.order)
        twin.play(move)
        total += _slow_perft(twin, depth - 1)
    return total


@pytest.mark.parametrize("seed", range(4))
def test_perft_of_small_rounds_equals_the_reference(seed: int) -> None:
    rng = random.Random(seed)
    deck = [card for card in reference.DECK if card[1] in "2345" or card in ("SB", "HR")]
    cards = rng.sample(deck, 16)
    hands = [cards[4 * s : 4 * s + 4] for s in range(4)]
    r = native.Round("huaian2017", [cards_of(h) for h in hands], 1, 0)
    depth = 6
    assert native.perft(r, depth) == _slow_perft(reference.Tricks(hands, "2", 0), depth)


def test_illegal_plays_are_refused_with_the_rule() -> None:
    r = small_round(["S3 S9", "S4 ST", "S5 S6", "S7 SQ"])
    single = TYPES.index("single")
    assert r.why_illegal(native.Play(single, 12, cards_of("SK"), 1)) == "not_held"
    assert r.why_illegal(native.Play(TYPES.index("pair"), 2, cards_of("S3 S9"), 1)) == "no_combination"
    assert r.why_illegal(native.Play(single, 5, cards_of("S3"), 1)) == "no_combination"
    play(r, "S9")
    assert r.why_illegal(native.Play(single, 3, cards_of("S4"), 1)) == "does_not_beat"
    with pytest.raises(ValueError, match="does_not_beat"):
        r.apply(native.Play(single, 3, cards_of("S4"), 1))
    assert reference_play(native_play(reference.Play("single", "T", ("ST",)), "2")).rank == "T"


# --- knowledge and worlds ---------------------------------------------------------------------------------------------


def test_worlds_agree_with_what_is_known() -> None:
    rng, choose = core.Rng(11), random.Random(11)
    for i in range(count(fast=20, ci=100, verify=400)):
        r = _random_round(rng, i, tribute=True)
        for _ in range(choose.randrange(60)):
            if r.is_over:
                break
            r.apply(choose.choice(r.legal_plays()))
        if r.is_over:
            continue
        for seat in range(4):
            known = native.Knowledge(r, seat)
            for _ in range(3):
                hands = native.WorldSampler(known).sample(rng)
                assert hands[seat] == r.hand(seat)
                assert [len(h) for h in hands] == [len(r.hand(s)) for s in range(4)]
                world = r.with_hands(hands)
                assert world.inconsistency() is None
                for s in range(4):
                    assert hands[s].contains(known.held[s])
                    assert r.hand(s).contains(known.held[s]), "the true hands must agree"


def test_true_hands_never_hold_barred_cards() -> None:
    rng = core.Rng(13)
    for i in range(count(fast=300, ci=2000, verify=8000)):
        r = _random_round(rng, i, tribute=True)
        while r.phase in (TRIBUTE, RETURN):
            r.apply(r.legal_plays()[0])
        for seat in range(4):
            known = native.Knowledge(r, seat)
            for other in range(4):
                rest = r.hand(other) - known.held[other] if other != seat else native.Cards()
                assert not rest.once & known.barred[other]


def test_7_7_tribute_tells_who_holds_what() -> None:
    r = after([0, 1, 2, 3], {3: "SA", 0: "SB SB HR HR", 1: "S2 S2 D2 D2 C2 C2"}, level="2")
    r.apply(next(p for p in r.legal_plays() if words_of(p.cards) == ["SA"]))
    given = r.legal_plays()[0]
    r.apply(given)
    known = native.Knowledge(r, 1)
    assert words_of(known.held[0]) == ["SA"]
    assert words_of(known.held[3]) == words_of(given.cards)
    for _ in range(50):
        hands = native.WorldSampler(known).sample(core.Rng(1))
        assert not {"SB", "HR"} & set(words_of(hands[3]))


def test_worlds_are_uniform_over_deals_with_a_resisted_tribute() -> None:
    """Both losers together hold the big jokers: the sampled shares equal the counted ones."""
    hands = dealt_with({1: "HR S3", 3: "HR S4", 0: "S5", 2: "S6"})
    r = native.Round("huaian2017", hands, 6, previous=[0, 2, 1, 3])
    assert r.resisted
    known = native.Knowledge(r, 0)
    rng = core.Rng(3)
    sampler = native.WorldSampler(known)
    draws = 4000
    both = [0, 0, 0]
    for _ in range(draws):
        world = sampler.sample(rng)
        assert world[2].count(NUMBER["HR"]) == 0
        both[world[1].count(NUMBER["HR"])] += 1
    # Seats 1 and 3 have 27 free places each: the second big joker falls beside the first in 26 of 53 cases.
    assert both[1] / draws == pytest.approx(27 / 53, abs=0.035)


def test_worlds_are_uniform_over_deals_after_a_tribute() -> None:
    """The payer's hidden cards are a uniform subset of those he may hold; the rest falls by free places."""
    r = after([0, 1, 2, 3], {3: "SA", 0: "SB SB HR", 2: "HR S2", 1: "D2 D2 C2 C2"}, level="2")
    if r.phase == TRIBUTE:
        r.apply(r.legal_plays()[0])
        r.apply(r.legal_plays()[0])
    known = native.Knowledge(r, 1)
    sampler, rng = native.WorldSampler(known), core.Rng(17)
    free = [known.sizes[s] - len(known.held[s]) for s in range(4)]
    rest = known.unseen - known.held[0] - known.held[3]
    barred = [kind for kind in rest.kinds() if known.barred[3] >> kind & 1]
    open_cards = len(rest) - len(barred)
    draws = 3000
    payer_cards: Counter[int] = Counter()
    first_big = 0
    for _ in range(draws):
        world = sampler.sample(rng)
        payer_cards.update((world[3] - known.held[3]).kinds())
        first_big += world[0].count(NUMBER["HR"])
    copies = Counter(rest.kinds())
    shares = [payer_cards[kind] / draws / copies[kind] for kind in copies if kind not in barred]
    assert shares == pytest.approx([free[3] / open_cards] * len(shares), abs=0.06)
    assert first_big / draws / 2 == pytest.approx(free[0] / (free[0] + free[2]), abs=0.03)
