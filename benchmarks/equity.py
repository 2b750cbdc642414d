"""Speed of hand ranks and equity: `mingpai bench equity`. One core, CPU time, eval7 (PyPI) in the same run.

Hands are random sevens, not in order. Samples are deals of all hands and the board, ranked, winners counted. The
weighted ranges give each of 1326 combinations a random weight, 0 for a fifth of them. eval7's plain loop is the one its
users write: cards as objects, a sampled deck, one call per hand; it knows no weighted ranges for eight players, so it
deals uniformly, which is less work.
"""

import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks._measure import machine, rate
from mingpai._native import holdem as native
from mingpai.agents.catalogue import REGISTRY
from mingpai.core.game import View
from mingpai.games.holdem.equity import equity
from mingpai.games.holdem.ranges import Range

PLAYERS = 8
HANDS = 100_000
POSITIONS = 400
"""Positions that FOLD decides, one after another: enough that none is met twice."""
EMPTY_SHARE = 0.2


def random_hands(count: int) -> npt.NDArray[np.uint8]:
    rng = np.random.default_rng(1)
    keys = rng.random((count, 52), dtype=np.float32)
    return np.argpartition(keys, 7, axis=1)[:, :7].astype(np.uint8)


def native_loop(hands: npt.NDArray[np.uint8]) -> Callable[[], int]:
    """Each call also checks the cards, once; so many rounds that the check does not count."""
    rounds = 100
    return lambda: (native.checksum(hands, rounds), rounds * len(hands))[1]


def from_numpy(hands: npt.NDArray[np.uint8]) -> Callable[[], int]:
    return lambda: len(native.evaluate(hands))


def eval7_hands(count: int) -> Callable[[], int]:
    import eval7

    cards = [eval7.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]
    hands = [[cards[c] for c in hand] for hand in random_hands(count).tolist()]

    def work() -> int:
        evaluate = eval7.evaluate
        for hand in hands:
            evaluate(hand)
        return len(hands)

    return work


def eval7_samples(count: int) -> Callable[[], int]:
    import eval7

    deck = [eval7.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]
    rng = random.Random(1)

    def work() -> int:
        evaluate = eval7.evaluate
        shares = [0.0] * PLAYERS
        for _ in range(count):
            cards = rng.sample(deck, 2 * PLAYERS + 5)
            board = cards[-5:]
            ranks = [evaluate([*cards[2 * p : 2 * p + 2], *board]) for p in range(PLAYERS)]
            best = max(ranks)
            winners = ranks.count(best)
            for player, rank in enumerate(ranks):
                if rank == best:
                    shares[player] += 1 / winners
        return count

    return work


def weighted_ranges(players: int) -> list[Range]:
    rng = np.random.default_rng(2)
    weights = rng.random((players, native.COMBOS))
    weights[rng.random(weights.shape) < EMPTY_SHARE] = 0
    return [Range(row) for row in weights]


def sampling(method: str, samples: int) -> Callable[[], int]:
    weights = np.stack([made.weights for made in weighted_ranges(PLAYERS)])
    kind = native.EquityMethod.WALK if method == "walk" else native.EquityMethod.INDEPENDENT
    seeds = iter(range(1 << 30))
    return lambda: native.equity(weights, 0, 0, native.EquitySettings(kind, samples, 0.0, next(seeds))).samples


def small_call() -> Callable[[], int]:
    """One call with known cards of one's own and seven weighted ranges, N = 500, as FOLD asks."""
    players = [Range.parse("AhKd"), *weighted_ranges(PLAYERS - 1)]
    seeds = iter(range(1 << 30))

    def work() -> int:
        equity(players, samples=500, seed=next(seeds))
        return 1

    return work


def fold_decisions(cards: int) -> Callable[[], int]:
    """FOLD's whole decision, explanation included, at eight seats when everybody has called up to here."""
    game, agent = REGISTRY.game("holdem"), REGISTRY.agent("holdem", "fold")
    seeds = iter(range(1 << 30))

    def view() -> View:
        state = game.deal(next(seeds), "", {"seats": PLAYERS})
        while len(state.view(0).to_json()["board"]) < 2 * cards:
            state.play(next(move for move in state.legal_moves() if str(move) in ("check", "call")))
        assert state.to_move is not None
        return state.view(state.to_move)

    views = itertools.cycle([view() for _ in range(POSITIONS)])

    def work() -> int:
        agent.decide(next(views))
        return 1

    return work


def run(quick: bool = False) -> dict[str, Any]:
    seconds = 0.5 if quick else 4.0
    hands = random_hands(HANDS)
    theirs, their_samples = rate(eval7_hands(20_000), seconds), rate(eval7_samples(500), seconds)
    rows = [["7-card ranks, eval7, one call a hand", f"{theirs / 1e6:.2f} M/s", "", "", ""]]
    for name, work, target, multiple in (
        ("7-card ranks, native loop", native_loop(hands), 300e6, 100),
        ("7-card ranks, from a NumPy array", from_numpy(hands), 60e6, None),
    ):
        rows.append(_row(name, rate(work, seconds), target, theirs, multiple))
    rows.append(["8 players, eval7, plain loop, uniform", f"{their_samples / 1e6:.3f} M/s", "", "", ""])
    for method, target, multiple in (("walk", 12e6, 50), ("independent", 3e6, None)):
        speed = rate(sampling(method, 300_000), seconds)
        rows.append(_row(f"8 weighted ranges, {method}", speed, target, their_samples, multiple))
    each = 1e3 / rate(small_call(), seconds)
    rows.append(
        ["N = 500, own cards and 7 ranges, one call", f"{each:.3f} ms", "", "at most 0.200 ms", _met(each <= 0.2)]
    )
    for cards, name in ((0, "before the flop"), (3, "on the flop"), (5, "on the river")):
        each = 1e3 / rate(fold_decisions(cards), min(seconds, 1.0))
        rows.append([f"one FOLD decision, 8 seats, {name}", f"{each:.1f} ms", "", "at most 10 ms", _met(each <= 10)])
    columns = ["work", "speed", "times eval7", "target", "met"]
    return {"tables": [{"title": "equity", "columns": columns, "rows": rows}], "machine": machine()}


def _row(name: str, speed: float, target: float, peer: float, multiple: int | None) -> list[str]:
    ratio = speed / peer
    wanted = f"{target / 1e6:.0f} M/s" + (f" and {multiple}x" if multiple else "")
    return [name, f"{speed / 1e6:.1f} M/s", f"{ratio:.0f}x", wanted, _met(speed >= target and ratio >= (multiple or 0))]


def _met(is_met: bool) -> str:
    return "yes" if is_met else "no"
