"""`mingpai app`: the app in a browser."""

from typing import Annotated

import typer

from mingpai.cli.output import console
from mingpai.core.errors import BadSetting
from mingpai.core.extras import optional

LOCAL = ("127.0.0.1", "localhost", "::1")


def app(
    host: Annotated[
        list[str] | None,
        typer.Option(help="Address to listen on (default: this machine only); further ones are names it is called by."),
    ] = None,
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8080,
    show: Annotated[bool, typer.Option(help="Open a browser window.")] = False,
) -> None:
    """Start the app: play, solve, analyse, replay, in a browser on this machine."""
    if not 1 <= port <= 65535:
        raise BadSetting("port", port, "1 to 65535")
    hosts = host or ["127.0.0.1"]
    for package in ("nicegui", "duckdb"):
        optional(package)
    from mingpai.web import server

    server.check_port(hosts[0], port)
    if hosts[0] not in LOCAL:
        console.print(
            f"[yellow]Warning: listening on {hosts[0]}: whoever reaches this address can use the app.[/yellow]"
        )
    console.print(f"Mingpai is at http://{'localhost' if hosts[0] in LOCAL else hosts[0]}:{port}  (Ctrl-C stops it)")
    server.serve(hosts, port, show)
