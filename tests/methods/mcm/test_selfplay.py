"""Batched self-play: features against hand-made positions and the game itself, returns, the sparse layer."""

import numpy as np
import pytest
from numpy.typing import NDArray

from mingpai._native import core, doudizhu, mcm
from mingpai.games.doudizhu import notation
from tests.scale import count

RULES = doudizhu.profile("standard")


def cards(text: str) -> int:
    return notation.parse_cards(text)


def part(row: NDArray[np.uint8], name: str) -> NDArray[np.uint8]:
    layout = mcm.state_layout() if len(row) == mcm.STATE_SIZE else mcm.move_layout()
    start, places = layout[name]
    return row[start : start + places]


def thermometer(text: str) -> list[int]:
    row = [0] * 54
    for rank, letter in enumerate(doudizhu.RANKS):
        for copy in range(text.count(letter)):
            row[4 * rank + copy if rank < 13 else 52 + rank - 13] = 1
    return row


def one_hot(size: int, place: int) -> list[int]:
    return [int(i == place) for i in range(size)]


def move(text: str) -> doudizhu.Move:
    return doudizhu.classify(cards(text), RULES)[0]


PASS = doudizhu.Move()


@pytest.fixture(scope="module")
def position() -> mcm.Position:
    """Landlord: 3, next: 5, previous: pass, landlord: 2, pass, pass, landlord: 44, next: 66, previous to move."""
    history = [move("3"), move("5"), PASS, move("2"), PASS, PASS, move("44"), move("66")]
    hand = cards("3345777789TJQKAXD")
    return mcm.Position(2, hand, cards("34K"), (16, 14, 17), history, RULES)


def test_layouts_cover_their_rows_without_gaps() -> None:
    for layout, size in ((mcm.state_layout(), mcm.STATE_SIZE), (mcm.move_layout(), mcm.MOVE_SIZE)):
        place = 0
        for start, places in layout.values():
            assert start == place
            place += places
        assert place == size


def test_state_row_of_a_hand_made_position(position: mcm.Position) -> None:
    states, _, _ = mcm.observe_positions([position], True)
    row = states[0]
    expected = {
        "hand": thermometer("3345777789TJQKAXD"),
        "played": thermometer(""),
        "next_played": thermometer("3244"),
        "previous_played": thermometer("566"),
        "recent": thermometer("66") + thermometer("44") + thermometer(""),
        "bottom": thermometer("K"),
        "cards_left": one_hot(20, 16),
        "next_cards_left": one_hot(20, 15),
        "previous_cards_left": one_hot(20, 13),
        "last_type": one_hot(18, int(doudizhu.Type.PAIR)),
        "last_rank": one_hot(15, 3),
        "last_length": one_hot(12, 0),
        "last_owner": [0, 0, 1],
        "bombs": one_hot(5, 0),
        "role": [0, 0, 1],
        "next_passed_single": one_hot(16, 15),
        "next_passed_pair": one_hot(16, 15),
        "previous_passed_single": one_hot(16, 12),
        "previous_passed_pair": one_hot(16, 15),
        "previous_passed_triple": one_hot(16, 15),
        "next_passed_straight": one_hot(16, 15),
        "for_points": [1],
        "losing": one_hot(6, 3),
    }
    for name, wanted in expected.items():
        assert part(row, name).tolist() == wanted, name
    seen = cards("3345777789TJQKAXD") + cards("3244") + cards("566")
    assert part(row, "unseen").tolist() == thermometer(notation.cards_text(doudizhu.FULL_DECK - seen))
    older = part(row, "older").reshape(27, 16)
    assert older[0].tolist() == [0] * 15 + [1]
    assert older[1].tolist() == [*one_hot(15, 12), 0]
    assert older[5].sum() == 0, "eight moves were made: the ninth back does not exist"


