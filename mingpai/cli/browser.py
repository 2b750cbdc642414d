"""`mingpai app`: the app in a browser."""

from typing import Annotated

import typer

from mingpai.cli.output import console
from mingpai.core.errors import BadSetting

LOCAL = ("127.0.0.1", "localhost", "::1")


def app(
    host: Annotated[str, typer.Option(help="Address to listen on; default: this machine only.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8080,
    show: Annotated[bool, typer.Option(help="Open a browser window.")] = False,
) -> None:
    """Start the app: play, solve, analyse, replay, in a browser on this machine."""
    if not 1 <= port <= 65535:
        raise BadSetting("port", port, "1 to 65535")
    if host not in LOCAL:
        console.print(f"[yellow]Warning: listening on {host}: whoever reaches this address can use the app.[/yellow]")
    from mingpai.web.server import serve

    console.print(f"Mingpai is at http://{'localhost' if host in LOCAL else host}:{port}  (Ctrl-C stops it)")
    serve(host, port, show)
