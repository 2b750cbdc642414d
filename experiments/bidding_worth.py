"""What the bidding is worth in points: the style-aware bidder, the same without styles, the benchmark, a hand count.

    python experiments/bidding_worth.py run [--matches 200] [--deals 100] [--seed 41]   # 2 CPU minutes, goes on
    python experiments/bidding_worth.py report                                          # results/bidding_worth.md
    python experiments/bidding_worth.py run --matches 500 --seed 43 --part styles       # 5 CPU minutes: styles alone
    python experiments/bidding_worth.py run --matches 100 --seed 44 --part styles --spread 3   # wider tempers
    python experiments/bidding_worth.py power                                           # results/bidding_power.md

A match is a number of deals against the same two opponents, drawn from the frozen population (other players than any
fit has seen); odd matches bid scores, even ones call and rob. Every deal is replayed with the bidder at each of the
three seats, and each bidder meets the same deals, opponents and chance: opponents draw the same noise for the same
decision, and the cards after the bidding are played for each landlord by the same rule players (four times, for their
slips are chance). So the bidding alone differs. Styles are forgotten at the start of each match. Intervals are over
matches, the independent units.

`power` says how many matches it takes to show that styles are worth something: from the spread between the matches of
the published run, and from populations whose players differ more.
"""

import argparse
import dataclasses
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from script import as_script

from mingpai._native import bidding as native
from mingpai._native.core import Budget
from mingpai._native.doudizhu import Bidding, wanted_bid
from mingpai.arena.statistics import fixed_mean
from mingpai.core.random import seed_of, stream
from mingpai.methods.bidding.auction import SEATS, Auction
from mingpai.methods.bidding.bidder import Bidder, benchmark_bid
from mingpai.methods.bidding.fit import OURS
from mingpai.methods.bidding.model import PAPER_MODEL, BidModel
from mingpai.methods.bidding.population import Player, draw_players, table_of
from mingpai.methods.bidding.tempered import tempered_bid
from mingpai.methods.bidding.tracker import Finished, StyleTracker

RESULTS = Path(__file__).parent / "results"
RUNS = Path(__file__).parent / "runs" / "bidding-worth"
PLAYERS = 600
PLAY_OUTS = 4
"""The cards of a deal are played so often with each landlord, the slips drawn anew; points are the mean."""

A_DEAL = 0.0065
"""CPU seconds of a deal, about."""

Chosen = Callable[[int, Auction, StyleTracker], int]


def counted(hand: int, auction: Auction) -> int:
    """The hand-count rule of the rule players."""
    worth = wanted_bid(hand)
    bid = min(worth, 1) if auction.bidding == Bidding.CALL_ROB else worth
    return bid if bid in auction.legal() else 0


def bidders() -> dict[str, Chosen]:
    """Name -> how it bids; only the first looks at the styles."""
    bidder, paper = Bidder(), BidModel(PAPER_MODEL)
    return {
        "styles": lambda hand, auction, tracker: bidder.choose(hand, auction, tracker.beliefs()).bid,
        "no styles": lambda hand, auction, tracker: bidder.choose(hand, auction).bid,
        "calibrated model": lambda hand, auction, tracker: benchmark_bid(bidder.model, hand, auction),
        "paper's model": lambda hand, auction, tracker: benchmark_bid(paper, hand, auction),
        "hand count": lambda hand, auction, tracker: counted(hand, auction),
    }


