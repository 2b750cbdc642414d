"""Understand, model, infer and predict on small cases with known answers, and on public hands where present."""

import dataclasses
import itertools
from pathlib import Path

import numpy as np
import pytest

from mingpai.games.holdem import GAME
from mingpai.games.holdem.notation import parse_cards
from mingpai.games.holdem.rules import PROFILES
from mingpai.methods.handreading import train
from mingpai.methods.handreading.hands import COMBOS, HIGH, LOW, Floats, combo, normalised, strength
from mingpai.methods.handreading.infer import infer, remove_cards
from mingpai.methods.handreading.markov import MarkovModel
from mingpai.methods.handreading.model import (
    BANDS,
    PLAIN,
    RAISES,
    DefaultModel,
    FittedModel,
    Habits,
    UniformModel,
    fitted_model,
    legal_acts,
    model_card,
)
from mingpai.methods.handreading.predict import (
    RangePredictor,
    cross_validated,
    guesses,
    interval,
    score,
    split_by_session,
)
from mingpai.methods.handreading.understand import Act, Position, Seen, spot_of, street_actions, understand
from mingpai.records.handhistory import Action, HandHistory, from_phh, read_phh
from tests.records.phh_text import to_phh

DATA = Path(__file__).resolve().parents[3].parent / "shared" / "data" / "holdem" / "pluribus-6max.phhs.gz"
needs_data = pytest.mark.skipif(not DATA.exists(), reason=f"public data not present: {DATA.name}")

CHECK_RAISE = HandHistory(
    stacks=(1000, 1000, 1000),
    posts=(50, 100, 0),
    antes=(0, 0, 0),
    actions=(
        Action(0, 2, "raise", 250), Action(0, 0, "fold"), Action(0, 1, "call"),
        Action(1, 1, "call"), Action(1, 2, "raise", 300), Action(1, 1, "raise", 750), Action(1, 2, "fold"),
    ),
    board="AcTd4h",
    hole=("2c7d", "AhTh", "KsQs"),
    source="1/1",
)  # fmt: skip


def test_understand_counts_pots_and_shares() -> None:
    opened, folded, called, checked, bet, check_raised, gave_up = understand(CHECK_RAISE)
    assert (opened.pot, opened.to_call, opened.raises, opened.position) == (150, 100, 0, Position.REAR)
    assert opened.share == pytest.approx(150 / 250)
    assert (folded.act, folded.raises, folded.to_call) == (Act.FOLD, 1, 200)
    assert (called.act, called.amount, called.pot) == (Act.CALL, 150, 400)
    assert (checked.act, checked.pot, checked.live, checked.behind) == (Act.CHECK, 550, 2, 1)
    assert (bet.act, bet.was_aggressor) == (Act.HALF_POT, True)
    assert bet.share == pytest.approx(300 / 550)
    assert check_raised.is_all_in
    assert check_raised.share == pytest.approx(450 / 1150)
    assert gave_up.to_call == 450


def test_a_street_is_its_most_aggressive_action() -> None:
    actions = street_actions(understand(CHECK_RAISE))
    assert actions[1, 1].act.is_raise
    assert actions[1, 1].raises == 2
    assert actions[2, 1].raises == 1


def test_phh_round_trip() -> None:
    import tomllib

    assert from_phh(tomllib.loads(to_phh(CHECK_RAISE))) == CHECK_RAISE
    heads_up = HandHistory((500, 600), (100, 50), (0, 0), (Action(0, 1, "fold"),), hole=("AhKh", None), source="2/1")
    assert from_phh(tomllib.loads(to_phh(heads_up))) == heads_up


def _joint(first: dict[int, float], second: dict[int, float]) -> dict[int, float]:
    """The first player's hands, by enumerating both."""
    chances = dict.fromkeys(first, 0.0)
    for (a, weight), (b, other) in itertools.product(first.items(), second.items()):
        if {HIGH[a], LOW[a]}.isdisjoint({HIGH[b], LOW[b]}):
            chances[a] += weight * other
    total = sum(chances.values())
    return {hand: chance / total for hand, chance in chances.items()}


def test_card_removal_equals_enumeration_for_two_players() -> None:
    aces = {combo(*parse_cards(text)): 1.0 for text in ("AhAd", "AhAs", "AdAc", "KhKd", "KsKc")}
    mixed = {combo(*parse_cards(text)): weight for text, weight in (("AhKh", 3.0), ("AdKd", 1.0), ("QhQd", 1.0))}
    ranges: dict[int, Floats] = {}
    for seat, weights in enumerate((aces, mixed)):
        ranges[seat] = np.zeros(COMBOS, np.float32)
        for hand, weight in weights.items():
            ranges[seat][hand] = weight
        ranges[seat] = normalised(ranges[seat])
    removed = remove_cards(ranges, rounds=1)
    for seat, expected in enumerate((_joint(aces, mixed), _joint(mixed, aces))):
        for hand, chance in expected.items():
            assert removed[seat][hand] == pytest.approx(chance, abs=1e-5)


