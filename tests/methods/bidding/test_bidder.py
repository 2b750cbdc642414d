"""The bidder: the auction tree is the engine's, values lean the right way, styles are learned and used."""

import json
import math

import numpy as np
import pytest

from mingpai._native import bidding as native
from mingpai._native import doudizhu
from mingpai._native.doudizhu import Bidding, Phase
from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.table import play_match
from mingpai.core.errors import BadSetting
from mingpai.core.game import State
from mingpai.core.random import stream
from mingpai.games.doudizhu import GAME
from mingpai.games.doudizhu.moves import Bid
from mingpai.games.doudizhu.notation import parse_cards
from mingpai.games.doudizhu.state import DoudizhuState
from mingpai.methods.bidding.agent import BidderAgent
from mingpai.methods.bidding.auction import Auction
from mingpai.methods.bidding.bidder import STYLE_SHIFTS, STYLES, Bidder, benchmark_bid, fitted, strengths
from mingpai.methods.bidding.situation import situation_after
from mingpai.methods.bidding.tempered import tempered_bid
from mingpai.methods.bidding.tracker import Finished, StyleTracker, possible_hands
from tests.cli.shell import mingpai
from tests.scale import count

KINDS = (Bidding.SCORE, Bidding.AUCTION, Bidding.CALL_ROB)


@pytest.fixture(scope="module")
def bidder() -> Bidder:
    return Bidder()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_the_auction_is_that_of_the_engine(kind: Bidding) -> None:
    """Every sequence of bids, from every first seat."""
    rules = doudizhu.profile("standard").with_bidding(kind)
    row = native.deals(1, 0, 1)[0]
    deal = doudizhu.Deal((int(row[0]), int(row[1]), int(row[2])), int(row[3]))
    seen = 0

    def walk(auction: Auction) -> None:
        nonlocal seen
        seen += 1
        state = doudizhu.State.start(deal, rules, auction.first)
        for bid in auction.bids:
            state.bid(bid)
        if auction.turn is None:
            assert state.status.phase != Phase.BID
            assert state.status.landlord == auction.landlord
            assert auction.landlord is None or state.status.bid == auction.stake
            return
        assert state.status.phase == Phase.BID
        assert state.status.turn == auction.turn
        assert tuple(state.legal_bids()) == auction.legal()
        for bid in auction.legal():
            walk(auction.after(bid))

    for first in range(3):
        walk(Auction.start(kind, first))
    assert seen > 50


def test_no_bidding_is_no_auction() -> None:
    with pytest.raises(BadSetting, match="nobid"):
        Auction.start(Bidding.NONE, 0)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_chances_of_all_bids_of_another_sum_to_one(kind: Bidding, bidder: Bidder) -> None:
    hand = int(native.deals(2, 0, 1)[0][0])
    table = bidder.read(hand, Auction.start(kind, 0), {})
    for bids in ((), (0,), (1,), (0, 1)):
        auction = Auction.start(kind, 1)
        for bid in bids:
            auction = auction.after(bid)
        if auction.turn in (None, 0):
            continue
        assert auction.turn is not None
        total = sum(table.did(auction.turn, auction, bid) for bid in auction.legal())
        assert np.allclose(total, 1)


def test_hands_beside_a_hand_are_hands_of_the_rest_of_the_deck() -> None:
    hand = int(native.deals(2, 5, 1)[0][0])
    for one, two in native.hands_beside(hand, 3, 50).T.tolist():
        assert doudizhu.card_count(one) == doudizhu.card_count(two) == 17
        assert doudizhu.holds(doudizhu.FULL_DECK - hand, one)
        assert doudizhu.holds(doudizhu.FULL_DECK - hand - one, two)


def test_the_linear_reading_follows_the_benchmark(bidder: Bidder) -> None:
    hands = np.ascontiguousarray(native.deals(6, 0, 2000)[:, 0])
    for situation, weights in bidder.numbers.reading.items():
        logits = bidder.model.logits([situation.phase] * 2000, [situation.value] * 2000, hands)
        assert np.corrcoef(native.value_features(hands) @ weights, np.clip(logits, -6, 6))[0, 1] > 0.95


