"""What a real client sends, a member of the same protocol gets: conversation, instructions and tools, but for changes
that mean nothing. From turn to turn the start of it stays the same byte for byte, so that providers' caches hold.

The changes that are allowed for are written down here, format by format.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from gateway.tests.wire.bodies import SHARED
from gateway.tests.wire.transcripts import MESSAGES, Written, conversations

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="no ../shared/clients beside this checkout")
MARK = re.compile(rb',?"cache_control":\{[^{}]*\}')
Json = Any


def without(entry: Json, *names: str) -> Json:
    """The object without fields of these names, and without those that hold nothing."""
    return {name: value for name, value in entry.items() if name not in names and value not in (None, [], "", {})}


def chat(body: Json) -> Json:
    """Fields that hold nothing are left out, and reasoning that comes under two names goes out under one."""
    messages = [without(message, "reasoning") for message in body["messages"]]
    tools = [{**tool, tool["type"]: without(tool[tool["type"]])} for tool in body.get("tools") or ()]
    return {"messages": messages, "tools": tools}


def messages(body: Json) -> Json:
    """Instructions are a list, messages of one role in a row are one, and a result of one text is a text."""
    merged: list[Json] = []
    for message in body["messages"]:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else [*map(_block, content)]
        if merged and merged[-1]["role"] == message["role"]:
            merged[-1]["content"] += blocks
        else:
            merged.append({**message, "content": blocks})
    for message in merged:
        message["content"].sort(key=lambda block: block["type"] != "tool_result")
    system = body.get("system") or []
    system = [{"type": "text", "text": system}] if isinstance(system, str) else system
    tools = [without(tool, *(["type"] if tool.get("type") == "custom" else [])) for tool in body.get("tools") or ()]
    return {"messages": merged, "system": system, "tools": tools}


def _block(block: Json) -> Json:
    match block:
        case {"type": "tool_result", "content": [{"type": "text", "text": text, **more}]} if not more:
            block = {**block, "content": text}
    return {name: value for name, value in block.items() if (name, value) != ("is_error", False)}


def responses(body: Json) -> Json:
    """Ids and states of items are left out, text is a message, a system message at the start is `instructions`."""
    sent = body["input"]
    items = [{"role": "user", "content": sent}] if isinstance(sent, str) else sent
    items = [
        {"type": "message", **(item if item.get("type") == "reasoning" else without(item, "id", "status"))}
        for item in items
    ]
    instructions = body.get("instructions")
    if not instructions and items[0].get("role") == "system":
        instructions = items.pop(0)["content"]
    return {"input": items, "instructions": instructions or None, "tools": [*map(without, body.get("tools") or ())]}


def contents(body: Json) -> Json:
    """Names are in camelCase, ids of calls are made up where there are none, data has the usual letters; schemas are
    in whichever field says them."""
    merged: list[Json] = []
    for content in _camel(body["contents"]):
        parts = [_part(part) for part in content["parts"]]
        if merged and merged[-1]["role"] == content.get("role", "user"):
            merged[-1]["parts"] += parts
        else:
            merged.append({"role": content.get("role", "user"), "parts": parts})
    for content in merged:
        content["parts"].sort(key=lambda part: "functionResponse" not in part)
    functions = [
        {"name": tool["name"], "description": tool.get("description") or ""}
        for entry in _camel(body.get("tools") or [])
        for tool in entry.get("functionDeclarations", ())
    ]
    system = _camel(body.get("systemInstruction") or body.get("system_instruction") or {}).get("parts")
    return {"contents": merged, "tools": functions, "system": system}


def _part(part: Json) -> Json:
    part = {**part}
    for name in ("functionCall", "functionResponse"):
        if name in part:
            part[name] = {field: value for field, value in part[name].items() if field != "id"}
    if "inlineData" in part:
        data = part["inlineData"]["data"].replace("-", "+").replace("_", "/")
        part["inlineData"] = {**part["inlineData"], "data": data}
    return part


def _camel(value: Json) -> Json:
    if isinstance(value, list):
        return [*map(_camel, value)]
    if not isinstance(value, dict):
        return value
    kept = ("args", "response", "parameters", "parametersJsonSchema")
    named = [(re.sub("_(.)", lambda found: found[1].upper(), name), inner) for name, inner in value.items()]
    return {name: inner if name in kept else _camel(inner) for name, inner in named}


def ollama(body: Json) -> Json:
    """Calls get ids and results name the calls they answer, if there are any; a result of no call is the user's."""
    known = ("id", "tool_call_id", "tool_name")
    sent: list[Json] = []
    for message in body["messages"]:
        message = without(message, *known)
        calls = [{"function": without(call["function"], "index")} for call in message.pop("tool_calls", ())]
        pictures = [image.rpartition(",")[2] for image in message.pop("images", ())]
        role = "user" if message["role"] == "tool" and not any("calls" in one for one in sent) else message["role"]
        sent.append(
            {**message, "role": role, "calls": calls, "images": pictures}
            if calls
            else {**message, "role": role, "images": pictures}
        )
    return {"messages": sent, "tools": body.get("tools") or []}


SAID = {
    "openai_chat": chat,
    "anthropic": messages,
    "openai_responses": responses,
    "gemini": contents,
    "ollama": ollama,
}
TRANSCRIPTS = list(conversations()) if SHARED.is_dir() else []


@pytest.mark.parametrize(("name", "file", "requests"), TRANSCRIPTS, ids=[f"{one[0]}-{one[1]}" for one in TRANSCRIPTS])
def test_a_member_of_the_same_protocol_gets_what_was_sent(name: str, file: str, requests: list[Written]) -> None:
    for request in requests:
        assert SAID[name](request.out) == SAID[name](request.sent)


@pytest.mark.parametrize("name", list(SAID))
def test_the_start_of_a_conversation_stays_the_same_byte_for_byte(name: str) -> None:
    turns = 0
    for protocol, _, requests in TRANSCRIPTS:
        for one, other in pairwise(requests):
            if protocol == name and goes_on(name, one, other):
                turns += 1
                start = MARK.sub(b"", one.conversation)
                assert start.endswith(b"]")
                assert MARK.sub(b"", other.conversation).startswith(start[:-1])
    assert turns > 3


def goes_on(name: str, one: Written, other: Written) -> bool:
    """Did the client itself send the same again, and more? Cache marks move."""
    field = MESSAGES.get(name, "messages")
    before, after = unmarked(one.sent[field]), unmarked(other.sent[field])
    return isinstance(before, list) and len(before) < len(after) and after[: len(before)] == before


def unmarked(value: Json) -> Json:
    if isinstance(value, list):
        return [*map(unmarked, value)]
    if isinstance(value, dict):
        return {name: unmarked(inner) for name, inner in value.items() if name != "cache_control"}
    return value
