"""Every request that real clients of this API were seen to send is read, and goes on to a member as it came.

The requests are in a folder beside the checkout, `../shared/clients`; without it there is only the one below, in the
mix of spellings that a client was seen to send.
"""

import json
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from gateway.canon.ask import Ask, Role, Turn
from gateway.tests.wire.gemini.asking import STREAM_PATH
from gateway.wire.base import Facts
from gateway.wire.gemini import CLIENT, SERVER, read_count, read_path
from gateway.wire.gemini.path import EMBEDS
from gateway.wire.gemini.shape import camel

SHARED = Path(__file__).resolve().parents[5] / "shared" / "clients"
OWN = {
    "contents": [
        {"role": "user", "parts": [{"text": "Weather?"}, {"inline_data": {"data": "AAAA", "mime_type": "image/png"}}]},
        {
            "role": "model",
            "parts": [
                {"text": "I look."},
                {"function_call": {"name": "f", "args": {"some_key": 1}, "id": "t0"}, "thoughtSignature": "c2ln"},
            ],
        },
        {
            "role": "user",
            "parts": [{"function_response": {"name": "f", "response": {"content": "21 C"}, "id": "t0"}}],
        },
    ],
    "systemInstruction": {"role": "user", "parts": [{"text": "Be terse."}]},
    "tools": [
        {
            "functionDeclarations": [
                {"name": "f", "description": "", "parameters_json_schema": {"type": "object", "$schema": "x"}}
            ]
        }
    ],
    "toolConfig": {"functionCallingConfig": {"mode": "VALIDATED"}},
    "generationConfig": {"max_output_tokens": 9, "thinkingConfig": {"include_thoughts": True, "thinking_budget": 512}},
}


def requests() -> list[Any]:
    """(path, body) of each request."""
    found = [pytest.param(f"{STREAM_PATH}?alt=sse", OWN, id="own")]
    for file in sorted(SHARED.glob("**/*.json")):
        told = json.loads(file.read_text())
        for number, exchange in enumerate(told.get("exchanges", ()) if isinstance(told, dict) else ()):
            asked = read_path(exchange["path"])
            if asked is not None and asked[1] not in EMBEDS and isinstance(exchange.get("body"), dict):
                found.append(
                    pytest.param(exchange["path"], exchange["body"], id=f"{file.parent.name}/{file.stem}-{number}")
                )
    return found


def test_the_requests_are_there() -> None:
    if not SHARED.is_dir():
        pytest.skip("no ../shared/clients beside this checkout: only the request written here is read")
    assert len(requests()) > 50


@pytest.mark.parametrize(("path", "body"), requests())
def test_a_clients_request_is_read_and_goes_on_as_it_came(path: str, body: dict[str, Any]) -> None:
    plain, _, query = path.partition("?")
    sent = json.dumps(body).encode()
    ask = read_count(sent, plain) if plain.endswith("countTokens") else SERVER.read_ask(sent, plain, query)
    written = CLIENT.write_ask(ask, Facts(ask.model, stream=ask.stream))
    went = json.loads(written.body)

    assert written.notes == ()
    assert ask.stream == ("alt=sse" in query)
    again = SERVER.read_ask(written.body, plain, query)
    assert settled(again) == settled(ask)
    assert [(tool.name, tool.description) for tool in again.tools] == [
        (tool.name, tool.description) for tool in ask.tools
    ]
    for name in ("systemInstruction", "toolConfig", "safetySettings"):
        assert in_one_form(went.get(name), name) == in_one_form(body.get(name), name)
    assert signatures_of(went) == signatures_of(body)


def signatures_of(body: dict[str, Any]) -> list[str]:
    parts = [part for content in body["contents"] for part in content["parts"]]
    return [part["thoughtSignature"] for part in parts if "thoughtSignature" in part]


def settled(ask: Ask) -> Ask:
    """With turns of one role as one. Without schemas, which may come back in other words for the same."""
    turns = [Turn(role, tuple(part for turn in group for part in turn.parts)) for role, group in by_role(ask.turns)]
    return replace(ask, turns=tuple(turns), tools=(), output=None)


def by_role(turns: tuple[Turn, ...]) -> list[tuple[Role, list[Turn]]]:
    return [(role, list(group)) for role, group in groupby(turns, key=lambda turn: turn.role)]


def in_one_form(value: Any, inside: str) -> Any:
    """In camelCase, without what goes without saying."""
    if not isinstance(value, dict):
        return value
    usual = {"role": "user"} if inside == "systemInstruction" else {"functionCallingConfig": {"mode": "AUTO"}}
    return {camel(name): inner for name, inner in value.items() if usual.get(name) != inner} or None
