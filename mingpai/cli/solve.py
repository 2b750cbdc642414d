"""`mingpai solve`: who wins an open position of Dou Dizhu, and how."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mingpai.cli.output import AsJson, console, print_json
from mingpai.core.errors import BadlyWritten, MingpaiError

if TYPE_CHECKING:
    from mingpai.games.doudizhu.moves import Move
    from mingpai.methods.endgame.solver import Solution
    from mingpai.methods.endgame.strategy import StrategyTree

STOP_TEXTS = {
    "MEMORY": "the memory is used up, ask for more with --memory",
    "NODES": "the limit of nodes is reached",
    "TIME": "the time is up",
    "CANCELLED": "stopped",
}
"""Why a position was not proved."""


def solve(
    landlord: Annotated[str | None, typer.Argument(help="The landlord's cards, for example 4667788QK2.")] = None,
    farmer: Annotated[str | None, typer.Argument(help="The farmer's cards.")] = None,
    landlord_hand: Annotated[str | None, typer.Option("--landlord", help="The same as an option.")] = None,
    down: Annotated[str | None, typer.Option(help="Three-handed: the farmer after the landlord.")] = None,
    up: Annotated[str | None, typer.Option(help="Three-handed: the farmer before the landlord.")] = None,
    turn: Annotated[str, typer.Option(help="Who is to move: landlord, farmer; three-handed landlord, down, up.")] = (
        "landlord"
    ),
    last: Annotated[str, typer.Option(help="The move to beat.")] = "",
    by: Annotated[str, typer.Option(help="Who made it.")] = "",
    all_moves: Annotated[bool, typer.Option("--all", help="Every winning first move.")] = False,
    any_move: Annotated[bool, typer.Option("--any", help="The winning move found first, not the first in order.")] = (
        False
    ),
    shortest: Annotated[bool, typer.Option(help="A shortest forced win, passes counted.")] = False,
    ban: Annotated[list[str] | None, typer.Option(help="Forbid 31, 32, 421, 422 (or 3+1, 3+2, 4+2, 4+2+2).")] = None,
    rules: Annotated[str, typer.Option(help="Rule profile.")] = "douzero",
    seconds: Annotated[float, typer.Option(help="Time limit, 0 for none.")] = 0.0,
    memory: Annotated[int, typer.Option(help="Memory limit in mebibytes.")] = 256,
    threads: Annotated[int | None, typer.Option(help="Two by default, where the machine has them.")] = None,
    values: Annotated[
        bool, typer.Option("--values", help="Every first move: 100 or 0, turns to the win, the line that shows it.")
    ] = False,
    judge: Annotated[bool, typer.Option(help="Let the network say where a proof looks first.")] = True,
    save: Annotated[Path | None, typer.Option(help="Write the whole winning strategy to this file.")] = None,
    load: Annotated[Path | None, typer.Option(help="Read, verify and use a strategy file.")] = None,
    walk: Annotated[bool, typer.Option(help="Play the losing side against the winning strategy.")] = False,
    as_json: AsJson = False,
) -> None:
    """Prove who wins with all cards open, two-handed (LANDLORD FARMER) or three-handed (--landlord --down --up)."""
    from mingpai._native.endgame import Ask
    from mingpai.methods.endgame import strategy
    from mingpai.methods.endgame.solver import read_position, rules_with_bans, solve_position

    if load is not None:
        tree = strategy.load(load)
        if walk:
            return _walk(tree)
        facts = {"verified": True, "landlord_wins": tree.landlord_wins, "positions": len(tree)}
        return print_json(facts) if as_json else console.print(_strategy_text(tree, str(load)))
    hand = landlord_hand if landlord_hand is not None else landlord
    if hand is None or (landlord is not None and landlord_hand is not None):
        raise BadlyWritten("solve", "LANDLORD FARMER, or --landlord H --down H --up H")
    rule_set = rules_with_bans(rules, [item for text in ban or () for item in text.replace(",", " ").split()])
    position = read_position(hand, farmer, down, up, turn, last, by, rule_set)
    ask = Ask.ALL if all_moves else Ask.ANY if any_move else Ask.FIRST
    solution = solve_position(
        position, rule_set, ask=ask, shortest=shortest, seconds=seconds, memory=memory, threads=threads, values=values,
        judge=judge,
    )  # fmt: skip
    if as_json:
        print_json(solution.to_json())
    else:
        _show(solution, all_moves)
        if values:
            _show_values(solution)
    if save is None and not walk:
        return None
    if not solution.is_proved:
        raise MingpaiError("not proved, so there is no strategy to save or to walk")
    tree = strategy.build(position, rule_set, seconds=seconds, memory=memory, threads=threads)
    if save is not None:
        tree.save(save)
        if not as_json:
            console.print(_strategy_text(tree, str(save)))
    return _walk(tree) if walk else None


def _show(solution: "Solution", all_moves: bool) -> None:
    from mingpai.methods.endgame.solver import seat_names

    names = seat_names(solution.position)
    wins = solution.landlord_wins
    if wins is None:
        console.print(f"not proved: {STOP_TEXTS[solution.stopped_by.name]}")
        if solution.losing_moves:
            console.print(f"lost for {names[solution.position.turn]}: {_texts(solution.losing_moves)}")
        console.print(f"open: {_texts(solution.open_moves)}")
    else:
        console.print("the landlord wins" if wins else "the landlord loses")
    if solution.winning_moves:
        label = "winning moves" if all_moves else "winning move"
        console.print(f"{label}: {_texts(solution.winning_moves if all_moves else solution.winning_moves[:1])}")
    if solution.line:
        label = "shortest forced win" if solution.is_line_shortest else "line"
        console.print(f"{label}: " + ", ".join(f"{names[seat]} {move}" for seat, move in solution.line))
    console.print(f"{solution.nodes:,} nodes, {solution.seconds:.3f} s")


def _show_values(solution: "Solution") -> None:
    """A row for each first move: what it is worth, how long the shortest win takes, and the line that proves it."""
    from mingpai.methods.endgame.solver import seat_names

    names = seat_names(solution.position)
    rows = zip(solution.moves, solution.values, solution.turns, solution.lines, strict=True)
    for (move, _), value, turns, line in sorted(rows, key=lambda row: (-(row[1] or 0), row[2] or 0)):
        plies = " ".join(f"{names[seat]} {played}," for seat, played in line[1:]).rstrip(",")
        console.print(f"{move!s:>12} {'?' if value is None else value:>4} {turns or '?':>4} turns  {plies}")


def _texts(moves: "Sequence[Move]") -> str:
    return " ".join(str(move) for move in moves)


def _strategy_text(tree: "StrategyTree", name: str) -> str:
    side = "the landlord's" if tree.landlord_wins else "the farmers'"
    return f"{name}: {side} winning strategy, {len(tree):,} positions, every defence answered"


def _walk(tree: "StrategyTree") -> None:
    """The user plays the losing side in the terminal."""
    from mingpai.games.doudizhu.notation import cards_text
    from mingpai.methods.endgame.solver import seat_names

    names = seat_names(tree.position)
    position = tree.position
    console.print("you play for " + ("the farmers" if tree.landlord_wins else "the landlord") + "; empty input leaves")
    while not position.is_over:
        reply = tree.reply(position)
        if reply is None:
            for name, hand in zip(names, position.hands, strict=True):
                console.print(f"  {name:9}{cards_text(hand)}")
            moves = {str(move): move for move in position.legal_moves(tree.rules.native)}
            reply = ask_move(names[position.turn], moves)
            if reply is None:
                return
        else:
            console.print(f"{names[position.turn]} plays {reply}")
        position = position.after(reply)
    console.print("the landlord wins" if position.has_landlord_won else "the farmers win")


def ask_move(name: str, moves: "dict[str, Move]") -> "Move | None":
    """A legal move typed by the user; None when he leaves."""
    while True:
        console.print(f"{name}: {' '.join(moves)}")
        try:
            text = input("> ").strip()
        except EOFError:
            return None
        if not text:
            return None
        move = moves.get(text) or moves.get(text.upper()) or moves.get(text.lower())
        if move is not None:
            return move
        console.print(f"not a legal move here: {text}")
