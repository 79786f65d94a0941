"""The least that asks a panel: `panel3` is three models asked at once, all their answers in one reply; `merged3` asks
one more model to merge them. Keeps nothing."""

from __future__ import annotations

import asyncio
import re
from collections.abc import MutableMapping
from typing import Any

import msgspec

from bench.relay import HEADERS, URL, Held, Receive, Send, answer, live, read
from bench.setup import MERGER, SEATS

PANEL = re.compile(r"(panel|merged)(\d)")


async def ask(body: dict[str, Any]) -> str:
    """What a model says."""
    async with Held.session.post(URL, data=msgspec.json.encode(body), headers=HEADERS) as reply:
        said = msgspec.json.decode(await reply.read())
    text: str = said["choices"][0]["message"]["content"]
    return text


async def app(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        return await live(receive, send)
    asked = msgspec.json.decode(await read(receive))
    kind, count = PANEL.findall(asked["model"])[0]
    seats = SEATS[: int(count)]
    answers = await asyncio.gather(*(ask({**asked, "model": seat}) for seat in seats))
    text = "\n\n".join(f"{seat}: {said}" for seat, said in zip(seats, answers, strict=True))
    if kind == "merged":
        text = await ask({"model": MERGER, "messages": [{"role": "user", "content": f"Merge these:\n{text}"}]})
    message = {"role": "assistant", "content": text}
    told = [{"seat": seat, "answer": said} for seat, said in zip(seats, answers, strict=True)]
    reply = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "seats": told}
    await answer(send, 200, msgspec.json.encode(reply))