def test_state_row_tells_what_was_let_go_by_and_what_is_long_ago() -> None:
    """Landlord: 34567, landlord: 8889, both let go by."""
    history = [move("34567"), PASS, PASS, move("8889"), PASS]
    hand = cards("3344556779TJQKAXD")
    row = mcm.observe_positions([mcm.Position(2, hand, 0, (11, 17, 17), history, RULES)], False)[0][0]
    assert part(row, "previous_passed_straight").tolist() == one_hot(16, 0)
    assert part(row, "previous_passed_triple").tolist() == one_hot(16, 5)
    assert part(row, "previous_passed_single").tolist() == one_hot(16, 15)
    assert part(row, "next_passed_triple").tolist() == one_hot(16, 15)
    older = part(row, "older").reshape(-1, 16)
    assert older[1].tolist() == [1, 1, 1, 1, 1, *[0] * 11], "the first move is the fifth back"
    assert not older[2:].any()


def test_move_rows_of_a_hand_made_position(position: mcm.Position) -> None:
    _, moves, offsets = mcm.observe_positions([position], False)
    assert offsets.tolist() == [0, len(position.moves)]
    rows = {str(option): moves[i] for i, option in enumerate(position.moves)}
    seven = rows["77"]
    assert part(seven, "cards").tolist() == thermometer("77")
    assert part(seven, "rest").tolist() == thermometer("33457789TJQKAXD")
    assert part(seven, "rest_size").tolist() == one_hot(20, 15)
    assert part(seven, "higher_unseen").tolist() == [0, 0, 0, 1], "more than two higher pairs are unseen"
    bomb = rows["7777"]
    assert part(bomb, "is_bomb").tolist() == [1]
    assert part(bomb, "higher_unseen").tolist() == [1, 0, 0, 0], "no four and no rocket is unseen"
    passing = next(row for option, row in zip(position.moves, moves, strict=True) if option.is_pass)
    assert part(passing, "rest_size").tolist() == one_hot(20, 17)
    assert part(passing, "previous_stands").tolist() == one_hot(6, 0), "the pair of sixes is his own"
    assert part(passing, "next_stands").tolist() == one_hot(6, 5), "the landlord surely has a higher pair"
    assert not part(passing, "rank").any()


def test_what_stands_and_what_wins() -> None:
    """Landlord to lead with 3, 2, D; unseen: 4, 5, 6 and two aces at the two farmers, who hold 3 and 2 cards."""
    deck = cards("32D456AA")
    position = mcm.Position(0, cards("32D"), 0, (3, 3, 2), [], RULES, deck)
    _, moves, _ = mcm.observe_positions([position], False)
    rows = {str(option): row for option, row in zip(position.moves, moves, strict=True)}
    assert part(rows["D"], "rest_losing").tolist() == one_hot(6, 1), "the two stands, the three does not"
    assert part(rows["D"], "rest_winners").tolist() == one_hot(5, 1)
    assert part(rows["3"], "rest_losing").tolist() == one_hot(6, 0)
    assert part(rows["3"], "rest_winners").tolist() == one_hot(5, 2)
    for seat in ("next", "previous"):
        assert part(rows["2"], f"{seat}_stands").tolist() == one_hot(6, 0)
    # five cards above at random: the next has none of them with chance .4 ** 5, the previous with .6 ** 5
    assert part(rows["3"], "next_stands").tolist() == one_hot(6, 5)
    assert part(rows["3"], "previous_stands").tolist() == one_hot(6, 5)


def test_chances_that_moves_stand() -> None:
    """The seat after the landlord leads; unseen: a pair of fives, one six, one king."""
    deck = cards("3344556K7777")
    position = mcm.Position(1, cards("33447777"), 0, (2, 8, 2), [], RULES, deck)
    _, moves, _ = mcm.observe_positions([position], False)
    rows = {str(option): row for option, row in zip(position.moves, moves, strict=True)}
    # each of the two unseen fives is at either seat with chance one half: both with a quarter
    assert part(rows["33"], "next_stands").tolist() == one_hot(6, 2)
    assert part(rows["77"], "next_stands").tolist() == one_hot(6, 0)
    assert part(rows["3"], "next_stands").tolist() == one_hot(6, 5), "four cards above: a sixteenth"
    assert part(rows["7777"], "next_stands").tolist() == one_hot(6, 0)


