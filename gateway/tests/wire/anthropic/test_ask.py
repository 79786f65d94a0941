"""Requests of callers that speak Messages."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import Knobs, Media, OutputFormat, Text, Thought, Tool, ToolCall, ToolChoice, ToolResult, Turn
from gateway.canon.fault import BadRequest
from gateway.tests.wire.anthropic.asking import CALL, MARK, PNG, RESULT, TOOL, USER, body, parts_of, read, refusal
from gateway.wire.anthropic import SERVER, read_count, seal
from gateway.wire.losses import FORM

CLIENTS = Path(__file__).resolve().parents[5] / "shared" / "clients"
CACHE = Raw(b'{"type":"ephemeral"}')


def test_a_plain_request_is_read() -> None:
    ask = read(system="Be brief.", temperature=0.5, top_p=0.9, top_k=4, stop_sequences=["END"], stream=True)

    assert ask.turns == (Turn("system", (Text("Be brief."),)), Turn("user", (Text("hi"),)))
    assert ask.knobs == Knobs(max_tokens=99, temperature=0.5, top_p=0.9, top_k=4, stop=("END",))
    assert (ask.protocol, ask.model, ask.stream, ask.extras) == ("anthropic", "bench/core", True, {})


def test_neither_model_nor_limit_is_needed_here() -> None:
    ask = read_count(json.dumps({"messages": [USER], "tools": [TOOL]}).encode())

    assert (ask.model, ask.knobs.max_tokens, ask.tools[0].name) == ("", None, "f")


def test_cache_marks_stay_on_their_parts() -> None:
    ask = read(
        system=[{"type": "text", "text": "s", "cache_control": MARK}],
        tools=[{**TOOL, "cache_control": MARK}],
        messages=[
            {"role": "user", "content": [{"type": "text", "text": "u", "cache_control": MARK}]},
            {"role": "assistant", "content": [{**CALL, "cache_control": MARK}]},
            {"role": "user", "content": [{**RESULT, "cache_control": MARK}]},
        ],
    )

    assert [part.cache for turn in ask.turns for part in turn.parts if not isinstance(part, Thought)] == [CACHE] * 4  # type: ignore[union-attr]
    assert ask.tools[0].cache == CACHE


def test_instructions_may_stand_among_the_messages() -> None:
    ask = read(messages=[USER, {"role": "system", "content": "now"}, {"role": "system", "content": [_text("x")]}])

    assert ask.turns[1] == Turn("system", (Text("now"),))
    assert ask.turns[2].parts == (Text("x"),)
    assert json.loads(bytes(ask.turns[2].extras[FORM])) == [_text("x")]


def test_unknown_fields_and_betas_travel_on() -> None:
    ask = read(context_management={"edits": []}, metadata={"user_id": "u"}, service_tier="auto", nothing=None)

    assert {name: bytes(raw) for name, raw in ask.extras.items()} == {
        "context_management": b'{"edits":[]}',
        "metadata": b'{"user_id":"u"}',
        "service_tier": b'"auto"',
    }


def test_the_gateways_own_fields_are_read() -> None:
    ask = read(**{"with": ["alpha"], "bench": {"reply": "merged", "strict": True}})

    assert (ask.nominated, ask.bench.reply, ask.bench.strict, ask.extras) == (("alpha",), "merged", True, {})


def test_threads_are_refused_in_the_words_that_clients_know() -> None:
    with pytest.raises(BadRequest) as refused:
        SERVER.read_ask(body(thread={"type": "create"}))

    document = json.loads(SERVER.error_body(refused.value))
    assert document["type"] == "error"
    assert document["error"]["type"] == "invalid_request_error"
    assert document["error"]["details"] == {"error_code": "thread_unsupported_request", "unsupported": ["thread"]}
    assert read(thread=None).extras == {}


# --- reasoning settings and output ------------------------------------------------------------------------------------


def test_a_reasoning_budget_is_a_setting() -> None:
    ask = read(thinking={"type": "enabled", "budget_tokens": 2048})

    assert (ask.knobs.reasoning_tokens, ask.extras) == (2048, {})


@pytest.mark.parametrize(
    ("thinking", "budget"),
    [
        ({"type": "adaptive", "display": "omitted"}, None),
        ({"type": "disabled"}, None),
        ({"type": "enabled", "budget_tokens": 2048, "display": "omitted"}, 2048),
    ],
)
def test_what_a_budget_does_not_say_of_reasoning_travels_on(thinking: dict[str, Any], budget: int | None) -> None:
    ask = read(thinking=thinking)

    assert ask.knobs.reasoning_tokens == budget
    assert json.loads(bytes(ask.extras["thinking"])) == thinking


def test_effort_and_format_are_settings_and_the_rest_of_their_object_travels_on() -> None:
    schema = {"type": "json_schema", "schema": {"type": "object"}}
    ask = read(output_config={"effort": "high", "format": schema, "x": 1})

    assert ask.knobs.reasoning_effort == "high"
    assert ask.output == OutputFormat("json_schema", schema=Raw(b'{"type":"object"}'))
    assert bytes(ask.extras["output_config"]) == b'{"x":1}'
    assert read(output_format=schema).output == ask.output
    assert read(output_config={"effort": None, "format": None}).extras == {}


# --- content ----------------------------------------------------------------------------------------------------------


def _text(words: str) -> dict[str, str]:
    return {"type": "text", "text": words}


def test_images_are_read_from_base64_and_addresses() -> None:
    assert parts_of("user", {"type": "image", "source": PNG}) == (Media("image", data="iVBORw0KGgo", mime="image/png"),)
    assert parts_of("user", {"type": "image", "source": {"type": "url", "url": "https://h/a"}}) == (
        Media("image", url="https://h/a"),
    )


@pytest.mark.parametrize(
    ("data", "mime"),
    [
        ("iVBORw0KGgoA", "image/png"),
        ("/9j/4AAQ", "image/jpeg"),
        ("R0lGODdh", "image/gif"),
        ("UklGRgAAAABXRUJQ", "image/webp"),
    ],
)
def test_the_type_of_an_image_is_told_from_how_it_begins(data: str, mime: str) -> None:
    assert parts_of("user", {"type": "image", "source": {"type": "base64", "data": data}}) == (
        Media("image", data=data, mime=mime),
    )


def test_documents_are_read() -> None:
    pdf = {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0x"}
    plain = {"type": "text", "media_type": "text/plain", "data": "grün"}

    assert parts_of("user", {"type": "document", "source": pdf, "title": "t"}) == (
        Media("document", data="JVBERi0x", mime="application/pdf", name="t"),
    )
    assert parts_of("user", {"type": "document", "source": plain}) == (
        Media("document", data="Z3LDvG4=", mime="text/plain"),
    )
    assert parts_of("user", {"type": "document", "source": {"type": "file", "file_id": "x"}}) == (
        Media("document", file_id="x"),
    )
    assert parts_of("user", {"type": "document", "source": {"type": "url", "url": "https://h/a"}}) == (
        Media("document", url="https://h/a"),
    )


def test_calls_and_results_are_read() -> None:
    ask = read(
        messages=[
            USER,
            {"role": "assistant", "content": [_text("look"), CALL]},
            {
                "role": "user",
                "content": [
                    {**RESULT, "is_error": True, "content": [_text("bad"), {"type": "image", "source": PNG}]},
                    _text("and now?"),
                ],
            },
        ]
    )

    assert ask.turns[1].parts == (Text("look"), ToolCall("t1", "f", '{"a":1}'))
    assert ask.turns[2].parts == (
        ToolResult("t1", (Text("bad"), Media("image", data="iVBORw0KGgo", mime="image/png")), error=True),
        Text("and now?"),
    )


@pytest.mark.parametrize("input", [{}, None])
def test_a_call_with_nothing_has_an_empty_object(input: Any) -> None:
    assert parts_of("assistant", {**CALL, "input": input}) == (ToolCall("t1", "f", "{}"),)


@pytest.mark.parametrize("content", [None, "", []])
def test_a_result_may_be_empty(content: Any) -> None:
    assert parts_of("user", {**RESULT, "content": content}) == (ToolResult("t1"),)


def test_fields_of_a_call_that_canon_does_not_know_are_sealed() -> None:
    own, foreign = parts_of("assistant", {**CALL, "caller": {"type": "x"}}, {**CALL, "bench_seal": {"gemini": 1}})

    assert isinstance(own, ToolCall)
    assert isinstance(foreign, ToolCall)
    assert own.seal == Raw(b'{"anthropic":{"caller":{"type":"x"}}}')
    assert foreign.seal == Raw(b'{"gemini":1}')


def test_reasoning_is_kept_with_its_seal() -> None:
    signed, bare, redacted = parts_of(
        "assistant",
        {"type": "thinking", "thinking": "", "signature": "c2ln", "cache_control": MARK},
        {"type": "thinking", "thinking": "hm", "signature": ""},
        {"type": "redacted_thinking", "data": "b64"},
    )

    assert signed == Thought(
        "", Raw(b'{"anthropic":{"type":"thinking","signature":"c2ln","cache_control":{"type":"ephemeral"}}}')
    )
    assert bare == Thought("hm")
    assert redacted == Thought("", Raw(b'{"anthropic":{"type":"redacted_thinking","data":"b64"}}'))


def test_a_seal_of_another_format_comes_back_out_of_its_signature() -> None:
    sealed = Thought("why", Raw(b'{"gemini":"x"}'))

    assert parts_of("assistant", seal.show_thought(sealed) | {"thinking": "why"}) == (sealed,)
    late = {"type": "thinking", "thinking": "", "signature": seal.signature_of(Raw(b'{"gemini":"x"}'), "why")}
    shown = {"type": "thinking", "thinking": "why", "signature": ""}
    assert parts_of("assistant", shown, _text("so"), late) == (Text("so"), sealed)


@pytest.mark.parametrize(
    ("role", "block", "parts"),
    [
        ("assistant", {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}, ()),
        ("assistant", {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}, ()),
        ("assistant", {"type": "compaction", "content": "c"}, ()),
        ("assistant", {**_text("x"), "citations": [{"url": "u"}]}, (Text("x"),)),
        ("system", {"type": "tool_addition", "tool": {"name": "f"}}, ()),
        (
            "user",
            {"type": "search_result", "source": "s", "title": "t", "content": [_text("x")]},
            (Text("t\ns\nx"),),
        ),
        (
            "user",
            {"type": "document", "source": {"type": "file", "file_id": "x"}, "context": "c"},
            (Text("c"), Media("document", file_id="x")),
        ),
        (
            "user",
            {**RESULT, "content": [{"type": "tool_reference", "tool_name": "g"}]},
            (ToolResult("t1", (Text("The tool g can be used from now on."),)),),
        ),
    ],
)
def test_content_that_canon_cannot_say_in_full_stays_beside_the_turn(
    role: str, block: dict[str, Any], parts: tuple[Any, ...]
) -> None:
    (turn,) = read(messages=[{"role": role, "content": [block]}]).turns

    assert turn.parts == parts
    assert json.loads(bytes(turn.extras["content"])) == [block]


def test_content_that_canon_says_in_full_is_not_kept_twice() -> None:
    (turn,) = read(messages=[{"role": "assistant", "content": [{**_text("x"), "citations": None}, CALL]}]).turns

    assert turn.extras == {}


# --- tools ------------------------------------------------------------------------------------------------------------


def test_tools_are_read() -> None:
    web = {"type": "web_search_20250305", "name": "web_search", "max_uses": 1}
    ask = read(tools=[{**TOOL, "type": "custom", "strict": True, "defer_loading": True}, web, {"name": "g"}])

    assert ask.tools == (
        Tool("f", "does f", Raw(b'{"type":"object"}'), True, extras={"defer_loading": Raw(b"true")}),
        Tool("web_search", kind="vendor", definition=Raw(json.dumps(web, separators=(",", ":")).encode())),
        Tool("g"),
    )
    assert read(tools=[{"type": "mcp_toolset", "mcp_server_name": "x"}]).tools[0].name == "mcp_toolset"


@pytest.mark.parametrize(
    ("sent", "choice"),
    [
        (None, ToolChoice()),
        ({"type": "auto"}, ToolChoice()),
        ({"type": "any"}, ToolChoice("required")),
        ({"type": "none"}, ToolChoice("none")),
        ({"type": "tool", "name": "f"}, ToolChoice("named", "f")),
        ({"type": "auto", "disable_parallel_tool_use": True}, ToolChoice(parallel=False)),
        ({"type": "any", "disable_parallel_tool_use": False}, ToolChoice("required", parallel=True)),
    ],
)
def test_how_tools_may_be_used_is_read(sent: Any, choice: ToolChoice) -> None:
    assert read(tools=[TOOL], tool_choice=sent).tool_choice == choice


def test_a_choice_without_tools_is_only_refused_where_it_asks_for_one() -> None:
    assert read(tool_choice={"type": "auto"}).tool_choice == ToolChoice()
    assert "offers none" in refusal(tool_choice={"type": "any"})


# --- real clients -----------------------------------------------------------------------------------------------------


def _requests() -> list[Any]:
    found = []
    for file in sorted(CLIENTS.rglob("*.json")):
        for exchange in json.loads(file.read_text()).get("exchanges") or []:
            path, sent = (exchange.get("path") or "").split("?")[0], exchange.get("body")
            if path.endswith(("/messages", "/count_tokens")) and isinstance(sent, dict) and not sent.get("thread"):
                found.append(pytest.param(sent, id=f"{file.parent.name}/{file.stem}/{exchange['n']}"))
    return found or [pytest.param(None, marks=pytest.mark.skip("no ../shared/clients beside this checkout"))]


@pytest.mark.parametrize("sent", _requests())
def test_requests_of_real_clients_are_read(sent: dict[str, Any]) -> None:
    ask = SERVER.read_ask(json.dumps(sent).encode())

    assert len(ask.tools) == len(sent.get("tools") or [])
    assert len(ask.turns) == len(sent["messages"]) + bool(sent.get("system"))
    assert ask.knobs.max_tokens == sent.get("max_tokens")
