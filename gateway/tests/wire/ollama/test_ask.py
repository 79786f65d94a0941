"""Chat requests are read in full, or refused with the right shape."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import (
    Ask,
    BenchField,
    Knobs,
    Media,
    OutputFormat,
    Text,
    Thought,
    Tool,
    ToolCall,
    ToolResult,
    Turn,
)
from gateway.canon.fault import BadRequest
from gateway.tests.wire.ollama.asking import FUNCTION, PNG, USER, body, read, refusal
from gateway.wire.ollama import GENERATE_SERVER, SERVER, read_show

RECORDED = Path(__file__).resolve().parents[5] / "shared" / "clients"


def test_a_request_with_everything_is_read_in_full() -> None:
    ask = read(
        model="bench/core:latest",
        messages=[
            {"role": "system", "content": "be kind"},
            {"role": "User", "content": "look", "images": [PNG]},
            {
                "role": "assistant",
                "content": "",
                "thinking": "hm",
                "images": [],
                "tool_calls": [{"function": {"name": "f", "arguments": {"a": 1.0}}}],
            },
            {"role": "tool", "content": "noon", "tool_name": "f", "mood": "good"},
        ],
        stream=None,
        options={
            "num_predict": 9,
            "temperature": 1,
            "top_p": 0.5,
            "top_k": 3,
            "stop": "END",
            "seed": 7,
            "presence_penalty": 0.1,
            "frequency_penalty": 0.2,
            "num_ctx": 4096,
            "mirostat": None,
        },
        think="low",
        tools=[{**FUNCTION, "items": 1}],
        format={"type": "object"},
        keep_alive="5m",
        truncate=None,
        bench={"reply": "route"},
        **{"with": ["alpha"]},
    )

    assert ask == Ask(
        protocol="ollama",
        model="bench/core",
        turns=(
            Turn("system", (Text("be kind"),)),
            Turn("user", (Text("look"), Media("image", data=PNG, mime="image/png"))),
            Turn("assistant", (Thought("hm"), ToolCall("call_0", "f", '{"a": 1.0}'))),
            Turn("tool", (ToolResult("call_0", (Text("noon"),), name="f"),), extras={"mood": Raw(b'"good"')}),
        ),
        stream=True,
        include_usage=True,
        tools=(Tool("f", extras={"items": Raw(b"1")}),),
        output=OutputFormat("json_schema", schema=Raw(b'{"type": "object"}')),
        knobs=Knobs(9, 1.0, 0.5, 3, ("END",), 7, 0.1, 0.2, "low"),
        nominated=("alpha",),
        bench=BenchField("route"),
        extras={"keep_alive": Raw(b'"5m"'), "options": Raw(b'{"num_ctx":4096}')},
    )


@pytest.mark.parametrize(("sent", "streams"), [(None, True), (True, True), (False, False)])
def test_a_reply_streams_unless_it_is_told_not_to(sent: bool | None, streams: bool) -> None:
    assert read(stream=sent).stream is streams


def test_a_missing_model_is_left_to_who_knows_the_collections() -> None:
    assert SERVER.read_ask(b'{"messages":[{"content":"hi"}]}').model == ""


def test_a_model_is_echoed_as_it_was_asked_for_without_the_tag_of_clients() -> None:
    assert SERVER.echo_model("bench/core:merged:latest") == "bench/core:merged"
    assert GENERATE_SERVER.echo_model("core") == "core"


def test_the_model_of_a_show_request_has_either_name() -> None:
    assert read_show(b'{"model":"bench/core:latest"}') == "bench/core"
    assert read_show(b'{"name":"core","verbose":true}') == "core"
    for empty in (b"{}", b'{"model":null}', b'{"model":":latest"}', b'{"model":5}', b"5"):
        with pytest.raises(BadRequest):
            read_show(empty)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"model": 5}, "`model` must be text"),
        ({"messages": None}, "at least one message"),
        ({"messages": []}, "at least one message"),
        ({"messages": "hi"}, "`messages` must be a list"),
        ({"messages": ["hi"]}, "`messages[0]` must be an object"),
        ({"messages": [{"role": "user", "content": 5}]}, "`messages[0].content` must be text"),
        ({"messages": [{"role": "user", "content": [{"type": "text"}]}]}, "`messages[0].content` must be text"),
        ({"messages": [USER, {"role": "developer", "content": ""}]}, "`messages[1].role` is 'developer'"),
        ({"messages": [{**USER, "tool_calls": [{"function": {"name": "f"}}]}]}, "only an assistant"),
        ({"messages": [{"role": "assistant", "tool_calls": {}}]}, "`messages[0].tool_calls` must be a list"),
        ({"messages": [{"role": "assistant", "tool_calls": [{"function": "f"}]}]}, "must be an object"),
        ({"messages": [{"role": "assistant", "tool_calls": [{}]}]}, "names no function"),
        ({"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": ""}}]}]}, "names no function"),
        ({"messages": [{**USER, "images": PNG}]}, "`messages[0].images` must be a list"),
        ({"messages": [{**USER, "images": [5]}]}, "`messages[0].images[0]` must be text"),
        ({"messages": [{**USER, "images": [""]}]}, "`messages[0].images[0]` is not base64"),
        ({"messages": [{**USER, "images": ["<svg>"]}]}, "`messages[0].images[0]` is not base64"),
        ({"messages": [{**USER, "images": ["https://h/a.png"]}]}, "`messages[0].images[0]` is an address"),
        ({"messages": [{**USER, "images": ["data:text/html;base64,AAAA"]}]}, "data URL, 1 KB]"),
        ({"options": []}, "`options` must be an object"),
        ({"options": {"num_predict": "many"}}, "`options.num_predict` must be a whole number"),
        ({"options": {"num_predict": 10**30}}, "`options.num_predict`"),
        ({"options": {"temperature": "hot"}}, "`options.temperature` must be a number"),
        ({"options": {"stop": [1]}}, "`options.stop[0]` must be text"),
        ({"think": "deeply"}, "Send true, false or one of low, medium, high, max"),
        ({"think": 5}, "`think` must be"),
        ({"stream": "yes"}, "`stream` must be true or false"),
        ({"format": "xml"}, '`format` must be "json" or an object'),
        ({"format": 5}, '`format` must be "json" or an object'),
        ({"tools": {}}, "`tools` must be a list"),
        ({"tools": [5]}, "`tools[0]` must be an object"),
        ({"tools": [{"type": "web_search"}]}, "functions only"),
        ({"tools": [{"type": "function"}]}, "names no function"),
        ({"tools": [{"type": "function", "name": "f"}]}, "names no function"),
        ({"with": "alpha"}, "`with` must be a list"),
        ({"bench": {"reply": "one"}}, "all, merged, route or choices"),
    ],
)
def test_malformed_requests_are_refused_with_what_is_right(fields: dict[str, Any], said: str) -> None:
    assert said in refusal(**fields)


@pytest.mark.parametrize(
    "garbled",
    [
        b"",
        b"[]",
        b"{",
        b'{"messages":' + b"[" * 1_000 + b"]" * 1_000 + b"}",
        b'{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":{"a":"\xe5"}}}]}]}',
        b'{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"\xe5"}}]}]}',
    ],
)
def test_what_is_no_body_is_refused(garbled: bytes) -> None:
    with pytest.raises(BadRequest):
        SERVER.read_ask(garbled)


# --- calls and their results ------------------------------------------------------------------------------------------


def turns_of(*messages: dict[str, Any]) -> tuple[Turn, ...]:
    return read(messages=[USER, *messages]).turns[1:]


def asks_for(*calls: tuple[str, str]) -> dict[str, Any]:
    """An assistant's message that calls tools; an empty id is not sent."""
    entries = [{"function": {"name": name, "arguments": {}}} | ({"id": id} if id else {}) for name, id in calls]
    return {"role": "assistant", "content": "", "tool_calls": entries}


