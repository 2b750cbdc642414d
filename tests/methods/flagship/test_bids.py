"""The flagship's bids: places of an auction, deals played with every seat as landlord, what is learned from them."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from mingpai._native import mcm
from mingpai._native.doudizhu import FULL_DECK, Bidding, card_count
from mingpai.agents.catalogue import REGISTRY
from mingpai.agents.doudizhu_greedy import tuned_weights
from mingpai.cli.main import app
from mingpai.core.errors import BadSetting, MingpaiError
from mingpai.games.doudizhu import GAME
from mingpai.games.doudizhu.moves import Bid
from mingpai.games.doudizhu.notation import parse_cards
from mingpai.games.doudizhu.rules import rules_of
from mingpai.methods.bidding.auction import SEATS, Auction
from mingpai.methods.flagship.bids import FORMS, PLACE_OF, PLACES, SIZE, LearnedBids, rows
from mingpai.methods.mcm.agent import STUDENT
from mingpai.methods.mcm.rows import native_network
from tests.scale import count

RULES = {Bidding.SCORE: "standard", Bidding.AUCTION: "standard+auction", Bidding.CALL_ROB: "standard+callrob"}


def dealt(deals: int, seed: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Hands and bottom cards of deals as the games deal them."""
    states = [GAME.deal(seed + number, "standard+nobid", {"landlord": 0}) for number in range(deals)]
    bottoms = [state.native.bottom for state in states]
    hands = [[state.hand(seat) - (bottom if seat == 0 else 0) for seat in range(SEATS)]
             for state, bottom in zip(states, bottoms, strict=True)]  # fmt: skip
    return np.array(hands, np.uint64), np.array(bottoms, np.uint64)


def played(hands: NDArray[np.uint64], bottoms: NDArray[np.uint64], rules: str = "standard") -> NDArray[np.float32]:
    """Stakes of each seat as landlord, by the student."""
    native = rules_of(rules).native
    out = mcm.landlord_stakes(native_network(STUDENT), native, tuned_weights(), hands, bottoms)
    stakes: NDArray[np.float32] = np.asarray(out).reshape(-1, SEATS)
    return stakes


def test_a_place_for_every_question_of_every_auction() -> None:
    assert [sum(place.bidding == form for place in PLACES) for form in FORMS] == [10, 27, 11]
    rng = np.random.default_rng(1)
    for form in FORMS:
        for first in range(SEATS):
            auction = Auction.start(form, first)
            while auction.turn is not None:
                place = PLACES[PLACE_OF[form, auction.bids]]
                assert place.legal() == auction.legal()
                assert (place.turn or 0) == (auction.turn - first) % SEATS
                auction = auction.after(int(rng.choice(auction.legal())))


def test_rows_tell_hands_apart() -> None:
    hands, _ = dealt(40, 5)
    read = rows(hands.reshape(-1))
    assert read.shape == (120, SIZE)
    assert len(np.unique(read, axis=0)) == len(np.unique(hands.reshape(-1)))


class TestDealsPlayed:
    def test_seats_that_move_on_take_their_results_along(self) -> None:
        hands, bottoms = dealt(count(fast=20, ci=60, verify=400), 7)
        stakes = played(hands, bottoms)
        moved = played(np.roll(hands, 1, axis=1), bottoms)
        assert (np.roll(stakes, 1, axis=1) == moved).all()
        assert len(np.unique(stakes)) > 2

    def test_results_are_stakes_that_doubled(self) -> None:
        hands, bottoms = dealt(60, 9)
        doublings = np.log2(np.abs(played(hands, bottoms)))
        assert (doublings == doublings.round()).all()
        assert set(np.abs(played(hands, bottoms, "rlcard")).reshape(-1)) == {1.0}, "no doublings there"

    def test_bottom_cards_go_to_the_landlord(self) -> None:
        """Both jokers at the bottom are worth something to whoever gets them."""
        hands, bottoms = dealt(count(fast=150, ci=300, verify=2000), 11)
        jokers = np.uint64((1 << 52) | (1 << 56))
        with_jokers = (bottoms & jokers) != 0
        assert 0 < with_jokers.sum() < len(bottoms)
        stakes = np.sign(played(hands, bottoms)).mean(1)
        assert stakes[with_jokers].mean() > stakes[~with_jokers].mean()

    def test_a_deal_that_is_no_deal_is_refused(self) -> None:
        hands, bottoms = dealt(2, 13)
        with pytest.raises(ValueError, match="one whole deck"):
            played(hands, bottoms[::-1].copy())
        with pytest.raises(ValueError, match="17 cards"):
            played(hands + bottoms[:, None], bottoms)
        with pytest.raises(ValueError, match="three of each deal"):
            played(hands[:1], bottoms)


