"""What the page hears of a panel that it asked: one JSON object a line, as it happens.

    {"is": "open", "panel": id, "html": board}    the line-up, before anybody has said a word
    {"is": "seat", "seat": 2, "html": card}       a seat is asked that was not there yet (the merger), or is done
    {"is": "again", "seat": 2}                    what was heard of this seat does not count
    {"is": "thought" | "text", "seat": 2, "text": more}
    {"is": "beat"}                                nothing happens, and the line is open
    {"is": "end", "html": closing words}          the panel is over and in the database
    {"is": "fault", "message": why}               the panel ended without an answer

Markup is the server's own; what models say travels as text until their card is drawn. Whoever closes the connection
leaves the panel like any caller: it runs on, unless the collection says otherwise.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Final

from gateway.canon.event import Event, TextDelta, ThoughtDelta
from gateway.canon.fault import Fault
from gateway.engine.bench import Bench
from gateway.engine.panel import PanelRun
from gateway.engine.records import SeatRow

GATHER_S: Final = 0.03
"""How long words gather before they are sent: a line for each token would cost the browser more than it shows."""
BEAT_S: Final = 10.0
CONTENT_TYPE: Final = "application/x-ndjson"

Draw = Callable[[str], Awaitable[str]]
"""Markup by a seat's call id; of the whole board for `""`, and of the closing words for `"end"`."""
Line = dict[str, Any]


class Telling:
    """An onlooker who tells the page. Made right after the run, before the loop goes on."""

    def __init__(self, bench: Bench, run: PanelRun, draw: Draw) -> None:
        self._bench = bench
        self._run = run
        self._draw = draw
        self._lines: list[Line] = []
        self._opened = False
        self._wake = asyncio.Event()
        self._shown = {row.place for row in run.seats}
        self._said: set[int] = set()
        self._due: asyncio.Queue[SeatRow | None] = asyncio.Queue()
        run.onlooker = self

    def asked(self, row: SeatRow) -> None:
        """One that was not in the line-up gets a card of its own."""
        if row.place not in self._shown:
            self._shown.add(row.place)
            self._due.put_nowait(row)

    def began(self, place: int) -> None:
        """What was said before is taken back."""
        if place in self._said:
            self._said.discard(place)
            self._tell({"is": "again", "seat": place})

    def heard(self, place: int, event: Event) -> None:
        """Words of an answer; the rest of it is on the card that comes."""
        if isinstance(event, TextDelta | ThoughtDelta) and event.text:
            kind = "text" if isinstance(event, TextDelta) else "thought"
            self._said.add(place)
            last = self._lines[-1] if self._lines else {}
            if last.get("is") == kind and last.get("seat") == place:
                last["text"] += event.text
            else:
                self._tell({"is": kind, "seat": place, "text": event.text})

    def ended(self, row: SeatRow) -> None:
        """Its card, as soon as it can be judged."""
        self._due.put_nowait(row)

    async def lines(self) -> AsyncIterator[bytes]:
        """The lines, several at once where they come quickly. The panel is left when this is closed before its end; a
        defect on the way breaks off."""
        following = asyncio.create_task(self._follow(), name=f"{self._run.id} told")
        following.add_done_callback(lambda _: self._wake.set())
        over = False
        try:
            while not over:
                lines = await self._next()
                over = any(line["is"] in ("end", "fault") for line in lines)
                if following.done() and not over:
                    following.result()
                yield b"".join(map(_encoded, lines))
        finally:
            if not over:
                self._run.leave()
            following.cancel()

    async def _next(self) -> list[Line]:
        """What has gathered, or a beat."""
        try:
            async with asyncio.timeout(BEAT_S):
                await self._wake.wait()
        except TimeoutError:
            return [{"is": "beat"}]
        await asyncio.sleep(GATHER_S)
        self._wake.clear()
        lines, self._lines = self._lines, []
        return lines

    async def _follow(self) -> None:
        """From the line-up to the end. What is said before the line-up is drawn waits for it."""
        await self._bench.recorder.settle()
        self._lines.insert(0, {"is": "open", "panel": self._run.id, "html": await self._draw("")})
        self._opened = True
        self._wake.set()
        # Drawn from here and not where seats are heard: their tasks were begun by way of a thread that is gone by now.
        drawing = asyncio.create_task(self._draw_seats(), name=f"{self._run.id} drawn")
        try:
            fault = await self._until_over()
            self._due.put_nowait(None)
            await drawing
        finally:
            drawing.cancel()
        if fault is not None:
            self._tell({"is": "fault", "message": fault.message})
        else:
            self._tell({"is": "end", "html": await self._draw("end")})

    async def _until_over(self) -> Fault | None:
        """The fault that ended the panel, None when it was answered."""
        try:
            async for _ in self._run.batches():
                pass
        except Fault as fault:
            return fault
        return None

    async def _draw_seats(self) -> None:
        while (row := await self._due.get()) is not None:
            await self._bench.recorder.settle()
            self._tell({"is": "seat", "seat": row.place, "html": await self._draw(row.call)})

    def _tell(self, line: Line) -> None:
        self._lines.append(line)
        if self._opened:
            self._wake.set()


def _encoded(line: Mapping[str, Any]) -> bytes:
    return json.dumps(line, ensure_ascii=False).encode() + b"\n"