def test_infer_leaves_out_known_cards_and_sums_to_one() -> None:
    seen, board, own = understand(CHECK_RAISE), parse_cards("AcTd4h"), parse_cards("KsQs")
    ranges = infer(seen, board, {1: DefaultModel()}, own)
    known = {*board, *own}
    assert ranges[1].sum() == pytest.approx(1, abs=1e-5)
    assert all(ranges[1][i] == 0 for i in range(COMBOS) if {int(HIGH[i]), int(LOW[i])} & known)
    strong, weak = combo(*parse_cards("QhTh")), combo(*parse_cards("7h2d"))
    assert ranges[1][strong] > 3 * ranges[1][weak]


def test_uniform_model_reads_nothing() -> None:
    ranges = infer(understand(CHECK_RAISE), parse_cards("AcTd4h"), {1: UniformModel()})
    assert np.ptp(ranges[1][ranges[1] > 0]) < 1e-6


def _facing(act: Act) -> Seen:
    return Seen(1, 1, act, 100, 0.0, False, 300, 100, 900, 100, 1, 2, 0, 0, Position.REAR, 3, False, False)


def test_default_model_adapts_to_callers_and_folders() -> None:
    """4.2: who calls too often calls with less, who folds often with more."""
    board = tuple(sorted(parse_cards("AcTd4h")))
    unknown, caller = DefaultModel(), DefaultModel(Habits(facing=[[5, 90, 5]] * 4))
    folder = DefaultModel(Habits(facing=[[90, 8, 2]] * 4))
    assert caller.bands[Act.CALL].low < unknown.bands[Act.CALL].low < folder.bands[Act.CALL].low

    def mean_strength(model: DefaultModel) -> float:
        weights = model.likelihood(_facing(Act.CALL), board) * strength(board).live
        return float((weights * strength(board).equity).sum() / weights.sum())

    assert mean_strength(caller) < mean_strength(unknown) < mean_strength(folder)


def test_default_model_lets_sizes_share_hands_as_they_share_the_bets_seen() -> None:
    """4.2: what is counted moves the ends. Who bets half a pot whatever he holds bets it with his best hands too."""
    unknown, half_pots = DefaultModel(None, PLAIN), DefaultModel(Habits(sizes=[60, 0, 0]), PLAIN)
    for act in RAISES:
        assert dataclasses.astuple(unknown.bands[act]) == pytest.approx(dataclasses.astuple(BANDS[act]))
    low, high = half_pots.bands[Act.HALF_POT].low, half_pots.bands[Act.HALF_POT].high
    assert low == BANDS[Act.HALF_POT].low
    assert high > 0.95
    assert half_pots.bands[Act.POT].high == pytest.approx(1.0)
    board = tuple(sorted(parse_cards("AcTd4h")))
    top_pair = combo(*parse_cards("AdKh"))
    seen = _facing(Act.HALF_POT)
    assert half_pots.likelihood(seen, board)[top_pair] > 5 * unknown.likelihood(seen, board)[top_pair]


def test_sizes_are_counted_but_not_those_of_all_chips() -> None:
    habits = Habits()
    habits.see(_facing(Act.POT))
    habits.see(dataclasses.replace(_facing(Act.POT), is_all_in=True))
    habits.see(_facing(Act.CALL))
    assert habits.sizes == [0, 0, 1]
    assert Habits.from_json(habits.to_json()) == habits


def test_entry_rate_follows_what_was_seen() -> None:
    habits = Habits()
    limp = Seen(2, 0, Act.CALL, 100, 0.0, False, 150, 100, 900, 100, 0, 6, 2, 0, Position.REAR, 6, False, False)
    for _ in range(200):
        habits.see(limp)
    assert DefaultModel(habits).entry_rate(Position.REAR) > 0.9
    assert DefaultModel(habits).entry_rate(Position.FRONT) == DefaultModel().entry_rate(Position.FRONT)
    assert Habits.from_json(habits.to_json()) == habits


@pytest.mark.parametrize("model", [DefaultModel(), fitted_model()], ids=["default", "fitted"])
def test_likelihoods_of_the_legal_acts_sum_to_one(model: DefaultModel | FittedModel) -> None:
    board = tuple(sorted(parse_cards("AcTd4h")))
    total = sum(model.likelihood(_facing(act), board) for act in legal_acts(_facing(Act.CALL)))
    assert np.allclose(np.asarray(total)[strength(board).live > 0], 1, atol=1e-3)


