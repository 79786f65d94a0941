"""Recorded answers of generateContent say here what they say there, and requests recorded with them are read.

Each file holds one reply. What it should amount to is worked out below from the provider's own JSON, by code that
shares nothing with the reader.
"""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gateway.canon.event import Finish, Usage
from gateway.canon.fault import BadRequest, ErrorInReply
from gateway.canon.reply import Reply
from gateway.tests.recordings.loading import data_of, find, name_of, read_in_pieces, require, response_of
from gateway.wire.base import Facts
from gateway.wire.gemini import CLIENT, SERVER

FILES = find("gemini", "*/gemini-generate__*.json", "_documented-shapes/gemini-*.json")
FINISHES = {
    "STOP": Finish.STOP,
    "1": Finish.STOP,
    "MAX_TOKENS": Finish.LENGTH,
    "2": Finish.LENGTH,
    "SAFETY": Finish.CONTENT_FILTER,
    "MODEL_ARMOR": Finish.CONTENT_FILTER,
}
REFUSED = {
    "google-upload-02": "stored at Google",
    "test-generate-content-invalid-role": "Send user or model",
}
"""Requests that are rightly refused, by what the file's name holds."""


def test_the_recordings_are_there() -> None:
    require(FILES, 60)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_a_recorded_reply_is_read_as_what_it_says(file: Path, seed: int) -> None:
    response, body, _ = response_of(file)
    chunks = chunks_of(response)
    if response["status"] >= 400:
        error = chunks[0]["error"]
        assert CLIENT.read_error(response["status"], body) == (error["message"], error["status"])
        return
    reply = read_in_pieces(CLIENT, body, "", seed)
    parts = [
        part
        for chunk in chunks
        for candidate in chunk.get("candidates", [])
        for part in candidate.get("content", {}).get("parts", [])
    ]

    assert reply.text == "".join(part.get("text", "") for part in parts if not part.get("thought"))
    assert reply.reasoning == "".join(part.get("text", "") for part in parts if part.get("thought"))
    assert reply.usage == usage_of(chunks)
    assert [(call.name, json.loads(call.arguments)) for call in reply.calls] == calls_of(parts)
    assert all(call.id for call in reply.calls)
    seals = msgspec.json.encode(reply.parts).decode()
    assert all(part["thoughtSignature"] in seals for part in parts if "thoughtSignature" in part)
    check_the_end(reply, chunks)


def check_the_end(reply: Reply, chunks: list[dict[str, Any]]) -> None:
    error = next((chunk["error"] for chunk in chunks if "error" in chunk), None)
    block = next((chunk["promptFeedback"]["blockReason"] for chunk in chunks if "promptFeedback" in chunk), None)
    if error or block:
        assert isinstance(reply.fault, ErrorInReply)
        assert reply.fault.provider_code == (error["status"] if error else block)
        return
    reasons = [candidate.get("finishReason") for chunk in chunks for candidate in chunk.get("candidates", [])]
    finish = FINISHES[str([reason for reason in reasons if reason][-1])]
    assert reply.fault is None
    assert reply.finish is (Finish.TOOL_USE if reply.calls and finish is Finish.STOP else finish)


def with_requests() -> list[Any]:
    """(path, body, file's name) of every recorded request that has contents."""
    found = []
    for file in FILES:
        request = json.loads(file.read_text()).get("request") or {}
        if isinstance(request.get("body"), dict) and "contents" in request["body"]:
            found.append(pytest.param(request["path"], request["body"], id=file.stem))
    return found


@pytest.mark.skipif(
    not with_requests(), reason="no ../shared/recordings beside this checkout: nobody's requests to read"
)
@pytest.mark.parametrize(("path", "body"), with_requests())
def test_a_recorded_request_is_read_and_goes_on_to_a_member(
    path: str, body: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    sent = json.dumps(body).encode()
    refusal = next((said for name, said in REFUSED.items() if name in request.node.name), None)
    if refusal is not None:
        with pytest.raises(BadRequest, match=refusal):
            SERVER.read_ask(sent, path)
        return
    ask = SERVER.read_ask(sent, path)
    went = CLIENT.write_ask(ask, Facts(ask.model))

    assert ask.model
    assert ask.stream == ("streamGenerateContent" in path)
    assert [text for text in texts_of(json.loads(went.body)["contents"]) if text] == texts_of(body["contents"])


def texts_of(contents: list[dict[str, Any]]) -> list[str]:
    return [part["text"] for content in contents for part in content["parts"] if part.get("text")]


def chunks_of(response: dict[str, Any]) -> list[dict[str, Any]]:
    if response.get("stream") is None:
        return response["body"] if isinstance(response["body"], list) else [response["body"]]
    return data_of(response["stream"])


def usage_of(chunks: list[dict[str, Any]]) -> Usage | None:
    counts: dict[str, int] = {}
    for chunk in chunks:
        told = chunk.get("usageMetadata", {})
        counts.update({name: count for name, count in told.items() if name.endswith("TokenCount")})
    if not counts:
        return None
    thoughts = counts.get("thoughtsTokenCount", 0)
    return Usage(
        input=counts["promptTokenCount"] + counts.get("toolUsePromptTokenCount", 0),
        output=counts.get("candidatesTokenCount", 0) + thoughts,
        cached=counts.get("cachedContentTokenCount", 0),
        reasoning=thoughts,
    )


def calls_of(parts: list[dict[str, Any]]) -> list[tuple[str, Any]]:
    """(name, arguments) of each call, put together where they come in pieces of text."""
    calls: list[tuple[str, Any]] = []
    for part in parts:
        call = part.get("functionCall", {})
        if "name" in call:
            calls.append((call["name"], dict(call.get("args", {}))))
        for piece in call.get("partialArgs", []):
            name = piece["jsonPath"].removeprefix("$.")
            calls[-1][1][name] = calls[-1][1].get(name, "") + piece["stringValue"]
    return calls
