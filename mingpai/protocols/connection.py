"""The two ends of a stream: a client that reaches a server, and a client as a server of ours sees it."""

import asyncio
from dataclasses import dataclass, field

WINDOW = 10.0
"""Seconds in which a client tries to reach its server: contests start both at about the same time."""
PAUSE = 0.1
"""Seconds between two tries."""


async def reach(
    host: str, port: int, local: tuple[str, int] | None = None, window: float = WINDOW
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection, tried again for the whole window, whatever the reason that there is none yet."""
    loop = asyncio.get_running_loop()
    last = loop.time() + window
    while True:
        left = max(last - loop.time(), PAUSE)
        try:
            return await asyncio.wait_for(asyncio.open_connection(host, port, local_addr=local), left)
        except (OSError, TimeoutError):
            if loop.time() + PAUSE >= last:
                raise
        await asyncio.sleep(PAUSE)


@dataclass(kw_only=True)
class Connection:
    """One client's stream."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    is_gone: bool = field(default=False, init=False)

    async def send(self, text: str) -> None:
        if self.is_gone:
            return
        try:
            self.writer.write(text.encode())
            await self.writer.drain()
        except ConnectionError:
            self.is_gone = True

    def drop(self) -> None:
        """Closes the connection; nothing more is sent or read."""
        self.is_gone = True
        self.writer.close()

    async def line(self, limit: float) -> str | None:
        """One line; None when nothing readable comes within `limit` seconds or the client has gone."""
        if self.is_gone:
            return None
        try:
            raw = await asyncio.wait_for(self.reader.readline(), limit)
        except (TimeoutError, ValueError):
            return None
        except ConnectionError:
            raw = b""
        if not raw:
            self.is_gone = True
            return None
        return raw.decode(errors="replace").strip()
