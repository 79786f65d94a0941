"""Free-text tools and the members that know them or do not: the caller's tool works with both, and its call comes back
as free text."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from gateway.canon.fault import Rejected
from gateway.canon.reply import Reply, fold, unfold
from gateway.engine.quirks import apply_quirk, apply_quirks, quirk_in
from gateway.wire.base import Facts, Stamp
from gateway.wire.registry import CLIENTS, SERVERS

Member = Callable[[dict[str, Any]], tuple[int, bytes]]
PATCH = '*** Begin\n+"é"'
STAMP = Stamp("id_1", 1_790_000_000, "bench/core")
GRAMMAR = {"syntax": "lark", "definition": "start: /.+/s"}
ASKED = {
    "openai_chat": {
        "messages": [
            {"role": "user", "content": "go"},
            {
                "role": "assistant",
                "tool_calls": [{"id": "c0", "type": "custom", "custom": {"name": "patch", "input": "first"}}],
            },
            {"role": "tool", "tool_call_id": "c0", "content": "ok"},
        ],
        "tools": [
            {
                "type": "custom",
                "custom": {"name": "patch", "format": {"type": "grammar", "grammar": GRAMMAR}},
            }
        ],
        "tool_choice": {"type": "custom", "custom": {"name": "patch"}},
    },
    "openai_responses": {
        "input": [
            {"role": "user", "content": "go"},
            {"type": "custom_tool_call", "call_id": "c0", "name": "patch", "input": "first"},
            {
                "type": "custom_tool_call_output",
                "call_id": "c0",
                "output": [{"type": "input_text", "text": "ok"}],
            },
        ],
        "tools": [{"type": "custom", "name": "patch", "format": {"type": "grammar", **GRAMMAR}}],
        "tool_choice": {"type": "custom", "name": "patch"},
    },
}


def only_functions(request: dict[str, Any]) -> tuple[int, bytes]:
    """A chat server of the usual kind: every other tool, call or choice is a 400."""
    kinds = [
        *(tool["type"] for tool in request["tools"]),
        *(call["type"] for message in request["messages"] for call in message.get("tool_calls") or ()),
        request["tool_choice"]["type"],
    ]
    if set(kinds) != {"function"}:
        return 400, b'{"error":{"message":"tools[0].type: unknown variant `custom`, expected `function`"}}'
    return 200, answer({"type": "function", "function": {"name": "patch", "arguments": json.dumps({"input": PATCH})}})


def both_kinds(request: dict[str, Any]) -> tuple[int, bytes]:
    """A chat server that answers a tool in the way it was offered."""
    if request["tools"][0]["type"] == "function":
        return only_functions(request)
    assert request["tools"][0]["custom"]["format"]["grammar"] == GRAMMAR
    return 200, answer({"type": "custom", "custom": {"name": "patch", "input": PATCH}})


def answer(call: dict[str, Any]) -> bytes:
    message = {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", **call}]}
    return json.dumps(
        {"id": "x", "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}
    ).encode()


def only_functions_in_responses(request: dict[str, Any]) -> tuple[int, bytes]:
    """The same for a server of the Responses API."""
    named = [*request["tools"], request["tool_choice"], *request["input"]]
    if any(entry.get("type", "").startswith("custom") for entry in named):
        return 400, b'{"error":{"message":"Invalid value: \'custom\'. Supported values are: \'function\'."}}'
    call = {"type": "function_call", "call_id": "c1", "name": "patch", "arguments": json.dumps({"input": PATCH})}
    return 200, json.dumps({"id": "x", "status": "completed", "output": [call]}).encode()


def ask_member(caller: str, api: str, member: Member, facts: Facts) -> tuple[bytes, bytes, list[str]]:
    """(the whole answer, the same streamed, the quirks that were found) as the caller gets them: a refusal is answered
    in the member's dialect, as the engine does."""
    server, client = SERVERS[caller], CLIENTS[api]
    ask = server.read_ask(json.dumps({"model": "bench/core", **ASKED[caller]}).encode())
    found: list[str] = []
    while True:
        status, body = member(json.loads(client.write_ask(ask, facts).body))
        if status == 200:
            break
        quirk = quirk_in(facts, Rejected(client.read_error(status, body)[0], upstream_status=status))
        assert quirk is not None
        found.append(quirk)
        facts = apply_quirk(facts, quirk)
    reply = read(api, body)
    streamed = server.writer(ask, STAMP)
    return server.writer(ask, STAMP).whole(reply), b"".join(map(streamed.feed, unfold(reply))), found


def read(api: str, body: bytes) -> Reply:
    reader = CLIENTS[api].reader(content_type="")
    return fold([*reader.feed(body), *reader.end()])


@pytest.mark.parametrize("caller", list(ASKED))
@pytest.mark.parametrize(
    ("api", "member", "quirks", "found"),
    [
        ("openai_chat", only_functions, {}, []),
        ("openai_chat", both_kinds, {}, []),
        ("openai_chat", both_kinds, {"custom_tools": True}, []),
        ("openai_chat", only_functions, {"custom_tools": True}, ["plain_tools"]),
        ("openai_chat", both_kinds, {"custom_tools": True, "plain_tools": True}, []),
        ("openai_responses", only_functions_in_responses, {}, ["plain_tools"]),
        ("openai_responses", only_functions_in_responses, {"plain_tools": True}, []),
    ],
)
def test_a_free_text_call_comes_back_whatever_the_member_knows(
    caller: str, api: str, member: Member, quirks: dict[str, bool], found: list[str]
) -> None:
    whole, streamed, learned = ask_member(caller, api, member, apply_quirks(Facts("m"), quirks))

    assert learned == found
    for told in (read(caller, whole), read(caller, streamed)):
        (call,) = told.calls
        assert (call.id, call.name, call.arguments, call.custom) == ("c1", "patch", PATCH, True)
