"""The native encoder of table 1, options and tables."""

import numpy as np
import pytest
from numpy.typing import NDArray

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
    assert abduction.SCENE_AT == 506 + 7 * 58
    assert abduction.ROW_SIZE == abduction.SCENE_AT + abduction.SCENE_SIZE


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
    moves = row[506 : abduction.SCENE_AT].reshape(7, 58)
    assert not moves[:4].any()
    assert moves[4][KINDS["S3"]] == 2
    assert moves[4][54:].tolist() == [0, 0, 0, 1]
    assert moves[5].tolist() == [0] * 54 + [1, 0, 0, 0]
    assert moves[6][KINDS["SK"]] == 1
    assert moves[6][54:].tolist() == [0, 1, 0, 0]


def test_the_native_encoder_equals_the_plain_one() -> None:
    for seed in range(count(fast=3, ci=20, verify=80)):
        setup = {"level": "TJQKA"[seed % 5], "previous": [2, 1, 0, 3]} if seed % 2 else None
        for state in playout(GAME.deal(seed, "", setup), stream(seed, "encode")):
            assert isinstance(state, GuandanState)
            for seat in range(4):
                assert abduction.encode(state.native, seat)[: abduction.SCENE_AT].tolist() == encode(state, seat)


def order_of(card: int, level: int) -> int:
    """The strength of a kind of card: 2 is 0, A 12, the level 13, jokers 14 and 15."""
    rank = card // 4 if card < 52 else card - 39
    return native.order_of(rank, level)


def test_the_scene_shows_the_play_to_beat_and_the_unseen_cards() -> None:
    owner_at = 11 + 16 + 11
    for seed in range(count(fast=3, ci=20, verify=80)):
        for state in playout(GAME.deal(seed, "", {"level": "7"}), stream(seed, "scene")):
            assert isinstance(state, GuandanState)
            seat, round_ = state.native.turn, state.native
            if state.is_over:
                continue
            row = abduction.encode(round_, seat)
            scene = row[abduction.SCENE_AT :]
            assert len(scene) == abduction.SCENE_SIZE
            leading = bool(scene[10])
            assert leading == (not round_.legal_mask()[167])
            assert scene[:11].sum() == 1
            assert scene[owner_at : owner_at + 4].sum() == (not leading)
            assert leading or not scene[owner_at]  # nobody beats himself
            sizes = [len(round_.hand((seat + i) % 4)) for i in (1, 2, 3)]
            few = scene[owner_at + 4 : abduction.SEEN_SIZE].reshape(3, 13)
            for size, places in zip(sizes, few, strict=True):
                assert places.tolist() == [int(size == number) for number in range(13)]
            hidden = [card for i in (1, 2, 3) for card in round_.hand((seat + i) % 4).kinds()]
            counted = np.bincount([order_of(card, round_.level) for card in hidden], minlength=16)
            assert scene[abduction.SEEN_SIZE :].reshape(16, 8).sum(1).tolist() == counted.tolist()


PLAN_SIZES = (1, 2, 3, 6, 6, 5, 5)
"""Cards of a group, by its type."""
REST_AT = 11 + 16 + 11 + 2 + 12
PLAN_AT = REST_AT + 6 * 14 + 4 + 2 + 28


def test_marks_show_the_rest_of_the_hand_and_a_plan_of_all_its_cards() -> None:
    for seed in range(count(fast=3, ci=20, verify=80)):
        for state in playout(GAME.deal(seed, "", {"level": "7"}), stream(seed, "marks")):
            assert isinstance(state, GuandanState)
            if state.is_over:
                continue
            hand = state.native.hand(state.native.turn)
            _, _, marks, plays = abduction.options(state.native, WEIGHTS)
            assert marks.shape[1] == abduction.MARKS
            for row, play in zip(marks, plays, strict=True):
                rest = (hand - play.cards).kinds()
                natural = [order_of(card, state.native.level) for card in rest if card < 52 and card != 4 * 6 + 1]
                groups = row[REST_AT : REST_AT + 84].reshape(6, 14).sum(0)
                assert groups.tolist() == np.minimum(np.bincount(natural, minlength=14), 6).tolist()
                assert row[PLAN_AT - 28 : PLAN_AT].argmax() == len(rest)
                plan = row[PLAN_AT : PLAN_AT + 7 * 16].reshape(7, 16).sum(1).astype(int)
                bombs = row[PLAN_AT + 112 : PLAN_AT + 123].astype(int)
                flush, jokers = map(int, row[PLAN_AT + 123 : PLAN_AT + 125])
                planned = int(plan @ PLAN_SIZES) + int(bombs @ np.arange(11)) + 5 * flush + 4 * jokers
                assert planned == len(rest)
                plays_planned = plan.sum() + bombs.sum() + flush + jokers
                assert row[PLAN_AT + 125 : PLAN_AT + 141].sum() == min(16, plays_planned)
                losers = row[PLAN_AT + 141 : PLAN_AT + 165].reshape(3, 8).sum(1).tolist()
                assert losers == sorted(losers)
                assert losers[-1] <= min(8, plays_planned)


