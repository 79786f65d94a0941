"""A text document from any caller to any member: as a document where that is known to be taken, else as words."""

from __future__ import annotations

import base64
import json
from itertools import product
from typing import Any

import pytest
from msgspec import Raw
from msgspec.structs import replace

from gateway.canon.ask import Ask, Media, Text, ToolCall, ToolResult, Turn
from gateway.canon.text_documents import text_of
from gateway.wire.base import Facts
from gateway.wire.registry import CLIENTS, SERVERS

SKY = base64.b64encode(b"The sky is blue.").decode()
DATA_URL = f"data:text/plain;base64,{SKY}"
GEMINI = "/v1beta/models/m:generateContent"
BLIND, READER = Facts("m", documents=False), Facts("m", documents=True)
WORDS = "sky.txt\nThe sky is blue."
NOTE = "The document sky.txt was sent as text: this model is not known to take documents."
MARK = {"type": "ephemeral"}


def messages(*parts: object) -> dict[str, Any]:
    return {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": list(parts)}]}


FILE = {"type": "file", "file": {"file_data": DATA_URL, "filename": "sky.txt"}}
TEXT_SOURCE = {"type": "text", "media_type": "text/plain", "data": "The sky is blue."}
BASE64_SOURCE = {"type": "base64", "media_type": "text/markdown", "data": SKY}
CALLERS: dict[str, tuple[str, dict[str, Any]]] = {
    "file of chat": ("openai_chat", messages(FILE)),
    "text source": ("anthropic", messages({"type": "document", "source": TEXT_SOURCE, "title": "sky.txt"})),
    "base64 source": ("anthropic", messages({"type": "document", "source": BASE64_SOURCE, "title": "sky.txt"})),
    "file of Responses": (
        "openai_responses",
        {
            "model": "m",
            "input": [
                {"role": "user", "content": [{"type": "input_file", "file_data": DATA_URL, "filename": "sky.txt"}]}
            ],
        },
    ),
    "inline data": (
        "gemini",
        {
            "contents": [
                {
                    "role": "user",
                    "parts": [{"inlineData": {"mimeType": "text/csv", "data": SKY, "displayName": "sky.txt"}}],
                }
            ]
        },
    ),
}


def read(name: str, body: object) -> Ask:
    return SERVERS[name].read_ask(json.dumps(body).encode(), GEMINI)


def sent(member: str, ask: Ask, facts: Facts) -> tuple[tuple[Text | Media, ...], tuple[str, ...]]:
    """The words and media that a member is sent, and the notes."""
    outgoing = CLIENTS[member].write_ask(ask, facts)
    back = SERVERS[member].read_ask(outgoing.body, outgoing.path)
    parts = tuple(part for turn in back.turns for part in turn.parts if isinstance(part, Text | Media))
    return parts, outgoing.notes


@pytest.mark.parametrize(("caller", "member"), list(product(CALLERS, CLIENTS)))
def test_it_arrives_at_every_member_that_takes_no_documents(caller: str, member: str) -> None:
    (part,), notes = sent(member, read(*CALLERS[caller]), BLIND)
    if member == "anthropic":  # every model of this API takes it as a document
        assert isinstance(part, Media)
        assert (text_of(part), part.name) == ("The sky is blue.", "sky.txt")
        assert NOTE not in notes
    else:
        assert part == Text(WORDS)
        assert notes == (NOTE,)


@pytest.mark.parametrize(("caller", "member"), list(product(CALLERS, CLIENTS)))
def test_a_member_that_takes_documents_gets_the_document(caller: str, member: str) -> None:
    (part,), notes = sent(member, read(*CALLERS[caller]), READER)
    if member == "ollama":  # this API has no documents
        assert (part, notes) == (Text(WORDS), (NOTE,))
    else:
        assert isinstance(part, Media)
        assert (text_of(part), part.name, notes) == ("The sky is blue.", "sky.txt", ())


@pytest.mark.parametrize("member", CLIENTS)
def test_a_document_that_is_no_text_stays_what_it_is(member: str) -> None:
    pdf = Media("document", data="JVBERi0xLjcK", mime="application/pdf", name="a.pdf")
    ask = Ask("openai_chat", "m", (Turn("user", (Text("Read."), pdf)),))
    assert sent(member, ask, BLIND) == sent(member, ask, READER)


@pytest.mark.parametrize("member", [name for name in CLIENTS if name != "anthropic"])
def test_one_in_a_result_of_a_tool_stays_in_the_result(member: str) -> None:
    document = Media("document", data=SKY, mime="text/plain")
    turns = (
        Turn("user", (Text("Look."),)),
        Turn("assistant", (ToolCall("c", "look", "{}"),)),
        Turn("tool", (ToolResult("c", (document,)),)),
    )
    outgoing = CLIENTS[member].write_ask(Ask("anthropic", "m", turns), BLIND)
    back = SERVERS[member].read_ask(outgoing.body, outgoing.path)
    (result,) = [part for turn in back.turns for part in turn.parts if isinstance(part, ToolResult)]
    assert "The sky is blue." in "".join(part.text for part in result.parts if isinstance(part, Text))
    assert any("sent as text" in note for note in outgoing.notes)


@pytest.mark.parametrize(
    ("member", "kept"),
    [("anthropic", True), ("openai_chat", True), ("openai_responses", False), ("gemini", False), ("ollama", False)],
)
def test_its_cache_mark_stays_where_the_api_has_them_and_is_named_elsewhere(member: str, kept: bool) -> None:
    block = {"type": "document", "source": TEXT_SOURCE, "title": "sky.txt", "cache_control": MARK}
    parts, notes = sent(member, read("anthropic", messages(block)), BLIND)
    assert [json.loads(bytes(part.cache)) for part in parts if part.cache is not None] == [MARK] * kept
    assert any("Cache marks" in note for note in notes) is not kept


@pytest.mark.parametrize("name", ["content", "parts", "content as sent"])
def test_the_form_it_was_sent_in_does_not_bring_it_back(name: str) -> None:
    turn = Turn("user", (Media("document", data=SKY, mime="text/plain"),))
    lossy = name != "content as sent"
    for member in ("openai_chat", "gemini", "openai_responses"):
        ask = Ask(member, "m", (replace(turn, extras={name: Raw(json.dumps([FILE]).encode())}),))
        outgoing = CLIENTS[member].write_ask(ask, BLIND)
        assert b"base64" not in outgoing.body
        assert any("parts of a message" in note for note in outgoing.notes) is lossy


def test_what_only_messages_knows_of_it_is_named() -> None:
    block = {"type": "document", "source": TEXT_SOURCE, "citations": {"enabled": True}, "context": "weather"}
    ask = read("anthropic", messages(block))
    assert "citations" in CLIENTS["anthropic"].write_ask(ask, BLIND).body.decode()
    _, notes = sent("openai_chat", ask, BLIND)
    assert any("parts of a message" in note for note in notes)