def answers(*messages: dict[str, Any]) -> list[str]:
    """Which call each result answers."""
    return [part.call_id for turn in turns_of(*messages) for part in turn.parts if isinstance(part, ToolResult)]


def test_calls_without_ids_are_numbered_past_the_ids_that_are_given() -> None:
    turns = turns_of(asks_for(("f", ""), ("g", "call_0"), ("f", "")), asks_for(("f", "x"), ("g", "")))

    ids = [part.id for turn in turns for part in turn.parts if isinstance(part, ToolCall)]
    assert ids == ["call_1", "call_0", "call_2", "x", "call_3"]


def test_results_find_their_call_by_id_then_by_tool_then_by_order() -> None:
    calls = asks_for(("f", "a"), ("g", "b"), ("f", "c"), ("h", ""))

    def result(**fields: Any) -> dict[str, Any]:
        return {"role": "tool", "content": "x", **fields}

    assert answers(calls, result(tool_call_id="c"), result(), result()) == ["c", "a", "b"]
    assert answers(calls, result(tool_name="g"), result(tool_name="f"), result(name="f")) == ["b", "a", "c"]
    assert answers(calls, result(tool_name="unheard of")) == ["a"]
    assert answers(calls, result(tool_call_id="gone"), result()) == ["gone", "a"]
    assert answers(asks_for(("f", "")), result(), asks_for(("f", "")), result(tool_name="f")) == ["call_0", "call_1"]


def test_a_result_is_named_after_its_call() -> None:
    assert turns_of(asks_for(("f", "")), {"role": "tool", "content": "x"})[1].parts == (
        ToolResult("call_0", (Text("x"),), name="f"),
    )


