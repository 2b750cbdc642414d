"""Fits the numbers of the bidder to games of the population: `python -m mingpai.methods.bidding.fit`.

Players and deals are others than those that train the benchmark and those that judge the bidder. About a minute.
"""

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from mingpai._native import bidding as native
from mingpai._native.core import Budget
from mingpai.core.random import seed_of, stream
from mingpai.methods.bidding.bidder import (
    FITTED,
    SHIFTS,
    SITUATIONS,
    STEADINESS,
    STYLE_SHIFTS,
    STYLE_STEADINESS,
    STYLES,
    Bidder,
    Floats,
)
from mingpai.methods.bidding.model import CALIBRATED, BidModel
from mingpai.methods.bidding.population import MOST_SLIPS, Player, draw_players, simulate, table_of
from mingpai.methods.bidding.raw import PAPER, LogFile

PLAYERS = 2000
OURS = Player(id="ours", bias=0.0, noise=1.0, card="GREEDY", slips=round(MOST_SLIPS / 3, 4), activity=1.0)
"""Who plays the cards of the bidder: as well as the population on average, so that the bidding alone counts and the
numbers hold among equals."""

KEPT = 0.5
"""Share of the deals, those with the stronger landlords, that the points are fitted to: nobody bids on the others."""

STYLED = 400
"""Players whose styles are measured."""
ROUNDS = 12
MOST_LOGIT = 6.0
"""The linear reading does not try to follow log-odds beyond this: such decisions are clear."""


def solve(rows: Floats, wanted: Floats) -> Floats:
    """The weights of the columns that come nearest to what is wanted, by least squares."""
    return np.asarray(np.linalg.lstsq(rows, wanted, rcond=None)[0], np.float64)


def fit_points(deals: int, seed: int) -> dict[str, Any]:
    """Points per stake as landlord and as farmer."""
    players = [*draw_players(PLAYERS, seed), OURS]
    dealt = native.deals(seed_of(seed, "deals"), 0, deals)
    rng = stream(seed, "fit")
    seats = np.stack([np.full(deals, PLAYERS), *(rng.integers(0, PLAYERS, (2, deals)))], 1).astype(np.int32)
    won, doublings, _ = table_of(players).outcomes(dealt, seats, seed_of(seed, "play"), Budget())
    stakes = np.where(won > 0, 1.0, -1.0) * 2.0**doublings
    numbers = [native.value_features(np.ascontiguousarray(dealt[:, seat])) for seat in range(3)]
    strength = solve(numbers[0], 2 * stakes[:, 0])
    own, first, second = (row @ strength for row in numbers)
    ones = np.ones(deals)
    kept = own >= np.quantile(own, 1 - KEPT)
    landlord = solve(np.stack([ones, own, first + second], 1)[kept], 2 * stakes[kept, 0])
    rows, wanted = [], []
    for lord, his, mate in ((1, first, second), (2, second, first)):
        kept = his >= np.quantile(his, 1 - KEPT)
        rows.append(np.stack([ones, own, his, mate], 1)[kept])
        wanted.append(-stakes[kept, lord])
    farmer = solve(np.concatenate(rows), np.concatenate(wanted))
    return {"strength": strength.tolist(), "landlord": landlord.tolist(), "farmer": farmer.tolist()}


def fit_reading(deals: int, seed: int) -> dict[str, Any]:
    """The benchmark's log-odds as weighted sums of the ten numbers of a hand, for each situation."""
    hands = np.ascontiguousarray(native.deals(seed_of(seed, "reading"), 0, deals)[:, 0])
    numbers, model = native.value_features(hands), BidModel(CALIBRATED)
    weights = []
    for s in SITUATIONS:
        logits = model.logits(np.full(deals, s.phase), np.full(deals, s.value), hands).astype(float)
        weights.append(solve(numbers, np.clip(logits, -MOST_LOGIT, MOST_LOGIT)).tolist())
    return {"reading": weights}


def fit_bids(games: int, seed: int) -> dict[str, Any]:
    """How players bid beside the benchmark: an offset for each situation and a slope, which they share, and a style for
    each player, fitted in turn until they settle; and how common the styles are."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "games.log"
        simulate(log, games, draw_players(STYLED, seed), seed_of(seed, "bids"))
        blocks = [block.bids for block in LogFile(log, PAPER).blocks()]
    bids = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
    benchmark = BidModel(CALIBRATED).logits(bids["phase"], bids["value"], bids["hand"]).astype(float)
    dummies = [(bids["phase"] == s.phase) & (bids["value"] == s.value) for s in SITUATIONS]
    rows, did, player = (
        np.stack([*dummies, benchmark], 1).astype(float),
        (bids["bid"] > 0).astype(float),
        bids["player"],
    )
    weights, prior = np.append(np.zeros(len(SITUATIONS)), 1.0), np.full(len(STYLES), 1 / len(STYLES))
    places = np.arange(len(STYLES))
    for _ in range(ROUNDS):
        # 1. How probable each style of each player is.
        chance = np.clip(Bidder.chances(rows @ weights, places), 1e-4, 1 - 1e-4)
        seen = np.where(did[:, None] > 0, np.log(chance), np.log1p(-chance))
        evidence = np.stack([np.bincount(player, column) for column in seen.T], 1) + np.log(prior)
        belief = np.exp(evidence - evidence.max(axis=1, keepdims=True))
        belief /= belief.sum(axis=1, keepdims=True)
        # 2. How common the styles are, smoothed between neighbours.
        grid = (belief.mean(axis=0) + 1e-4).reshape(len(STEADINESS), len(SHIFTS))
        wider = np.pad(grid, ((0, 0), (1, 1)), mode="edge")
        smooth = 0.5 * grid + 0.25 * wider[:, :-2] + 0.25 * wider[:, 2:]
        prior = (smooth / smooth.sum()).ravel()
        # 3. The shared numbers, by one step of Newton with every player at his likeliest style.
        best = belief.argmax(axis=1)[player]
        steady, moved = STYLE_STEADINESS[best], STYLE_SHIFTS[best]
        expected = 1 / (1 + np.exp(-(rows @ weights + moved) * steady))
        bend = (rows * (steady**2 * expected * (1 - expected))[:, None]).T @ rows + 1e-3 * np.eye(len(weights))
        weights += np.clip(np.linalg.solve(bend, rows.T @ (steady * (did - expected))), -0.5, 0.5)
    return {"offsets": weights[:-1].tolist(), "slope": float(weights[-1]), "prior": prior.tolist()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--games", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    command = (
        f"python -m mingpai.methods.bidding.fit --deals {options.deals} --games {options.games} --seed {options.seed}"
    )
    numbers = (
        fit_points(options.deals, options.seed)
        | fit_reading(options.deals // 5, options.seed)
        | fit_bids(options.games, options.seed)
    )
    rounded = {name: np.round(value, 5).tolist() for name, value in numbers.items()}
    FITTED.write_text(json.dumps({"command": command, "model": CALIBRATED, "fitted": rounded}, indent=1) + "\n")
    print(FITTED.read_text())


if __name__ == "__main__":
    main()
