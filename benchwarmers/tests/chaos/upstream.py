"""A provider of chat completions and embeddings with several faces, in a process of its own that may be killed:

    python -m benchwarmers.tests.chaos.upstream PORT FILE

Each request leaves a line in FILE before anything is answered: when, which path, the served name and the id that the
caller wrote into its words. What the name says before its last dash is the face. A flood leaves a line for each
megabyte that it could send.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import time
from collections.abc import AsyncIterator
from typing import Any

from aiohttp import web

from probes.tests.onboarding.scripted import answer, question_of

MARK = re.compile(r"ask-[0-9]+-[0-9a-f]{12}")
USAGE = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}
PROBES = 1_000
FLOOD_MB = 200
WORDS = "Well, this is what I would say. "


class Seen:
    """The file of what came. Whole lines in one write each, so that two processes may share it."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def note(self, **told: Any) -> None:
        os.write(self._file, json.dumps({"at": time.time(), **told}).encode() + b"\n")


def mark_in(words: Any) -> str:
    """The newest request's: earlier turns of a conversation hold theirs."""
    found: list[str] = MARK.findall(json.dumps(words))
    return found[-1] if found else ""


def chunk(text: str, finish: str | None = None, **more: Any) -> bytes:
    choice = {"index": 0, "delta": {"content": text} if text else {}, "finish_reason": finish}
    return b"data: " + json.dumps({"id": "c1", "model": "m", "choices": [choice], **more}).encode() + b"\n\n"


END = chunk("", "stop", usage=USAGE) + b"data: [DONE]\n\n"


async def pieces_of(face: str) -> AsyncIterator[str]:
    """The answer's pieces, as fast as the face speaks."""
    match face:
        case "slow":
            await asyncio.sleep(0.7)
            yield WORDS
        case "talks":
            for number in range(25):
                yield f"{number} {WORDS}"
                await asyncio.sleep(0.04)
        case "breaks":
            yield WORDS
            await asyncio.sleep(0.02)
            raise ConnectionAbortedError
        case _:
            yield WORDS


class Upstream:
    def __init__(self, seen: Seen) -> None:
        self.seen = seen

    async def chat(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        served = str(body["model"])
        self.seen.note(path="chat", served=served, mark=mark_in(body["messages"]))
        face = served.rpartition("-")[0]
        if face == "chats":
            await asyncio.sleep(0.05)
            status, told = answer(served, question_of(body))
            return web.json_response({**told, "model": served} if status == 200 else told, status=status)
        if face == "fails":
            return web.json_response({"error": {"message": "out of order", "code": None}}, status=500)
        if not body.get("stream"):
            try:
                text = "".join([piece async for piece in pieces_of(face)])
            except ConnectionAbortedError:
                return self._abort(request)
            message = {"role": "assistant", "content": text}
            choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
            return web.json_response({"id": "c1", "model": served, "choices": choices, "usage": USAGE})
        reply = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await reply.prepare(request)
        if face == "floods":
            await self._flood(reply, served)
            return reply
        try:
            async for piece in pieces_of(face):
                await reply.write(chunk(piece))
        except ConnectionAbortedError:
            return self._abort(request)
        await reply.write(END)
        return reply

    async def _flood(self, reply: web.StreamResponse, served: str) -> None:
        """So much that nobody keeps it. Each write waits until the other side takes it."""
        piece = chunk("x" * 900)
        many = piece * (1_000_000 // len(piece))
        for number in range(1, FLOOD_MB + 1):
            await reply.write(many)
            self.seen.note(path="flood", served=served, sent_mb=number)
        await reply.write(END)

    async def embed(self, request: web.Request) -> web.Response:
        body = await request.json()
        texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
        self.seen.note(path="embeddings", served=body["model"], mark=mark_in(texts))
        data = [{"object": "embedding", "index": place, "embedding": [0.5, 0.25]} for place, _ in enumerate(texts)]
        usage = {"prompt_tokens": 3, "total_tokens": 3}
        return web.json_response({"object": "list", "data": data, "model": body["model"], "usage": usage})

    async def models(self, request: web.Request) -> web.Response:
        names = [f"chats-{number}" for number in range(PROBES)]
        return web.json_response({"object": "list", "data": [{"id": name, "object": "model"} for name in names]})

    @staticmethod
    def _abort(request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()


def main(port: int, path: str) -> None:
    upstream = Upstream(Seen(path))
    app = web.Application(client_max_size=2**26)
    app.router.add_post("/v1/chat/completions", upstream.chat)
    app.router.add_post("/v1/embeddings", upstream.embed)
    app.router.add_get("/v1/models", upstream.models)
    web.run_app(app, host="127.0.0.1", port=port, print=None, access_log=None, reuse_address=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
