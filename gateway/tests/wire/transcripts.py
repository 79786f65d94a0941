"""Real clients' requests, in the order in which each client sent them, and what a member of the same protocol gets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from gateway.canon.fault import CallerFault
from gateway.tests.wire.bodies import SHARED, Sent, format_of
from gateway.wire.base import Facts
from gateway.wire.registry import CLIENTS, SERVERS

MESSAGES = {"openai_responses": "input", "gemini": "contents"}
"""What a conversation is called in each format; `messages` in all others."""
FACTS = Facts("m", developer_role=True, reasoning_field="reasoning_content", plain_tools=False)


class Written(NamedTuple):
    """One request as sent, as it goes out, and the conversation's own bytes."""

    sent: dict[str, Any]
    out: dict[str, Any]
    conversation: bytes


def conversations() -> Iterator[tuple[str, str, list[Written]]]:
    """(format, name of the transcript, its requests that a member of the format could get)."""
    for file in sorted(SHARED.rglob("*.json")):
        found: dict[str, list[Written]] = {}
        for exchange in json.loads(file.read_text()).get("exchanges") or ():
            path, _, query = str(exchange.get("path") or "").partition("?")
            name, body = format_of(path), exchange.get("body")
            if name in CLIENTS and isinstance(body, dict):
                written = pass_on(name, Sent(path, query, body))
                if written is not None:
                    found.setdefault(name, []).append(written)
        for name, requests in found.items():
            yield name, f"{file.parent.name}/{file.stem}", requests


def pass_on(name: str, sent: Sent) -> Written | None:
    """The request as a member of the same format gets it; None where it is refused."""
    raw = json.dumps(sent.body, ensure_ascii=False, separators=(",", ":")).encode()
    try:
        ask = SERVERS[name].read_ask(raw, sent.path, sent.query)
    except CallerFault:
        return None
    if name == "anthropic":  # clients that put instructions among the messages say so in a header
        ask = replace(ask, extras={**ask.extras, "anthropic-beta": Raw(b'"mid-conversation-system"')})
    out = CLIENTS[name].write_ask(ask, FACTS).body
    conversation = bytes(msgspec.json.decode(out, type=dict[str, Raw])[MESSAGES.get(name, "messages")])
    return Written(sent.body, json.loads(out), conversation)
