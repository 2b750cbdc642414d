"""The guided proof: its verdicts are those of the plain search and of brute force, with any judge, thread or memory."""

import pytest

from mingpai._native.core import Budget
from mingpai._native.endgame import Ask, Engine, Position, ProofSettings, brute_force, random_position, solve
from mingpai.core.random import stream
from mingpai.games.doudizhu.rules import rules_of
from mingpai.methods.endgame.solver import position_text, shipped_judges, solve_position
from tests.methods.endgame.test_soundness import fresh_seed
from tests.scale import count

EAGER = ProofSettings(leaf_nodes=2)
"""Leaves so small that the tree must do the work."""
TIGHT = 16 << 20


def dealt(sizes: tuple[int, ...], seed: int, number: int) -> Position:
    """Hands of these sizes from one deck, any seat to lead."""
    rng = stream(seed, "guided", *sizes, number)
    deck = [rank for rank in range(13) for _ in range(4)] + [13, 14]
    order = iter([deck[int(place)] for place in rng.permutation(len(deck))])
    hands = [sum(1 << (4 * next(order)) for _ in range(size)) for size in sizes]
    return Position(hands, int(rng.integers(0, len(sizes))))


@pytest.mark.parametrize("profile", ["standard", "douzero", "rlcard", "botzone"])
def test_a_guided_proof_agrees_with_brute_force(profile: str) -> None:
    rules, seed, compared = rules_of(profile).native, fresh_seed(), 0
    for number in range(count(fast=60, ci=500, verify=3000)):
        position = random_position(3, 5, seed + number)
        truth = brute_force(position, rules)
        guided = solve(
            position, rules, Budget(), Ask.ANY, line=False, judges=shipped_judges(), short_run=1, proof=EAGER,
            memory=TIGHT, threads=1 + number % 2,
        )  # fmt: skip
        assert truth is None or guided.landlord_wins is truth, f"seed {seed + number}: {position_text(position)}"
        compared += guided.leaves > 0
    assert compared > 0


def test_a_guided_proof_agrees_with_the_plain_search() -> None:
    rules, seed = rules_of("douzero").native, fresh_seed()
    decided = 0
    for number in range(count(fast=10, ci=60, verify=200)):
        position = dealt((9, 9, 9), seed, number)
        plain = solve(position, rules, Budget(0, 2_000_000), Ask.ANY, line=False).landlord_wins
        settings = ProofSettings(leaf_nodes=40, trust=float(number % 5), others=(number % 3) / 2)
        guided = solve(
            position, rules, Budget(0, 2_000_000), Ask.ANY, line=False, judges=shipped_judges(), short_run=100,
            proof=settings,
        ).landlord_wins  # fmt: skip
        assert None in (plain, guided) or plain is guided, f"seed {seed}, {number}: {position_text(position)}"
        decided += plain is not None and guided is not None
    assert decided > 0


def test_the_verdict_of_every_move_is_the_same_with_a_judge() -> None:
    rules = rules_of("douzero")
    position = dealt((9, 9, 9), 4, 0)
    plain = solve_position(position, rules, ask=Ask.ALL, line=False, judge=False, threads=1)
    guided = solve_position(position, rules, ask=Ask.ALL, line=False, judge=True, threads=2)
    assert {str(m): w for m, w in plain.moves} == {str(m): w for m, w in guided.moves}
    assert plain.is_proved


def test_an_engine_proves_the_positions_of_a_game_with_one_table() -> None:
    rules = rules_of("douzero")
    position = dealt((8, 8, 8), 11, 0)
    engine = Engine(TIGHT, shipped_judges())
    engine.set_root(position, rules.native)
    while not position.is_over:
        wins = engine.prove(position, Budget())
        assert wins is solve_position(position, rules, line=False, judge=False, threads=1).landlord_wins
        position = position.after(position.legal_moves(rules.native)[0])


def test_a_spent_budget_leaves_the_verdict_open() -> None:
    position = dealt((20, 17, 17), 5, 0)
    result = solve(position, rules_of("douzero").native, Budget(0, 3000), Ask.ANY, judges=shipped_judges())
    assert result.landlord_wins is None or result.nodes < 10_000


def test_values_say_how_long_every_move_takes() -> None:
    rules = rules_of("douzero")
    position = Position([0x1_1000_0000_0011, 0x10_0000_0100])
    solution = solve_position(position, rules, values=True)
    assert set(solution.values) <= {0, 100}
    for (move, wins), turns, line in zip(solution.moves, solution.turns, solution.lines, strict=True):
        assert turns == len(line)
        assert line[0] == (0, move)
        after = position
        for _, played in line:
            after = after.after(played)
        assert after.is_over
        assert after.has_landlord_won is wins