class Match:
    """One match: deals, opponents, chance; played once by each bidder at each seat."""

    def __init__(self, number: int, deals: int, seed: int, players: Sequence[Player]) -> None:
        rng = stream(seed, "match", number)
        self.number, self.seed = number, seed
        self.bidding = Bidding.SCORE if number % 2 else Bidding.CALL_ROB
        self.pair = [int(place) for place in rng.choice(len(players) - 1, 2, replace=False)]
        self.players = players
        self.dealt = native.deals(seed_of(seed, "deals", number), 0, deals)
        self.uniforms = np.maximum(rng.random((SEATS, deals, SEATS, 2)), 1e-12)
        """Chance of the opponents by rotation, deal, seat and number of the decision."""

    def seats(self, me: int) -> list[int]:
        """Players at the seats: the bidder at `me`, then the pair in order of play."""
        out = [0, 0, 0]
        out[me], out[(me + 1) % SEATS], out[(me + 2) % SEATS] = len(self.players) - 1, *self.pair
        return out

    def play_cards(self, table: native.Population) -> None:
        """Plays the cards for every landlord: `stakes` are the landlord's stakes won, `left` what is held at the end
        of the first play-out."""
        self.stakes, self.left = [], []
        for me in range(SEATS):
            seats = np.tile(np.array(self.seats(me), np.int32), (len(self.dealt), 1))
            seeds = [seed_of(self.seed, "cards", self.number, me, again) for again in range(PLAY_OUTS)]
            outcomes = [table.outcomes(self.dealt, seats, seed, Budget()) for seed in seeds]
            self.stakes.append(
                np.mean([np.where(won, 1.0, -1.0) * 2.0**doublings for won, doublings, _ in outcomes], axis=0)
            )
            self.left.append(outcomes[0][2])

    def play(self, chosen: Chosen, tracked: bool, bidder: Bidder) -> dict[str, Any]:
        """Points of every deal, mean over the seats; and how often one was landlord."""
        points, landlord, outbid = np.zeros((SEATS, len(self.dealt))), 0, 0
        for me in range(SEATS):
            tracker = StyleTracker(bidder)
            for number, row in enumerate(self.dealt):
                hands = [int(cards) for cards in row[:SEATS]]
                auction = self._bid(number, me, hands, chosen, tracker)
                lord = auction.landlord
                if lord is not None:
                    share = 2 if me == lord else -1
                    points[me, number] = share * auction.stake * self.stakes[me][number, lord]
                    landlord += me == lord
                    outbid += me != lord
                if tracked:
                    tracker.add(
                        self._seen(me, hands, int(row[SEATS]), auction, self.left[me][number]), self.seed + number
                    )
        return {"points": points.mean(axis=0).tolist(), "landlord": landlord, "farmer": outbid}

    def _bid(self, number: int, me: int, hands: list[int], chosen: Chosen, tracker: StyleTracker) -> Auction:
        auction, asked = Auction.start(self.bidding, number % SEATS), [0, 0, 0]
        while auction.turn is not None:
            seat = auction.turn
            if seat == me:
                bid = chosen(hands[me], auction, tracker)
            else:
                player = self.players[self.seats(me)[seat]]
                value = float(native.values(np.array([hands[seat]], np.uint64))[0])
                uniform = float(self.uniforms[me, number, seat, asked[seat]])
                bid = tempered_bid(value, player.bias, player.noise, auction, uniform)
            asked[seat] += 1
            auction = auction.after(bid)
        return auction

    def _seen(self, me: int, hands: list[int], bottom: int, auction: Auction, left: Any) -> Finished:
        lord = auction.landlord
        if lord is None:
            return Finished(me, hands[me], 0, None, (0, 0, 0), auction)
        played = [hands[seat] + (bottom if seat == lord else 0) - int(left[lord][seat]) for seat in range(SEATS)]
        return Finished(me, hands[me], bottom, lord, played, auction)


def drawn(seed: int, spread: float) -> list[Player]:
    """Players of the frozen population, their biases `spread` times as large, and the bidder."""
    players = [dataclasses.replace(player, bias=spread * player.bias) for player in draw_players(PLAYERS, seed)]
    return [*players, OURS]


def folder_of(seed: int, deals: int, spread: float = 1.0) -> Path:
    return RUNS / (f"{seed}-{deals}" if spread == 1 else f"{seed}-{deals}-x{spread:g}")


