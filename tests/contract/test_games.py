"""The contract that every game keeps. A game is tested as soon as the catalogue can import it."""

import json
from collections import Counter

import pytest

from mingpai.agents.catalogue import GAMES as KNOWN
from mingpai.core.errors import MingpaiError
from mingpai.core.event import Event
from mingpai.core.game import Setup, State, serialise
from mingpai.core.random import stream
from mingpai.records.record import Record, record_of
from mingpai.records.replay import replay
from tests.contract.games import SETUPS, game_of, playout, present, random_move, starts
from tests.contract.worlds import SURPRISE, Hands, chi_square_z, hand, hidden, known_of
from tests.scale import count

GAMES = pytest.mark.parametrize("name", present())
STARTS = pytest.mark.parametrize(
    ("name", "rules", "setup"),
    [pytest.param(name, rules, setup, id=f"{name}-{rules or 'default'}-{json.dumps(setup)}")
     for name in present() for rules, setup in starts(name)],
)  # fmt: skip

UNIFORM_STARTS = pytest.mark.parametrize(
    ("name", "rules", "setup"),
    [pytest.param(name, rules, setup, id=f"{name}-{rules or 'default'}-{json.dumps(setup)}")
     for name in present() for rules, setup in starts(name) if "previous" not in (setup or {})],
)  # fmt: skip
"""Without Guandan's tribute: that nobody resisted it says something about the jokers before anybody has moved."""

DEALS = count(fast=2, ci=12, verify=40)
STRIDE = count(fast=4, ci=1, verify=1)
"""Every so many positions of a deal are looked at by the slower checks."""


def snapshot(state: State) -> tuple[object, ...]:
    """Everything a state can be asked."""
    legal = [] if state.is_over else [str(move) for move in state.legal_moves()]
    result = (list(state.points()), list(state.winners())) if state.is_over else None
    views = [state.view(seat).key() for seat in range(state.seats)]
    names = [state.seat_name(seat) for seat in range(state.seats)]
    return json.dumps(serialise(state)), state.to_move, legal, list(state.events()), result, views, names


@STARTS
def test_random_play_ends_and_every_undo_gives_back_the_position(name: str, rules: str, setup: Setup | None) -> None:
    game = game_of(name)
    for seed in range(DEALS):
        state, rng = game.deal(seed, rules, setup), stream(seed, "play")
        before, moves = [], []
        while not state.is_over:
            before.append(snapshot(state))
            moves.append(random_move(state, rng))
            state.play(moves[-1])
        assert len(state.points()) == state.seats
        assert set(state.winners()) <= set(range(state.seats))
        assert [move for _, move in state.moves()] == moves
        after = snapshot(state)
        for move, position in zip(reversed(moves), reversed(before), strict=True):
            assert state.undo() == move
            assert snapshot(state) == position
        for move in moves:
            state.play(move)
        assert snapshot(state) == after


@STARTS
def test_a_state_is_restored_from_its_json_and_a_copy_is_its_own(name: str, rules: str, setup: Setup | None) -> None:
    game = game_of(name)
    for seed in range(DEALS):
        for number, state in enumerate(playout(game.deal(seed, rules, setup), stream(seed, "play"))):
            if number % STRIDE and not state.is_over:
                continue
            restored = game.restore(json.loads(json.dumps(serialise(state))))
            assert snapshot(restored) == snapshot(state)
            if not state.is_over:
                twin, known = state.copy(), snapshot(state)
                twin.play(twin.legal_moves()[-1])
                assert snapshot(state) == known


@STARTS
def test_the_same_seed_gives_the_same_deal_and_another_seed_another(name: str, rules: str, setup: Setup | None) -> None:
    game = game_of(name)
    decks = [game.deal(seed, rules, setup).deck() for seed in range(30)]
    assert decks == [game.deal(seed, rules, setup).deck() for seed in range(30)]
    assert len(set(decks)) > 3
    state = game.deal(7, rules, setup)
    assert snapshot(game.start(state.deck(), rules, state.setup())) == snapshot(state)


