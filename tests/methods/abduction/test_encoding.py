"""The native encoder of table 1, options and tables."""

import numpy as np
import pytest

from mingpai._native import abduction
from mingpai._native import guandan as native
from mingpai.core.random import stream
from mingpai.games.guandan import GAME
from mingpai.games.guandan.notation import KINDS
from mingpai.games.guandan.state import GuandanState
from mingpai.methods.abduction.knowledge import knowledge
from tests.contract.games import playout
from tests.reference.abduction import encode
from tests.scale import count

WEIGHTS = knowledge().weights


def test_sizes_are_those_of_table_1() -> None:
    assert abduction.FLAT_SIZE == 13 + 4 + 3 + 54 + 4 * 54 + 4 * 54 == 506
    assert (abduction.HISTORY, abduction.MOVE_SIZE) == (7, 58)
    assert abduction.ROW_SIZE == 506 + 7 * 58


def test_a_position_made_by_hand() -> None:
    state = GAME.start("H2S3S3/H8C4/SKDK/SB", setup={"level": "8", "leader": 0})
    state.play(GAME.parse_move("S3S3", state))
    state.play(GAME.parse_move("pass", state))
    state.play(GAME.parse_move("SKDK", state))
    row = abduction.encode(state.native, 1)
    assert row[7] == 1  # level 8
    assert row[13 + 1] == 1  # seat 1
    assert row[17 + 1] == 1  # one wild card, H8
    hand = row[20:74]
    assert KINDS["H2"] == 5  # the sixth place
    assert {kind for kind in range(54) if hand[kind]} == {KINDS["H8"], KINDS["C4"]}
    left = row[74:290].reshape(4, 54).argmax(1).tolist()
    assert left == [2, 0, 1, 1]  # seats 1, 2, 3, 0
    played = row[290:506].reshape(4, 54)
    assert played[3][KINDS["S3"]] == 2
    assert played[1][KINDS["SK"]] == played[1][KINDS["DK"]] == 1
    assert played.sum() == 4
    moves = row[506:].reshape(7, 58)
    assert not moves[:4].any()
    assert moves[4][KINDS["S3"]] == 2
    assert moves[4][54:].tolist() == [0, 0, 0, 1]
    assert moves[5].tolist() == [0] * 54 + [1, 0, 0, 0]
    assert moves[6][KINDS["SK"]] == 1
    assert moves[6][54:].tolist() == [0, 1, 0, 0]


def test_the_native_encoder_equals_the_plain_one() -> None:
    for seed in range(count(fast=3, ci=20, verify=200)):
        setup = {"level": "TJQKA"[seed % 5], "previous": [2, 1, 0, 3]} if seed % 2 else None
        for state in playout(GAME.deal(seed, "", setup), stream(seed, "encode")):
            assert isinstance(state, GuandanState)
            for seat in range(4):
                assert abduction.encode(state.native, seat).tolist() == encode(state, seat)


def test_options_are_the_legal_pseudo_actions_with_a_legal_play() -> None:
    for seed in range(count(fast=2, ci=10, verify=50)):
        for state in playout(GAME.deal(seed), stream(seed, "options")):
            assert isinstance(state, GuandanState)
            if state.is_over:
                continue
            pseudo, facts, plays = abduction.options(state.native, WEIGHTS)
            assert pseudo.tolist() == np.flatnonzero(state.native.legal_mask()).tolist()
            assert facts.shape == (len(pseudo), abduction.FACTS)
            assert np.isfinite(facts).all()
            for number, play in zip(pseudo, plays, strict=True):
                assert play.pseudo == number
                assert state.native.why_illegal(play) is None


def test_options_outside_the_tricks_are_refused() -> None:
    state = GAME.deal(1, "", {"level": "5", "previous": [0, 1, 2, 3]})
    if state.native.phase != native.PHASE_PLAY:
        with pytest.raises(ValueError, match="tribute"):
            abduction.options(state.native, WEIGHTS)


def test_tables_play_whole_matches_against_a_bot() -> None:
    """A network that does what rule2 advises loses its matches to rule3, all of them counted once."""
    tables = abduction.Tables.matches((3, abduction.NETWORK), 0, 2, 5, WEIGHTS)
    while tables.waiting:
        tables.play(tables.advise(2))
    assert len(tables.finished) == 4
    assert {(one.pair, one.swapped) for one in tables.finished} == {(0, False), (0, True), (1, False), (1, True)}
    for one in tables.finished:
        assert one.score.result == 1  # rule3 beats the choices of rule2
        assert sum(one.score.by_score) == one.score.rounds


