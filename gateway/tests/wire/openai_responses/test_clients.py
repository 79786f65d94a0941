"""Every request that real clients of this API were seen to send is read, and goes on to a member as it came.

The requests are in a folder beside the checkout, `../shared/clients`; without it there is only the one below, in the
shape of an agent that brings its tools in the input.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from gateway.canon.fault import BadRequest
from gateway.tests.wire.openai_responses.asking import CLOCK, PATCH, said
from gateway.wire.base import Facts
from gateway.wire.openai_responses import CLIENT, SERVER

SHARED = Path(__file__).resolve().parents[5] / "shared" / "clients"
OWN = {
    "model": "gpt-next",
    "stream": True,
    "input": [
        {
            "type": "additional_tools",
            "id": "at_1",
            "role": "developer",
            "tools": [{"type": "namespace", "name": "functions", "description": "", "tools": [PATCH]}, CLOCK],
        },
        {**said("developer", {"type": "input_text", "text": "You are an agent."}), "id": "msg_1"},
        {**said("user", {"type": "input_text", "text": "Change it."}), "id": "msg_2"},
        {"type": "reasoning", "id": "rs_1", "summary": [], "content": None, "encrypted_content": "gAAA"},
        {
            "type": "custom_tool_call",
            "id": "ctc_1",
            "status": "completed",
            "call_id": "t",
            "name": "patch",
            "input": "*",
        },
        {
            "type": "custom_tool_call_output",
            "id": "ctco_1",
            "call_id": "t",
            "output": [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}],
        },
    ],
    "tool_choice": "auto",
    "parallel_tool_calls": False,
    "reasoning": {"effort": "medium", "context": "all_turns"},
    "store": False,
    "include": ["reasoning.encrypted_content"],
    "prompt_cache_key": "k",
    "text": {"verbosity": "low"},
    "client_metadata": {"turn": "1"},
}


def requests() -> list[Any]:
    """(name, body) of each request."""
    found = [pytest.param(OWN, id="own")]
    for file in sorted(SHARED.glob("*/*.json")):
        told = json.loads(file.read_text())
        for number, exchange in enumerate(told.get("exchanges", ()) if isinstance(told, dict) else ()):
            if exchange["path"].endswith("/responses") and isinstance(exchange.get("body"), dict):
                found.append(pytest.param(exchange["body"], id=f"{file.parent.name}/{file.stem}-{number}"))
    return found


def test_the_requests_are_there() -> None:
    if not SHARED.is_dir():
        pytest.skip("no ../shared/clients beside this checkout: only the request written here is read")
    assert len(requests()) > 50


@pytest.mark.parametrize("body", requests())
def test_a_clients_request_is_read_and_goes_on_as_it_came(body: dict[str, Any]) -> None:
    sent = json.dumps(body).encode()
    if body.get("previous_response_id"):
        with pytest.raises(BadRequest, match="Send the whole conversation"):
            SERVER.read_ask(sent)
        return
    ask = SERVER.read_ask(sent)
    written = CLIENT.write_ask(ask, Facts(body["model"], stream=bool(body.get("stream"))))
    went = json.loads(written.body)

    assert written.notes == ()
    assert items_of(went) == items_of(body)
    for name in ("tools", "include", "reasoning", "text", "prompt_cache_key", "client_metadata", "max_output_tokens"):
        assert bare(went.get(name)) == bare(body.get(name))
    assert went["store"] is False
    CLIENT.write_ask(ask, Facts("m", plain_tools=True))


def items_of(body: dict[str, Any]) -> list[Any]:
    """The input in one form: without the ids and states of items, which are a client's own, and text as text."""
    items = body["input"] if isinstance(body["input"], list) else [said("user", body["input"])]
    if items[0].get("role") == "system":
        items = [said("system", text_of(items[0]["content"])), *items[1:]]
    if body.get("instructions"):
        items = [said("system", body["instructions"]), *items]
    return [item_of(item) for item in items]


def item_of(item: dict[str, Any]) -> dict[str, Any]:
    if item.get("type") == "reasoning":
        return item
    kept = {name: value for name, value in item.items() if name not in ("id", "status")}
    if "role" in kept and "content" in kept:
        return {**kept, "type": "message", "content": text_of(kept["content"])}
    return {name: value for name, value in kept.items() if name != "internal_chat_message_metadata_passthrough"}


def text_of(content: Any) -> Any:
    if isinstance(content, list):
        plain = [{name: part[name] for name in part if name not in ("annotations", "logprobs")} for part in content]
        return plain[0]["text"] if len(plain) == 1 and "text" in plain[0] else plain
    return content


def bare(value: Any) -> Any:
    """A value without fields that are null or say nothing."""
    if isinstance(value, dict):
        return {name: bare(inner) for name, inner in value.items() if inner is not None and inner != ""}
    return [bare(inner) for inner in value] if isinstance(value, list) else value
