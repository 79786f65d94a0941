"""A script as the bytes of the chat completions interface: in whole, in chunks, as an error.

Pure. What a stream sends and what a whole answer says are the same words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from gateway.canon.fault import Fault
from gateway.practice.squad import FINGERPRINT, Failure, Piece, Script
from gateway.practice.tools import ScriptedCall

DONE = b"data: [DONE]\n\n"


class Stamp(Struct, frozen=True):
    """The answer's id and its time in epoch seconds."""

    id: str
    created: int


def write_whole(script: Script, stamp: Stamp) -> bytes:
    """The answer as one document."""
    message: dict[str, Any] = {"role": "assistant", "content": script.text("text") or None, "refusal": None}
    if thought := script.text("thought"):
        message["reasoning_content"] = thought
        if script.sealed:
            message["reasoning_details"] = _details(script)
    if calls := script.begun:
        message["tool_calls"] = [_call(script.calls[place], script.arguments(place)) for place in calls]
    elif message["content"] is None:
        message["content"] = ""
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": script.finish}
    return msgspec.json.encode({**_head("chat.completion", script, stamp), "choices": [choice], "usage": script.usage})


def write_chunks(script: Script, stamp: Stamp, *, include_usage: bool) -> Iterator[tuple[float, bytes]]:
    """(pause before it in seconds, bytes) of each chunk. A broken stream ends in the middle of a chunk."""
    head = _head("chat.completion.chunk", script, stamp)
    if include_usage:
        head["usage"] = None

    def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
        return _event({**head, "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]})

    first = script.pieces[0].pause if script.pieces else 0.0
    yield first, chunk({"role": "assistant", "content": None if script.calls else ""})
    opened: set[int] = set()
    thinking = False
    for number, piece in enumerate(script.pieces):
        if thinking and piece.kind != "thought":
            yield 0.0, chunk({"reasoning_details": _details(script)})
        thinking = piece.kind == "thought"
        data = chunk(_delta(script, piece, opening=piece.call not in opened))
        if piece.kind == "arguments":
            opened.add(piece.call)
        pause = piece.pause if number else 0.0
        if script.failure is not None and script.failure.after == number:
            yield pause, data[: len(data) // 2]
            return
        yield pause, data
    yield 0.0, chunk({}, script.finish)
    if include_usage:
        yield 0.0, _event({**head, "choices": [], "usage": script.usage})
    yield 0.0, DONE


def write_failure(failure: Failure) -> bytes:
    """The error document of a call that failed on purpose."""
    kind = "rate_limit_error" if failure.status == 429 else "server_error"
    return _error(failure.message, kind, failure.code)


def write_fault(fault: Fault) -> bytes:
    """The error document of a request that cannot be played."""
    return _error(fault.message, "invalid_request_error", fault.code or None)


def _head(kind: str, script: Script, stamp: Stamp) -> dict[str, Any]:
    return {
        "id": stamp.id,
        "object": kind,
        "created": stamp.created,
        "model": script.served,
        "system_fingerprint": FINGERPRINT,
    }


def _delta(script: Script, piece: Piece, *, opening: bool) -> dict[str, Any]:
    match piece.kind:
        case "thought":
            return {"reasoning_content": piece.text}
        case "text":
            return {"content": piece.text}
        case "arguments":
            call = script.calls[piece.call]
            if opening:
                return {"tool_calls": [{"index": piece.call, **_call(call, piece.text)}]}
            inner = {"custom": {"input": piece.text}} if call.custom else {"function": {"arguments": piece.text}}
            return {"tool_calls": [{"index": piece.call, **inner}]}


def _call(call: ScriptedCall, arguments: str) -> dict[str, Any]:
    extra = {"extra_content": {"practice": call.seal}} if call.seal else {}
    if call.custom:
        return {"id": call.id, "type": "custom", "custom": {"name": call.name, "input": arguments}, **extra}
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}, **extra}


def _details(script: Script) -> list[dict[str, Any]]:
    """Where this interface keeps what only the model can read."""
    return [{"type": "reasoning.encrypted", "data": script.seal, "format": "practice", "index": 0}]


def _event(value: object) -> bytes:
    return b"data: " + msgspec.json.encode(value) + b"\n\n"


def _error(message: str, kind: str, code: str | None) -> bytes:
    return msgspec.json.encode({"error": {"message": message, "type": kind, "param": None, "code": code}})