@pytest.mark.parametrize(
    ("hand", "turns"),
    [("3", 1), ("33", 1), ("34567", 1), ("3334", 1), ("333444", 1), ("33344456", 1), ("3456", 4), ("34556789XD", 3),
     ("333555", 2), ("3333", 1), ("3333XD", 2), ("334455", 1), ("222AAA", 2), ("33445567", 3)],
)  # fmt: skip
def test_estimated_turns(hand: str, turns: int) -> None:
    assert mcm.estimated_turns(cards(hand)) == turns


def test_position_refuses_what_does_not_fit() -> None:
    hand = cards("3344556677889TJQK")
    with pytest.raises(ValueError, match="differ"):
        mcm.Position(1, hand, 0, (20, 16, 17), [], RULES)
    with pytest.raises(ValueError, match="does not beat"):
        mcm.Position(2, hand, 0, (19, 16, 17), [move("5"), move("4")], RULES)
    with pytest.raises(ValueError, match="pass on a lead"):
        mcm.Position(1, hand, 0, (20, 17, 17), [PASS], RULES)
    with pytest.raises(ValueError, match="not left"):
        mcm.Position(1, hand, 0, (16, 17, 17), [move("3333")], RULES)


def rows_of(batch: mcm.Batch) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int32]]:
    states = np.zeros((len(batch), mcm.STATE_SIZE), np.uint8)
    moves = np.zeros((batch.options, mcm.MOVE_SIZE), np.uint8)
    batch.observe(states, moves)
    return states, moves, batch.offsets()


def test_batch_plays_by_the_rules_and_sees_what_a_seat_sees() -> None:
    """Every decision of a batch is rebuilt from the game's own state: same moves, same rows, same result."""
    rng = np.random.default_rng(1)
    for seed in range(count(fast=10, ci=100, verify=400)):
        batch = mcm.Batch(1, seed, RULES, deals_again=False)
        hands, bottom = batch.hands(0), batch.bottom(0)
        dealt = doudizhu.Deal((hands[0] - bottom, hands[1], hands[2]), bottom)
        state, history = doudizhu.State.start_play(dealt, RULES, 0), list[doudizhu.Move]()
        while not state.is_over:
            legal = state.legal_moves().to_list()
            choice = int(rng.integers(len(legal)))
            role = state.to_move
            assert role is not None
            if len(legal) > 1:
                assert batch.turns()[0] == role
                assert batch.moves(0) == legal
                counts = tuple(doudizhu.card_count(hand) for hand in state.hands)
                seen = mcm.Position(role, state.hands[role], bottom, counts, history, RULES)
                states, moves, _ = rows_of(batch)
                wanted_states, wanted_moves, _ = mcm.observe_positions([seen], False)
                assert np.array_equal(states, wanted_states)
                assert np.array_equal(moves, wanted_moves)
                batch.play(np.array([choice], np.int32))
            history.append(legal[choice])
            state.play(legal[choice])
        assert batch.winners()[0] == state.status.turn


@pytest.mark.parametrize("profile", doudizhu.profile_names())
def test_doublings_and_returns_are_those_of_the_points(profile: str) -> None:
    """Random deals under every profile: the self-play table, the state and the returns tell the same stake."""
    rules, rng, stakes = doudizhu.profile(profile), np.random.default_rng(2), set[int]()
    for seed in range(count(fast=60, ci=300, verify=1200)):
        samples = mcm.Samples(200)
        batch = mcm.Batch(1, seed, rules, deals_again=False, samples=samples)
        hands, bottom = batch.hands(0), batch.bottom(0)
        state = doudizhu.State.start_play(doudizhu.Deal((hands[0] - bottom, hands[1], hands[2]), bottom), rules, 0)
        while not state.is_over:
            legal, chosen = state.legal_moves().to_list(), 0
            if len(legal) > 1:
                chosen = int(rng.integers(len(legal)))
                states, moves, _ = rows_of(batch)
                batch.act(np.eye(len(legal), dtype=np.float32)[:, [chosen, chosen]], states, moves, 0.0, 1.0)
            state.play(legal[chosen])
        stake = 2 ** int(batch.doublings()[0])
        stakes.add(stake)
        assert batch.doublings()[0] == state.status.doublings(rules)
        points = [abs(points) for points in state.points()]
        assert sorted(points) in ([stake, stake, 2 * stake], [0, 1, 1], [0, 0, 1])
        assert rules.unit_score == (min(points) == 0)
        assert abs(samples.points[len(samples) - 1]) == min(stake, 8)  # the first decision is stored last
    assert len(stakes) > 1 or not (rules.bombs_double or rules.spring_doubles)