def test_samples_carry_the_advantage_of_each_seats_own_decisions() -> None:
    gamma, lam = 0.9, 0.8
    tables = abduction.Tables([(abduction.NETWORK, abduction.NETWORK)], 3, WEIGHTS, gamma=gamma, lam=lam)
    rng = np.random.default_rng(0)
    turns, values = [], []
    while not len(tables.samples):
        turns.append(int(tables.turns()[0]))
        values.append(float(np.float32(rng.normal())))
        tables.play(tables.advise(4), np.zeros(1, np.float32), np.array(values[-1:], np.float32))
    *_, value, advantage, score, left = tables.samples.take()
    assert value.tolist() == pytest.approx(values)
    for seat in range(4):
        mine = [i for i, turn in enumerate(turns) if turn == seat]
        running = 0.0
        for number, i in enumerate(reversed(mine)):
            target = float(score[i]) if number == 0 else gamma * values[mine[len(mine) - number]]
            running = target - values[i] + gamma * lam * running
            assert advantage[i] == pytest.approx(running, abs=1e-4)
            assert left[i] == number + 1
    assert {abs(int(s)) for s in score} <= {1, 2, 3}


def test_bad_choices_are_refused() -> None:
    tables = abduction.Tables([(abduction.NETWORK, 4)], 3, WEIGHTS)
    with pytest.raises(ValueError, match="none of the options"):
        tables.play(np.array([10_000], np.int32))
    with pytest.raises(ValueError, match="one choice"):
        tables.play(np.array([0, 0], np.int32))
    with pytest.raises(ValueError, match="network"):
        abduction.Tables([(4, 4)], 3, WEIGHTS)


def test_looking_ahead_shows_the_position_after_each_option() -> None:
    tables = abduction.Tables([(abduction.NETWORK, abduction.NETWORK)], 8, WEIGHTS)
    while tables.counts.rounds < 2:
        open_, sign, score = tables.look_ahead()
        assert len(open_) == len(sign) == len(score) == tables.offsets()[-1]
        assert set(np.unique(sign)) <= {-1, 0, 1}
        assert ((sign == 0) == (score != 0)).all()
        assert not open_[sign == 0].any()
        choice, rounds = tables.advise(4), tables.counts.rounds
        ends = sign[choice[0]] == 0
        tables.play(choice)
        assert not ends or tables.counts.rounds > rounds


SEAT_SIZE = 6 * 13 + 3 * 2 + 28 + 36 + 16 + 6 + 3


def test_the_open_row_shows_all_hands() -> None:
    """The size, groups, jokers and wild cards of every hand, who is out, and what has to be beaten."""
    assert abduction.OPEN_SIZE == 4 * SEAT_SIZE + 168 + 5 + 13
    tables = abduction.Tables([(abduction.NETWORK, abduction.NETWORK)] * 4, 5, WEIGHTS)
    while tables.counts.rounds < count(fast=8, ci=40, verify=400):
        _, open_, hidden, _, _ = tables.observe(open=True, hidden=True)
        assert set(np.unique(open_)) <= {0, 1}
        for i, row in enumerate(open_):
            round_ = tables.round(i)
            wild = 4 * round_.level + 1
            for seat in range(1, 4):
                hand = hidden[i].reshape(3, 54)[seat - 1].astype(int)
                part = row[seat * SEAT_SIZE : (seat + 1) * SEAT_SIZE]
                groups, rest = part[:78].reshape(6, 13), part[78:]
                held = hand[:52].copy()
                held[wild] = 0
                ranks = held.reshape(13, 4).sum(1)
                assert groups.sum(0).tolist() == np.minimum(ranks, 6).tolist()
                assert [rest[:2].sum(), rest[2:4].sum(), rest[4:6].sum()] == [hand[52], hand[53], hand[wild]]
                assert rest[6:34].argmax() == hand.sum()
                assert rest[-3:].any() == (hand.sum() == 0)
                turns = rest[34 + 36 : 34 + 36 + 16].sum()
                assert (turns == 0) == (hand.sum() == 0)
                assert turns <= hand.sum()
            leading = round_.best_seat < 0
            assert row[4 * SEAT_SIZE : 4 * SEAT_SIZE + 168].argmax() == (167 if leading else round_.best.pseudo)
            assert row[4 * SEAT_SIZE + 168 : 4 * SEAT_SIZE + 173].argmax() == 4 or not leading
        tables.play(tables.advise(4))
