"""What the questions of probes ask, and how answers to them are judged."""

from __future__ import annotations

import struct
import zlib
from base64 import b64decode

import pytest

from gateway.canon.ask import Text, Thought, ToolCall
from gateway.canon.event import Usage
from gateway.canon.kinds import CallStatus
from gateway.canon.reply import Reply, ReplyPart
from gateway.canon.tokens import count_ask
from gateway.engine.order import Outcome
from probes.asking import Question
from probes.questions import IMAGE, INSTRUCT, LARGE, REASONING, SCHEMA, TINY, TOOLS, settings_listing

RIGHT = str(7_463 * 5_819)


def judged(question: Question, *parts: ReplyPart, usage: Usage | None = None) -> bool | None:
    return question.judge(Outcome(Reply(parts, usage=usage), CallStatus.OK, 1.0, 1, None, paid=usage))


@pytest.mark.parametrize(
    ("question", "text", "right"),
    [
        (TINY, "harbour", True),
        (TINY, "**Harbour**", True),
        (TINY, "harbourmaster", False),
        (TINY, "port", False),
        (INSTRUCT, "1. Rhine\n2. Elbe\n3. Oder", True),
        (INSTRUCT, "1) Rhine\n\n2) Elbe\n\n3) Oder\n", True),
        (INSTRUCT, "Here you are:\n1. Rhine\n2. Elbe\n3. Oder", False),
        (INSTRUCT, "1. Rhine\n2. Elbe", False),
        (INSTRUCT, "- Rhine\n- Elbe\n- Oder", False),
        (SCHEMA, '{"city": "Lisbon", "population_millions": 0.5, "capital": true}', True),
        (SCHEMA, '```json\n{"city": "Lisbon", "population_millions": 0.5, "capital": true}\n```', False),
        (SCHEMA, '{"city": "Lisbon", "population_millions": "0.5", "capital": true}', False),
        (SCHEMA, '{"city": "Lisbon", "capital": true}', False),
        (SCHEMA, "Lisbon is a capital.", False),
        (IMAGE, "Red.", True),
        (IMAGE, "I cannot see it, it is blurred.", False),
        (IMAGE, "blue", False),
    ],
)
def test_words_are_judged(question: Question, text: str, right: bool) -> None:
    assert judged(question, Text(text)) is right


@pytest.mark.parametrize(
    ("parts", "right"),
    [
        ((ToolCall("1", "city_clock", '{"city": "Lisbon"}'),), True),
        ((Text("Let me see."), ToolCall("1", "city_clock", '{"city": "Lisbon"}')), True),
        ((ToolCall("1", "city_clock", "{}"),), False),
        ((ToolCall("1", "city_clock", '{"city'),), False),
        ((ToolCall("1", "clock", '{"city": "Lisbon"}'),), False),
        ((Text('city_clock({"city": "Lisbon"})'),), False),
    ],
)
def test_a_tool_counts_when_it_is_called(parts: tuple[ReplyPart, ...], right: bool) -> None:
    assert judged(TOOLS, *parts) is right


@pytest.mark.parametrize(
    ("parts", "usage", "right"),
    [
        ((Thought("hm"), Text(f"It is {RIGHT}.")), None, True),
        ((Thought("hm"), Text("It is 43,427,197.")), None, True),
        ((Text(f"It is {RIGHT}."),), Usage(10, 90, reasoning=80), True),
        ((Text(f"It is {RIGHT}."),), Usage(10, 9), False),
        ((Text(f"It is {RIGHT}."),), None, False),
        ((Thought("hm"), Text("It is 43,427,190.")), None, None),
        ((Thought("hm"), Text(f"It is 9{RIGHT}.")), None, None),
    ],
)
def test_reasoning_counts_when_thoughts_came_before_the_right_number(
    parts: tuple[ReplyPart, ...], usage: Usage | None, right: bool | None
) -> None:
    assert judged(REASONING, *parts, usage=usage) is right


def test_the_listing_is_about_eighteen_thousand_letters_and_always_the_same() -> None:
    listing = settings_listing()
    assert len(listing.splitlines()) == 400
    assert 17_000 < len(listing) < 19_000
    assert zlib.crc32(listing.encode()) == 2_557_388_523
    assert count_ask(LARGE.ask) > 3_000


def test_the_picture_is_a_red_png() -> None:
    data = b64decode(IMAGE.ask.media[0].data)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    found, at = {}, 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + body)
        found[kind], at = body, at + 12 + length
    width, height, depth, colours = struct.unpack(">IIBB", found[b"IHDR"][:10])
    assert (width, height, depth, colours) == (48, 48, 8, 2)
    rows = zlib.decompress(found[b"IDAT"])
    assert rows == (b"\0" + bytes((220, 20, 30)) * width) * height