def test_the_same_seed_deals_the_same_cards() -> None:
    first, second = (mcm.Batch(4, 7, RULES, bid_share=0.5, deals_again=False) for _ in range(2))
    assert [first.hands(i) for i in range(4)] == [second.hands(i) for i in range(4)]
    for table in range(4):
        assert sum(first.hands(table)) == doudizhu.FULL_DECK


def test_bids_give_the_landlord_the_stronger_cards() -> None:
    def aces_and_above(share: float) -> float:
        batch = mcm.Batch(500, 3, RULES, bid_share=share)
        high = [doudizhu.card_count(batch.hands(i)[0] >> 44) for i in range(500)]
        return float(np.mean(high))

    assert aces_and_above(1.0) > aces_and_above(0.0) + 0.5


def played_out(lam: float, explore: float) -> tuple[mcm.Samples, NDArray[np.float32]]:
    """One table with constant values until its first deal ends."""
    samples = mcm.Samples(200)
    batch = mcm.Batch(1, 5, RULES, deals_again=False, samples=samples)
    value = np.array([[0.4, 0.3]], np.float32)
    while batch.turns()[0] >= 0:
        states, moves, _ = rows_of(batch)
        batch.act(np.repeat(value, len(moves), axis=0), states, moves, explore, lam)
    return samples, value


def test_monte_carlo_returns_are_the_result_of_the_side() -> None:
    samples, _ = played_out(1.0, 0.0)
    roles = samples.states[: len(samples), slice(*role_span())].argmax(axis=1)
    wins, points = samples.wins[: len(samples)], samples.points[: len(samples)]
    landlord = {float(win) for win, role in zip(wins, roles, strict=True) if role == 0}
    farmers = {float(win) for win, role in zip(wins, roles, strict=True) if role != 0}
    assert len(landlord) == len(farmers) == 1
    assert landlord | farmers == {0.0, 1.0}
    assert np.array_equal(points > 0, wins == 1)
    assert set(np.log2(np.abs(points)).tolist()) <= {0.0, 1.0, 2.0, 3.0}


def role_span() -> tuple[int, int]:
    start, places = mcm.state_layout()["role"]
    return start, start + places


def test_without_lambda_the_return_is_the_next_value_of_the_seat() -> None:
    samples, value = played_out(0.0, 0.0)
    roles = samples.states[: len(samples), slice(*role_span())].argmax(axis=1)
    won = 1 / (1 + np.exp(-value[0, 0]))
    seen = set[int]()
    for role, win in zip(roles, samples.wins, strict=False):  # the last decision of the deal is stored first
        assert win in (0.0, 1.0) if role not in seen else win == pytest.approx(won)
        seen.add(int(role))


def test_old_samples_are_overwritten() -> None:
    samples = mcm.Samples(16)
    batch = mcm.Batch(8, 1, RULES, samples=samples)
    for _ in range(60):
        states, moves, offsets = rows_of(batch)
        batch.act(np.zeros((int(offsets[-1]), 2), np.float32), states, moves, 1.0, 1.0)
    assert len(samples) == 16 < samples.added


