"""`mingpai join PLATFORM` and `mingpai host PLATFORM`: our agents on other people's servers, their bots on ours."""

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from mingpai.agents.catalogue import BEST, REGISTRY
from mingpai.cli.output import console, show
from mingpai.core.errors import MingpaiError
from mingpai.core.reading import read_text
from mingpai.records.jsonl import RecordWriter

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
    agent: Annotated[str, typer.Option(metavar="SPEC", help="Who plays.")] = BEST["guandan"].quick,
    dialect: Annotated[str, DIALECT] = "v1006",
    url: Annotated[str, typer.Option(help="Address of the server.")] = "",
    name: Annotated[str, typer.Option(help="User name on the platform.")] = "mingpai",
    room: Annotated[int | None, typer.Option(help="openguandan: room to join; without it one is made.")] = None,
    seat: Annotated[int | None, typer.Option(help="openguandan: seat to take.")] = None,
    rounds: Annotated[int, typer.Option(help="openguandan: matches of a room that is made.")] = 1,
    seed: Annotated[int, typer.Option()] = 0,
) -> None:
    """Play Guandan on an NJUPT server until it gives the result."""
    from mingpai.protocols import njupt
    from mingpai.protocols.njupt_client import FALLS, NjuptClient
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
    if result.get("type") in njupt.LOBBY:
        raise MingpaiError(f"refused by {address}: {result.get('message', result)}")
    console.print_json(json.dumps(result | {"falls": {kind: client.falls[kind] for kind in FALLS}}))


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
            if once:
                over.set()

        speech = njupt.dialect_of(dialect)
        table = Host(speech, matches=matches, rounds=rounds, seed=seed, limit=limit, on_outcome=report,
                     on_record=lambda record: keep(record.dumps()))  # fmt: skip
        server = await table.serve(address, port)
        where = server.sockets[0].getsockname()
        console.print(f"listening at ws://{where[0]}:{where[1]}, dialect {dialect}; Ctrl-C ends")
        await over.wait()
        server.close()
        await server.wait_closed()

    with keeping(save) as keep:
        _listening(serve(), f"{address}:{port}")


AgentOption = Annotated[str, typer.Option(metavar="SPEC", help="Who plays.")]
Limit = Annotated[float, typer.Option(help="Seconds for an answer.")]


@app.command("huawei")
def join_huawei(
    server_ip: Annotated[str, typer.Argument()],
    port: Annotated[int, typer.Argument()],
    my_ip: Annotated[str, typer.Argument(help="Address to bind, as the contest demands.")],
    my_port: Annotated[int, typer.Argument()],
    my_id: Annotated[str, typer.Argument()],
    agent: AgentOption = BEST["holdem"].usual,
    name: Annotated[str, typer.Option(help="Name to register.")] = "mingpai",
    limit: Limit = 0.5,
    seed: Annotated[int, typer.Option()] = 0,
) -> None:
    """Play hold'em on a server of the Huawei 2015 contest until it says game-over."""
    from mingpai.protocols import huawei

    client = huawei.HuaweiClient(REGISTRY.agent("holdem", agent, seed), my_id, name, limit)
    try:
        asyncio.run(huawei.join(client, server_ip, port, (my_ip, my_port)))
    except OSError as error:
        raise MingpaiError(f"no server at {server_ip}:{port}: {error}") from None
    console.print(f"{client.hands} hands, {client.prompt.late} answers late")


