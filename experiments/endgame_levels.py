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
from pathlib import Path
from typing import Any

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.agent import Agent
from mingpai.games.doudizhu.notation import cards_text, parse_cards
from mingpai.games.doudizhu.state import start
from mingpai.methods.endgame.deal_puzzles import DealPuzzle, deal_levels
from mingpai.methods.endgame.puzzles import DIFFICULTIES, Puzzle, levels, second_farmer

RESULT = Path(__file__).parent / "results" / "endgame_levels.md"
DEALS_RESULT = RESULT.with_name("endgame_deal_levels.md")
PLAYERS = ("rb", "mcm", "mingpai:preset=fast")


def is_wrong(agent: Agent[Any], puzzle: Puzzle) -> bool:
    """Whether the player leads anything but the solution."""
    mate = second_farmer(parse_cards(puzzle.landlord), parse_cards(puzzle.farmer))
    state = start(f"{puzzle.landlord}/{puzzle.farmer}/{cards_text(mate)}/", "douzero", {"landlord": 0})
    return str(agent.decide(state.view(0)).move) != puzzle.solution


def is_wrong_in_deal(agent: Agent[Any], puzzle: DealPuzzle) -> bool:
    """Whether the player, as landlord in the deal, does anything but the solution."""
    return str(agent.decide(puzzle.state().view(0)).move) != puzzle.solution


def check_deals(specs: list[str], seed: int) -> None:
    """Levels by the size of their proof, easier half first."""
    puzzles = deal_levels()
    wrong = {}
    for spec in specs:
        agent = REGISTRY.agent("doudizhu", spec, seed)
        wrong[spec] = [is_wrong_in_deal(agent, puzzle) for puzzle in puzzles]
    lines = [
        "# What players get wrong in the levels from whole deals",
        "",
        f"`python experiments/endgame_levels.py --deals --seed {seed}`: moves other than the only winning one.",
        "The players do not see the cards; they have seen the deal up to the move.",
        "",
        "| levels | nodes of the proof | cards left | greedy | " + " | ".join(specs) + " |",
        "|---|---|---|---|" + "---|" * len(specs),
    ]
    half = len(puzzles) // 2
    parts = {
        f"1 to {half}": range(half),
        f"{half + 1} to {len(puzzles)}": range(half, len(puzzles)),
        "all": range(len(puzzles)),
    }
    for name, part in parts.items():
        counts = [sum(puzzles[i].is_greedy_wrong for i in part)] + [sum(wrong[spec][i] for i in part) for spec in specs]
        shares = " | ".join(f"{count} ({count / len(part):.0%})" for count in counts)
        nodes = [puzzles[i].nodes for i in part]
        cards = [puzzles[i].cards for i in part]
        lines.append(f"| {name} | {min(nodes):,} to {max(nodes):,} | {min(cards)} to {max(cards)} | {shares} |")
    DEALS_RESULT.write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", default=";".join(PLAYERS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deals", action="store_true", help="the levels from whole deals")
    options = parser.parse_args()
    specs = options.players.split(";")
    if options.deals:
        return check_deals(specs, options.seed)
    wrong = {}
    for spec in specs:
        agent = REGISTRY.agent("doudizhu", spec, options.seed)
        wrong[spec] = [is_wrong(agent, puzzle) for puzzle in levels()]
    lines = [
        "# What players get wrong in the levels",
        "",
        f"`python experiments/endgame_levels.py --seed {options.seed}`: first moves other than the only winning one.",
        "The players do not see the cards; a second farmer with the lowest spare cards sits with them.",
        "",
        "| difficulty | levels | greedy | " + " | ".join(specs) + " |",
        "|---|---|---|" + "---|" * len(specs),
    ]
    for difficulty in (*DIFFICULTIES, None):
        chosen = [i for i, puzzle in enumerate(levels()) if difficulty in (None, puzzle.difficulty)]
        counts = [sum(levels()[i].is_greedy_wrong for i in chosen)]
        counts += [sum(wrong[spec][i] for i in chosen) for spec in specs]
        shares = " | ".join(f"{count} ({count / len(chosen):.0%})" for count in counts)
        lines.append(f"| {difficulty or 'all'} | {len(chosen)} | {shares} |")
    RESULT.write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
