"""Single rounds by the situation of tribute, and the frozen yardstick."""

from pathlib import Path

import numpy as np
import pytest

from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.signature import signature
from mingpai.core.errors import BadSetting
from mingpai.games.guandan import GAME
from mingpai.methods.abduction.rounds import MIRRORED, deals, play, player_of, report

FROZEN = Path(__file__).parents[3] / "experiments" / "frozen" / "guandan-ablgd"
FROZEN_SIGNATURE = "db984a2b246714d6"


def test_the_frozen_yardstick_plays_as_it_did() -> None:
    agent = REGISTRY.agent("guandan", f"ablgd:model={FROZEN}")
    assert signature(agent, GAME).text == FROZEN_SIGNATURE


def test_deals_are_in_their_situations() -> None:
    for situation in MIRRORED:
        for state in deals(situation, 3, 1):
            payers = {one.payer for one in state.native.exchanges}
            assert state.native.resisted == (situation == "resist")
            assert payers == {"none": set(), "pay 1": {2}}.get(situation, {0, 2})
    again = [state.deck() for state in deals("pay 2", 2, 1, first=1)]
    assert again == [state.deck() for state in deals("pay 2", 3, 1)][1:]


def test_a_player_against_itself_gains_nothing() -> None:
    """The three games of a deal are then the same, and so is every situation."""
    rule3 = player_of("rule3")
    played = play(rule3, rule3, 6, 3)
    situations = report(played)
    assert all(one.gain == 0 for one in situations.values())
    assert situations["all"].won == 0.5
    assert situations["pay 1"].points == -situations["receive 1"].points
    assert [one.rounds for one in situations.values()] == [12, 6, 6, 6, 6, 6, 6, 12, 12, 48]


def test_a_better_player_gains_and_only_ablgd_or_bots_may_play() -> None:
    situations = report(play(player_of("ablgd"), player_of("rule1"), 4, 3))
    assert situations["all"].won > 0.9
    assert np.isfinite(situations["all"].error)
    with pytest.raises(BadSetting, match="ablgd"):
        player_of("nobody")