def test_a_strong_hand_is_bid_and_a_weak_one_is_not(bidder: Bidder) -> None:
    strong, weak = parse_cards("35789TJQKKAA222XD"), parse_cards("3345567789TTJJQQK")
    for kind in KINDS:
        auction = Auction.start(kind, 0)
        assert bidder.choose(strong, auction).bid == (1 if kind == Bidding.CALL_ROB else 3)
        after = auction.after(1)
        assert bidder.choose(weak, after).bid == 0
        assert bidder.choose(strong, auction).as_landlord > bidder.choose(weak, auction).as_landlord + 2


def test_styles_say_who_will_outbid_and_whether_a_pass_is_left_alone(bidder: Bidder) -> None:
    hand = parse_cards("344567899TJQKKA2X")
    bold, timid = (np.eye(len(STYLES))[STYLES.index((shift, 1.5))] for shift in (4.0, -4.0))
    auction = Auction.start(Bidding.SCORE, 0)
    against_bold = bidder.choose(hand, auction, {1: bold, 2: bold})
    against_timid = bidder.choose(hand, auction, {1: timid, 2: timid})
    unknown = bidder.choose(hand, auction)
    assert against_bold.outbid > unknown.outbid > against_timid.outbid
    assert against_bold.left_alone < unknown.left_alone < against_timid.left_alone
    passed = {name: {option.bid: option.value for option in choice.options}[0]
              for name, choice in (("bold", against_bold), ("timid", against_timid))}  # fmt: skip
    assert passed["bold"] != passed["timid"]


def test_a_bold_landlord_is_expected_to_be_weaker(bidder: Bidder) -> None:
    """After the same bid of 2 a farmer expects more against the bold than against the timid."""
    hand = parse_cards("344567899TJQKKA2X")
    bold, timid = (np.eye(len(STYLES))[STYLES.index((shift, 1.5))] for shift in (4.0, -4.0))
    auction = Auction.start(Bidding.SCORE, 1).after(0).after(2)
    values = {}
    for name, style in (("bold", bold), ("timid", timid)):
        choice = bidder.choose(hand, auction, {2: style})
        values[name] = next(option.value for option in choice.options if option.bid == 0)
    assert values["bold"] > values["timid"]


def test_strength_is_worth_more_as_landlord_than_as_farmer() -> None:
    numbers = fitted()
    assert numbers.landlord[1] > numbers.farmer[1] > 0
    assert numbers.landlord[2] < 0
    assert numbers.farmer[2] < 0 < numbers.farmer[3]
    assert numbers.prior.sum() == pytest.approx(1, abs=0.01)
    hands = np.array([parse_cards("35789TJQKKAA222XD"), parse_cards("3345567789TTJJQQK")], np.uint64)
    assert np.diff(strengths(hands, numbers))[0] < -2


def test_the_benchmark_alone_goes_as_high_as_it_would_go_on(bidder: Bidder) -> None:
    strong, weak = parse_cards("35789TJQKKAA222XD"), parse_cards("3345567789TTJJQQK")
    auction = Auction.start(Bidding.SCORE, 0)
    assert benchmark_bid(bidder.model, strong, auction) == 3
    assert benchmark_bid(bidder.model, weak, auction) == 0
    assert benchmark_bid(bidder.model, strong, Auction.start(Bidding.CALL_ROB, 0).after(1)) == 1


def finished(auction: Auction, number: int, *, me: int = 0, left: int = 0) -> tuple[Finished, list[int]]:
    """A deal played until nearly all cards are out: `left` of the lowest cards stay with each loser."""
    row = [int(cards) for cards in native.deals(4, number, 1)[0]]
    hands, bottom, lord = row[:3], row[3], auction.landlord
    played = [0, 0, 0]
    if lord is not None:
        full = [hand + (bottom if seat == lord else 0) for seat, hand in enumerate(hands)]
        played = [hand - (_lowest(hand, left) if seat != lord else 0) for seat, hand in enumerate(full)]
    return Finished(me, hands[me], bottom if lord is not None else 0, lord, played, auction), hands


def _lowest(hand: int, number: int) -> int:
    out = 0
    for rank in range(15):
        take = min(hand >> (4 * rank) & 15, number)
        out, number = out + (take << (4 * rank)), number - take
    return out


