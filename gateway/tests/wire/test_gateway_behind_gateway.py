"""A member may be a gateway itself: what it seals for its own members goes through this one, to the caller and back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import Ask, Thought, ToolCall
from gateway.canon.event import Finish, Usage
from gateway.canon.reply import Reply, fold, unfold
from gateway.wire.base import Facts, Stamp
from gateway.wire.registry import CLIENTS, SERVERS

PROTOCOLS = ("openai_chat", "openai_responses", "anthropic", "gemini", "ollama")
OF_THOUGHT, OF_CALL = Raw(b'{"elsewhere":{"state":"abc"}}'), Raw(b'{"elsewhere":{"state":"def"}}')
REPLY = Reply(
    parts=(Thought("Why?", OF_THOUGHT), ToolCall("call_1", "look", '{"at":1}', seal=OF_CALL)),
    finish=Finish.TOOL_USE,
    usage=Usage(3, 4),
)
PATH = "/v1beta/models/m:generateContent"


def asked(protocol: str, reply: Any = None) -> bytes:
    """A request, with what this reply said and the result of its call."""
    match protocol:
        case "openai_chat" | "ollama":
            messages: list[Any] = [{"role": "user", "content": "Hello?"}]
            if reply is not None:
                said = reply["choices"][0]["message"] if protocol == "openai_chat" else reply["message"]
                result = {"role": "tool", "content": "seen", "tool_call_id": "call_1", "tool_name": "look"}
                messages += [said, result]
            return json.dumps({"model": "m", "messages": messages}).encode()
        case "openai_responses":
            items: list[Any] = [{"role": "user", "content": "Hello?"}]
            if reply is not None:
                items += [*reply["output"], {"type": "function_call_output", "call_id": "call_1", "output": "seen"}]
            return json.dumps({"model": "m", "input": items}).encode()
        case "anthropic":
            turns: list[Any] = [{"role": "user", "content": "Hello?"}]
            if reply is not None:
                result = {"type": "tool_result", "tool_use_id": "call_1", "content": "seen"}
                turns += [{"role": "assistant", "content": reply["content"]}, {"role": "user", "content": [result]}]
            return json.dumps({"model": "m", "max_tokens": 9, "messages": turns}).encode()
        case _:
            contents: list[Any] = [{"role": "user", "parts": [{"text": "Hello?"}]}]
            if reply is not None:
                answer: dict[str, Any] = {
                    "functionResponse": {"id": "call_1", "name": "look", "response": {"output": "seen"}}
                }
                contents += [reply["candidates"][0]["content"], {"role": "user", "parts": [answer]}]
            return json.dumps({"contents": contents}).encode()


def told(protocol: str, reply: Reply, stream: bool) -> tuple[bytes, str]:
    """(bytes, content type) of a gateway's answer."""
    writer = SERVERS[protocol].writer(read(protocol, asked(protocol)), Stamp("id_1", 0, "m"))
    if not stream:
        return writer.whole(reply), "application/json"
    return b"".join(map(writer.feed, unfold(reply))), writer.content_type


def heard(protocol: str, data: bytes, content_type: str) -> Reply:
    reader = CLIENTS[protocol].reader(content_type=content_type)
    return fold([*reader.feed(data), *reader.end()])


def read(protocol: str, body: bytes) -> Ask:
    return SERVERS[protocol].read_ask(body, PATH, "")


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_a_gateway_sealed_comes_back_to_it(protocol: str, stream: bool) -> None:
    reply = heard(protocol, *told(protocol, REPLY, stream))
    shown, _ = told(protocol, reply, stream=False)
    ask = read(protocol, asked(protocol, json.loads(shown)))
    outgoing = CLIENTS[protocol].write_ask(ask, Facts(served="m", stream=False, base="http://127.0.0.1"))
    returned = read(protocol, outgoing.body)
    parts = [part for turn in returned.turns if turn.role == "assistant" for part in turn.parts]
    thoughts = [json.loads(bytes(part.seal)) for part in parts if isinstance(part, Thought) and part.seal is not None]
    calls = [json.loads(bytes(part.seal)) for part in parts if isinstance(part, ToolCall) and part.seal is not None]
    assert (thoughts, calls) == ([json.loads(bytes(OF_THOUGHT))], [json.loads(bytes(OF_CALL))])