@pytest.mark.parametrize("relu", [False, True])
def test_sparse_layer_equals_the_matrix_product(relu: bool) -> None:
    rng = np.random.default_rng(2)
    rows = (rng.random((9, 37)) < 0.2).astype(np.uint8) * rng.integers(1, 5, (9, 37), dtype=np.uint8)
    weights = rng.standard_normal((37, 128)).astype(np.float32)
    start = rng.standard_normal((3, 128)).astype(np.float32)
    of = rng.integers(0, 3, 9)
    out = np.empty((9, 128), np.float32)
    core.sparse_forward(rows, weights, start, of, relu, out)
    wanted = start[of] + rows.astype(np.float32) @ weights
    np.testing.assert_allclose(out, np.maximum(wanted, 0) if relu else wanted, rtol=1e-4, atol=1e-4)

    gradient = np.ones((37, 128), np.float32)
    core.sparse_backward(rows, out, gradient)
    np.testing.assert_allclose(gradient, 1 + rows.T.astype(np.float32) @ out, rtol=1e-3, atol=1e-3)


def test_sparse_layer_refuses_wrong_shapes() -> None:
    rows = np.zeros((2, 5), np.uint8)
    with pytest.raises(ValueError, match="multiple of 64"):
        core.sparse_forward(rows, np.zeros((5, 60), np.float32), np.zeros((1, 60), np.float32), None, False,
                                np.zeros((2, 60), np.float32))  # fmt: skip
    with pytest.raises(ValueError, match="weights: expected 5 x 64, got 4 x 64"):
        core.sparse_forward(rows, np.zeros((4, 64), np.float32), np.zeros((1, 64), np.float32), None, False,
                                np.zeros((2, 64), np.float32))  # fmt: skip


@pytest.mark.parametrize("profile", doudizhu.profile_names())
def test_a_state_tells_which_doublings_do_not_count(profile: str) -> None:
    """By the rows of a table and of a position."""
    rules = doudizhu.profile(profile)
    batch = mcm.Batch(1, 1, rules)
    hands = batch.hands(0)
    seen = mcm.Position(0, hands[0], batch.bottom(0), (20, 17, 17), [], rules)
    for states in (rows_of(batch)[0], mcm.observe_positions([seen], True)[0]):
        assert part(states[0], "no_spring")[0] == (rules.unit_score or not rules.spring_doubles)
        assert part(states[0], "no_bombs")[0] == (rules.unit_score or not rules.bombs_double)


def finished(batch: mcm.Batch, samples: mcm.Samples, steps: int, seed: int = 1) -> None:
    """Plays at random until so many steps of all tables are made."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        states, moves, _ = rows_of(batch)
        values = rng.random((len(moves), 2)).astype(np.float32)
        batch.act(values, states, moves, 0.0, 1.0)
    assert len(samples) > 100


def test_every_deal_draws_its_rules_and_its_returns_follow_them() -> None:
    samples = mcm.Samples(20_000)
    profiles = [doudizhu.profile(name) for name in ("standard", "douzero", "rlcard")]
    batch = mcm.Batch(60, 2, profiles, samples=samples)
    finished(batch, samples, 250)
    states, points = samples.states[: len(samples)], np.abs(samples.points[: len(samples)])
    layout = mcm.state_layout()
    no_spring, no_bombs = (states[:, layout[name][0]] == 1 for name in ("no_spring", "no_bombs"))
    assert not (no_bombs & ~no_spring).any()
    shares = [np.mean(chosen) for chosen in (~no_spring, no_spring & ~no_bombs, no_bombs)]
    assert min(shares) > 0.15
    assert set(points[no_bombs]) == {1}
    assert all(points[chosen].max() > 1 for chosen in (~no_spring, no_spring & ~no_bombs))


def test_one_profile_deals_the_same_cards_alone_and_in_a_list() -> None:
    alone, listed = (mcm.Batch(4, 7, rules, bid_share=0.5) for rules in (RULES, [RULES]))
    assert [alone.hands(i) for i in range(4)] == [listed.hands(i) for i in range(4)]
    with pytest.raises(ValueError, match="rules: expected at least one"):
        mcm.Batch(4, 7, [])


@pytest.mark.parametrize("most", [0, 1, 2])
def test_returns_are_cut_where_it_is_asked_for(most: int) -> None:
    samples = mcm.Samples(20_000)
    finished(mcm.Batch(60, 3, RULES, samples=samples, most_doublings=most), samples, 250)
    assert np.abs(samples.points[: len(samples)]).max() == 2**most