@app.command("acpc")
def join_acpc(
    host: Annotated[str, typer.Argument()],
    port: Annotated[int, typer.Argument()],
    agent: AgentOption = BEST["holdem"].usual,
    game: Annotated[Path | None, typer.Option(help="Game definition file; by default heads-up, 20000, 50/100.")] = None,
    limit: Limit = 0.5,
    seed: Annotated[int, typer.Option()] = 0,
) -> None:
    """Play hold'em on an ACPC dealer until it closes."""
    from mingpai.protocols import acpc

    definition = acpc.GameDefinition((20000, 20000), 50, 100)
    if game is not None:
        definition = acpc.GameDefinition.parse(read_text(game))
    client = acpc.AcpcClient(REGISTRY.agent("holdem", agent, seed), definition, limit)
    try:
        asyncio.run(acpc.join(client, host, port))
    except OSError as error:
        raise MingpaiError(f"no dealer at {host}:{port}: {error}") from None
    console.print(f"{client.hands} hands, {float(client.chips):+g} chips, {client.prompt.late} answers late")


@host_app.command("huawei")
def host_huawei(
    address: Annotated[str, typer.Option(help="Address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option()] = 6000,
    seats: Annotated[int, typer.Option(min=2, max=10)] = 8,
    hands: Annotated[int, typer.Option()] = 600,
    chips: Annotated[int, typer.Option()] = 2000,
    rebuy: Annotated[int, typer.Option()] = 2000,
    blinds: Annotated[str, typer.Option()] = "20/40",
    limit: Limit = 0.5,
    seed: Annotated[int, typer.Option()] = 0,
    save: Annotated[Path | None, typer.Option(help="Append the records of all hands to this file.")] = None,
) -> None:
    """Serve one match of hold'em as the Huawei 2015 contest does."""
    from mingpai.games.holdem.scoring import MatchSettings
    from mingpai.protocols.huawei import HuaweiServer

    settings = {"seats": seats, "hands": hands, "chips": chips, "rebuy": rebuy, "blinds": blinds}
    with keeping(save) as keep:
        server = HuaweiServer(
            MatchSettings.parse(settings), seed=seed, limit=limit, on_record=lambda record: keep(record.dumps())
        )
        ready = server.run(address, port, lambda at: console.print(f"waiting for {seats} players at port {at}"))
        _listening(ready, f"{address}:{port}")
    rows = sorted((place, pid, str(server.chips[pid]), server.late[pid]) for pid, place in server.places.items())
    show("Places", ("place", "player", "chips", "late"), rows)


@host_app.command("acpc")
def host_acpc(
    ports: Annotated[list[int], typer.Argument(help="One port for each player.")],
    address: Annotated[str, typer.Option(help="Address to listen at.")] = "127.0.0.1",
    game: Annotated[Path | None, typer.Option(help="Game definition file; by default 20000, 50/100.")] = None,
    hands: Annotated[int, typer.Option()] = 100,
    limit: Limit = 10.0,
    seed: Annotated[int, typer.Option()] = 0,
    save: Annotated[Path | None, typer.Option(help="Append the log to this file.")] = None,
) -> None:
    """Deal one match of hold'em as the ACPC dealer does."""
    from mingpai.protocols import acpc

    definition = acpc.GameDefinition((20000,) * len(ports), 50, 100)
    if game is not None:
        definition = acpc.GameDefinition.parse(read_text(game))
    if definition.players != len(ports):
        raise MingpaiError(f"{len(ports)} ports for {definition.players} players")
    names = [f"player{number + 1}" for number in range(len(ports))]
    with keeping(save) as keep:
        dealer = acpc.AcpcDealer(definition, hands, seed, limit, on_line=keep)
        ready = dealer.run(address, ports, names, lambda at: console.print(f"waiting at ports {at}"))
        _listening(ready, f"{address}, ports {', '.join(map(str, ports))}")
    console.print(dealer.log[-1])


@contextlib.contextmanager
def keeping(path: Path | None) -> Iterator[Callable[[str], None]]:
    """What writes a line to the end of the file at once, so that a match that is cut short keeps its hands."""
    if path is None:
        yield lambda line: None
        return
    with RecordWriter(path) as writer:
        yield writer.write_line


def _listening(work: Coroutine[Any, Any, None], where: str) -> None:
    try:
        asyncio.run(work)
    except OSError as error:
        raise MingpaiError(f"cannot listen at {where}: {error}") from None
