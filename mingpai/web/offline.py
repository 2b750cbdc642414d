"""What makes the app installable: the manifest, icons drawn by us, and a shell that says so when the server is gone."""

import html
import json
import struct
import zlib
from functools import cache
from pathlib import Path

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

from mingpai.web.frame import browser_language
from mingpai.web.opponents import by_key
from mingpai.web.texts import text

HERE = Path(__file__).parent
SIZES = (192, 512)
MANIFEST = {
    "name": "Mingpai 明牌", "short_name": "明牌", "start_url": "/", "display": "standalone", "orientation": "any",
    "background_color": "#12482f", "theme_color": "#12482f",
    "icons": [
        *({"src": f"/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": "any maskable"}
          for size in SIZES),
        {"src": "/favicon.ico", "sizes": "any", "type": "image/svg+xml"},
    ],
}  # fmt: skip


def install(app: FastAPI) -> None:
    """The routes of an installed app."""

    @app.get("/manifest.webmanifest", include_in_schema=False)
    def manifest() -> Response:
        return Response(json.dumps(MANIFEST, ensure_ascii=False), media_type="application/manifest+json")

    @app.get("/worker.js", include_in_schema=False)
    def worker() -> Response:
        return Response((HERE / "worker.js").read_text(), media_type="text/javascript")

    @app.get("/offline", include_in_schema=False)
    def offline(request: Request) -> HTMLResponse:
        return HTMLResponse(_shell(request))

    @app.get("/portraits/{name}.svg", include_in_schema=False)
    def portrait(name: str) -> Response:
        key, _, variant = name.partition("-")
        opponent = by_key(key)
        if opponent is None or variant not in ("0", "1", "2"):
            raise HTTPException(404)
        headers = {"Cache-Control": "max-age=86400"}
        return Response(opponent.svg(int(variant)), media_type="image/svg+xml", headers=headers)

    for size in SIZES:
        app.get(f"/icon-{size}.png", include_in_schema=False)(_icon_route(size))


def _icon_route(size: int):  # type: ignore[no-untyped-def]
    return lambda: Response(icon(size), media_type="image/png", headers={"Cache-Control": "max-age=86400"})


def _shell(request: Request) -> str:
    """A page without scripts, kept by the browser for when the server does not answer."""
    language = browser_language(request)
    title, words = text("offline_page", language), text("offline_about", language)
    page = (HERE / "offline.html").read_text()
    for name, told in (("LANGUAGE", language), ("TITLE", title), ("WORDS", words)):
        page = page.replace(name, html.escape(told))
    return page


@cache
def icon(size: int) -> bytes:
    """A card on the felt, as PNG: drawn pixel by pixel, so that no picture has to be kept."""
    felt, paper, red, gold = (18, 72, 47), (255, 253, 247), (200, 36, 43), (224, 165, 38)
    rows = []
    for y in range(size):
        row = bytearray([0])
        for x in range(size):
            u, v = (x + 0.5) / size - 0.5, (y + 0.5) / size - 0.5
            row += bytes(_pixel(u, v, felt, paper, red, gold))
        rows.append(bytes(row))
    return _png(size, b"".join(rows))


def _pixel(u: float, v: float, *colours: tuple[int, int, int]) -> tuple[int, int, int]:
    felt, paper, red, gold = colours
    if abs(u) < 0.21 and abs(v) < 0.3:
        if abs(u) / 0.115 + abs(v) / 0.165 < 1:
            return red
        return paper
    return gold if abs(u) < 0.225 and abs(v) < 0.315 else felt


def _png(size: int, pixels: bytes) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(pixels, 9)) + chunk(b"IEND", b"")
