"""A client as a server of ours sees it: text out, lines in, and a note when it has gone."""

import asyncio
from dataclasses import dataclass, field


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
