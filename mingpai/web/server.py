"""The server: pages and API on one local address."""

import contextlib
import os
import socket
from collections.abc import Sequence
from pathlib import Path

from mingpai.core.errors import MingpaiError

MOST_CONNECTIONS = 1000
OWN_FOLDERS = ("games", "tables", "levels", "arena", "opened", "browser", "players",
               "comments", "lessons", "secret")  # fmt: skip


def check_port(host: str, port: int) -> None:
    """Raise MingpaiError unless the address can be listened on."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise MingpaiError(f"cannot listen on {host}:{port}: {error.strerror or error}; try another --port") from None


def keep_private(folder: Path) -> None:
    """What the app keeps is readable by its owner alone; also what was kept before."""
    os.umask(0o077)
    with contextlib.suppress(OSError):
        for name in OWN_FOLDERS:
            for path in (folder / name, *(folder / name).rglob("*")):
                if path.exists():
                    path.chmod(0o700 if path.is_dir() else 0o600)


def serve(hosts: Sequence[str], port: int, show: bool) -> None:
    """Serve the app on the first of the hosts, under the names of all, until interrupted."""
    from mingpai.web.home import ensure_writable, home, secret

    ensure_writable()
    keep_private(home())
    os.environ.setdefault("NICEGUI_STORAGE_PATH", str(home() / "browser"))
    from nicegui import app, ui

    from mingpai.web import api, frame, offline
    from mingpai.web.doors import Doors, Names, PromptProtocol
    from mingpai.web.limits import MAX_BODY
    from mingpai.web.pages import analyse, arena, lessons, play, replay, rules, solve, start, styles  # noqa: F401
    from mingpai.web.work import WORKSHOP

    api.install(app)
    offline.install(app)
    frame.answer_missing(app)
    app.add_middleware(Doors, names=Names(hosts))
    app.on_page_exception(frame.show_failure)
    app.config.quasar_config["loadingBar"]["skipHijack"] = True  # it has no name for a screen reader; `frame.work` has
    app.on_startup(WORKSHOP.warm_up)
    app.on_shutdown(WORKSHOP.close)
    ui.run(
        host=hosts[0],
        port=port,
        show=show,
        reload=False,
        title="Mingpai",
        storage_secret=secret(),
        favicon=Path(__file__).with_name("favicon.svg"),
        show_welcome_message=False,
        http=PromptProtocol,
        ws_max_size=MAX_BODY,
        limit_concurrency=MOST_CONNECTIONS,
    )
