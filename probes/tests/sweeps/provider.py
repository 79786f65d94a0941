"""A provider in a thread of its own that answers chat completions by a script, and counts who asks at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from threading import Thread
from typing import Any

import msgspec

from gateway.tests.engine.upstream import Line, Request, Upstream, upstream

Answer = Callable[[str, str, dict[str, Any]], tuple[int, dict[str, Any]]]
"""From the served name, the question and the whole body to a status and a body."""


class Provider:
    """`asked` has (served name, question) in the order of arrival; `most` the most requests that were open at once, for
    each connection: the served name up to its first slash. `overall` is the same over all. Nobody is answered before so
    many as `together` were open at once."""

    def __init__(self, answer: Answer, delay_s: float, together: int) -> None:
        self.answer = answer
        self.delay_s = delay_s
        self.together = together
        self.gathered = asyncio.Event()
        self.base = ""
        self.asked: list[tuple[str, str]] = []
        self.bodies: list[dict[str, Any]] = []
        self.open: dict[str, int] = {}
        self.most: dict[str, int] = {}
        self.overall = 0

    async def serve(self, line: Line, request: Request) -> None:
        body = msgspec.json.decode(request.body)
        served, question = body["model"], question_of(body)
        connection = served.split("/", 1)[0]
        self.asked.append((served, question))
        self.bodies.append(body)
        self.open[connection] = self.open.get(connection, 0) + 1
        self.most[connection] = max(self.most.get(connection, 0), self.open[connection])
        self.overall = max(self.overall, sum(self.open.values()))
        if self.overall >= self.together:
            self.gathered.set()
        async with asyncio.timeout(30):
            await self.gathered.wait()
        status, reply = await asyncio.to_thread(self.answer, served, question, body)
        await asyncio.sleep(self.delay_s)
        self.open[connection] -= 1
        data = msgspec.json.encode(reply)
        head = f"HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {len(data)}\r\n\r\n"
        await line.send(head.encode() + data)


def question_of(body: dict[str, Any]) -> str:
    """Which of the probes' questions it is; else the text itself."""
    content = body["messages"][0]["content"]
    text = content if isinstance(content, str) else content[0]["text"]
    for name, words in NAMES.items():
        if words in text:
            return name
    return str(text)


NAMES = {
    "tiny": "harbour",
    "large": "listing of settings",
    "tools": "What time is it",
    "schema": "Describe Lisbon",
    "image": "What colour",
    "reasoning": "Work out",
}


def says(text: str, model: str = "", **message: Any) -> tuple[int, dict[str, Any]]:
    """A plain answer."""
    said = {"role": "assistant", "content": text, **message}
    usage = {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15}
    choice = {"index": 0, "message": said, "finish_reason": "tool_calls" if "tool_calls" in message else "stop"}
    return 200, {"id": "x", "object": "chat.completion", "model": model, "choices": [choice], "usage": usage}


def fails(status: int, message: str, code: str = "") -> tuple[int, dict[str, Any]]:
    """A refusal."""
    return status, {"error": {"message": message, "code": code, "type": code}}


async def _close(serving: AbstractAsyncContextManager[Upstream]) -> None:
    await serving.__aexit__(None, None, None)
    open_lines = asyncio.all_tasks() - {asyncio.current_task()}
    for line in open_lines:
        line.cancel()
    await asyncio.gather(*open_lines, return_exceptions=True)
    await asyncio.get_running_loop().shutdown_default_executor()  # and their sockets close meanwhile


@contextmanager
def provider(answer: Answer, delay_s: float = 0.0, together: int = 1) -> Iterator[Provider]:
    """Serves until the block ends. The base address has /v1."""
    one, loop = Provider(answer, delay_s, together), asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    serving = upstream(one.serve)
    one.base = asyncio.run_coroutine_threadsafe(serving.__aenter__(), loop).result().base
    try:
        yield one
    finally:
        asyncio.run_coroutine_threadsafe(_close(serving), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
