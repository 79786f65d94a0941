"""The practice endpoint as a client sees it."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import msgspec
import pytest

from gateway.api.guarded import Message
from gateway.api.practice import Practice, is_local
from gateway.practice.squad import CHARACTERS, FINGERPRINT, OWNER

LOOPBACK = ("127.0.0.1", 50000)
CHAT = "/practice/v1/chat/completions"


async def no_pause(_: float) -> None:
    await asyncio.sleep(0)


async def ask(
    path: str = CHAT,
    body: Any = None,
    method: str = "POST",
    client: Any = LOOPBACK,
    headers: Any = (),
    pause: Any = no_pause,
    leave_after: int | None = None,
) -> list[Message]:
    """All messages sent; with `leave_after`, the caller goes after so many."""
    raw = body if isinstance(body, bytes) else msgspec.json.encode(body)
    incoming = [{"type": "http.request", "body": raw, "more_body": False}]
    sent: list[Message] = []
    gone = asyncio.Event()

    async def receive() -> Message:
        if incoming:
            return incoming.pop(0)
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)
        if leave_after is not None and len(sent) >= leave_after:
            gone.set()

    scope = {"type": "http", "method": method, "path": path, "client": client, "headers": list(headers)}
    await Practice(Random(3), pause=pause, clock=lambda: 1_796_000_000.0)(scope, receive, send)
    return sent


def chat(model: str = "slow", prompt: str = "What is 17 + 25?", **fields: Any) -> dict[str, Any]:
    return {"model": model, "messages": [{"role": "user", "content": prompt}], "seed": 1, **fields}


def document(sent: list[Message]) -> Any:
    return msgspec.json.decode(b"".join(message.get("body", b"") for message in sent[1:]))


def chunks(sent: list[Message]) -> list[Any]:
    events = b"".join(message.get("body", b"") for message in sent[1:]).split(b"\n\n")
    assert events[-2:] == [b"data: [DONE]", b""]
    return [msgspec.json.decode(event.removeprefix(b"data: ")) for event in events[:-2]]


async def test_a_whole_answer_has_the_interfaces_shape_and_is_labelled() -> None:
    sent = await ask(body=chat())
    answer = document(sent)
    assert sent[0]["status"] == 200
    assert answer.keys() == {"id", "object", "created", "model", "system_fingerprint", "choices", "usage"}
    assert (answer["object"], answer["model"]) == ("chat.completion", "slow")
    assert answer["system_fingerprint"] == FINGERPRINT
    assert "42" in answer["choices"][0]["message"]["content"]
    assert answer["choices"][0]["finish_reason"] == "stop"
    usage = answer["usage"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]


@pytest.mark.parametrize(
    "fields",
    [
        {"model": "slow"},
        {"model": "thinker"},
        {"model": "terse", "max_tokens": 1, "prompt": "How do caches fail?"},
        {"model": "slow", "tools": [{"type": "function", "function": {"name": "look", "parameters": {}}}]},
        {"model": "slow", "tools": [{"type": "custom", "custom": {"name": "say"}}]},
    ],
)
async def test_a_stream_says_what_the_whole_answer_says(fields: dict[str, Any]) -> None:
    whole = document(await ask(body=chat(**fields)))
    parts = chunks(await ask(body=chat(**fields, stream=True, stream_options={"include_usage": True})))
    assert parts[-1]["choices"] == []
    assert parts[-1]["usage"] == whole["usage"]
    assert all(part["usage"] is None for part in parts[:-1])
    assert parts[0]["choices"][0]["delta"]["role"] == "assistant"
    deltas = [part["choices"][0]["delta"] for part in parts[:-1]]
    message = whole["choices"][0]["message"]
    assert "".join(delta.get("content") or "" for delta in deltas) == (message["content"] or "")
    assert "".join(delta.get("reasoning_content", "") for delta in deltas) == message.get("reasoning_content", "")
    calls = [call for delta in deltas for call in delta.get("tool_calls", ())]
    if message.get("tool_calls"):
        kind = message["tool_calls"][0]["type"]
        field = "input" if kind == "custom" else "arguments"
        assert (
            "".join(call[kind if kind == "custom" else "function"][field] for call in calls)
            == (message["tool_calls"][0][kind][field])
        )
        assert [call for call in calls if "id" in call] == calls[:1]
    assert parts[-2]["choices"][0]["finish_reason"] == whole["choices"][0]["finish_reason"]


async def test_without_the_option_no_chunk_has_usage() -> None:
    assert all("usage" not in part for part in chunks(await ask(body=chat(stream=True))))


async def flaky(status: int, **fields: Any) -> list[Message]:
    for seed in range(100):
        sent = await ask(body=chat("flaky", seed=seed, **fields))
        raw = b"".join(message.get("body", b"") for message in sent[1:])
        broken = sent[0]["status"] == 200 and not raw.endswith(b"[DONE]\n\n") and bool(fields.get("stream"))
        if (status == 200 and broken) or (status != 200 and sent[0]["status"] == status):
            return sent
    raise AssertionError(f"no {status} in a hundred calls")


async def test_flaky_asks_for_a_pause_in_the_interfaces_way() -> None:
    sent = await flaky(429)
    assert (b"retry-after", b"2") in sent[0]["headers"]
    assert document(sent)["error"]["type"] == "rate_limit_error"


async def test_flaky_fails_with_a_server_error() -> None:
    assert document(await flaky(500))["error"].keys() == {"message", "type", "param", "code"}


async def test_flakys_stream_breaks_off_in_the_middle_of_a_chunk() -> None:
    sent = await flaky(200, stream=True)
    last = b"".join(message.get("body", b"") for message in sent[1:]).split(b"\n\n")[-1]
    assert last.startswith(b"data: {")
    with pytest.raises(msgspec.DecodeError):
        msgspec.json.decode(last.removeprefix(b"data: "))


async def test_the_squad_is_listed_and_labelled() -> None:
    listing = document(await ask("/practice/v1/models", method="GET"))
    assert [model["id"] for model in listing["data"]] == list(CHARACTERS)
    assert {model["owned_by"] for model in listing["data"]} == {OWNER}
    assert document(await ask("/practice/v1/models/terse", method="GET"))["owned_by"] == OWNER


@pytest.mark.parametrize(
    ("path", "method", "body", "status"),
    [
        (CHAT, "POST", b"{", 400),
        (CHAT, "POST", chat("nobody"), 404),
        (CHAT, "GET", b"", 405),
        ("/practice/v1/models/nobody", "GET", b"", 404),
        ("/practice/v1/embeddings", "POST", b"{}", 400),
        ("/practice/v1/embeddings", "GET", b"", 405),
        ("/practice/v1/audio/speech", "POST", b"{}", 404),
        ("/practice", "GET", b"", 404),
    ],
)
async def test_refusals_have_the_interfaces_shape(path: str, method: str, body: Any, status: int) -> None:
    sent = await ask(path, body, method)
    assert sent[0]["status"] == status
    assert document(sent)["error"].keys() == {"message", "type", "param", "code"}


@pytest.mark.parametrize("stream", [True, False])
async def test_a_caller_that_leaves_ends_the_play(stream: bool) -> None:
    paused: list[float] = []

    async def first_pause_only(seconds: float) -> None:
        paused.append(seconds)
        if len(paused) > 2 or not stream:
            await asyncio.Event().wait()

    leaving = 2 if stream else 0
    if stream:
        sent = await asyncio.wait_for(ask(body=chat(stream=True), pause=first_pause_only, leave_after=leaving), 5)
        assert 1 < len(sent) < 6
        return
    task = asyncio.ensure_future(leave_before_an_answer(first_pause_only))
    assert await asyncio.wait_for(task, 5) == []


async def leave_before_an_answer(pause: Any) -> list[Message]:
    messages: list[Message] = [
        {"type": "http.request", "body": msgspec.json.encode(chat()), "more_body": False},
        {"type": "http.disconnect"},
    ]
    sent: list[Message] = []

    async def receive() -> Message:
        return messages.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": CHAT, "client": LOOPBACK, "headers": []}
    await Practice(Random(1), pause=pause)(scope, receive, send)
    return sent


@pytest.mark.parametrize(
    ("client", "server", "headers", "local"),
    [
        (("127.0.0.1", 1), None, [], True),
        (("127.8.9.1", 1), None, [], True),
        (("::1", 1), None, [], True),
        (("::ffff:127.0.0.1", 1), None, [], True),
        (("192.0.2.7", 1), ("192.0.2.7", 8122), [], True),
        (("192.0.2.8", 1), ("192.0.2.7", 8122), [], False),
        (("::ffff:192.0.2.8", 1), None, [], False),
        (("testclient", 1), None, [], False),
        (None, None, [], False),
        (("127.0.0.1", 1), None, [(b"x-forwarded-for", b"192.0.2.8")], False),
        (("127.0.0.1", 1), None, [(b"forwarded", b"for=192.0.2.8")], False),
    ],
)
def test_only_this_machine_is_answered(client: Any, server: Any, headers: Any, local: bool) -> None:
    assert is_local({"client": client, "server": server, "headers": headers}) is local


async def test_another_machine_is_refused() -> None:
    assert (await ask(body=chat(), client=("192.0.2.8", 1)))[0]["status"] == 403
