"""`mingpai botzone GAME`: an agent as a Botzone program on standard input and output."""

import importlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from mingpai.agents.catalogue import BEST, REGISTRY
from mingpai.core.errors import BadSetting
from mingpai.core.game import View
from mingpai.protocols import botzone_zip

ADAPTERS = {
    "doudizhu": "mingpai.protocols.botzone_doudizhu",
    "guandan": "mingpai.protocols.botzone_guandan",
    "holdem": "mingpai.protocols.botzone_holdem",
}
"""Game -> module with `serve(agent, source, sink)`."""


def botzone(
    game: Annotated[str, typer.Argument(help=f"One of {', '.join(ADAPTERS)}.")],
    agent: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC", help="By default the best; for --zip the best without a network, since networks do not fit."
        ),
    ] = None,
    seed: Annotated[int, typer.Option()] = 0,
    build_zip: Annotated[
        Path | None, typer.Option("--zip", help="Write the upload for Botzone instead of playing.")
    ] = None,
) -> None:
    """Speak Botzone's JSON: FightTheLandlord and FightTheLandlord2 for Dou Dizhu, GuanDan, TexasHoldem2p and 6p."""
    if game not in ADAPTERS:
        raise BadSetting("game", game, f"one of {', '.join(ADAPTERS)}")
    spec = agent or (BEST[game].small if build_zip else BEST[game].usual)
    adapter, player = importlib.import_module(ADAPTERS[game]), REGISTRY.agent(game, spec, seed)
    if build_zip is None:
        adapter.serve(player, sys.stdin, sys.stdout)
        return
    player.decide(_first_view(game))
    size = botzone_zip.build(build_zip, adapter=ADAPTERS[game], game=game, agent=spec, seed=seed)
    typer.echo(f"{build_zip}: {size:,} bytes of {botzone_zip.LIMIT:,}")


def _first_view(game: str) -> View:
    """A position of the play, so that the agent loads all it needs."""
    table = REGISTRY.game(game)
    state = table.deal(0, setup=dict(table.play_only) or None)
    assert state.to_move is not None
    return state.view(state.to_move)