@GAMES
def test_every_legal_move_is_verified_and_its_text_parses_back(name: str) -> None:
    game = game_of(name)
    for seed in range(DEALS):
        for state in playout(game.deal(seed), stream(seed, "play")):
            if state.is_over:
                continue
            assert state.to_move is not None
            view = state.view(state.to_move)
            legal = state.legal_moves()
            assert [str(move) for move in view.legal_moves()] == [str(move) for move in legal]
            assert len(set(legal)) == len(legal)
            for move in legal[:: max(1, len(legal) // 20)]:
                state.verify(move)
                assert game.parse_move(str(move), state) == move
                assert game.parse_move(str(move), view) == move
            for other in range(state.seats):
                if other != state.to_move:
                    assert not list(state.view(other).legal_moves())


@GAMES
def test_texts_that_are_no_moves_are_clear_errors(name: str) -> None:
    state = game_of(name).deal(1)
    for text in ("", " ", "nonsense", "3" * 50, "\x00", "王王王", "-1", "9" * 30, "{}"):
        with pytest.raises(MingpaiError):
            game_of(name).parse_move(text, state)


@GAMES
def test_nothing_moves_after_the_end(name: str) -> None:
    game = game_of(name)
    *_, state = playout(game.deal(3), stream(3, "play"))
    first = game.deal(3)
    with pytest.raises(MingpaiError):
        state.verify(first.legal_moves()[0])
    assert state.to_move is None
    assert all(state.view(seat).to_move is None for seat in range(state.seats))


@GAMES
def test_a_move_is_the_first_event_it_causes_and_hidden_events_stay_hidden(name: str) -> None:
    game = game_of(name)
    for seed in range(DEALS):
        known: list[Event] = []
        state = game.deal(seed)
        while True:
            events = list(state.events())
            assert events[: len(known)] == known, "the past changed"
            for seat in range(state.seats):
                seen = [event for event in events if event.is_visible_to(seat)]
                assert list(state.view(seat).events()) == seen
            if state.is_over:
                break
            known, mover = events, state.to_move
            move = random_move(state, stream(seed, "play", len(known)))
            state.play(move)
            caused = list(state.events())[len(known)]
            assert caused.seat == mover
            assert not caused.private
            state.undo()
            assert game.parse_move(caused.text, state) == move
            state.play(move)


@STARTS
def test_records_replay_to_the_same_end(name: str, rules: str, setup: Setup | None) -> None:
    game = game_of(name)
    for seed in range(DEALS):
        *_, state = playout(game.deal(seed, rules, setup), stream(seed, "play"))
        record = Record.loads(record_of(state, ["x"] * state.seats, seed=seed).dumps())
        assert snapshot(replay(record, game)) == snapshot(state)


@GAMES
def test_a_view_is_read_back_from_its_json(name: str) -> None:
    game = game_of(name)
    for seed in range(DEALS):
        for state in playout(game.deal(seed), stream(seed, "play")):
            if state.to_move is None:
                continue
            view = state.view(state.to_move)
            again = game.view_from_json(json.loads(json.dumps(view.to_json())))
            assert again == view
            assert again.key() == view.key()
            assert list(again.legal_moves()) == list(view.legal_moves())
            assert list(again.events()) == list(view.events())


@GAMES
@pytest.mark.parametrize("data", [{}, {"seat": None}, {"seat": 99, "hand": "?"}, {"hand": 3}, {"seat": 0, "hand": ""}])
def test_a_bad_position_is_a_clear_error(name: str, data: dict[str, object]) -> None:
    with pytest.raises(MingpaiError):
        game_of(name).view_from_json(data)


@STARTS
def test_views_are_equal_in_every_world_that_agrees_with_them(name: str, rules: str, setup: Setup | None) -> None:
    """Worlds permute the hidden cards; whatever a view shows must not change with them."""
    game = game_of(name)
    for seed in range(DEALS):
        rng = stream(seed, "worlds")
        for number, state in enumerate(playout(game.deal(seed, rules, setup), stream(seed, "play"))):
            if state.is_over or number % STRIDE:
                continue
            for seat in range(state.seats):
                view = state.view(seat)
                for world in view.sample_worlds(rng, 2):
                    seen = world.view(seat)
                    assert seen == view
                    assert json.dumps(seen.to_json()) == json.dumps(view.to_json())
                    assert list(seen.events()) == list(view.events())
                    assert list(seen.legal_moves()) == list(view.legal_moves())
                    assert world.to_move == state.to_move


@STARTS
def test_worlds_can_be_played_on(name: str, rules: str, setup: Setup | None) -> None:
    game = game_of(name)
    for seed in range(DEALS):
        rng = stream(seed, "worlds")
        for number, state in enumerate(playout(game.deal(seed, rules, setup), stream(seed, "play"))):
            if number % 5 == 0 and state.to_move is not None:
                (world,) = state.view(state.to_move).sample_worlds(rng, 1)
                *_, end = playout(world, rng)
                assert game.restore(serialise(end)).points() == end.points()


SMALL_POOL = 3000
"""Arrangements of the hidden cards that are few enough to be listed."""

SAMPLES = count(fast=1000, ci=5000, verify=20_000)
MOST_CELLS = 1000
PER_CELL = 10
"""Samples expected, on average, for each way to fill the hidden hands."""


@GAMES
def test_sampled_worlds_are_uniform_over_every_way_to_place_the_hidden_cards(name: str) -> None:
    """Late positions, with few cards hidden: every arrangement is counted and compared by chi-square."""
    game, tested = game_of(name), 0
    for seed in range(200):
        states = [state.copy() for state in playout(game.deal(seed), stream(seed, "play")) if not state.is_over]
        for state in reversed(states):
            assert state.to_move is not None
            lying = hidden(state, state.to_move)
            if 1 < lying.arrangements() <= SMALL_POOL and 1 < len(lying.weights()) <= MOST_CELLS:
                _check_uniform(state, seed)
                tested += 1
                break
        if tested == 4:
            return
    assert tested, f"no small position found for {name}"


def _check_uniform(state: State, seed: int) -> None:
    seat = state.to_move
    assert seat is not None
    lying = hidden(state, seat)
    weights = lying.weights()
    samples = max(SAMPLES, PER_CELL * len(weights))
    drawn: Counter[Hands] = Counter()
    known = {other: known_of(state, other) for other in lying.sizes}
    for number, world in enumerate(state.view(seat).sample_worlds(stream(seed, "uniform"), samples)):
        assert number >= 20 or hidden(world, seat) == lying
        hands = (hand(world, other) - known[other] for other in lying.sizes)
        drawn[tuple(tuple(sorted(cards.elements())) for cards in hands)] += 1
    assert set(drawn) <= set(weights)
    assert chi_square_z(drawn, weights) < SURPRISE


def _unknown(state: State, seat: int) -> Counter[str]:
    return hand(state, seat) - known_of(state, seat)


@UNIFORM_STARTS
def test_early_worlds_give_every_seat_its_share_of_every_card(name: str, rules: str, setup: Setup | None) -> None:
    """First decision: the mean number of copies of each card in each hand, against the hypergeometric one."""
    state = game_of(name).deal(1, rules, setup)
    assert state.to_move is not None
    lying = hidden(state, state.to_move)
    samples = count(fast=400, ci=2000, verify=6000)
    totals: dict[int, Counter[str]] = {seat: Counter() for seat in lying.sizes}
    for world in state.view(state.to_move).sample_worlds(stream(2, "share"), samples):
        for seat in lying.sizes:
            totals[seat] += _unknown(world, seat)
    pool = lying.pool.total()
    for seat, size in lying.sizes.items():
        for card, copies in lying.pool.items():
            share = copies / pool
            mean = size * share
            variance = size * share * (1 - share) * (pool - size) / (pool - 1) / samples
            if variance:
                assert abs(totals[seat][card] / samples - mean) < SURPRISE * variance**0.5


@GAMES
def test_a_match_goes_on_from_its_json_and_its_deals_depend_on_the_seed_alone(name: str) -> None:
    game = game_of(name)
    match, rng = game.match(5), stream(5, "match")
    for _ in range(4):
        again = game.match_from_json(json.loads(json.dumps(match.to_json())))
        one, other = match.next_deal(), again.next_deal()
        assert snapshot(one) == snapshot(other)
        *_, end = playout(one, rng)
        match.finish(end)
        again.finish(end)
        assert list(match.scores()) == list(again.scores())
        assert list(match.standings()) == list(again.standings())
        assert match.is_over == again.is_over
        if match.is_over:
            break
    places = match.standings()
    assert min(places) == 1
    assert len(places) == len(match.scores())


@GAMES
def test_seatings_give_every_side_every_seat(name: str) -> None:
    game = game_of(name)
    for seating in game.seatings(2):
        assert len(seating) == game.deal(0).seats
        assert set(seating) == {0, 1}
    mirrored = {tuple(1 - side for side in seating) for seating in game.seatings(2)}
    assert mirrored == set(map(tuple, game.seatings(2)))


@GAMES
def test_profiles_have_switches_and_unknown_ones_are_refused(name: str) -> None:
    game = game_of(name)
    assert game.profiles()
    assert set(game.titles) >= {"en", "zh"}
    for profile in game.profiles():
        json.dumps(game.profile_json(profile))
    assert game.deal(1).rules == game.deal(1, game.profiles()[0]).rules
    if name not in ("kuhn", "little"):
        with pytest.raises(MingpaiError):
            game.deal(1, "no-such-profile")


def test_other_starts_belong_to_games_of_the_catalogue() -> None:
    assert set(SETUPS) <= set(KNOWN)
