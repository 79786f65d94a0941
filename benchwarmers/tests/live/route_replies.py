"""What a reply in each format says: its text, why it ended, and its error, whole or streamed."""

from __future__ import annotations

import json
from typing import Any, NamedTuple


class Said(NamedTuple):
    """`error` is the message of the format's own error, empty when there is none; `calls` are names of tools called.
    Building one checks the shape and that nothing follows a stream's end."""

    text: str
    finish: str
    calls: list[str]
    error: str


def read_whole(way: str, status: int, body: bytes) -> Said:
    reply = json.loads(body)
    return Said("", "", [], _error_document(way, status, reply)) if status != 200 else _READ[way](reply)


def read_stream(way: str, status: int, body: bytes) -> Said:
    if status != 200:
        return read_whole(way, status, body)
    if way == "gemini array":
        return _chunks(json.loads(body))
    frames = [one for one in body.decode().split("\n\n" if "data: " in body.decode() else "\n") if one]
    data = [frame.rpartition("data: ")[2] for frame in frames]
    if way in ("chat", "completions"):
        assert data.pop() == "[DONE]", body[-300:]
    documents = [json.loads(one) for one in data]
    return {"responses": _events, "anthropic": _messages}.get(way, lambda all: _chunks(all, way))(documents)


def _error_document(way: str, status: int, reply: Any) -> str:
    match way:
        case "chat" | "completions":
            assert reply["error"].keys() == {"message", "type", "code"}
            assert (reply["error"]["type"], reply["error"]["code"]) == ("bench_gateway", status)
        case "responses":
            kind = "server_error" if status >= 500 else "invalid_request_error"
            assert (reply["error"]["type"], reply["error"]["code"]) == (kind, str(status))
        case "anthropic":
            names = {400: "invalid_request_error", 429: "rate_limit_error"}
            assert (reply["type"], reply["error"]["type"]) == ("error", names.get(status, "api_error"))
        case "gemini" | "gemini array":
            names = {400: "INVALID_ARGUMENT", 429: "RESOURCE_EXHAUSTED"}
            assert (reply["error"]["code"], reply["error"]["status"]) == (status, names.get(status, "INTERNAL"))
        case _:
            assert reply.keys() == {"error"}
            return str(reply["error"])
    return str(reply["error"]["message"])


def _chat(reply: Any) -> Said:
    choice = reply["choices"][0]
    message = choice["message"]
    names = [call["function"]["name"] for call in message.get("tool_calls") or ()]
    return Said(message.get("content") or "", choice["finish_reason"], names, "")


def _completion(reply: Any) -> Said:
    return Said(reply["choices"][0]["text"], reply["choices"][0]["finish_reason"], [], "")


def _response(reply: Any) -> Said:
    texts = [part["text"] for item in reply["output"] if item["type"] == "message" for part in item["content"]]
    names = [item["name"] for item in reply["output"] if item["type"] == "function_call"]
    return Said("".join(texts), reply["status"], names, "")


def _message(reply: Any) -> Said:
    texts = [block["text"] for block in reply["content"] if block["type"] == "text"]
    names = [block["name"] for block in reply["content"] if block["type"] == "tool_use"]
    return Said("".join(texts), reply["stop_reason"], names, "")


def _candidate(reply: Any) -> Said:
    return _chunks([reply])


def _ollama(reply: Any) -> Said:
    return _chunks([reply], "ollama")


_READ = {
    "chat": _chat,
    "completions": _completion,
    "responses": _response,
    "anthropic": _message,
    "gemini": _candidate,
    "gemini array": _candidate,
    "ollama": _ollama,
    "generate": _ollama,
}


def _chunks(documents: list[Any], way: str = "gemini") -> Said:
    """Streams whose pieces all have one shape: chat, completions, Gemini, Ollama."""
    names: list[str] = []
    text = finish = ""
    for place, one in enumerate(documents):
        if "error" in one:
            assert place == len(documents) - 1, documents
            error = one["error"]
            return Said(text, finish, names, error if isinstance(error, str) else error["message"])
        if "candidates" in one:
            candidate = one["candidates"][0]
            parts = candidate["content"]["parts"]
            text += "".join(part.get("text", "") for part in parts if not part.get("thought"))
            names += [part["functionCall"]["name"] for part in parts if "functionCall" in part]
            finish = candidate.get("finishReason") or finish
        elif "choices" in one:
            choice = one["choices"][0] if one["choices"] else {}
            delta = choice.get("delta", {})
            text += choice.get("text") or delta.get("content") or ""
            names += [call["function"]["name"] for call in delta.get("tool_calls", ()) if "name" in call["function"]]
            finish = choice.get("finish_reason") or finish
        else:
            text += one.get("response", "") or one.get("message", {}).get("content", "")
            names += [call["function"]["name"] for call in one.get("message", {}).get("tool_calls") or ()]
            finish = one.get("done_reason") or finish
    return Said(text, finish, names, "")


def _events(documents: list[Any]) -> Said:
    """Responses: the last event holds everything."""
    kinds = [one["type"] for one in documents]
    assert [one["sequence_number"] for one in documents] == list(range(len(documents)))
    text = "".join(one["delta"] for one in documents if one["type"] == "response.output_text.delta")
    if "error" in kinds:
        assert kinds[-2:] == ["error", "response.failed"], kinds
        assert documents[-1]["response"]["error"]["message"] == documents[-2]["message"]
        return Said(text, "failed", [], documents[-2]["message"])
    assert kinds[-1] == "response.completed", kinds
    said = _response(documents[-1]["response"])
    assert said.text == text
    return said


def _messages(documents: list[Any]) -> Said:
    """Messages: blocks, then the end or an error."""
    text = "".join(one["delta"].get("text", "") for one in documents if one["type"] == "content_block_delta")
    starts = [one["content_block"] for one in documents if one["type"] == "content_block_start"]
    names = [block["name"] for block in starts if block["type"] == "tool_use"]
    if documents[-1]["type"] == "error":
        return Said(text, "", names, documents[-1]["error"]["message"])
    assert [one["type"] for one in documents[-2:]] == ["message_delta", "message_stop"]
    return Said(text, documents[-2]["delta"]["stop_reason"], names, "")
