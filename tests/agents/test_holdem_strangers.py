"""The strangers: frozen play, legal everywhere, and each with the habit that it was made for."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from mingpai._native import holdem as native
from mingpai._native import regret
from mingpai.agents import holdem_cfr
from mingpai.agents.catalogue import REGISTRY
from mingpai.agents.holdem_strangers import APART, CHANGE_AFTER, STRANGERS, TUNED_ON, Changing, Spot, Stranger
from mingpai.arena.signature import signature
from mingpai.core.agent import NoSettings
from mingpai.core.errors import MingpaiError
from mingpai.games.holdem.rules import rules_of
from mingpai.methods.handreading.tournament import Tournament

SIGNATURES = {
    "cfr": "4777cf461be6fb15",
    "cfr8": "a137cc65341b9773",
    "changing": "97f5c5bf5717a4ef",
    "handtable": "a905f19d70ccf0bc",
    "minraiser": "0834f00a3ca8f857",
    "potfraction": "cee580c2069e2865",
    "pusher": "586ecbe49dc37a19",
    "slowplayer": "dafa30428b36b2c3",
}


@pytest.mark.parametrize("name", sorted(STRANGERS))
def test_play_is_frozen(name: str) -> None:
    """Results against strangers mean something only while these play as they did before any tuning."""
    assert signature(REGISTRY.agent("holdem", name), REGISTRY.game("holdem"), 60).text == SIGNATURES[name]


def test_half_of_them_are_kept_apart() -> None:
    assert len(STRANGERS) >= 7
    assert len(APART) >= len(TUNED_ON)
    assert "cfr" in APART
    assert "cfr8" in TUNED_ON
    assert not set(APART) & set(TUNED_ON)


def player(name: str) -> Stranger:
    made = REGISTRY.agent("holdem", name)
    assert isinstance(made, Stranger)
    return made


def test_they_play_whole_tournaments_at_one_table() -> None:
    results = Tournament([player(name) for name in STRANGERS], 5).play()
    assert sum(result.chips for result in results) == len(STRANGERS) * 4000
    assert min(result.place for result in results) == 1


def test_the_pusher_pushes_six_buttons_of_ten() -> None:
    counts: Counter[bool] = Counter()
    deck = range(52)
    for high in deck:
        for low in range(high):
            other = tuple(card for card in deck if card not in (high, low))
            dealt = [(high, low), (other[0], other[1])]
            made = native.Table([2000, 2000], 0, 20, 40, 0, rules_of("").native, dealt, list(other[2:7]))
            kind, to = player("pusher").act(Spot(made, 0, 0.5)) if (high + low) % 7 == 0 else (None, 0)
            if kind is not None:
                counts[kind == native.ActionKind.RAISE and to == 2000] += 1
    assert counts[True] / sum(counts.values()) == pytest.approx(0.6, abs=0.04)


def test_the_slow_player_waits_and_then_bets_four_pots() -> None:
    made = native.Table([20_000] * 2, 0, 20, 40, 0, rules_of("").native, [(51, 50), (0, 1)], [49, 48, 4, 9, 14])
    player_ = player("slowplayer")
    for kind in (native.ActionKind.CALL, native.ActionKind.CHECK, native.ActionKind.CHECK):
        made.act(kind, 0)
    assert player_.act(Spot(made, 0, 0.5))[0] == native.ActionKind.CHECK
    made.act(native.ActionKind.CHECK, 0)
    made.act(native.ActionKind.CHECK, 0)
    assert player_.act(Spot(made, 0, 0.5)) == (native.ActionKind.RAISE, 4 * made.pot)


def test_the_minimum_raiser_raises_the_least() -> None:
    raised = native.Table([2000] * 2, 1, 20, 40, 0, rules_of("").native, [(51, 50), (0, 1)], [4, 9, 14, 20, 30])
    raised.act(native.ActionKind.RAISE, 100)
    assert player("minraiser").act(Spot(raised, 0, 0.5)) == (native.ActionKind.RAISE, 160)


def test_the_changing_player_changes() -> None:
    agent = Changing(NoSettings(), game="holdem", spec="changing")
    weak = native.Table([2000] * 2, 0, 20, 40, 0, rules_of("").native, [(42, 29), (0, 1)], [4, 9, 14, 19, 24])
    assert agent.act(Spot(weak, 0, 0.5))[0] != native.ActionKind.RAISE
    for _ in range(CHANGE_AFTER):
        agent.end_deal([])
    assert agent.act(Spot(weak, 0, 0.5))[0] == native.ActionKind.RAISE
    agent.start_match(0, 2)
    assert agent.memory() == {"hands": 0}


def calls_of_a_push(strategy: holdem_cfr.Strategy, cards: tuple[int, int]) -> int:
    """How many of fifty pushes for fifty big blinds a strategy calls heads-up with a hand."""
    made = native.Table([2000] * 2, 1, 20, 40, 0, rules_of("").native, [cards, (30, 41)], [4, 9, 14, 19, 25])
    made.act(native.ActionKind.RAISE, 2000)
    return sum(regret.strategy_action(made, strategy, seed)[0] == native.ActionKind.CALL for seed in range(50))


def test_regret_minimisation_learns_what_to_call_a_push_with() -> None:
    """Aces call and seven-deuce folds: nearly always as shipped, more often than not after a few deals."""
    aces, trash = (51, 50), (20, 1)
    shipped = holdem_cfr.strategies()[2]
    assert calls_of_a_push(shipped, aces) >= 49
    assert calls_of_a_push(shipped, trash) <= 1
    trainer = regret.CfrTrainer(2, 5)
    assert trainer.run(4000) == 4000
    trained = trainer.strategy()
    sums = trained.astype(int).sum(axis=1)
    assert sums[sums > 0].min() >= 250
    assert sums.max() <= 260
    assert calls_of_a_push(trained, aces) > 30 > calls_of_a_push(trained, trash)


def test_training_twice_gives_the_same_strategy() -> None:
    first, second = regret.CfrTrainer(3, 9), regret.CfrTrainer(3, 9)
    first.run(300)
    second.run(100)
    second.run(200)
    assert (first.strategy() == second.strategy()).all()
    with pytest.raises(ValueError, match="seats"):
        regret.CfrTrainer(1, 0)


def raises_of(strategy: holdem_cfr.Strategy, classes: regret.Classes) -> set[int]:
    """Totals that a player of the strategy raises to with aces on the button."""
    made = native.Table([2000] * 2, 0, 20, 40, 0, rules_of("").native, [(51, 50), (30, 41)], [4, 9, 14, 19, 25])
    answers = (regret.strategy_action(made, strategy, seed, classes) for seed in range(50))
    return {to for kind, to in answers if kind == native.ActionKind.RAISE}


def test_the_small_games_bet_otherwise() -> None:
    """The player that may be tuned on is of the kind of the one kept apart, but bets in other sizes."""
    even = np.full((regret.ROWS, regret.CHOICES), 51, np.uint8)
    assert raises_of(even, regret.Classes.TWELVE) == {80, 120, 2000}
    assert raises_of(even, regret.Classes.EIGHT) == {80, 100, 2000}


def test_the_training_command_writes_a_file_that_the_player_reads(tmp_path: Path) -> None:
    out = tmp_path / "small.npz"
    assert holdem_cfr.main(["--deals", "50", "--out", str(out)]) == 0
    assert set(holdem_cfr.strategies(out)) == {2, 3}
    assert holdem_cfr.main(["--classes", "eight", "--deals", "50", "--out", str(tmp_path / "eight.npz")]) == 0
    assert "eight classes" in (tmp_path / "eight.json").read_text()
    assert (holdem_cfr.strategies(tmp_path / "eight.npz")[2] != holdem_cfr.strategies(out)[2]).any()
    (tmp_path / "bad.npz").write_bytes(b"nothing")
    with pytest.raises(MingpaiError, match=r"bad\.npz"):
        holdem_cfr.strategies(tmp_path / "bad.npz")
