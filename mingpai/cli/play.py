"""`mingpai play GAME`: a deal in the terminal against any agents."""

from typing import Annotated

import typer
from rich.markup import escape

from mingpai.agents.catalogue import REGISTRY
from mingpai.cli.explain import show_decision
from mingpai.cli.output import Lang, console
from mingpai.core.agent import Agent
from mingpai.core.errors import IllegalHere, MingpaiError
from mingpai.core.game import Game, State, View
from mingpai.core.random import seed_of
from mingpai.core.reasons import Language

HELP = {
    "en": "Type a move in notation, 'pass', '?' for the legal moves, 'hint', 'undo' or 'quit'.",
    "zh": "输入出牌；pass 不出；? 列出合法出牌；hint 提示；undo 悔牌；quit 退出。",
}


def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="doudizhu, guandan or holdem")],
    against: Annotated[list[str] | None, typer.Option("--against", "-a", help="Agents of the other seats.")] = None,
    seat: Annotated[int, typer.Option(help="Your seat.")] = 0,
    seed: Annotated[int, typer.Option(help="Seed of the deal; 0 takes a new one each time.")] = 0,
    rules: Annotated[str, typer.Option(help="Rule profile.")] = "",
    hint: Annotated[str, typer.Option(help="Agent that gives hints.")] = "",
    language: Lang = "en",
) -> None:
    """Play a deal in the terminal."""
    import secrets

    table = REGISTRY.game(game)
    seed = seed or secrets.randbelow(2**31)
    state = table.deal(seed, rules)
    if not 0 <= seat < state.seats:
        raise MingpaiError(f"seat {seat}: this game has seats 0 to {state.seats - 1}")
    specs = list(against or ["random"])
    others = {s: REGISTRY.agent(game, specs[i % len(specs)], seed_of(seed, s))
              for i, s in enumerate(s for s in range(state.seats) if s != seat)}  # fmt: skip
    adviser = REGISTRY.agent(game, hint or specs[0], seed)
    tongue: Language = "zh" if language == "zh" else "en"
    console.print(f"{table.titles[tongue]}, seed {seed}, seat {seat}. {HELP[tongue]}")
    for other, player in others.items():
        player.start_match(other, state.seats)
        player.start_deal(state.view(other))
    _loop(table, state, seat, others, adviser, tongue)
    console.print("points: " + ", ".join(f"{state.seat_name(s)} {p:+g}" for s, p in enumerate(state.points())))


def _loop(table: Game, state: State, seat: int, others: dict[int, "Agent[object]"], adviser: "Agent[object]",
          tongue: Language) -> None:  # fmt: skip
    seen = 0
    while (turn := state.to_move) is not None:
        if turn != seat:
            state.play(others[turn].decide(state.view(turn)).move)
            seen = _tell(state, seat, others, seen)
            continue
        seen = _tell(state, seat, others, seen)
        view = state.view(seat)
        console.print(f"[cyan]{view.to_json()['hand']}[/cyan]")
        text = console.input(f"[bold]{state.seat_name(seat)}[/bold]> ").strip()
        if _command(text, view, state, seat, adviser, tongue):
            continue
        try:
            state.play(table.parse_move(text, view))
        except IllegalHere as error:
            console.print(f"[red]{error.reason.render(tongue)}[/red]")
        except MingpaiError as error:
            console.print(f"[red]{escape(str(error))}[/red]")
    _tell(state, seat, others, seen)


def _command(text: str, view: View, state: State, seat: int, adviser: "Agent[object]", tongue: Language) -> bool:
    if text in ("", "?"):
        console.print("  ".join(str(move) for move in view.legal_moves()))
    elif text == "hint":
        show_decision(adviser.decide(view), tongue)
    elif text == "undo":
        while state.moves():
            state.undo()
            if state.to_move == seat:
                break
    elif text == "quit":
        raise typer.Exit
    else:
        return False
    return True


def _tell(state: State, seat: int, others: dict[int, "Agent[object]"], seen: int) -> int:
    """Show the events since `seen` to the player and the agents; answers the new count."""
    events = state.events()
    for event in events[seen:]:
        if event.is_visible_to(seat):
            who = "" if event.seat is None else f"{state.seat_name(event.seat)} "
            console.print(f"  {who}{event.kind}: {event.text}")
        for other, player in others.items():
            if event.is_visible_to(other):
                player.observe(event)
    return len(events)
