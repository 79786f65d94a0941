"""Fields that canon has no word for: a member of the caller's protocol gets them where they stood, and to all others
their loss is named."""

import json
from typing import Any

import pytest

from gateway.wire.base import Facts
from gateway.wire.registry import CLIENTS, SERVERS

PATH = "/v1beta/models/m:generateContent"
CALL = {"id": "c", "type": "function", "x_call": 1, "function": {"name": "f", "arguments": "{}", "x_in": 2}}
CASES: dict[str, tuple[str, Any]] = {
    "a part of a chat message": (
        "openai_chat",
        {
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "a", "x_part": 1}, {"type": "text", "text": "b"}]}
            ]
        },
    ),
    "the picture of a chat message": (
        "openai_chat",
        {
            "messages": [
                {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://h/a", "x": 1}}]}
            ]
        },
    ),
    "a call of chat": ("openai_chat", {"messages": [{"role": "assistant", "content": None, "tool_calls": [CALL]}]}),
    "a function of chat": (
        "openai_chat",
        {
            "messages": [{"role": "user", "content": "hi"}],
            "tools": [{"type": "function", "x_tool": 1, "function": {"name": "f", "x_in": [2]}}],
        },
    ),
    "annotations of an answer in Responses": (
        "openai_responses",
        {
            "input": [
                {
                    "type": "message",
                    "role": "assistant",
                    "content": [{"type": "output_text", "text": "a", "annotations": [{"type": "url_citation"}]}],
                    "phase": "commentary",
                },
                {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}", "x_call": {"y": 1}},
                {
                    "type": "message",
                    "role": "assistant",
                    "content": [{"type": "output_text", "text": "b"}],
                    "phase": "commentary",
                },
                {"type": "function_call_output", "call_id": "c", "output": "ok", "x_output": 1},
            ]
        },
    ),
    "a function of Ollama": (
        "ollama",
        {
            "messages": [{"role": "user", "content": "hi"}],
            "tools": [{"type": "function", "x_tool": 1, "function": {"name": "f", "x_in": [2]}}],
        },
    ),
    "a call and a result of Gemini": (
        "gemini",
        {
            "contents": [
                {"role": "user", "parts": [{"text": "hi"}]},
                {"role": "model", "parts": [{"functionCall": {"id": "c", "name": "f", "args": {}, "xCall": 1}}]},
                {
                    "role": "user",
                    "parts": [
                        {"functionResponse": {"id": "c", "name": "f", "response": {"a": 1}, "willContinue": True}}
                    ],
                },
            ]
        },
    ),
}


def own_names(value: Any) -> set[str]:
    """The names of fields that no format knows, but for those inside a part that goes by another sentence."""
    text = json.dumps(value)
    return {name for name in ("x_call", "x_in", "x_tool", "x_output", "xCall", "willContinue", "phase") if name in text}


@pytest.mark.parametrize("case", list(CASES))
def test_a_member_of_the_same_protocol_gets_them_where_they_stood(case: str) -> None:
    name, sent = CASES[case]
    ask = SERVERS[name].read_ask(json.dumps(sent).encode(), PATH)
    outgoing = CLIENTS[name].write_ask(ask, Facts("m"))
    body = json.loads(outgoing.body)

    assert {field: body[field] for field in sent} == sent
    assert outgoing.notes == ()


@pytest.mark.parametrize(
    ("case", "member"), [(case, member) for case, (name, _) in CASES.items() for member in CLIENTS if member != name]
)
def test_to_all_others_their_loss_is_named(case: str, member: str) -> None:
    name, sent = CASES[case]
    outgoing = CLIENTS[member].write_ask(SERVERS[name].read_ask(json.dumps(sent).encode(), PATH), Facts("m"))
    notes = " ".join(outgoing.notes)

    for field in own_names(sent):
        assert f"{field}` of " in notes
        assert field.encode() not in outgoing.body
    of_parts = ("a part of a chat message", "the picture of a chat message", "annotations of an answer in Responses")
    assert ("What only the caller's API knows of the parts of a message" in notes) == (case in of_parts)


def test_content_goes_out_as_it_was_sent_only_while_it_is_the_turns() -> None:
    """Two messages in a row, one of which says nothing: what is kept of one is never sent as the other."""
    said: list[dict[str, Any]] = [
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a", "annotations": []}]},
        {"type": "message", "role": "assistant", "content": []},
        {"type": "reasoning", "summary": []},
        {"type": "message", "role": "assistant", "content": "b"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "c"}]},
    ]
    ask = SERVERS["openai_responses"].read_ask(json.dumps({"input": said}).encode())
    body = json.loads(CLIENTS["openai_responses"].write_ask(ask, Facts("m")).body)

    assert [item["content"] for item in body["input"]] == [said[0]["content"], "b", said[4]["content"]]


def test_a_member_for_plain_text_gets_plain_text() -> None:
    for name, field in (("openai_chat", "messages"), ("openai_responses", "input")):
        kind = "text" if name == "openai_chat" else "input_text"
        sent = {field: [{"role": "user", "content": [{"type": kind, "text": "a", "x": 1}]}]}
        ask = SERVERS[name].read_ask(json.dumps(sent).encode())
        body = json.loads(CLIENTS[name].write_ask(ask, Facts("m", content_lists=False)).body)
        assert body[field][0]["content"] == "a"