def run(matches: int, deals: int, seed: int, spread: float, part: Sequence[str]) -> None:
    folder = folder_of(seed, deals, spread)
    folder.mkdir(parents=True, exist_ok=True)
    players = drawn(seed, spread)
    table, bidder, who = table_of(players), Bidder(), bidders()
    who = {name: chosen for name, chosen in who.items() if not part or name in part}
    start = time.process_time()
    for number in range(matches):
        path = folder / f"{number:05}.json"
        if path.exists():
            continue
        match = Match(number, deals, seed, players)
        match.play_cards(table)
        played = {name: match.play(chosen, name == "styles", bidder) for name, chosen in who.items()}
        path.write_text(json.dumps({"bidding": match.bidding.name, "bidders": played}))
        if number % 10 == 9:
            print(f"{number + 1} matches, {time.process_time() - start:.0f} CPU s", flush=True)


PAIRS = (("styles", "no styles"), ("calibrated model", "hand count"), ("paper's model", "hand count"),
         ("no styles", "calibrated model"), ("no styles", "hand count"), ("styles", "hand count"))  # fmt: skip


def read(deals: int, seed: int, spread: float = 1.0) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted(folder_of(seed, deals, spread).glob("*.json"))]


def means(matches: Sequence[dict[str, Any]], name: str, other: str = "", skip: int = 0) -> list[float]:
    """For each match the mean points of a bidder, less those of another; the first deals left out."""
    out = []
    for one in matches:
        mine = np.array(one["bidders"][name]["points"][skip:])
        out.append(float((mine - (np.array(one["bidders"][other]["points"][skip:]) if other else 0)).mean()))
    return out


