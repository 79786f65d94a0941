"""Merged panels over real sockets: members that answer one way as a seat and another as the merger."""

from __future__ import annotations

from typing import Any

import msgspec

from gateway.canon.ask import Ask
from gateway.canon.event import Closed, Event
from gateway.engine import merge_text
from gateway.engine.panel import PanelRun
from gateway.tests.engine.rooms import Room
from gateway.tests.engine.upstream import Line, Request, Script
from gateway.tests.engine.world import ask

MERGED = "bench/core:merged"
Rows = list[tuple[Any, ...]]


def turns_of(request: Request) -> list[str]:
    """The texts of what was sent, turn by turn."""
    return [turn["parts"][0]["text"] for turn in msgspec.json.decode(request.body)["ask"]["turns"]]


def is_merge(request: Request) -> bool:
    return turns_of(request)[0] in (merge_text.INSTRUCTION, merge_text.DOCUMENT_INSTRUCTION)


def both(seat: Script, merger: Script) -> Script:
    """Answers as a seat by the first, as the merger by the second."""

    async def script(line: Line, request: Request) -> None:
        await (merger if is_merge(request) else seat)(line, request)

    return script


async def merged(room: Room, asked: Ask | None = None) -> PanelRun:
    return await room.open(asked or ask(model=MERGED))


async def streamed(run: PanelRun) -> list[Event]:
    return [event async for event in run.events()]


def bench_of(events: list[Event]) -> Any:
    closed = events[-1]
    assert isinstance(closed, Closed)
    assert closed.bench is not None
    return msgspec.json.decode(closed.bench)


def merge_requests(room: Room) -> list[Request]:
    """What the provider was asked for as a merger."""
    return [request for request in room.provider.requests if is_merge(request)]
