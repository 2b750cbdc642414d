"""The population simulator: frozen, reproducible, fast, and its games keep the rules."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from mingpai._native import bidding as native
from mingpai._native.core import Budget
from mingpai.agents.doudizhu_greedy import tuned_weights
from mingpai.core.errors import Ambiguous, IllegalHere
from mingpai.games.doudizhu.moves import Bid
from mingpai.games.doudizhu.notation import cards_text, parse_move
from mingpai.games.doudizhu.state import DoudizhuState, start
from mingpai.methods.bidding.population import draw_players, read_tempers, simulate, table_of, write_tempers
from mingpai.methods.bidding.raw import PAPER, Ending, RawPlay, Word, parse_line
from tests.scale import count

SIGNATURE = "a8fc32f4f9184fad"
"""Of 500 games. A change of play or bidding changes it: then every result that rests on the population is void."""


def lines(games: int, players: int, seed: int, threads: int = 1) -> bytes:
    return table_of(draw_players(players, seed)).simulate(seed, 0, games, threads, PAPER.native, Budget())


def test_the_population_is_frozen() -> None:
    players = [repr(player) for player in draw_players(50, 5)]
    digest = hashlib.blake2b(lines(500, 50, 5) + "\n".join(players).encode(), digest_size=8)
    assert digest.hexdigest() == SIGNATURE


def test_a_log_depends_on_the_seed_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    players = draw_players(30, 2)
    simulate(tmp_path / "a", 500, players, 2, threads=1)
    monkeypatch.setattr("mingpai.methods.bidding.population.BLOCK", 150)
    simulate(tmp_path / "b", 500, players, 2, threads=2)
    simulate(tmp_path / "c", 500, players, 3)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes() != (tmp_path / "c").read_bytes()


def played_on(state: DoudizhuState, plays: Sequence[RawPlay]) -> DoudizhuState:
    """The deal after the plays of a log. It names cards only: of several readings one that the rest allows."""
    for number, play in enumerate(plays):
        assert state.to_move == play.seat
        text = cards_text(play.cards) or "pass"
        try:
            state.play(parse_move(text, state))
        except Ambiguous as error:
            for reading in error.readings:
                branch = state.copy()
                branch.play(parse_move(reading, branch))
                try:
                    return played_on(branch, plays[number + 1 :])
                except IllegalHere:
                    continue
            raise
    return state


def test_games_replay_by_the_rules() -> None:
    """Bids, plays and points of whole games are those of the engine."""
    shares = native.Shares(left=0, cut=0, wrong_first=0, torn=0)
    table = table_of(draw_players(12, 9), shares)
    seen: set[Ending] = set()
    for line in table.simulate(9, 0, count(fast=60, ci=600, verify=6000), 1, PAPER.native, Budget()).splitlines():
        game = parse_line(line, PAPER)
        seen.add(game.ending)
        rules = "standard" if game.bids[0].word == Word.BID else "standard+callrob"
        deck = "/".join(cards_text(cards) for cards in (*game.hands, game.bottom))
        state = start(deck, rules, {"first": game.bids[0].seat})
        for bid in game.bids:
            assert state.to_move == bid.seat
            state.play(Bid(bid.value))
        state = played_on(state, game.plays)
        assert state.is_over
        assert (game.ending == Ending.VOID) == (state.landlord is None)
        assert list(state.points()) == game.points
        assert game.landlord == (-1 if state.landlord is None else state.landlord)
    assert seen == {Ending.OVER, Ending.VOID}


def test_broken_records_are_there_in_their_shares() -> None:
    shares = native.Shares(left=0.2, cut=0.2, wrong_first=0.2, torn=0.1)
    made = table_of(draw_players(12, 9), shares).simulate(1, 0, 2000, 1, PAPER.native, Budget()).splitlines()
    games = [native.parse_line(line, PAPER.native) for line in made]
    good = [game for game in games if isinstance(game, native.RawGame)]
    assert 120 < len(games) - len(good) < 280
    assert 250 < sum(game.ending == Ending.LEFT for game in good) < 450
    assert 250 < sum(game.ending == Ending.CUT for game in good) < 450
    wrong = [game for game in good if game.ending == Ending.OVER and game.plays[0].seat != game.landlord]
    assert 250 < len(wrong) < 450


def test_bias_and_noise_move_the_bids() -> None:
    """The bold bid more, the timid less, and noise blurs the difference between good and bad hands."""

    def player(bias: float, noise: float) -> native.Member:
        return native.Member(
            f"{bias}/{noise}", bias=bias, noise=noise, card=native.CardPlayer.GREEDY, slips=0, activity=1
        )

    members = [player(1.0, 0.05), player(-1.0, 0.05), player(0.0, 3.0), player(0.0, 0.05)]
    table = native.Population(members, native.Shares(left=0, cut=0, wrong_first=0, torn=0), tuned_weights())
    reader = native.LogReader(PAPER.native)
    reader.feed(table.simulate(4, 0, 4000, 1, PAPER.native, Budget()))
    _, bids = reader.take()
    first = (bids["phase"] == 0) & (bids["value"] == 0)
    rates, slopes = {}, {}
    for number, name in enumerate(reader.players):
        which = first & (bids["player"] == number)
        did, worth = bids["bid"][which] > 0, native.values(np.ascontiguousarray(bids["hand"][which]))
        rates[name], slopes[name] = did.mean(), np.corrcoef(did, worth)[0, 1]
    assert rates["1.0/0.05"] > rates["0.0/0.05"] + 0.2
    assert rates["-1.0/0.05"] < rates["0.0/0.05"] - 0.2
    assert slopes["0.0/3.0"] < 0.3 < 0.6 < slopes["0.0/0.05"]


def test_the_value_of_a_hand_is_a_weighted_sum_of_plain_numbers() -> None:
    """Worked by hand: 3 and 6 are loose (5 and 7 to A are no single cards or stand in a run)."""
    from mingpai.games.doudizhu.notation import parse_cards

    hand = np.array([parse_cards("36899TJQKKKAA222D")], np.uint64)
    row = dict(zip(native.value_feature_names(), native.value_features(hand)[0], strict=True))
    assert row == {"one": 1, "big_joker": 1, "small_joker": 0, "rocket": 0, "twos": 3, "aces": 2, "kings": 3,
                   "bombs": 0, "triples": 2, "loose": 2}  # fmt: skip
    weights = {"one": -1.406, "big_joker": 0.828, "twos": 0.271, "aces": 0.159, "kings": 0.088, "triples": 0.191,
               "loose": -0.101}  # fmt: skip
    assert native.values(hand)[0] == pytest.approx(sum(weight * row[name] for name, weight in weights.items()))


def test_outcomes_are_the_same_deal_with_each_landlord() -> None:
    deals = native.deals(1, 0, 20)
    table = table_of(draw_players(5, 1))
    seats = np.tile(np.array([0, 1, 2], np.int32), (20, 1))
    won, doublings, left = table.outcomes(deals, seats, 1, Budget())
    assert won.shape == doublings.shape == (20, 3)
    assert left.shape == (20, 3, 3)
    out = left == 0
    assert (out.sum(axis=2) == 1).all()
    for deal, landlord in np.ndindex(20, 3):
        assert bool(out[deal, landlord, landlord]) == bool(won[deal, landlord])
    again = table.outcomes(deals, seats, 1, Budget())
    assert np.array_equal(won, again[0])
    assert np.array_equal(doublings, again[1])
    assert np.array_equal(left, again[2])


def test_tempers_come_back_from_their_file(tmp_path: Path) -> None:
    players = draw_players(9, 4)
    write_tempers(tmp_path / "tempers.csv", players)
    assert read_tempers(tmp_path / "tempers.csv") == players
    assert len({player.id for player in draw_players(3000, 4)}) == 3000