def report(deals: int, seed: int, save: bool) -> None:
    matches = read(deals, seed)
    if not matches:
        sys.exit(
            f"no match of seed {seed} has been played here: `python experiments/bidding_worth.py run --seed {seed}`"
        )
    result: dict[str, Any] = {
        "matches": len(matches),
        "deals": len(matches) * deals,
        "seed": seed,
        "points": {},
        "differences": {},
    }
    for name in matches[0]["bidders"]:
        share = sum(one["bidders"][name]["landlord"] for one in matches) / (SEATS * len(matches) * deals)
        result["points"][name] = fixed_mean(means(matches, name)).to_json() | {"landlord": share}
    kinds = {"all": matches, **{k: [one for one in matches if one["bidding"] == k] for k in ("SCORE", "CALL_ROB")}}
    for a, b in PAIRS:
        rows = {kind: fixed_mean(means(part, a, b)).to_json() for kind, part in kinds.items()}
        rows["second half of the matches"] = fixed_mean(means(matches, a, b, deals // 2)).to_json()
        result["differences"][f"{a} - {b}"] = rows
    lines = page(result, deals)
    print("\n".join(lines))
    if save:
        (RESULTS / "bidding_worth.json").write_text(json.dumps(result, indent=1) + "\n")
        (RESULTS / "bidding_worth.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


HEAD = """# What the bidding is worth

`python experiments/bidding_worth.py run --matches {matches} --deals {per} --seed {seed}`, then `report`: {deals:,}
duplicate deals, each at all three seats, in {matches} matches against pairs of players of the frozen population; half
of the matches bid scores, half call and rob. Points per deal, 95% intervals over matches.

| bidder | points a deal | landlord |
|---|---|---|"""


def page(result: dict[str, Any], deals: int) -> list[str]:
    def cell(row: dict[str, float]) -> str:
        return f"{row['mean']:+.3f} [{row['low']:+.3f}, {row['high']:+.3f}]"

    lines = [
        HEAD.format(per=deals, **result),
        *(f"| {name} | {cell(row)} | {100 * row['landlord']:.1f}% |" for name, row in result["points"].items()),
        "",
        "| difference on the same deals | all | scores | call and rob | second half of the matches |",
        "|---|---|---|---|---|",
    ]
    for name, rows in result["differences"].items():
        cells = (cell(rows[kind]) for kind in ("all", "SCORE", "CALL_ROB", "second half of the matches"))
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


SURE = 1.959964
POWERS = {"80%": 0.841621, "95%": 1.644854}
"""Chance to see what is there -> how many standard errors more it takes."""
PUBLISHED, FRESH, WIDER = 41, 43, 44
"""Seeds: the published run, the one that answers, populations with wider tempers."""
SPREADS = (1.0, 2.0, 3.0)


def needed(values: Sequence[float], more: float) -> float:
    """Matches until a two-sided test at 5% sees a mean like this one with that chance."""
    return float((SURE + more) ** 2 * np.var(values, ddof=1) / np.mean(values) ** 2)


def power_row(name: str, values: Sequence[float]) -> dict[str, Any]:
    return {
        "what": name,
        "matches": len(values),
        "worth": fixed_mean(values).to_json(),
        "deviation": float(np.std(values, ddof=1)),
        "needed": {chance: needed(values, more) for chance, more in POWERS.items()},
    }


POWER_HEAD = """# At which size the worth of styles shows

`python experiments/bidding_worth.py power`, from runs of the same script, those that were played: `run --seed 41
--matches 200`; `run --seed 43 --matches 500 --part styles`, fresh players and deals, as many as the first row asks for;
`run --seed 44 --matches 100 --part styles --spread K`; what was not played again stays. The worth is points a deal of
the bidder that knows styles above the same without them, on the same deals, 100 a match; 95% intervals over matches.
Matches needed: for a two-sided test at 5% to see a worth as large as the one measured, with that chance. Spread: how
many times as far from the average the players' biases lie as in the frozen population.

| run | matches | worth of styles, points a deal | deviation between matches | needed for 80% | for 95% |
|---|---|---|---|---|---|"""


def power(deals: int) -> None:
    runs = {"the published run (seed 41)": (PUBLISHED, 1.0), "the fresh run (seed 43)": (FRESH, 1.0)}
    runs |= {f"tempers spread {spread:g} times (seed 44)": (WIDER, spread) for spread in SPREADS[1:]}
    played = {name: read(deals, seed, spread) for name, (seed, spread) in runs.items()}
    kept = RESULTS / "bidding_power.json"
    known = {row["what"]: row for row in (json.loads(kept.read_text()) if kept.exists() else [])}
    known |= {name: power_row(name, means(each, "styles", "no styles")) for name, each in played.items() if each}
    rows = [known[name] for name in runs if name in known]
    lines = [POWER_HEAD]
    for row in rows:
        worth, sizes = row["worth"], row["needed"]
        told = f"{worth['mean']:+.4f} [{worth['low']:+.4f}, {worth['high']:+.4f}]"
        lines.append(f"| {row['what']} | {row['matches']} | {told} | {row['deviation']:.3f} "
                     f"| {sizes['80%']:,.0f} | {sizes['95%']:,.0f} |")  # fmt: skip
    print("\n".join(lines))
    kept.write_text(json.dumps(rows, indent=1) + "\n")
    (RESULTS / "bidding_power.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("run", "report", "power"))
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=41)
    parser.add_argument("--spread", type=float, default=1.0, help="run: how many times as far the players' biases lie")
    parser.add_argument("--part", choices=("all", "styles"), default="all", help="run: only with and without styles")
    parser.add_argument("--dry", action="store_true", help="report: print only")
    options = parser.parse_args()
    if options.action == "run":
        part = ("styles", "no styles") if options.part == "styles" else ()
        print(f"cost: about {A_DEAL * options.matches * options.deals / 60 + 0.1:.1f} CPU minutes", flush=True)
        run(options.matches, options.deals, options.seed, options.spread, part)
    elif options.action == "power":
        power(options.deals)
    else:
        report(options.deals, options.seed, not options.dry)


if __name__ == "__main__":
    as_script(main)
