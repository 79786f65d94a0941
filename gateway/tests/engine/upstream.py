"""A provider on the loopback that speaks raw HTTP, and the smallest wire that can ask it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import msgspec
from msgspec import Raw

from gateway.canon.ask import Ask
from gateway.canon.event import Closed, Event, Failed, Finish, Opened, TextDelta, ThoughtDelta, ToolOpened, Usage
from gateway.canon.fault import Broken, ErrorInReply
from gateway.wire.base import Facts, Outgoing


@dataclass
class Request:
    """What arrived: the head's first line, headers by lower-case name, the body, and which connection it came by."""

    line: str
    headers: dict[str, str]
    body: bytes
    connection: int


@dataclass
class Line:
    """One open connection, as a script writes to it."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def head(self, status: int = 200, *headers: str, chunked: bool = True) -> None:
        lines = [f"HTTP/1.1 {status} X", "content-type: text/event-stream", *headers]
        if chunked:
            lines.append("transfer-encoding: chunked")
        await self.send("\r\n".join([*lines, "", ""]).encode())

    async def chunk(self, data: bytes) -> None:
        await self.send(b"%x\r\n%b\r\n" % (len(data), data))

    async def whole(self, data: bytes, status: int = 200, *headers: str) -> None:
        await self.head(status, f"content-length: {len(data)}", *headers, chunked=False)
        await self.send(data)

    def reset(self) -> None:
        self.writer.transport.abort()


Script = Callable[[Line, Request], Awaitable[None]]


@dataclass
class Upstream:
    """Answers the nth request by the nth script, and the last one for all that follow."""

    scripts: list[Script]
    base: str = ""
    requests: list[Request] = field(default_factory=list)
    closed: asyncio.Event = field(default_factory=asyncio.Event)
    connections: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        mine = self.connections
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                first, *lines = head.decode().strip().split("\r\n")
                headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                request = Request(first, headers, body, mine)
                self.requests.append(request)
                script = self.scripts[min(len(self.requests), len(self.scripts)) - 1]
                await script(Line(reader, writer), request)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self.closed.set()
            writer.close()


@asynccontextmanager
async def upstream(*scripts: Script) -> AsyncIterator[Upstream]:
    one = Upstream(list(scripts))
    server = await asyncio.start_server(one.serve, "127.0.0.1", 0, limit=2**20)
    one.base = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield one
    finally:
        server.close()


def says(*lines: str, pause: float = 0.0) -> Script:
    """Streams these lines of the little wire, and ends the reply cleanly."""

    async def script(line: Line, request: Request) -> None:
        await line.head()
        for text in lines:
            await line.chunk(text.encode() + b"\n")
            await asyncio.sleep(pause)
        await line.send(b"0\r\n\r\n")

    return script


def refuses(status: int, *headers: str, body: bytes = b'{"message": "no", "code": ""}') -> Script:
    async def script(line: Line, request: Request) -> None:
        await line.whole(body, status, *headers)

    return script


ANSWER = says("text Blue", "text , mostly.", "usage 7 3", "end stop")


class _Body(msgspec.Struct):
    message: str = ""
    code: str = ""


class LittleWire:
    """Lines of text: `text WORDS`, `thought WORDS`, `sealed SEAL`, `tool NAME`, `model NAME`, `usage IN OUT`, `error
    WORDS`, `end FINISH`."""

    name = "little"

    def write_ask(self, ask: Ask, facts: Facts) -> Outgoing:
        body = {"model": facts.served, "stream": facts.stream, "stream_options": facts.stream_options}
        return Outgoing("/little", msgspec.json.encode({**body, "options": facts.options, "ask": ask}))

    def reader(self, *, content_type: str) -> LittleReader:
        return LittleReader()

    def read_error(self, status: int, body: bytes) -> tuple[str, str]:
        try:
            read = msgspec.json.decode(body, type=_Body)
        except msgspec.MsgspecError:
            return body.decode("utf-8", "replace"), ""
        return read.message, read.code

    def auth(self, secret: str) -> dict[str, str]:
        return {"authorization": f"Bearer {secret}"} if secret else {}


class LittleReader:
    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> Iterable[Event]:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            yield from self._read(*line.decode().partition(" ")[::2])

    def end(self) -> Iterable[Event]:
        yield Failed(Broken("the reply ended before its end"))

    def _read(self, kind: str, value: str) -> Iterable[Event]:
        match kind:
            case "text":
                yield TextDelta(value)
            case "thought":
                yield ThoughtDelta(value, part=1)
            case "sealed":
                yield ThoughtDelta("hm", part=1, seal=Raw(msgspec.json.encode(value)))
            case "tool":
                yield ToolOpened(2, "c1", value)
            case "model":
                yield Opened(value)
            case "usage":
                tokens = [int(word) for word in value.split()]
                yield Usage(*tokens)
            case "error":
                yield Failed(ErrorInReply(value))
            case "end":
                yield Closed(Finish(value))
            case "bug":
                raise RuntimeError("a defect in the reader")
            case _:
                yield Failed(Broken(f"a line of the unknown kind {kind!r}"))
