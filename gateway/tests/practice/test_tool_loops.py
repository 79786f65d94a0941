"""The characters that call every tool, over a whole loop in every format that members speak."""

from __future__ import annotations

import base64
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from gateway.canon.ask import Ask, Text, Thought, Tool, ToolCall, ToolChoice, ToolResult, Turn
from gateway.canon.event import ArgsDelta, Finish, ToolOpened
from gateway.canon.reply import Reply
from gateway.practice.events import events_of
from gateway.practice.native_seals import PLACES
from gateway.practice.request import read_request
from gateway.practice.seals import is_whole, make_seal
from gateway.practice.squad import play
from gateway.tests.practice.asking import BASES, ask_for, read, send
from gateway.wire.registry import CLIENTS

PROTOCOLS = tuple(BASES)
BOTH = pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])
QUESTION = "Das Wetter in Zürich und 東京 – 17 + 25?"
WEATHER = Tool(
    "weather",
    parameters=Raw(
        b'{"type":"object","properties":{"place":{"type":"object","properties":{"city":{"type":"string"},'
        b'"at":{"type":"array","items":{"type":"number"},"minItems":2}},"required":["city","at"]}},"required":["place"]}'
    ),
)
CLOCK = Tool("clock", parameters=Raw(b'{"type":"object","properties":{}}'))
TOOLS = (WEATHER, CLOCK)
CALLS_ARE_SEALED = ("openai_chat", "gemini")
MADE = base64.b64encode(b"practice:")
"""How every seal of the squad begins."""


async def replied(protocol: str, served: str, ask: Ask, *, stream: bool) -> Reply:
    answer = await send(protocol, served, ask, stream=stream)
    assert answer.status == 200, answer.body
    return read(protocol, answer)


def told(ask: Ask, reply: Reply, parts: tuple[Any, ...] | None = None) -> Ask:
    """The request with the model's turn, or these parts in its place, and with what its tools gave."""
    results = tuple(ToolResult(call.id, (Text(f"{call.name} says so"),), name=call.name) for call in reply.calls)
    turns = (*ask.turns, Turn("assistant", reply.parts if parts is None else parts), Turn("tool", results))
    return msgspec.structs.replace(ask, turns=turns)


@BOTH
@pytest.mark.parametrize("served", ["handy", "keeper"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_every_tool_is_called_once_and_every_result_told(protocol: str, served: str, stream: bool) -> None:
    ask = ask_for(QUESTION, tools=TOOLS)
    reply = await replied(protocol, served, ask, stream=stream)
    assert [call.name for call in reply.calls] == ["weather", "clock"]
    assert len({call.id for call in reply.calls}) == 2
    place = {"place": {"city": QUESTION, "at": [17, 25]}}
    assert [msgspec.json.decode(call.arguments) for call in reply.calls] == [place, {}]
    assert reply.finish is Finish.TOOL_USE
    answer = await replied(protocol, served, told(ask, reply), stream=stream)
    assert answer.text == "weather gave: weather says so\nclock gave: clock says so"
    assert (answer.calls, answer.finish) == ((), Finish.STOP)


@BOTH
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_keeper_goes_on_only_with_its_seals(protocol: str, stream: bool) -> None:
    ask = ask_for(QUESTION, tools=TOOLS)
    reply = await replied(protocol, "keeper", ask, stream=stream)
    assert sum(isinstance(part, Thought) and part.seal is not None for part in reply.parts) == 1
    assert (reply.calls[0].seal is not None) is (protocol in CALLS_ARE_SEALED)

    def changed(part: Any) -> Any:
        seal = getattr(part, "seal", None)
        return part if seal is None else msgspec.structs.replace(part, seal=_with_another_letter(seal))

    only_calls = tuple(part for part in reply.parts if isinstance(part, ToolCall))
    only_thoughts_sealed = tuple(
        msgspec.structs.replace(part, seal=None) if isinstance(part, ToolCall) else part for part in reply.parts
    )
    cases = [(tuple(map(changed, reply.parts)), "not as it was made"), (only_calls, "did not come back")]
    if protocol == "openai_chat":  # another writes for a member what its validator may skip
        cases.append((only_thoughts_sealed, "first of these tool calls did not come back"))
    for parts, why in cases:
        answer = await send(protocol, "keeper", told(ask, reply, parts), stream=stream)
        assert answer.status == 400, (why, answer.body)
        assert why in CLIENTS[protocol].read_error(400, answer.body)[0]


def _with_another_letter(seal: Raw) -> Raw:
    """The same seal with one letter changed in the middle of what is opaque."""
    raw = bytes(seal)
    at = raw.index(MADE) + 24
    return Raw(raw[:at] + (b"A" if raw[at : at + 1] != b"A" else b"B") + raw[at + 1 :])


def test_pieces_of_the_calls_come_in_turn() -> None:
    function = {"parameters": WEATHER.parameters}
    tools = [{"type": "function", "function": {"name": name, **function}} for name in ("here", "there")]
    body = {"model": "handy", "messages": [{"role": "user", "content": QUESTION}], "tools": tools}
    script = play("handy", read_request(msgspec.json.encode(body)), Random(1))
    events = [
        event for _, event in events_of(script, "x", PLACES["ollama"]) if isinstance(event, ToolOpened | ArgsDelta)
    ]
    assert [type(event) for event in events[:4]] == [ToolOpened, ArgsDelta, ToolOpened, ArgsDelta]
    pieces = [event.part for event in events if isinstance(event, ArgsDelta)]
    assert pieces == [1, 2] * (len(pieces) // 2)
    assert len(pieces) > 10


@pytest.mark.parametrize(
    ("choice", "called"),
    [
        (ToolChoice("required"), ["weather", "clock"]),
        (ToolChoice("auto", parallel=False), ["weather"]),
        (ToolChoice("named", "clock"), ["clock"]),
        (ToolChoice("none"), []),
    ],
)
async def test_a_choice_of_fewer_calls_is_heard(choice: ToolChoice, called: list[str]) -> None:
    ask = ask_for("What is the weather?", tools=TOOLS, tool_choice=choice)
    reply = await replied("openai_chat", "handy", ask, stream=True)
    assert [call.name for call in reply.calls] == called


def test_a_seal_is_known_to_the_last_letter() -> None:
    one, other = make_seal(Random(1)), make_seal(Random(2))
    assert one != other
    assert is_whole(one)
    assert is_whole(one.replace("+", "-").replace("/", "_"))
    for place in range(len(one)):
        assert not is_whole(one[:place] + ("x" if one[place] != "x" else "y") + one[place + 1 :]), place
    assert not any(map(is_whole, ("", "é", one[:-4], one + "AAAA", base64.b64encode(b"practice:").decode())))