class TestLearning:
    torch = pytest.importorskip("torch")

    def test_lessons_are_what_the_whole_tree_says(self) -> None:
        """Against a plain walk through one deal at a time."""
        from mingpai.methods.flagship.train_bids import LEGAL, STRAYED, Lessons

        rng, deals = np.random.default_rng(3), 4
        stakes = rng.normal(size=(deals, SEATS)).astype(np.float32)
        chances = rng.random((deals, *LEGAL.shape)).astype(np.float32) * LEGAL.numpy()
        chances /= chances.sum(-1, keepdims=True)
        lessons = Lessons(self.torch.from_numpy(stakes), self.torch.from_numpy(chances))

        def worth(deal: int, auction: Auction) -> NDArray[np.float64]:
            if auction.turn is None:
                won = np.zeros(SEATS) if auction.landlord is None else np.full(SEATS, -auction.stake * 1.0)
                if auction.landlord is not None:
                    won[auction.landlord] = 2 * auction.stake
                    won *= stakes[deal, auction.landlord]
                return won
            chance = chances[deal, PLACE_OF[auction.bidding, auction.bids]]
            return sum((chance[bid] * worth(deal, auction.after(bid)) for bid in auction.legal()), np.zeros(SEATS))

        for deal in range(deals):
            for number, place in enumerate(PLACES):
                for bid in place.legal():
                    seat = place.turn
                    assert lessons.values[deal, number, bid] == pytest.approx(
                        worth(deal, place.after(bid))[seat], abs=1e-4
                    )
                reached, past = 1.0, Auction.start(place.bidding, 0)
                for who, bid in zip(place.seats, place.bids, strict=True):
                    if who != place.turn:
                        likely = chances[deal, PLACE_OF[past.bidding, past.bids], bid]
                        reached *= (1 - STRAYED) * likely + STRAYED / len(past.legal())
                    past = past.after(bid)
                assert lessons.weights[deal, number] == pytest.approx(reached, abs=1e-5)

    def test_points_of_a_deal_add_up_to_nothing(self) -> None:
        from mingpai.methods.flagship.train_bids import points_of

        stakes = self.torch.randn(5, SEATS)
        for form in FORMS:
            over = Auction.start(form, 0)
            while over.turn is not None:
                over = over.after(over.legal()[-1])
            assert points_of(over, stakes).sum(1).abs().max() < 1e-4

    def test_deals_are_whole_decks(self) -> None:
        from mingpai.methods.flagship.train_bids import dealt as drawn

        hands, bottoms = drawn(50, np.random.default_rng(1))
        assert (hands.sum(1) + bottoms == FULL_DECK).all()
        assert {card_count(int(hand)) for hand in hands.reshape(-1)} == {17}

    @pytest.mark.parametrize(("stake", "wanted"), [(1.0, 3), (-1.0, 0)])
    def test_who_always_wins_bids_and_who_always_loses_does_not(self, stake: float, wanted: int) -> None:
        from mingpai.methods.flagship.train_bids import BidLearner, BidSettings

        learner = BidLearner(BidSettings(deals=400, epochs=12, minibatch=50, width=16, model=STUDENT, rate=0.03))
        learner.step()
        learner.stakes[:] = stake
        for _ in range(12):
            learner.step()
        cards = self.torch.from_numpy(rows(learner.hands[:20, 0].numpy().astype(np.uint64)))
        first = learner.net(cards)[:, PLACE_OF[Bidding.SCORE, ()]]
        assert (first.argmax(1) == wanted).all()

    def test_a_run_that_is_taken_up_goes_on_alike(self) -> None:
        from mingpai.methods.flagship.train_bids import BidLearner, BidSettings

        settings = BidSettings(deals=60, epochs=3, minibatch=20, width=16, model=STUDENT)
        whole, part, again = (BidLearner(settings) for _ in range(3))
        for _ in range(whole.steps):
            whole.step()
        for _ in range(2):
            part.step()
        again.load_state_dict(part.state_dict())
        for _ in range(again.steps - 2):
            again.step()
        for name, weights in whole.net.state_dict().items():
            assert self.torch.equal(weights, again.net.state_dict()[name])


class TestShipped:
    @pytest.mark.parametrize("form", FORMS)
    def test_whole_auctions(self, form: Bidding) -> None:
        agent = REGISTRY.agent("doudizhu", "mingpai:preset=fast", seed=1)
        bids = set()
        for seed in range(30):
            state = GAME.deal(seed, RULES[form], {})
            while state.to_move is not None and state.view(state.to_move).landlord is None:
                view = state.view(state.to_move)
                decision = agent.decide(view)
                assert decision.move in view.legal_moves()
                worth = [candidate.value for candidate in decision.candidates]
                assert worth == sorted(worth, key=lambda value: -(value or 0))
                assert all(reason.render(language) for reason in decision.reasons for language in ("en", "zh"))
                assert isinstance(decision.move, Bid)
                bids.add(decision.move.value)
                state.play(decision.move)
        assert {0, 1 if form == Bidding.CALL_ROB else 3} <= bids

    def test_better_cards_are_worth_more(self) -> None:
        auction = Auction.start(Bidding.SCORE, 0)
        weak, strong = "3456788TTJJQQKK9A", "3456789TJQKA222XD"
        values = [LearnedBids().values(parse_cards(text), auction) for text in (weak, strong)]
        assert values[0][3] < 0 < values[1][3]
        assert next(iter(values[1])) == 3

    def test_a_model_of_something_else_is_refused(self) -> None:
        with pytest.raises(MingpaiError, match="feature layout"):
            LearnedBids(STUDENT)


def test_the_command_makes_a_model(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    words = ["train", "bids", "--run", str(tmp_path / "run"), "--ship", str(tmp_path / "models")]
    small = ["--set", "deals=40", "--set", "epochs=1", "--set", f"model={STUDENT}"]
    done = CliRunner().invoke(app, [*words, *small], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    model = LearnedBids(str(tmp_path / "models" / "doudizhu-bids"))
    hands, _ = dealt(1, 3)
    assert set(model.values(int(hands[0, 1]), Auction.start(Bidding.CALL_ROB, 0))) == {0, 1}
    wrong = ["train", "bids", "--set", "rules=no", "--run", str(tmp_path / "other")]
    with pytest.raises(BadSetting, match="rules"):
        CliRunner().invoke(app, wrong, catch_exceptions=False)