@pytest.mark.parametrize("landlord", [0, 1, 2])
def test_what_was_played_out_is_known_and_the_rest_agrees_with_it(landlord: int) -> None:
    auction = Auction.start(Bidding.SCORE, landlord).after(3)
    deal, hands = finished(auction, landlord)
    for seat, found in possible_hands(deal, 1).items():
        assert found.tolist() == [hands[seat]]
    deal, hands = finished(auction, landlord, left=5)
    for seat, found in possible_hands(deal, 1).items():
        assert all(doudizhu.card_count(int(hand)) == 17 and doudizhu.is_hand(int(hand)) for hand in found)
        if seat == landlord:
            assert set(found.tolist()) == {hands[seat]}


def test_nothing_is_known_after_a_deal_that_nobody_bid_on() -> None:
    auction = Auction.start(Bidding.SCORE, 0).after(0).after(0).after(0)
    deal, _ = finished(auction, 7)
    found = possible_hands(deal, 1)
    assert len(set(found[1].tolist())) > 1
    for one, two in zip(found[1].tolist(), found[2].tolist(), strict=True):
        assert doudizhu.holds(doudizhu.FULL_DECK - deal.hand, one)
        assert doudizhu.holds(doudizhu.FULL_DECK - deal.hand - one, two)


def tracked(bias: float, noise: float, deals: int, bidder: Bidder) -> StyleTracker:
    """A tracker after a player at seat 1 bid with a temper; seat 2 is neutral."""
    tracker, rng = StyleTracker(bidder), stream(5, "tempers", str(bias))
    tempers = {1: (bias, noise), 2: (0.0, 0.1)}
    for number in range(deals):
        hands = [int(cards) for cards in native.deals(4, number, 1)[0]]
        auction = Auction.start(Bidding.CALL_ROB if number % 2 else Bidding.SCORE, number % 3)
        while auction.turn is not None:
            seat = auction.turn
            if seat == 0:
                auction = auction.after(0)
                continue
            value = float(native.values(np.array([hands[seat]], np.uint64))[0])
            auction = auction.after(tempered_bid(value, *tempers[seat], auction, float(rng.uniform(1e-9, 1))))
        deal, _ = finished(auction, number, left=3)
        tracker.add(deal, number)
    return tracker


def test_tempers_are_recognised(bidder: Bidder) -> None:
    means = {}
    for bias in (-1.0, 0.0, 1.0):
        tracker = tracked(bias, 0.1, count(fast=40, ci=100, verify=300), bidder)
        belief = tracker.beliefs()[1]
        means[bias] = float(belief @ STYLE_SHIFTS)
        assert tracker.tracks[1].style is not None
        assert tracker.tracks[1].mu < tracker.tracks[2].mu + 0.15 if bias < 0 else True
    assert means[-1.0] < means[0.0] - 1 < means[1.0] - 2
    again = StyleTracker(bidder)
    again.recall(json.loads(json.dumps(tracker.to_json())))
    assert np.allclose(again.beliefs()[1], tracker.beliefs()[1])


def test_the_agent_remembers_through_a_match_and_forgets_after_it() -> None:
    specs = ("bidder", "tempered:preset=bold", "tempered:preset=timid")
    agents = [REGISTRY.agent("doudizhu", spec, seed) for seed, spec in enumerate(specs)]
    mine = agents[0]
    assert isinstance(mine, BidderAgent)
    play_match(GAME.match(3, "standard+callrob", {"deals": 25}), agents, seed=3)
    tracks = mine.tracker.tracks
    assert len(tracks[1].did) > 15 < len(tracks[2].did)
    assert len(tracks[0].did) == 0
    beliefs = mine.tracker.beliefs()
    assert beliefs[1] @ STYLE_SHIFTS > beliefs[2] @ STYLE_SHIFTS + 1
    view = GAME.deal(1, "standard+callrob").view(0)
    decision = mine.decide(view)
    assert {reason.code for reason in decision.reasons} >= {"doudizhu.bid_worth", "doudizhu.bid_style"}
    assert all(note is not None for _, note in decision.stages.items())
    mine.start_match(0, 3)
    assert not mine.tracker.beliefs()


