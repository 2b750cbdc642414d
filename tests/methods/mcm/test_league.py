"""A league in self-play: where snapshots sit, what they choose by, which of them stay."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from mingpai.methods.mcm.league import KEPT, League, LeagueSettings  # noqa: E402
from mingpai.methods.mcm.network import Shape, ValueNet  # noqa: E402
from mingpai.methods.mcm.tables import SelfPlay, TableSettings  # noqa: E402
from mingpai.methods.mcm.train_open import FRESH, OpenLearner, OpenSettings  # noqa: E402

TINY = Shape(width=64, depth=2, joint=64, head=32)
TABLES = 12
SMALL = OpenSettings(
    samples=4096, shape=TINY, start=FRESH, judge=FRESH, mixed=False, tables=32, minibatch=32, memory=2000, first=200,
    league=0.5, league_every=64,
)  # fmt: skip


def league_of(rivals: int, share: float = 0.5) -> League:
    league = League(LeagueSettings(league=share, league_every=10), TABLES, ValueNet(TINY))
    for number in range(1, rivals):
        league.watch(10 * number, ValueNet(TINY))
    return league


def test_every_snapshot_sits_as_landlord_and_as_farmers_at_its_tables_alone() -> None:
    league = league_of(2)
    seats = {turn: league.seated(np.full(TABLES, turn, np.int8)).tolist() for turn in (0, 1, 2)}
    assert seats[0] == [0, 1, -1, -1, 0, 1, -1, -1, -1, -1, -1, -1]
    assert seats[1] == seats[2] == [-1, -1, 0, 1, -1, -1, -1, -1, -1, -1, -1, -1]


def test_moves_are_chosen_by_the_values_of_who_is_to_move() -> None:
    league, net, play = league_of(3), ValueNet(TINY), SelfPlay(TableSettings(tables=TABLES), 5)
    asked = set()
    for _ in range(6):
        seen = play.ask(net)
        turns = play.batch.turns()
        chosen = league.values(seen.states, seen.moves, seen.of, seen.values, turns)
        wanted = seen.values.clone()
        for number, rival in enumerate(league.rivals):
            rows = torch.from_numpy(league.seated(turns) == number)[seen.of]
            wanted[rows] = rival.values(seen.states, seen.moves, seen.of)[rows]
            asked.add(number) if rows.any() else None
        torch.testing.assert_close(chosen, wanted)
        play.answer(seen, 0.0)
    assert asked == {0, 1, 2}


def test_without_a_league_nothing_changes() -> None:
    league, net = league_of(1, share=0.0), ValueNet(TINY)
    seen = SelfPlay(TableSettings(tables=TABLES), 5).ask(net)
    assert league.values(seen.states, seen.moves, seen.of, seen.values, np.zeros(TABLES, np.int8)) is seen.values
    league.watch(10**9, net)
    assert league.rivals == []


def test_the_first_snapshot_and_the_latest_stay() -> None:
    league = league_of(1)
    nets = [ValueNet(TINY) for _ in range(KEPT + 3)]
    for number, net in enumerate(nets, 1):
        league.watch(10 * number - 1, net)
        league.watch(10 * number, net)
        league.watch(10 * number, net)
    assert len(league.rivals) == 1 + KEPT
    kept = [net.out.bias.tolist() for net in league.rivals[1:]]
    assert kept == [net.out.bias.tolist() for net in nets[-KEPT:]]


def test_a_run_goes_on_with_its_snapshots() -> None:
    learner = OpenLearner(SMALL)
    first = learner.league.rivals[0].out.bias.clone()
    for _ in range(6):
        learner.step()
    assert len(learner.league.rivals) > 2
    again = OpenLearner(replace(SMALL, seed=9))
    again.load_state_dict(learner.state_dict())
    assert torch.equal(again.league.rivals[0].out.bias, first)
    assert len(again.league.rivals) == len(learner.league.rivals)
    again.step()
