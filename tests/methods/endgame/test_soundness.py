"""The search against brute force: all rules of pruning together, each one alone, under every rule profile."""

import os
from dataclasses import dataclass

import pytest

from mingpai._native.core import Budget
from mingpai._native.endgame import Pruning, cross_check
from mingpai.games.doudizhu.rules import PROFILES, rules_of
from mingpai.methods.endgame.solver import position_text
from tests.scale import count

PRUNING_RULES = ("finish", "gap", "kickers", "canonical", "ranges", "control", "raised")
SMALL = 0
"""Cards from which positions are compared: brute force bears fewer than the search asks for by itself."""


@dataclass(frozen=True)
class Table:
    """Players and the most cards each may hold: as many as brute force can bear."""

    players: int
    max_cards: int


TWO = Table(2, 7)
THREE = Table(3, 5)


def fresh_seed() -> int:
    """Another seed in every run; a failure prints it."""
    return int.from_bytes(os.urandom(7), "big")


def check(table: Table, positions: int, profile: str, pruning: Pruning) -> None:
    seed = fresh_seed()
    report = cross_check(table.players, positions, table.max_cards, seed, rules_of(profile).native, pruning, Budget())
    assert report.mismatches == 0, f"seed {seed}, {profile}: {position_text(report.example)}"
    assert report.positions == positions
    assert report.states > positions
    assert report.skipped == 0


@pytest.mark.parametrize("table", [TWO, THREE], ids=["two", "three"])
@pytest.mark.parametrize("profile", PROFILES)
def test_all_rules_of_pruning_together(table: Table, profile: str) -> None:
    check(table, count(fast=200, ci=2000, verify=50_000), profile, Pruning(raised_cards=SMALL))


@pytest.mark.parametrize("table", [TWO, THREE], ids=["two", "three"])
@pytest.mark.parametrize("rule", PRUNING_RULES)
@pytest.mark.parametrize("profile", ["standard", "douzero", "rlcard", "botzone"])
def test_each_rule_of_pruning_alone(table: Table, rule: str, profile: str) -> None:
    alone = {name: name == rule for name in PRUNING_RULES}
    check(table, count(fast=50, ci=500, verify=20_000), profile, Pruning(**alone, raised_cards=SMALL))


@pytest.mark.parametrize("table", [TWO, THREE], ids=["two", "three"])
def test_growing_limits_below_the_root(table: Table) -> None:
    check(table, count(fast=50, ci=500, verify=20_000), "douzero", Pruning(staged=True))


@pytest.mark.parametrize("table", [TWO, THREE], ids=["two", "three"])
@pytest.mark.parametrize("bans", ["-triple_single-airplane_singles", "-triple_pair-airplane_pairs", "-four_singles"])
def test_banned_types(table: Table, bans: str) -> None:
    check(table, count(fast=100, ci=500, verify=20_000), "douzero" + bans, Pruning())
