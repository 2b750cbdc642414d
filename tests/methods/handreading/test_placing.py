"""How much risk a place makes reasonable."""

from dataclasses import replace

import pytest

from mingpai._native import holdem as native
from mingpai.games.holdem.rules import rules_of
from mingpai.methods.handreading.agent import FoldAgent, FoldSettings
from mingpai.methods.handreading.placing import BOLDEST, Standing

START = Standing(own=50, richest=50, others=7, left=600)


def table(stacks: list[int]) -> native.Table:
    """The seat after the big blind is to act; seats without chips are out."""
    hands = [(51 - 2 * seat, 50 - 2 * seat) if stack else None for seat, stack in enumerate(stacks)]
    return native.Table(stacks, 0, 20, 40, 0, rules_of("").native, hands, [4, 9, 14, 19, 24])


def test_more_opponents_make_ruin_worse() -> None:
    aversions = [replace(START, others=others).aversion(0.01) for others in (1, 2, 4, 7)]
    assert aversions == sorted(aversions)
    assert aversions[-1] > 6 * aversions[0]


def test_at_the_end_who_leads_is_careful_and_who_is_behind_gambles() -> None:
    ahead, behind = Standing(250, 190, 1, 5), Standing(190, 250, 1, 5)
    assert BOLDEST <= behind.aversion(0.01) < -0.01 < 0.01 < ahead.aversion(0.01)
    assert replace(behind, left=400).aversion(0.01) > 0


def test_a_match_without_a_known_end_is_played_for_survival() -> None:
    assert replace(START, left=0).aversion(0.01) == pytest.approx(0.07)
    assert Standing(10, 500, 1, 0).aversion(0.02) == 0.02


def test_the_standing_of_a_table_leaves_out_who_is_out() -> None:
    assert Standing.at(table([2000, 4000, 0, 1000]), 0, 60) == Standing(50, 100, 2, 60)


def test_the_agent_fears_ruin_among_many_and_a_match_of_two_is_as_before() -> None:
    agent = FoldAgent(FoldSettings(), game="holdem", spec="fold", seed=1)
    weigh = agent.deciding
    assert weigh._aversion(table([2000] * 2)) == FoldSettings().aversion
    assert weigh._aversion(table([2000] * 8)) > 5 * FoldSettings().aversion


def test_the_agent_counts_the_hands_of_a_match() -> None:
    agent = FoldAgent(FoldSettings(hands=3), game="holdem", spec="fold", seed=1)
    agent.start_match(2, 3)
    short = table([4000, 4000, 400])
    start = agent.deciding._aversion(short)
    for _ in range(2):
        done = table([2000] * 3)
        while not done.is_over:
            done.act(native.ActionKind.FOLD, 0)
        agent.remember(done)
    assert agent.memory()["played"] == 2
    assert agent.deciding._aversion(short) < start
    agent.start_match(2, 3)
    assert agent.memory()["played"] == 0