@pytest.mark.parametrize("spec", ["bidder:policy=model", "bidder:policy=count", "bidder:preset=blind,play=rhcp"])
@pytest.mark.parametrize("rules", ["standard", "standard+callrob", "openspiel"])
def test_every_policy_plays_under_every_bidding(spec: str, rules: str) -> None:
    agents = [REGISTRY.agent("doudizhu", name, 1) for name in (spec, "tempered", "tempered:preset=erratic")]
    records = play_match(GAME.match(1, rules, {"deals": 4}), agents)
    assert all(record.void is None for record in records)


def test_whole_games_with_bidding_from_the_command_line() -> None:
    answer = mingpai("match", "doudizhu", "--bidding", "--rules", "standard+callrob", "--a", "bidder", "--b",
                     "tempered:bias=0.5", "--deals", "2", "--json")  # fmt: skip
    assert answer.code == 0, answer
    data = json.loads(answer.out)
    assert data["rules"] == "standard+callrob"
    assert data["deals"] == 2
    wrong = mingpai("match", "doudizhu", "--bidding", "--a", "tempered:noise=0", "--b", "bidder", "--deals", "1")
    assert wrong.code == 2


def test_the_python_rule_of_the_population_is_the_native_one() -> None:
    """Without noise both bid the same on every decision of a log."""
    from mingpai._native.core import Budget
    from mingpai.agents.doudizhu_greedy import tuned_weights
    from mingpai.methods.bidding.raw import PAPER, Word, parse_line

    biases = {"a": -0.4, "b": 0.0, "c": 0.4}
    members = [native.Member(name, bias=bias, noise=1e-9, card=native.CardPlayer.GREEDY, slips=0, activity=1)
               for name, bias in biases.items()]  # fmt: skip
    table = native.Population(members, native.Shares(torn=0), tuned_weights())
    for line in table.simulate(2, 0, 200, 1, PAPER.native, Budget()).splitlines():
        game = parse_line(line, PAPER)
        kind = Bidding.SCORE if game.bids[0].word == Word.BID else Bidding.CALL_ROB
        auction = Auction.start(kind, game.bids[0].seat)
        for bid in game.bids:
            value = float(native.values(np.array([game.hands[bid.seat]], np.uint64))[0])
            assert auction.situation == situation_after(auction.bids, kind)
            assert tempered_bid(value, biases[game.users[bid.seat]], 1e-9, auction, 0.5) == bid.value
            auction = auction.after(bid.value)


@pytest.mark.parametrize("rules", ["standard", "standard+callrob"])
def test_the_belief_of_an_auction_is_about_worlds_of_the_view(rules: str) -> None:
    state = GAME.deal(4, rules)
    agent = REGISTRY.agent("doudizhu", "bidder", 1)
    for number in range(2):
        assert state.to_move is not None
        view = state.view(state.to_move)
        belief = agent.decide(view).belief
        assert belief is not None
        worlds = belief.sample(np.random.default_rng(1), 20)
        assert all(world.view(view.seat).key() == view.key() for world in worlds)
        logs = [belief.log_prob(world) for world in worlds]
        assert np.isfinite(logs).all()
        others = belief.marginals()
        assert all(sum(cards.values()) == pytest.approx(17) for cards in others.values())
        assert len(others) == 2
        if number == 0:
            (hidden,) = view.sample_worlds(np.random.default_rng(2), 1)
            assert belief.log_prob(hidden) == pytest.approx(_log_uniform(hidden, view.seat))
        state.play(Bid(0))


def _log_uniform(world: State, seat: int) -> float:
    """Of all ways to deal the other 37 cards as 17, 17 and 3, those that make this world: counted card by card."""
    assert isinstance(world, DoudizhuState)
    first, second = (world.hand(other) for other in range(3) if other != seat)
    rest = doudizhu.FULL_DECK - world.hand(seat) - first - second
    ways = 1
    for rank in range(15):
        copies = [hand >> (4 * rank) & 15 for hand in (first, second, rest)]
        ways *= math.factorial(sum(copies)) // math.prod(math.factorial(count) for count in copies)
    all_ways = math.factorial(37) // (math.factorial(17) ** 2 * math.factorial(3))
    return math.log(ways / all_ways)
