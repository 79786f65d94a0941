"""The squad in every format that members may speak, asked and read by the same halves that ask real providers."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import Raw

from gateway.canon.ask import Ask, Knobs, Media, OutputFormat, Text, Tool, ToolCall, ToolChoice, ToolResult, Turn
from gateway.canon.event import Finish, Usage
from gateway.canon.reply import Reply
from gateway.practice.squad import CHARACTERS
from gateway.tests.practice.asking import BASES, Answer, ask_for, call, read, send
from gateway.wire.base import Facts
from gateway.wire.registry import CLIENTS

PROTOCOLS = tuple(BASES)
OTHERS = tuple(name for name in PROTOCOLS if name != "openai_chat")
THINKING = Knobs(reasoning_effort="high")
"""One format shows thoughts only to those who ask for some."""
ADD = Tool(
    "add_numbers",
    parameters=Raw(
        b'{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}'
    ),
)
SHAPE = b'{"type":"object","properties":{"answer":{"type":"string"},"n":{"type":"integer"}},"required":["answer","n"]}'


async def answered(protocol: str, served: str, ask: Ask, *, stream: bool) -> Reply:
    answer = await send(protocol, served, ask, stream=stream)
    assert answer.status == 200, answer.body
    reply = read(protocol, answer)
    assert reply.fault is None
    return reply


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("served", [name for name in CHARACTERS if name != "flaky"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_everybody_answers_in_every_format(protocol: str, served: str, stream: bool) -> None:
    reply = await answered(protocol, served, ask_for(), stream=stream)
    assert ("42" in reply.text) is (served != "wrong")
    assert reply.model == served
    assert reply.finish is Finish.STOP
    assert reply.usage is not None
    assert reply.usage.input > 3
    assert reply.usage.output >= 1


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_stream_and_a_whole_answer_say_the_same(protocol: str) -> None:
    ask = ask_for("List 3 risks of caches", knobs=THINKING)
    streamed = await answered(protocol, "thinker", ask, stream=True)
    whole = await answered(protocol, "thinker", ask, stream=False)
    assert (streamed.text, streamed.reasoning) == (whole.text, whole.reasoning)
    assert streamed.usage == whole.usage


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("protocol", OTHERS)
async def test_thoughts_come_first_with_a_seal_that_goes_back(protocol: str, stream: bool) -> None:
    reply = await answered(protocol, "thinker", ask_for(knobs=THINKING), stream=stream)
    thoughts = [part for part in reply.parts if hasattr(part, "seal")]
    assert reply.parts[0] == thoughts[0]
    assert "It holds a calculation" in reply.reasoning
    (sealed,) = [thought.seal for thought in thoughts if thought.seal is not None]
    history = (
        Turn("user", (Text("What is 17 + 25?"),)),
        Turn("assistant", reply.parts),
        Turn("user", (Text("And 1 + 1?"),)),
    )
    outgoing = CLIENTS[protocol].write_ask(Ask(protocol, "", history), _facts(protocol, "thinker"))
    inner = next(iter(msgspec.json.decode(sealed, type=dict[str, object]).values()))
    assert _longest_text(inner) in _all_texts(msgspec.json.decode(outgoing.body))
    second = read(protocol, await call("POST", BASES[protocol] + outgoing.path, outgoing.body))
    assert second.text == "1 + 1 = 2, checked twice."


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_thoughts_are_counted_where_the_format_counts_them(protocol: str) -> None:
    usage = (await answered(protocol, "thinker", ask_for(), stream=True)).usage
    assert usage is not None
    assert (usage.reasoning > 10) is (protocol not in ("ollama",))


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_tool_is_called_and_its_result_told(protocol: str, stream: bool) -> None:
    ask = ask_for("Please add 17 and 25", tools=(ADD,))
    reply = await answered(protocol, "terse", ask, stream=stream)
    (called,) = reply.calls
    assert called.name == "add_numbers"
    assert msgspec.json.decode(called.arguments) == {"a": 17, "b": 25}
    assert reply.finish is Finish.TOOL_USE
    turns = (
        *ask.turns,
        Turn("assistant", reply.parts),
        Turn("tool", (ToolResult(called.id, (Text("42"),), name="add_numbers"),)),
    )
    told = await answered(protocol, "terse", msgspec.structs.replace(ask, turns=turns), stream=stream)
    assert told.text.startswith("add_numbers gave:")
    assert "42" in told.text
    assert not told.calls


@pytest.mark.parametrize("protocol", [name for name in PROTOCOLS if name != "ollama"])
async def test_the_choice_of_a_tool_is_heard(protocol: str) -> None:
    ask = ask_for("Please add 17 and 25", tools=(ADD, Tool("look")), tool_choice=ToolChoice("named", "look"))
    assert [one.name for one in (await answered(protocol, "slow", ask, stream=True)).calls] == ["look"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_structured_output_fits_its_schema(protocol: str) -> None:
    ask = ask_for(output=OutputFormat("json_schema", "sum", Raw(SHAPE)))
    value = msgspec.json.decode((await answered(protocol, "terse", ask, stream=True)).text)
    assert isinstance(value["answer"], str)
    assert isinstance(value["n"], int)


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_budget_cuts_the_answer(protocol: str) -> None:
    reply = await answered(protocol, "slow", ask_for(knobs=Knobs(max_tokens=5)), stream=True)
    assert reply.finish is Finish.LENGTH
    assert reply.usage is not None
    assert reply.usage.output == 5


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_words_come_at_the_scripts_pace(protocol: str) -> None:
    answer = await send(protocol, "slow", ask_for())
    assert answer.pauses[0] == 0.4
    assert answer.pauses.count(0.04) > 50
    whole = await send(protocol, "slow", ask_for(), stream=False)
    assert whole.pauses == [pytest.approx(sum(answer.pauses))]


async def flaky(protocol: str, status: int) -> Answer:
    """An answer of this status; 200 stands for a stream that breaks off."""
    for seed in range(100):
        answer = await send(protocol, "flaky", ask_for(), seed=seed)
        if answer.status == status and (status != 200 or read(protocol, answer).fault is not None):
            return answer
    raise AssertionError(f"no {status} in a hundred calls")


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_failures_come_in_the_formats_own_words(protocol: str) -> None:
    limited = await flaky(protocol, 429)
    assert limited.headers["retry-after"] == "2"
    assert CLIENTS[protocol].read_error(429, limited.body)[0] == "Too many requests; this character asks for a pause."
    broken = await flaky(protocol, 500)
    assert CLIENTS[protocol].read_error(500, broken.body)[0] == "Something broke while answering."


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_broken_stream_is_seen_as_one_after_the_words_that_came(protocol: str) -> None:
    reply = read(protocol, await flaky(protocol, 200))
    assert reply.finish is None
    assert reply.text


@pytest.mark.parametrize(
    ("protocol", "shape"),
    [
        ("anthropic", {"type": "error", "error": {"type": "not_found_error"}}),
        ("openai_responses", {"error": {"code": "404"}}),
        ("gemini", {"error": {"code": 404, "status": "NOT_FOUND"}}),
        ("ollama", {}),
    ],
)
async def test_a_stranger_is_refused_in_the_formats_own_shape(protocol: str, shape: dict[str, Any]) -> None:
    answer = await send(protocol, "nobody", ask_for())
    assert answer.status == 404
    told = msgspec.json.decode(answer.body)
    assert _holds(told, shape)
    assert "nobody" in str(told["error"])


PICTURE = Media("image", data="iVBORw0KGgo=", mime="image/png")
ADDRESS = Media("image", url="https://example.com/a.png")
PAPER = Media("document", data="VGhlIHNreSBpcyBibHVlLg==", mime="text/plain", name="sky")
PDF = Media("document", data="JVBERi0xLjc=", mime="application/pdf", name="a.pdf")
PDF_ADDRESS = Media("document", url="https://example.com/a.pdf")


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("protocol", "media", "counts"),
    [
        *[(name, (PICTURE, ADDRESS), "2 images") for name in PROTOCOLS if name != "ollama"],
        *[(name, (PAPER, PDF, PDF_ADDRESS), "3 documents") for name in PROTOCOLS if name != "ollama"],
        *[(name, (PICTURE, PAPER), "1 image and 1 document") for name in PROTOCOLS if name != "ollama"],
        ("ollama", (PICTURE, PICTURE), "2 images"),
    ],
)
async def test_images_and_documents_arrive_in_every_form_a_format_has_for_them(
    protocol: str, media: tuple[Media, ...], counts: str, stream: bool
) -> None:
    ask = Ask("bench", "", (Turn("user", (Text("What is 17 + 25?"), *media)),))
    assert (await answered(protocol, "terse", ask, stream=stream)).text == f"Got {counts}. 42"


@pytest.mark.parametrize("protocol", ["openai_chat", "openai_responses", "gemini"])
async def test_sound_is_refused(protocol: str) -> None:
    sound = Media("audio", data="UklGRgAAAABXQVZF", mime="audio/wav")
    answer = await send(protocol, "slow", Ask("bench", "", (Turn("user", (Text("What is this?"), sound)),)))
    assert answer.status == 400
    assert "input_audio" in CLIENTS[protocol].read_error(400, answer.body)[0]


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_json_without_a_schema_is_one_object(protocol: str, stream: bool) -> None:
    ask = ask_for(output=OutputFormat("json_object"))
    assert msgspec.json.decode((await answered(protocol, "terse", ask, stream=stream)).text) == {"answer": "42"}


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_garbled_body_is_refused(protocol: str) -> None:
    outgoing = CLIENTS[protocol].write_ask(ask_for(), _facts(protocol, "slow"))
    answer = await call("POST", BASES[protocol] + outgoing.path, b"{")
    assert answer.status == 400
    assert (await call("GET", (BASES[protocol] + outgoing.path).partition("?")[0])).status == 405


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("/practice/v1/models", lambda told: [one["id"] for one in told["data"]]),
        ("/practice/anthropic/v1/models", lambda told: [one["id"] for one in told["data"]]),
        ("/practice/responses/v1/models", lambda told: [one["id"] for one in told["data"]]),
        ("/practice/gemini/v1beta/models?pageSize=1000", lambda told: [one["name"][7:] for one in told["models"]]),
        ("/practice/ollama/api/tags", lambda told: [one["model"] for one in told["models"]]),
    ],
)
async def test_each_format_lists_the_squad(path: str, names: Any) -> None:
    answer = await call("GET", path)
    assert names(msgspec.json.decode(answer.body)) == list(CHARACTERS)
    assert b"not a model" in answer.body


async def test_one_character_is_described_where_a_format_asks_for_one() -> None:
    for path in ("/practice/anthropic/v1/models/", "/practice/responses/v1/models/", "/practice/gemini/v1beta/models/"):
        assert b"terse" in (await call("GET", path + "terse")).body
        assert (await call("GET", path + "nobody")).status == 404
    shown = await call("POST", "/practice/ollama/api/show", b'{"model":"thinker:latest"}')
    assert msgspec.json.decode(shown.body)["capabilities"] == ["completion", "vision", "tools", "thinking"]
    assert (await call("DELETE", "/practice/ollama/api/show")).status == 404
    assert (await call("DELETE", "/practice/v1/models")).status == 404


async def test_generate_content_can_stream_as_an_array() -> None:
    body = b'{"contents":[{"role":"user","parts":[{"text":"1 + 1"}]}]}'
    answer = await call("POST", "/practice/gemini/v1beta/models/terse:streamGenerateContent", body)
    assert isinstance(msgspec.json.decode(answer.body), list)
    assert read("gemini", answer).text == "2"


async def test_a_free_text_tool_of_responses_gets_free_text() -> None:
    ask = Ask("openai_responses", "", ask_for("patch it").turns, tools=(Tool("apply_patch", kind="custom"),))
    reply = await answered("openai_responses", "slow", ask, stream=True)
    assert [ToolCall("", one.name, one.arguments, one.custom) for one in reply.calls] == [
        ToolCall("", "apply_patch", "patch it", custom=True)
    ]


async def test_a_script_cut_in_its_thoughts_has_no_seal_and_usage_all_the_same() -> None:
    reply = await answered("anthropic", "thinker", ask_for(knobs=Knobs(max_tokens=4)), stream=True)
    assert reply.usage is not None
    assert Usage(0, 4, reasoning=4) == msgspec.structs.replace(reply.usage, input=0)
    assert [getattr(part, "seal", None) for part in reply.parts] == [None]


def _facts(protocol: str, served: str) -> Facts:
    return Facts(served=served, base=BASES[protocol])


def _all_texts(value: object) -> set[str]:
    if isinstance(value, dict):
        return {text for inner in value.values() for text in _all_texts(inner)}
    if isinstance(value, list):
        return {text for inner in value for text in _all_texts(inner)}
    return {value} if isinstance(value, str) else set()


def _longest_text(value: object) -> str:
    return max(_all_texts(value), key=len)


def _holds(told: Any, shape: Any) -> bool:
    if not isinstance(shape, dict):
        return bool(told == shape)
    return all(name in told and _holds(told[name], inner) for name, inner in shape.items())