def test_a_result_that_answers_no_call_is_what_the_user_says() -> None:
    assert turns_of({"role": "assistant", "content": ""}, {"role": "tool", "content": "21 C"})[1] == Turn(
        "user", (Text("21 C"),)
    )


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        (None, "{}"),
        ("", "{}"),
        ("  ", "{}"),
        ({}, "{}"),
        ({"n": 1e20, "a": "北"}, '{"n": 1e+20, "a": "北"}'),
        ('{"a":1}', '{"a":1}'),
        ([1], "[1]"),
    ],
)
def test_arguments_keep_the_words_they_were_sent_in(sent: Any, text: str) -> None:
    message = {"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": sent}}]}
    (call,) = turns_of(message)[0].parts

    assert isinstance(call, ToolCall)
    assert call.arguments == text


# --- settings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("think", "effort"), [(True, "medium"), (False, "none"), (None, ""), ("low", "low"), ("high", "high")]
)
def test_thinking_is_a_knob(think: Any, effort: str) -> None:
    assert read(think=think).knobs.reasoning_effort == effort


@pytest.mark.parametrize("limit", [-1, -2, 0])
def test_a_limit_below_one_is_none(limit: int) -> None:
    assert read(options={"num_predict": limit}).knobs.max_tokens is None


def test_structured_output_is_read() -> None:
    assert read(format="json").output == OutputFormat("json_object")
    assert read(format="").output is read(format=None).output is None


@pytest.mark.parametrize(
    ("data", "mime"),
    [
        (PNG, "image/png"),
        ("/9j/4AAQSkZJRgABAQ==", "image/jpeg"),
        ("R0lGODlhAQABAIAAAA==", "image/gif"),
        ("UklGRiQAAABXRUJQVlA4IA==", "image/webp"),
        ("UklGRiQAAABXQVZFZm10IA==", "image/png"),
        ("Qk1GAAAAAAAAADYAAAA=", "image/bmp"),
        ("_9j_4AAQSkZJRgABAQ==", "image/jpeg"),
        ("AAAA", "image/png"),
        ("A", "image/png"),
        ("iVBORw0KGgoA\nAAANSUhEUg==\n", "image/png"),
        ("data:image/webp;base64,AAAA", "image/webp"),
    ],
)
def test_the_type_of_an_image_is_found_by_how_it_begins(data: str, mime: str) -> None:
    (picture,) = read(messages=[{"role": "user", "images": [data]}]).turns[0].parts

    assert isinstance(picture, Media)
    assert (picture.mime, picture.data) == (mime, data.removeprefix("data:image/webp;base64,"))


def test_sealed_reasoning_comes_back_with_its_seal() -> None:
    thoughts = [{"text": "why", "seal": {"anthropic": {"signature": "s"}}}, {"text": "so"}]
    message = {"role": "assistant", "content": "x", "thinking": "whyso", "bench_thoughts": thoughts}

    assert turns_of(message)[0].parts[:-1] == (
        Thought("why", Raw(b'{"anthropic": {"signature": "s"}}')),
        Thought("so"),
    )
    assert turns_of({**message, "bench_thoughts": "odd"})[0].parts[0] == Thought("whyso")
    entry = {"function": {"name": "f"}, "bench_seal": "sig"}
    assert turns_of({"role": "assistant", "tool_calls": [entry]})[0].parts == (
        ToolCall("call_0", "f", "{}", seal=Raw(b'"sig"')),
    )


# --- real clients -----------------------------------------------------------------------------------------------------


def _requests() -> list[Any]:
    found = []
    for file in sorted(RECORDED.rglob("*.json")):
        for exchange in json.loads(file.read_text()).get("exchanges") or []:
            if exchange.get("path") in ("/api/chat", "/api/generate", "/api/show"):
                name = f"{file.parent.name}/{file.stem}/{exchange['n']}"
                found.append(pytest.param(exchange["path"], exchange["body"], id=name))
    return found or [pytest.param("", None, marks=pytest.mark.skip("no ../shared/clients beside this checkout"))]


@pytest.mark.parametrize(("path", "sent"), _requests())
def test_requests_of_real_clients_are_read(path: str, sent: dict[str, Any]) -> None:
    data = json.dumps(sent).encode()
    if path == "/api/show":
        assert read_show(data) == sent.get("model", sent.get("name"))
        return
    ask = (SERVER if path == "/api/chat" else GENERATE_SERVER).read_ask(data)

    assert ask.stream is sent.get("stream", True)
    assert len(ask.tools) == len(sent.get("tools") or [])
    assert ask.knobs.max_tokens == (sent.get("options") or {}).get("num_predict")
    if path == "/api/chat":
        assert len(ask.turns) == len(sent["messages"])


def test_the_bodies_above_are_what_a_caller_sends() -> None:
    assert json.loads(body(stream=False)) == {"model": "bench/core", "messages": [USER], "stream": False}
