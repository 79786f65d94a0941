"""What the page hears of a turn: one JSON object a line, as it happens.

    {"is": "open", "html": what the person said, and an empty answer}
    {"is": "thought" | "text", "text": more}
    {"is": "tool", "part": 2, "name": tool}          a tool call begins
    {"is": "args", "part": 2, "text": more}
    {"is": "beat"}                                   nothing happens, and the line is open
    {"is": "end", "html": the answer, "talk": the talk for the next turn, "waits": results are to be told next}
    {"is": "fault", "message": why}                  the turn ended without an answer, or part way through one

Whoever closes the connection leaves the turn, which ends the call to the member.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from typing import Any, Final

from gateway.canon.event import ArgsDelta, Event, TextDelta, ThoughtDelta, ToolOpened
from gateway.canon.fault import Fault
from gateway.canon.reply import Reply
from gateway.engine.route import RouteRun

GATHER_S: Final = 0.03
"""How long words gather before they are sent."""
BEAT_S: Final = 10.0
Line = dict[str, Any]


async def tell_turn(run: RouteRun, opening: Line, close: Callable[[Reply], Awaitable[Line]]) -> AsyncIterator[bytes]:
    """The lines of the turn. `close` makes the last one of an answer."""
    batches = aiter(run.batches())
    coming = asyncio.ensure_future(_next(batches))
    over = False
    try:
        yield _encoded([opening])
        while (events := await _within(coming, BEAT_S)) is not None or not coming.done():
            if events is None:
                yield _encoded([{"is": "beat"}])
                continue
            if lines := lines_of(events):
                yield _encoded(lines)
            await asyncio.sleep(GATHER_S)
            coming = asyncio.ensure_future(_next(batches))
        over = True
        yield _encoded([await _last(run, close)])
    except Fault as fault:
        over = True
        yield _encoded([{"is": "fault", "message": fault.message}])
    finally:
        if not over:
            run.leave()
            coming.cancel()


def lines_of(events: Sequence[Event]) -> list[Line]:
    """What of these events the page shows while it comes; pieces of one thing in a row are one line."""
    lines: list[Line] = []
    for event in events:
        match event:
            case TextDelta(text=text) if text:
                _add(lines, {"is": "text", "text": text})
            case ThoughtDelta(text=text) if text:
                _add(lines, {"is": "thought", "text": text})
            case ToolOpened(part=part, name=name):
                lines.append({"is": "tool", "part": part, "name": name})
            case ArgsDelta(part=part, text=text) if text:
                _add(lines, {"is": "args", "part": part, "text": text})
    return lines


def _add(lines: list[Line], line: Line) -> None:
    last = lines[-1] if lines else {}
    if (last.get("is"), last.get("part")) == (line["is"], line.get("part")):
        last["text"] += line["text"]
    else:
        lines.append(line)


async def _next(batches: AsyncIterator[Sequence[Event]]) -> Sequence[Event] | None:
    """The next events, None after the last."""
    return await anext(batches, None)


async def _within(coming: asyncio.Future[Sequence[Event] | None], seconds: float) -> Sequence[Event] | None:
    """What came in this time; None when nothing did, or nothing more will."""
    await asyncio.wait({coming}, timeout=seconds)
    return coming.result() if coming.done() else None


async def _last(run: RouteRun, close: Callable[[Reply], Awaitable[Line]]) -> Line:
    reply = run.reply
    if reply is None:  # pragma: no cover a run that ended without an answer has raised
        raise RuntimeError("a turn ended without an answer")
    if reply.fault is not None:
        raise reply.fault
    return await close(reply)


def _encoded(lines: Iterable[Line]) -> bytes:
    return b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines)
