"""Who may come in: requests by this machine's own names, from its own pages, of a bounded size and not too slow."""

import asyncio
import contextlib
import ipaddress
import json
import socket
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from mingpai.web.limits import MAX_BODY, MAX_UPLOAD

LOOPBACK = ("127.0.0.1", "localhost", "::1")
EVERY_ADDRESS = ("0.0.0.0", "::")
FORM_OVERHEAD = 1 << 16
"""Bytes of an upload around its file."""
HEADER_SECONDS = 10.0
"""A connection that has not sent the head of its request by then is closed."""
BODY_SECONDS = 30.0
"""So long may a body take to arrive."""

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class _Refused(Exception):
    """The request is not answered by the app."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status, self.kind = status, kind


class Names:
    """The names that a browser may call this server by. Another name that leads here is somebody else's trick."""

    def __init__(self, hosts: Iterable[str]) -> None:
        told = [host.lower().strip("[]") for host in hosts]
        own = socket.gethostname().lower()
        self._names = {*LOOPBACK, own, f"{own.partition('.')[0]}.local", *told} - set(EVERY_ADDRESS)
        self._any_address = any(host in EVERY_ADDRESS for host in told)
        """Listening on every address: each is a name. An address, unlike a name, cannot be led elsewhere."""

    def know(self, host: str) -> bool:
        """Whether a Host header, with or without a port, is one of the names."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self._names or (self._any_address and _is_address(name))


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Doors:
    """The outermost layer of the server."""

    def __init__(self, app: App, names: Names, body_seconds: float = BODY_SECONDS) -> None:
        self.app = app
        self.names = names
        self.body_seconds = body_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        try:
            self._check_names(scope)
            most = self._most(scope) if scope["type"] == "http" else 0
        except _Refused as refusal:
            await _say_no(scope, send, refusal)
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
        else:
            await self._answer(scope, _Body(receive, most, self.body_seconds), send)

    async def _answer(self, scope: Scope, body: "_Body", send: Send) -> None:
        """The app's answer, or a refusal where the body turned out too large or too slow before there was one."""
        began = False

        async def watched(message: Message) -> None:
            nonlocal began
            if body.refusal is None or began:
                began = True
                await send(message)

        with contextlib.suppress(_Refused):
            await self.app(scope, body.read, watched)
        if body.refusal is not None and not began:
            await _say_no(scope, send, body.refusal)

    def _check_names(self, scope: Scope) -> None:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self.names.know(host):
            raise _Refused(403, "ForeignHost", f"this server is not called {host[:80]!r}: start it with --host")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            raise _Refused(403, "ForeignOrigin", "pages of another site may not ask here")

    def _most(self, scope: Scope) -> int:
        """Bytes that the body may have. Raises where it says itself that it has more."""
        most = MAX_BODY if scope["path"].startswith("/api/") else MAX_UPLOAD + FORM_OVERHEAD
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if not length.isdigit() or len(length) > 12 or int(length) > most:
            raise _too_large(most)
        return most


class _Body:
    """The body of a request as it comes, until it is too much or too slow."""

    def __init__(self, receive: Receive, most: int, seconds: float) -> None:
        self._receive, self._most = receive, most
        self._end = asyncio.get_running_loop().time() + seconds
        self._got, self._is_whole = 0, False
        self.refusal: _Refused | None = None

    async def read(self) -> Message:
        if self._is_whole:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._end):
                message = await self._receive()
        except TimeoutError:
            raise self._refuse(_Refused(408, "TooSlow", "the body took too long to arrive")) from None
        self._got += len(message.get("body", b""))
        self._is_whole = not message.get("more_body", False)
        if self._got > self._most:
            raise self._refuse(_too_large(self._most))
        return message

    def _refuse(self, refusal: _Refused) -> _Refused:
        self.refusal = refusal
        return refusal


def _too_large(most: int) -> _Refused:
    return _Refused(413, "TooLarge", f"a body of at most {most} bytes is expected")


async def _say_no(scope: Scope, send: Send, refusal: _Refused) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": refusal.kind})
        return
    body = json.dumps({"kind": refusal.kind, "message": str(refusal)}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()),
               (b"connection", b"close")]  # fmt: skip
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class PromptProtocol(HttpToolsProtocol):
    """HTTP for clients that say what they want: the head of each request must arrive within HEADER_SECONDS."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._heard()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        if self._deadline is None:
            self._wait()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._heard()
        super().on_headers_complete()

    def _wait(self) -> None:
        self._deadline = self.loop.call_later(HEADER_SECONDS, self._close)

    def _heard(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _close(self) -> None:
        self._deadline = None
        if not self.transport.is_closing():
            self.transport.close()
