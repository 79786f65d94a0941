"""Asks the practice squad as a member of any format is asked: by that format's client half, over the ASGI app."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

from msgspec import Struct

from gateway.api.guarded import Message
from gateway.api.practice import Practice
from gateway.canon.ask import Ask, Knobs, Text, Turn
from gateway.canon.reply import Reply, fold
from gateway.wire.base import Facts
from gateway.wire.registry import CLIENTS

BASES = {
    "openai_chat": "/practice/v1",
    "anthropic": "/practice/anthropic/v1",
    "openai_responses": "/practice/responses/v1",
    "gemini": "/practice/gemini/v1beta",
    "ollama": "/practice/ollama",
}


class Answer(Struct):
    """What came back. `pauses` are the seconds waited before each piece."""

    status: int
    headers: dict[str, str]
    pieces: list[bytes]
    pauses: list[float]

    @property
    def body(self) -> bytes:
        return b"".join(self.pieces)


def ask_for(prompt: str = "What is 17 + 25?", **fields: Any) -> Ask:
    return Ask("bench", "", (Turn("user", (Text(prompt),)),), **{"knobs": Knobs(), **fields})


async def call(method: str, url: str, body: bytes = b"", seed: int = 3) -> Answer:
    """One request to the app, from this machine."""
    path, _, query = url.partition("?")
    incoming = [{"type": "http.request", "body": body, "more_body": False}]
    sent: list[Message] = []
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)
        await asyncio.sleep(0)

    async def receive() -> Message:
        if incoming:
            return incoming.pop(0)
        await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "client": ("127.0.0.1", 50_000),
        "headers": [],
    }
    await Practice(Random(seed), pause=pause, clock=lambda: 1_796_000_000.0)(scope, receive, send)
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Answer(sent[0]["status"], headers, [message.get("body", b"") for message in sent[1:]], pauses)


async def send(protocol: str, served: str, ask: Ask, *, stream: bool = True, seed: int = 3) -> Answer:
    """What a member of this format is sent, and its answer as it came."""
    base = BASES[protocol]
    outgoing = CLIENTS[protocol].write_ask(ask, Facts(served=served, stream=stream, base=base))
    return await call("POST", base + outgoing.path, outgoing.body, seed)


def read(protocol: str, answer: Answer) -> Reply:
    """The answer as the member's reader has it."""
    reader = CLIENTS[protocol].reader(content_type=answer.headers["content-type"])
    events = [event for piece in answer.pieces for event in reader.feed(piece)]
    return fold([*events, *reader.end()])
