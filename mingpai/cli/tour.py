"""`mingpai tour`: what works, with real results, in under a minute."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from mingpai.agents.catalogue import REGISTRY
from mingpai.cli.explain import show_decision
from mingpai.cli.output import console
from mingpai.core.reasons import Language


def tour(language: Annotated[str, typer.Option("--lang", help="en or zh")] = "en",
         seed: Annotated[int, typer.Option(help="Seed of the deals shown.")] = 7) -> None:  # fmt: skip
    """Show what works, with real results, in under a minute."""
    tongue: Language = "zh" if language == "zh" else "en"
    start = time.perf_counter()
    for step in STEPS:
        step(tongue, seed)
    console.print(f"\n{time.perf_counter() - start:.1f} s. 'mingpai --help' lists everything else.")


@contextmanager
def _section(title: str) -> Iterator[None]:
    console.rule(title, align="left")
    start = time.perf_counter()
    yield
    console.print(f"[dim]{time.perf_counter() - start:.2f} s[/dim]")


def _deals(language: Language, seed: int) -> None:
    for name in REGISTRY.games():
        game = REGISTRY.game(name)
        with _section(f"{game.titles[language]}: a deal played by chance (seed {seed})"):
            state = game.deal(seed)
            player = REGISTRY.agent(name, "random", seed)
            while (turn := state.to_move) is not None:
                state.play(player.decide(state.view(turn)).move)
            shown = [f"{state.seat_name(s)} {m}" for s, m in state.moves()]
            console.print(", ".join(shown[:12]) + (f", ... {len(shown)} moves" if len(shown) > 12 else ""))
            console.print("points: " + ", ".join(f"{state.seat_name(s)} {p:+g}" for s, p in enumerate(state.points())))


def _decision(language: Language, seed: int) -> None:
    with _section("A decision that explains itself"):
        state = REGISTRY.game("doudizhu").deal(seed, setup={"landlord": 0})
        assert state.to_move is not None
        show_decision(REGISTRY.agent("doudizhu", "random", seed).decide(state.view(state.to_move)), language)


STEPS: tuple[Callable[[Language, int], None], ...] = (_deals, _decision)
