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
from mingpai.methods.bidding.bidder import FITTED, SITUATIONS, STYLES, Floats
from mingpai.methods.bidding.model import CALIBRATED, BidModel
from mingpai.methods.bidding.population import Player, draw_players, simulate, table_of
from mingpai.methods.bidding.raw import PAPER, LogFile

PLAYERS = 2000
OURS = Player(id="ours", bias=0.0, noise=1.0, card="GREEDY", slips=0.0, activity=1.0)
"""Who plays the cards of the bidder."""

KEPT = 0.5
"""Share of the deals, those with the stronger landlords, that the points are fitted to: nobody bids on the others."""

STYLED = 400
"""Players whose styles are measured, those of them with enough decisions."""
LEAST_DECISIONS = 60
WEAK_SPREAD = 4.0
"""Standard deviation of a weak prior of the single players."""
ROUNDS = 60


def solve(rows: Floats, wanted: Floats) -> Floats:
    """Least squares."""
    return np.asarray(np.linalg.lstsq(rows, wanted, rcond=None)[0], np.float64)


def fit_points(deals: int, seed: int) -> dict[str, Any]:
    """Points per stake as landlord and as farmer, and how hands of one deal hang together."""
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
    logits = BidModel(CALIBRATED).logits(np.zeros(deals, int), np.zeros(deals, int), dealt[:, 1]).astype(float)
    line = np.stack([ones, own], 1)
    return {"strength": strength.tolist(), "landlord": landlord.tolist(), "farmer": farmer.tolist(),
            "removal": float(solve(line, first)[1]), "mean_strength": float(own.mean()),
            "removal_logit": float(solve(line, logits)[1])}  # fmt: skip


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
    weights, styles = np.zeros(rows.shape[1]), np.zeros(int(player.max()) + 1)
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-(rows @ weights + styles[player])))
        bend = (rows * (chance * (1 - chance))[:, None]).T @ rows + 1e-6 * np.eye(len(weights))
        weights += np.linalg.solve(bend, rows.T @ (did - chance))
        chance = 1 / (1 + np.exp(-(rows @ weights + styles[player])))
        slope = np.bincount(player, did - chance) - styles / WEAK_SPREAD**2
        bends = np.bincount(player, chance * (1 - chance)) + 1 / WEAK_SPREAD**2
        styles += np.clip(slope / bends, -1, 1)
        weights[:-1] += styles.mean()
        styles -= styles.mean()
    known = styles[np.bincount(player) >= LEAST_DECISIONS]
    width = STYLES[1] - STYLES[0]
    prior = np.exp(-0.5 * ((known[:, None] - STYLES) / width) ** 2).sum(axis=0) + 0.1
    return {"offsets": weights[:-1].tolist(), "slope": float(weights[-1]), "prior": (prior / prior.sum()).tolist()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--games", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    command = (
        f"python -m mingpai.methods.bidding.fit --deals {options.deals} --games {options.games} --seed {options.seed}"
    )
    found = fit_points(options.deals, options.seed) | fit_bids(options.games, options.seed)
    rounded = {name: [round(x, 4) for x in value] if isinstance(value, list) else round(value, 4)
               for name, value in found.items()}  # fmt: skip
    FITTED.write_text(json.dumps({"command": command, "model": CALIBRATED, "fitted": rounded}, indent=1) + "\n")
    print(FITTED.read_text())


if __name__ == "__main__":
    main()
