"""Is the difficulty of the shipped levels what players feel? What RB, MCM and the flagship lead in each of them.

    python experiments/endgame_levels.py
    python experiments/endgame_levels.py --deals

Every level has one winning first move. The players do not see the farmer's cards, and they know three-handed play, so a
second farmer sits with them who holds the lowest spare cards, as many as the first: the levels are harder for them than
for somebody who sees everything. Counted is who leads another move than the solution. Cost: about two CPU minutes,
nearly all for the flagship. Writes results/endgame_levels.md.

With --deals the levels from whole deals, where the players sit in the deal as it was played and remember it; less than
a CPU minute, results/endgame_deal_levels.md.
"""

import argparse
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from script import as_script

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.agent import Agent
from mingpai.games.doudizhu.notation import cards_text, parse_cards
from mingpai.games.doudizhu.state import start
from mingpai.methods.endgame.deal_puzzles import DealPuzzle, deal_levels
from mingpai.methods.endgame.puzzles import DIFFICULTIES, Puzzle, levels, second_farmer

RESULT = Path(__file__).parent / "results" / "endgame_levels.md"
DEALS_RESULT = RESULT.with_name("endgame_deal_levels.md")
PLAYERS = ("rb", "mcm", "mingpai:preset=fast")

P = TypeVar("P")
IsWrong = Callable[[Agent[Any], P], bool]
Row = tuple[str, Sequence[bool], Sequence[Sequence[bool]]]
"""What the levels of a row are, whether the greedy player errs in each, and the same for every other player."""


def is_wrong(agent: Agent[Any], puzzle: Puzzle) -> bool:
    """Whether the player leads anything but the solution."""
    mate = second_farmer(parse_cards(puzzle.landlord), parse_cards(puzzle.farmer))
    state = start(f"{puzzle.landlord}/{puzzle.farmer}/{cards_text(mate)}/", "douzero", {"landlord": 0})
    return str(agent.decide(state.view(0)).move) != puzzle.solution


def is_wrong_in_deal(agent: Agent[Any], puzzle: DealPuzzle) -> bool:
    """Whether the player, as landlord in the deal, does anything but the solution."""
    return str(agent.decide(puzzle.state().view(0)).move) != puzzle.solution


def report(
    path: Path, title: str, told: Sequence[str], columns: str, specs: Sequence[str], rows: Iterable[Row]
) -> None:
    """Write and print one table: a row of the levels in it, then how often each player errs there."""
    head = f"| {columns} | greedy | " + " | ".join(specs) + " |"
    lines = [f"# {title}", "", *told, "", head, "|" + "---|" * (head.count("|") - 1)]
    for name, greedy, wrong in rows:
        counts = [sum(greedy), *(sum(errors) for errors in wrong)]
        shares = " | ".join(f"{count} ({count / len(greedy):.0%})" for count in counts)
        lines.append(f"| {name} | {shares} |")
    path.write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


def errors_of(specs: Sequence[str], seed: int, puzzles: Sequence[P], is_wrong: IsWrong[P]) -> list[list[bool]]:
    """For each player whether he errs in each level."""
    agents = [REGISTRY.agent("doudizhu", spec, seed) for spec in specs]
    return [[is_wrong(agent, puzzle) for puzzle in puzzles] for agent in agents]


def check_deals(specs: Sequence[str], seed: int) -> None:
    """Levels by the size of their proof, easier half first."""
    puzzles = deal_levels()
    wrong = errors_of(specs, seed, puzzles, is_wrong_in_deal)
    half, count = len(puzzles) // 2, len(puzzles)
    parts = {f"1 to {half}": range(half), f"{half + 1} to {count}": range(half, count), "all": range(count)}

    def row(name: str, part: Sequence[int]) -> Row:
        nodes, cards = [puzzles[i].nodes for i in part], [puzzles[i].cards for i in part]
        told = f"{name} | {min(nodes):,} to {max(nodes):,} | {min(cards)} to {max(cards)}"
        return told, [puzzles[i].is_greedy_wrong for i in part], [[errors[i] for i in part] for errors in wrong]

    told = [
        f"`python experiments/endgame_levels.py --deals --seed {seed}`: moves other than the only winning one.",
        "The players do not see the cards; they have seen the deal up to the move.",
    ]
    title = "What players get wrong in the levels from whole deals"
    rows = [row(name, part) for name, part in parts.items()]
    report(DEALS_RESULT, title, told, "levels | nodes of the proof | cards left", specs, rows)


def check_levels(specs: Sequence[str], seed: int) -> None:
    """The two-handed levels by difficulty."""
    puzzles = levels()
    wrong = errors_of(specs, seed, puzzles, is_wrong)

    def row(difficulty: int | None) -> Row:
        part = [i for i, puzzle in enumerate(puzzles) if difficulty in (None, puzzle.difficulty)]
        told = f"{difficulty or 'all'} | {len(part)}"
        return told, [puzzles[i].is_greedy_wrong for i in part], [[errors[i] for i in part] for errors in wrong]

    told = [
        f"`python experiments/endgame_levels.py --seed {seed}`: first moves other than the only winning one.",
        "The players do not see the cards; a second farmer with the lowest spare cards sits with them.",
    ]
    rows = [row(difficulty) for difficulty in (*DIFFICULTIES, None)]
    report(RESULT, "What players get wrong in the levels", told, "difficulty | levels", specs, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", default=";".join(PLAYERS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deals", action="store_true", help="the levels from whole deals")
    options = parser.parse_args()
    check = check_deals if options.deals else check_levels
    check(options.players.split(";"), options.seed)


if __name__ == "__main__":
    as_script(main)
