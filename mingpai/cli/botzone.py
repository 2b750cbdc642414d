"""`mingpai botzone GAME`: an agent as a Botzone program on standard input and output."""

import importlib
import sys
from typing import Annotated

import typer

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.errors import BadSetting

ADAPTERS = {
    "doudizhu": "mingpai.protocols.botzone_doudizhu",
    "guandan": "mingpai.protocols.botzone_guandan",
    "holdem": "mingpai.protocols.botzone_holdem",
}
"""Game -> module with `serve(agent, source, sink)`."""


def botzone(
    game: Annotated[str, typer.Argument(help=f"One of {', '.join(ADAPTERS)}.")],
    agent: Annotated[str, typer.Option(metavar="SPEC")] = "mingpai",
    seed: Annotated[int, typer.Option()] = 0,
) -> None:
    """Speak Botzone's JSON: FightTheLandlord and FightTheLandlord2 for Dou Dizhu, GuanDan, TexasHoldem2p and 6p."""
    if game not in ADAPTERS:
        raise BadSetting("game", game, f"one of {', '.join(ADAPTERS)}")
    importlib.import_module(ADAPTERS[game]).serve(REGISTRY.agent(game, agent, seed), sys.stdin, sys.stdout)
