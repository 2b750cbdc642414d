"""The server: pages and API on one local address."""

import os
from pathlib import Path


def serve(host: str, port: int, show: bool) -> None:
    """Serve the app until interrupted."""
    from mingpai.web.home import home, secret

    os.environ.setdefault("NICEGUI_STORAGE_PATH", str(home() / "browser"))
    from nicegui import app, ui

    from mingpai.web import api, frame
    from mingpai.web.pages import analyse, arena, play, replay, rules, solve, start, styles  # noqa: F401

    api.install(app)
    app.on_page_exception(frame.show_failure)
    ui.run(
        host=host,
        port=port,
        show=show,
        reload=False,
        title="Mingpai",
        storage_secret=secret(),
        favicon=Path(__file__).with_name("favicon.svg"),
        show_welcome_message=False,
    )
