"""`mingpai tour`: what works, with real results, in under a minute."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from mingpai.agents.catalogue import BEST, REGISTRY
from mingpai.cli.explain import show_decision
from mingpai.cli.output import Lang, console
from mingpai.core.random import seed_of
from mingpai.core.reasons import Language

TITLES: dict[str, dict[Language, str]] = {
    "deal": {"en": "{game}: a deal played by {bot} (seed {seed})", "zh": "{game}：由 {bot} 打的一局（种子 {seed}）"},
    "moves": {"en": "... {count} moves", "zh": "……共 {count} 步"},
    "points": {"en": "points", "zh": "得分"},
    "decision": {"en": "A decision that explains itself", "zh": "会说明理由的决策"},
    "equity": {
        "en": "Hold'em: AhKd against QQ+, AK and a random hand",
        "zh": "德州扑克：AhKd 对 QQ+、AK 与随机手牌的胜率",
    },
    "end": {
        "en": "{seconds:.1f} s. 'mingpai --help' lists everything else.",
        "zh": "{seconds:.1f} 秒。其余见 mingpai --help。",
    },
}  # fmt: skip


def tour(language: Lang = "en",
         seed: Annotated[int, typer.Option(help="Seed of the deals shown.")] = 7) -> None:  # fmt: skip
    """Show what works, with real results, in under a minute."""
    tongue: Language = "zh" if language == "zh" else "en"
    start = time.perf_counter()
    for step in STEPS:
        step(tongue, seed)
    console.print("\n" + TITLES["end"][tongue].format(seconds=time.perf_counter() - start))


@contextmanager
def _section(title: str) -> Iterator[None]:
    console.rule(title, align="left")
    start = time.perf_counter()
    yield
    console.print(f"[dim]{time.perf_counter() - start:.2f} s[/dim]")


def _deals(language: Language, seed: int) -> None:
    for name, bot in ((game, best.quick) for game, best in BEST.items()):
        game = REGISTRY.game(name)
        with _section(TITLES["deal"][language].format(game=game.titles[language], bot=bot, seed=seed)):
            state = game.deal(seed, setup=game.play_only)
            players = [REGISTRY.agent(name, bot, seed_of(seed, seat)) for seat in range(state.seats)]
            while (turn := state.to_move) is not None:
                state.play(players[turn].decide(state.view(turn)).move)
            shown = [f"{state.seat_name(s)} {m}" for s, m in state.moves()]
            rest = " " + TITLES["moves"][language].format(count=len(shown)) if len(shown) > 12 else ""
            console.print(", ".join(shown[:12]) + rest)
            points = ", ".join(f"{state.seat_name(s)} {p:+g}" for s, p in enumerate(state.points()))
            console.print(f"{TITLES['points'][language]}: {points}")


def _decision(language: Language, seed: int) -> None:
    with _section(TITLES["decision"][language]):
        game = REGISTRY.game("doudizhu")
        state = game.deal(seed, setup=game.play_only)
        assert state.to_move is not None
        agent = REGISTRY.agent("doudizhu", "mingpai:preset=normal", seed)
        show_decision(agent.decide(state.view(state.to_move)), language)


def _equity(language: Language, seed: int) -> None:
    from mingpai.cli.equity import equity

    with _section(TITLES["equity"][language]):
        equity(["AhKd", "QQ+,AK", "any"], seed=seed)


STEPS: tuple[Callable[[Language, int], None], ...] = (_deals, _decision, _equity)
