"""The styles: frozen play, and the statistics that make them different."""

import numpy as np
import pytest

from mingpai._native import handreading as reading
from mingpai._native import holdem as native
from mingpai.agents.catalogue import REGISTRY
from mingpai.agents.holdem_styles import ALL_STYLES, STYLES
from mingpai.arena.signature import signature
from mingpai.games.holdem.rules import rules_of
from mingpai.methods.handreading.tournament import deck_of

SIGNATURES = {
    "equity": "cd9542a822c25e74",
    "limper": "59b97c43e0cd9d71",
    "maniac": "11f79faf0f664b63",
    "opener": "69d12e8139ab34e1",
    "potodds": "9b6cccf58c2362f7",
    "rock": "feebeda57b722c6a",
    "stabber": "5d7094c4dcaae382",
    "station": "77c6ee0e9f8676c4",
    "tag": "a6357645b046b63c",
}


@pytest.mark.parametrize("name", sorted(ALL_STYLES))
def test_play_is_frozen(name: str) -> None:
    """FOLD's results are against these players as they are; a change of play is a new field."""
    game = REGISTRY.game("holdem")
    assert signature(REGISTRY.agent("holdem", name), game, 60).text == SIGNATURES[name]


def _full_table(hands: int) -> dict[str, dict[str, float]]:
    names = list(ALL_STYLES)
    counts = {name: dict.fromkeys(("entered", "raised", "bets", "calls"), 0) for name in names}
    for number in range(hands):
        deck = deck_of(3, number)
        dealt = [(deck[2 * s], deck[2 * s + 1]) for s in range(len(names))]
        table = native.Table([2000] * 9, number % 9, 20, 40, 0, rules_of("").native, dealt, deck[18:23])
        reading.play_styles(table, [ALL_STYLES[name].native for name in names], number)
        entered, raised = set(), set()
        for (seat, kind, _), street in zip(table.actions, table.action_streets, strict=True):
            own = counts[names[seat]]
            is_raise, is_call = kind == native.ActionKind.RAISE, kind == native.ActionKind.CALL
            own["bets"] += street > 0 and is_raise
            own["calls"] += street > 0 and is_call
            if street == 0 and (is_raise or is_call):
                entered.add(seat)
            if street == 0 and is_raise:
                raised.add(seat)
        for seat, name in enumerate(names):
            counts[name]["entered"] += seat in entered
            counts[name]["raised"] += seat in raised
    return {name: {"vpip": c["entered"] / hands, "pfr": c["raised"] / hands, "af": c["bets"] / max(c["calls"], 1)}
            for name, c in counts.items()}  # fmt: skip


def test_styles_spread_from_tight_to_loose_and_passive_to_aggressive() -> None:
    table = _full_table(600)
    vpip = {name: item["vpip"] for name, item in table.items()}
    assert vpip["rock"] < 0.15 < vpip["tag"] < 0.32 < vpip["equity"] < 0.55
    assert vpip["stabber"] > 0.55
    assert vpip["maniac"] > 0.7
    assert table["rock"]["pfr"] < 0.03
    assert table["tag"]["pfr"] > 0.12
    assert table["maniac"]["pfr"] > 0.4
    assert table["opener"]["pfr"] == vpip["opener"] > 0.15
    assert table["opener"]["af"] < 0.4
    assert table["limper"]["pfr"] < 0.03 < 0.15 < vpip["limper"] < 0.3
    assert table["limper"]["af"] > 0.6
    assert table["station"]["af"] < 0.3 < table["potodds"]["af"] < table["tag"]["af"] < table["stabber"]["af"]


def test_hidden_cards_do_not_change_the_action() -> None:
    rng = np.random.default_rng(0)
    for number in range(20):
        deck = deck_of(4, number)
        actions = set()
        for _ in range(3):
            others = [int(card) for card in rng.permutation(deck[2:9])]
            hands = [(deck[0], deck[1]), (others[0], others[1]), (others[2], others[3])]
            table = native.Table([2000] * 3, 0, 20, 40, 0, rules_of("").native, hands, deck[9:14])
            actions.add(reading.style_action(table, STYLES["maniac"].native, number))
        assert len(actions) == 1