def test_blind_facts_follow_from_ranks_and_sizes_alone() -> None:
    """Before the first play a single holds as often in every hand when no card is counted, by its strength alone."""
    hold, strength = (abduction.fact_names().index(name) for name in ("hold", "strength"))
    for blind in (0, 1):
        players = [(abduction.NETWORK, abduction.NETWORK)] * 64
        tables = abduction.Tables(players, 4, WEIGHTS, blind=blind)
        _, _, _, pseudo, facts, _ = tables.observe()
        levels = np.repeat([tables.round(i).level for i in range(tables.waiting)], np.diff(tables.offsets()))
        facts_of: dict[tuple[int, float], set[float]] = {}
        for level, row in zip(levels[pseudo < 15], facts[pseudo < 15], strict=True):
            facts_of.setdefault((int(level), float(row[strength])), set()).add(float(row[hold]))
        assert all(len(values) == 1 for values in facts_of.values()) == bool(blind)


def test_facts_by_an_estimate_that_counts_are_those_of_counting() -> None:
    """Where both opponents have as many cards left, an estimate by room in the hands says what counting says."""
    names = abduction.fact_names()
    players = [(abduction.NETWORK, abduction.NETWORK)] * 64
    tables = abduction.Tables(players, 4, WEIGHTS)
    everywhere = np.arange(tables.waiting, dtype=np.int32)
    _, _, hidden, _, facts, _ = tables.observe(hidden=True)
    unseen = hidden.reshape(-1, 3, 54).sum(1, keepdims=True)
    estimates = np.ascontiguousarray(np.broadcast_to(unseen / 3, (len(unseen), 3, 54)).reshape(-1, 162), np.float32)
    tables.inform(everywhere, estimates)
    np.testing.assert_allclose(tables.observe()[4], facts, atol=2e-3)
    tables.inform(everywhere[:1], np.zeros((1, 162), np.float32))  # nobody holds anything: all but bombs hold
    first = tables.observe()[4][: tables.offsets()[1]]
    plain = (first[:, names.index("bomb")] == 0) & (first[:, names.index("pass")] == 0)
    assert np.ptp(first[plain, names.index("hold")]) < 1e-6
    with pytest.raises(ValueError, match="estimate"):
        tables.inform(everywhere, estimates[:-1])
    with pytest.raises(ValueError, match="no such table"):
        tables.inform(everywhere + 1, estimates)


def test_options_are_the_legal_pseudo_actions_with_a_legal_play() -> None:
    for seed in range(count(fast=2, ci=10, verify=50)):
        for state in playout(GAME.deal(seed), stream(seed, "options")):
            assert isinstance(state, GuandanState)
            if state.is_over:
                continue
            pseudo, facts, _, plays = abduction.options(state.native, WEIGHTS)
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


SEAT_SIZE = 6 * 13 + 3 * 2 + 28 + 36 + 16 + 6 + 3


def sizes(open_row: NDArray[np.uint8]) -> int:
    """Cards in all hands."""
    seats = open_row[: 4 * SEAT_SIZE].reshape(4, SEAT_SIZE)
    return int(seats[:, 84:112].argmax(1).sum())


def test_looking_ahead_shows_the_position_after_each_option() -> None:
    tables = abduction.Tables([(abduction.NETWORK, abduction.NETWORK)], 8, WEIGHTS)
    while tables.counts.rounds < 2:
        options = np.arange(tables.offsets()[-1], dtype=np.int32)
        open_, sign, score = tables.look_ahead(options)
        assert len(open_) == len(sign) == len(score) == len(options)
        some = tables.look_ahead(options[::2])
        for part, whole in zip(some, (open_, sign, score), strict=True):
            np.testing.assert_array_equal(part, whole[::2])
        after = tables.branches(np.zeros_like(options), options)
        for row, place in zip(after.observe(open=True)[1], after.places(), strict=True):
            if sign[place] and sizes(row) == sizes(open_[place]):  # not a last card that had to be led
                np.testing.assert_array_equal(row, open_[place])
        assert set(np.unique(sign)) <= {-1, 0, 1}
        assert ((sign == 0) == (score != 0)).all()
        assert not open_[sign == 0].any()
        choice, rounds = tables.advise(4), tables.counts.rounds
        ends = sign[choice[0]] == 0
        tables.play(choice)
        assert not ends or tables.counts.rounds > rounds


def test_the_open_row_shows_all_hands() -> None:
    """The size, groups, jokers and wild cards of every hand, who is out, and what has to be beaten."""
    assert abduction.OPEN_SIZE == 4 * SEAT_SIZE + 168 + 5 + 13
    tables = abduction.Tables([(abduction.NETWORK, abduction.NETWORK)] * 4, 5, WEIGHTS)
    while tables.counts.rounds < count(fast=8, ci=40, verify=150):
        _, open_, hidden, *_ = tables.observe(open=True, hidden=True)
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