def test_fitted_model_round_trip_and_card(tmp_path: Path) -> None:
    fitted_model().save(tmp_path / "copy.npz")
    copy = FittedModel.load(tmp_path / "copy.npz")
    board = tuple(sorted(parse_cards("AcTd4h")))
    seen = _facing(Act.CALL)
    assert np.array_equal(copy.likelihood(seen, board), fitted_model().likelihood(seen, board))
    assert {"data", "command", "settings", "features_version"} <= set(model_card())


def test_markov_learns_a_toy_exactly() -> None:
    """Whoever raises before the flop holds a big pair, whoever calls does not."""
    hands = [HandHistory((100, 100), (2, 1), (0, 0),
                         (Action(0, 1, "raise" if pair else "call", 6), Action(0, 0, "call")),
                         hole=("7c2d", "KhKd" if pair else "8h4d"), source=f"{i}/0")
             for i, pair in enumerate([True, False] * 200)]  # fmt: skip
    model = MarkovModel(hands)
    raised, called = (model.predict(understand(hands[i]), [], [1])[1] for i in (0, 1))
    assert raised.argmax() == 3
    assert raised[3] > 0.95
    assert called.argmax() == 0


def test_sessions_are_never_divided() -> None:
    hands = [HandHistory((1, 1), (1, 1), (0, 0), (), source=f"{i % 7}/{i}") for i in range(70)]
    parts = split_by_session(hands, 3)
    owners = [{hand.session for hand in part} for part in parts]
    assert sum(map(len, parts)) == 70
    assert all(a.isdisjoint(b) for a, b in itertools.combinations(owners, 2))


def test_interval_by_session_is_wider_than_by_hand_when_sessions_differ() -> None:
    values = np.repeat([0.0, 1.0, 0.0, 1.0], 100)
    mean, low, high = interval(values, np.repeat(np.arange(4), 100), np.random.default_rng(0))
    assert mean == 0.5
    assert high - low > 0.5


@needs_data
@pytest.mark.ci
def test_fitting_beats_markov_and_the_preflop_range_on_unseen_sessions() -> None:
    """A small version of experiments/fold_prediction.py: late streets of a few sessions, fitted to the others."""
    hands = [hand for hand in itertools.islice(read_phh(DATA), 1600) if hand.board]

    def fit(parts: "list[HandHistory]") -> "dict[str, object]":
        fitted = train.fitted_to(parts, train.TrainSettings(members=2, preflop_epochs=25, postflop_epochs=25))
        return {"fitted": RangePredictor(fitted), "preflop": RangePredictor(fitted, True), "markov": MarkovModel(parts)}

    guessed = cross_validated(hands, 2, fit)  # type: ignore[arg-type]
    scored = {name: score(items) for name, items in guessed.items()}
    late = scored["fitted"].streets >= 2
    assert late.sum() > 100
    for other in ("preflop", "markov"):
        assert scored["fitted"].log_loss[late].mean() < scored[other].log_loss[late].mean()


@needs_data
def test_guesses_are_for_live_players_of_streets_with_actions() -> None:
    for hand in itertools.islice(read_phh(DATA), 40):
        guessed = guesses(hand, {"default": RangePredictor(DefaultModel())})["default"]
        assert {guess.street for guess in guessed} == {action.street for action in hand.actions}
        assert all(guess.probabilities.sum() == pytest.approx(1, abs=1e-4) for guess in guessed)


@pytest.mark.parametrize("rules", PROFILES)
def test_the_native_table_drives_what_is_understood(rules: str) -> None:
    """Price, pot and stack of every action are the table's own, also where heads-up only a small blind is posted."""
    for seed in range(30):
        state = GAME.deal(seed, rules, {"seats": 2 + seed % 5, "chips": 200 + 60 * (seed % 7)})
        faced: list[tuple[int, int, int]] = []
        chance = np.random.default_rng(seed)
        while (seat := state.to_move) is not None:
            table = state.native
            faced.append((table.legal().call_cost, table.pot, table.stacks[seat]))
            spot = spot_of(table)
            assert [spot.replay.stacks[spot.index(s)] for s in spot.order] == [table.stacks[s] for s in spot.order]
            assert (spot.replay.pot, spot.replay.bet) == (table.pot, table.current_bet)
            moves = [move for move in state.legal_moves() if str(move) != "fold" or chance.random() < 0.2]
            state.play(moves[int(chance.integers(len(moves)))])
        assert [(item.to_call, item.pot, item.stack) for item in spot_of(state.native).seen] == faced


@pytest.mark.parametrize("name", ["absent.phhs.gz", "folder", "empty.phh"])
def test_fitting_without_its_hands_says_so(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty.phh").touch()
    with pytest.raises(SystemExit) as ended:
        train.main([str(tmp_path / name), "--out", str(tmp_path / "out.npz")])
    assert ended.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not (tmp_path / "out.npz").exists()
