"""`mingpai join PLATFORM` and `mingpai host PLATFORM`: our agents on other people's servers, their bots on ours."""

import asyncio
import json
import logging
from pathlib import Path
from typing import Annotated

import typer

from mingpai.agents.catalogue import REGISTRY
from mingpai.cli.output import console
from mingpai.core.errors import MingpaiError

app = typer.Typer(help="Play on another program's server.", no_args_is_help=True)
host_app = typer.Typer(help="Open a table for other people's bots.", no_args_is_help=True)

DIALECT = typer.Option(help="v1006 (answers by index) or openguandan (rooms, full actions).")


@app.callback()
def join() -> None:
    """Play on another program's server."""


@host_app.callback()
def host() -> None:
    """Open a table for other people's bots."""


@app.command("njupt")
def join_njupt(
    agent: Annotated[str, typer.Option(metavar="SPEC", help="Who plays.")] = "rule4",
    dialect: Annotated[str, DIALECT] = "v1006",
    url: Annotated[str, typer.Option(help="Address of the server.")] = "",
    name: Annotated[str, typer.Option(help="User name on the platform.")] = "mingpai",
    room: Annotated[str | None, typer.Option(help="openguandan: room to join; without it one is made.")] = None,
    seat: Annotated[int | None, typer.Option(help="openguandan: seat to take.")] = None,
    rounds: Annotated[int, typer.Option(help="openguandan: matches of a room that is made.")] = 1,
    seed: Annotated[int, typer.Option()] = 0,
) -> None:
    """Play Guandan on an NJUPT server until it gives the result."""
    from mingpai.protocols import njupt
    from mingpai.protocols.njupt_client import NjuptClient
    from mingpai.protocols.njupt_client import join as play_there
    from mingpai.protocols.njupt_host import DEFAULT_PORTS

    logging.basicConfig(level=logging.WARNING)
    speech = njupt.dialect_of(dialect)
    client = NjuptClient(REGISTRY.agent("guandan", agent, seed), dialect=speech, name=name)
    address = url or f"ws://127.0.0.1:{DEFAULT_PORTS[speech]}"
    try:
        result = asyncio.run(play_there(client, address, room=room, rounds=rounds, seat=seat))
    except OSError as error:
        raise MingpaiError(f"no server at {address}: {error}") from None
    console.print_json(json.dumps(result))


@host_app.command("njupt")
def host_njupt(
    dialect: Annotated[str, DIALECT] = "v1006",
    address: Annotated[str, typer.Option(help="Address to listen at.")] = "127.0.0.1",
    port: Annotated[int | None, typer.Option(help="Port; by default the platform's own.")] = None,
    matches: Annotated[int, typer.Option(help="Matches a table plays.")] = 1,
    rounds: Annotated[int | None, typer.Option(help="End a match after so many rounds.")] = None,
    limit: Annotated[float, typer.Option(help="Seconds for an answer.")] = 5.0,
    seed: Annotated[int, typer.Option()] = 0,
    save: Annotated[Path | None, typer.Option(help="Append the records of all rounds to this file.")] = None,
    once: Annotated[bool, typer.Option(help="Leave after the first table.")] = False,
) -> None:
    """Serve Guandan tables by the protocol of an NJUPT server."""
    from mingpai.protocols import njupt
    from mingpai.protocols.njupt_host import Host, Outcome

    logging.basicConfig(level=logging.WARNING)

    async def serve() -> None:
        over = asyncio.Event()

        async def report(outcome: Outcome) -> None:
            console.print(f"victories {outcome.victories}, draws {outcome.draws}, faults {len(outcome.faults)}")
            if save is not None:
                with save.open("a", encoding="utf-8") as file:
                    file.writelines(record.dumps() + "\n" for record in outcome.records)
            if once:
                over.set()

        speech = njupt.dialect_of(dialect)
        table = Host(speech, matches=matches, rounds=rounds, seed=seed, limit=limit, on_outcome=report)
        server = await table.serve(address, port)
        where = server.sockets[0].getsockname()
        console.print(f"listening at ws://{where[0]}:{where[1]}, dialect {dialect}; Ctrl-C ends")
        await over.wait()
        server.close()
        await server.wait_closed()

    try:
        asyncio.run(serve())
    except OSError as error:
        raise MingpaiError(f"cannot listen at {address}:{port}: {error}") from None
