"""`mingpai puzzle`: make, show and play endgame puzzles."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mingpai.cli.output import AsJson, console, print_json, show

if TYPE_CHECKING:
    from mingpai.methods.endgame.deal_puzzles import DealPuzzle
    from mingpai.methods.endgame.puzzles import Puzzle

app = typer.Typer(help="Endgame puzzles of Dou Dizhu: one winning first move, graded, verified.", no_args_is_help=True)

LEVELS_SEED = 2026
"""The seed of the shipped levels."""


@app.command("new")
def new(
    difficulty: Annotated[int, typer.Option(help="1 easy to 5 hard.")] = 3,
    count: Annotated[int, typer.Option(help="How many.")] = 1,
    seed: Annotated[int, typer.Option(help="The same seed gives the same puzzles.")] = 0,
    rules: Annotated[str, typer.Option(help="Rule profile.")] = "douzero",
    solution: Annotated[bool, typer.Option(help="Show the winning move.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make puzzles."""
    from mingpai.methods.endgame.puzzles import take

    _print(take(difficulty, count, seed, rules), solution, as_json)


@app.command("list")
def list_(
    solution: Annotated[bool, typer.Option(help="Show the winning moves.")] = False,
    deals: Annotated[bool, typer.Option(help="Those from whole deals, against two farmers.")] = False,
    as_json: AsJson = False,
) -> None:
    """The shipped levels."""
    from mingpai.methods.endgame.deal_puzzles import deal_levels
    from mingpai.methods.endgame.puzzles import levels

    if deals:
        _print_deals(list(deal_levels()), solution, as_json)
    else:
        _print(list(levels()), solution, as_json)


@app.command("deals")
def make_deal_levels(
    out: Annotated[Path, typer.Option(help="The file to write.")],
    count: Annotated[int, typer.Option(help="How many levels.", min=1)] = 9,
    seed: Annotated[int, typer.Option(help="Seed of the deals.")] = LEVELS_SEED,
) -> None:
    """Generate the levels from whole deals again: about one deal in a hundred has one, three CPU minutes for nine."""
    import itertools

    from mingpai.methods.endgame.deal_puzzles import by_proof, new_deal_puzzles
    from mingpai.methods.endgame.shelf import write_levels

    made = list(itertools.islice(new_deal_puzzles(seed), count))
    write_levels(by_proof(made), out)
    console.print(f"{len(made)} levels: {out}")


@app.command("levels")
def make_levels(
    out: Annotated[Path, typer.Option(help="The file to write.")],
    seed: Annotated[int, typer.Option(help="Seed of the levels.")] = LEVELS_SEED,
) -> None:
    """Generate the shipped levels again."""
    from mingpai.methods.endgame import puzzles
    from mingpai.methods.endgame.shelf import write_levels

    made = puzzles.make_levels(seed)
    write_levels(made, out)
    wrong = sum(puzzle.is_greedy_wrong for puzzle in made)
    console.print(f"{len(made)} levels, the greedy player goes wrong in {wrong}: {out}")


@app.command("play")
def play(
    number: Annotated[int, typer.Argument(help="Level, from 1.")],
    deals: Annotated[bool, typer.Option(help="A level from a whole deal, against two farmers.")] = False,
) -> None:
    """Play a level as the landlord against farmers who never err."""
    from mingpai.cli.solve import ask_move
    from mingpai.games.doudizhu.notation import cards_text
    from mingpai.games.doudizhu.rules import rules_of
    from mingpai.methods.endgame import deal_puzzles, puzzles
    from mingpai.methods.endgame.solver import seat_names, solve_position

    puzzle = deal_puzzles.SHELF.level(number) if deals else puzzles.SHELF.level(number)
    rules = rules_of(puzzle.rules)
    position = puzzle.position()
    names = seat_names(position)
    console.print(f"level {number}; empty input leaves")
    if not position.last.is_pass:
        console.print(f"{names[position.last_by]} has played {position.last}")
    while not position.is_over:
        if position.turn == 0:
            for name, hand in zip(names, position.hands, strict=True):
                console.print(f"  {name:9}{cards_text(hand)}")
            move = ask_move("landlord", {str(move): move for move in position.legal_moves(rules.native)})
            if move is None:
                return
        else:
            _, move = solve_position(position, rules).line[0]
            console.print(f"{names[position.turn]} plays {move}")
        position = position.after(move)
    console.print(
        "solved"
        if position.has_landlord_won
        else "the farmers win; try again"
        if deals
        else "the farmer wins; try again"
    )


@app.command("run")
def run(
    seed: Annotated[int, typer.Option(help="Seed of the random defence.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Write every game to this file, one JSON line each.")] = None,
) -> None:
    """Play all shipped levels to the end against the longest and against a random defence."""
    import json

    from mingpai.methods.endgame.levels_run import DEFENCES, run_levels
    from mingpai.methods.endgame.puzzles import levels

    results = list(run_levels(levels(), seed))
    if out is not None:
        head = json.dumps({"command": f"mingpai puzzle run --seed {seed}", "levels": len(levels())})
        out.write_text("\n".join([head, *(json.dumps(result.__dict__) for result in results)]) + "\n")
    rows = []
    for name in DEFENCES:
        games = [result for result in results if result.defence == name]
        longest = max(len(game.moves) for game in games)
        rows.append([name, len(games), sum(game.won for game in games), longest])
    show("The solver as landlord", ["defence", "levels", "won", "longest game"], rows)


def _print(puzzles: "list[Puzzle]", solution: bool, as_json: bool) -> None:
    if as_json:
        for puzzle in puzzles:
            print_json(puzzle.to_json())
        return
    columns = ["#", "difficulty", "landlord", "farmer", "moves", "plies", "nodes"] + ["solution"] * solution
    rows = [
        [number, p.difficulty, p.landlord, p.farmer, p.moves, p.plies, f"{p.nodes:,}"] + [p.solution] * solution
        for number, p in enumerate(puzzles, 1)
    ]
    show("The landlord leads and wins with one first move only", columns, rows)


def _print_deals(puzzles: "list[DealPuzzle]", solution: bool, as_json: bool) -> None:
    from mingpai.methods.endgame.solver import position_text

    if as_json:
        for puzzle in puzzles:
            print_json(puzzle.to_json())
        return
    columns = ["#", "open cards: landlord, down, up", "moves", "nodes"] + ["solution"] * solution
    rows = [
        [number, position_text(p.position()), p.moves, f"{p.nodes:,}"] + [p.solution] * solution
        for number, p in enumerate(puzzles, 1)
    ]
    show("The landlord is to move and wins with one move only", columns, rows)
