"""Requests are read in full, or refused with the right shape."""

import json
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
    ToolChoice,
    ToolResult,
    Turn,
)
from gateway.canon.fault import BadRequest
from gateway.tests.wire.gemini.asking import FUNCTION, HELLO, PATH, USER, read, refusal
from gateway.wire.gemini import SERVER, read_count

EVERYTHING = {
    "systemInstruction": {"parts": [{"text": "be kind"}], "role": "user"},
    "contents": [
        {
            "role": "user",
            "parts": [
                {"text": "look"},
                {"inlineData": {"mimeType": "image/png", "data": "AAAA"}},
                {"fileData": {"fileUri": "https://h/a.pdf", "displayName": "a.pdf"}},
            ],
        },
        {
            "role": "model",
            "parts": [
                {"text": "hm", "thought": True, "thoughtSignature": "c2ln+/="},
                {"text": "ok", "thoughtSignature": "dGV4dA=="},
                {"functionCall": {"id": "t0", "name": "f", "args": {"some_key": 1.50}}, "thoughtSignature": "Y2Fs"},
                {"functionCall": {"name": "g"}},
            ],
        },
        {
            "role": "function",
            "parts": [
                {"text": "and"},
                {"functionResponse": {"id": "t0", "name": "f", "response": {"some_key": [1]}}},
                {"functionResponse": {"name": "g", "response": {"error": "no"}}},
            ],
        },
    ],
    "tools": [
        {
            "functionDeclarations": [
                {
                    "name": "f",
                    "description": "d",
                    "parameters": {
                        "type": "OBJECT",
                        "properties": {"some_key": {"type": "NUMBER", "nullable": True, "minimum": 1}},
                    },
                    "responseJsonSchema": {"type": "string"},
                },
                {"name": "g", "parametersJsonSchema": {"type": "object", "additionalProperties": False}},
            ],
            "googleSearch": {"timeRangeFilter": {}},
        }
    ],
    "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["f"]}},
    "generationConfig": {
        "maxOutputTokens": 9,
        "temperature": 1,
        "topP": 0.5,
        "topK": 40.0,
        "stopSequences": ["END"],
        "seed": 7,
        "presencePenalty": 0.1,
        "frequencyPenalty": 0.2,
        "responseMimeType": "application/json",
        "responseSchema": {"type": "STRING"},
        "thinkingConfig": {"includeThoughts": True, "thinkingLevel": "LOW", "thinkingBudget": 512},
        "responseModalities": ["TEXT"],
    },
    "safetySettings": [{"category": "C", "threshold": "BLOCK_NONE"}],
    "cachedContent": None,
    "bench": {"reply": "route"},
    "with": ["alpha"],
}


def snake(value: Any, inside: str = "") -> Any:
    """The same request in snake_case, but for what belongs to the caller."""
    if isinstance(value, list):
        return [snake(inner, inside) for inner in value]
    if not isinstance(value, dict) or inside in ("args", "response", "parameters", "parametersJsonSchema"):
        return value
    return {
        "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name): snake(inner, name)
        for name, inner in value.items()
    }


def test_a_request_with_everything_is_read_in_full() -> None:
    ask = read(**EVERYTHING)

    assert ask == Ask(
        protocol="gemini",
        model="bench/core",
        turns=(
            Turn("system", (Text("be kind"),)),
            Turn(
                "user",
                (
                    Text("look"),
                    Media("image", data="AAAA", mime="image/png"),
                    Media("document", url="https://h/a.pdf", mime="application/pdf", name="a.pdf"),
                ),
            ),
            Turn(
                "assistant",
                (
                    Thought("hm", Raw(b'{"gemini":{"signature":"c2ln+/="}}')),
                    Text("ok"),
                    Thought("", Raw(b'{"gemini":{"signature":"dGV4dA==","on_text":true}}')),
                    ToolCall("t0", "f", '{"some_key": 1.5}', seal=Raw(b'{"gemini":{"signature":"Y2Fs"}}')),
                    ToolCall("call_0", "g", "{}"),
                ),
            ),
            Turn(
                "tool",
                (
                    ToolResult("t0", (Text('{"some_key": [1]}'),), name="f"),
                    ToolResult("call_0", (Text("no"),), error=True, name="g"),
                ),
            ),
            Turn("user", (Text("and"),)),
        ),
        include_usage=True,
        tools=(
            Tool(
                "f",
                "d",
                Raw(b'{"type":"object","properties":{"some_key":{"type":["number","null"],"minimum":1}}}'),
                extras={"responseJsonSchema": Raw(b'{"type": "string"}')},
            ),
            Tool("g", parameters=Raw(b'{"type": "object", "additionalProperties": false}')),
            Tool("googleSearch", kind="vendor", definition=Raw(b'{"googleSearch":{"timeRangeFilter": {}}}')),
        ),
        tool_choice=ToolChoice("named", "f"),
        output=OutputFormat("json_schema", schema=Raw(b'{"type":"string"}')),
        knobs=Knobs(9, 1.0, 0.5, 40, ("END",), 7, 0.1, 0.2, "low", 512),
        nominated=("alpha",),
        bench=BenchField("route"),
        extras={
            "safetySettings": Raw(b'[{"category": "C", "threshold": "BLOCK_NONE"}]'),
            "generationConfig.responseModalities": Raw(b'["TEXT"]'),
            "generationConfig.thinkingConfig.includeThoughts": Raw(b"true"),
        },
    )


def test_snake_case_says_the_same_at_every_level() -> None:
    said = snake({name: value for name, value in EVERYTHING.items() if name != "tools"})
    tools = snake(EVERYTHING["tools"])
    tools[0]["google_search"] = EVERYTHING["tools"][0]["googleSearch"]  # type: ignore[index]

    assert "system_instruction" in said
    assert "function_response" in json.dumps(said)
    assert read(**said, tools=tools) == read(**EVERYTHING)


def test_a_single_content_a_single_part_and_a_single_tool_need_no_list() -> None:
    ask = read(contents={"parts": {"text": "hi"}}, tools=FUNCTION, systemInstruction="be kind")

    assert ask.turns == (Turn("system", (Text("be kind"),)), HELLO)
    assert ask.tools == (Tool("f"),)
    assert read(systemInstruction={"text": "be kind"}).turns[0] == ask.turns[0]


@pytest.mark.parametrize("nothing", ["", None, {"parts": []}, {"parts": [{"text": ""}]}])
def test_instructions_without_words_are_none(nothing: Any) -> None:
    assert read(systemInstruction=nothing).turns == (HELLO,)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"contents": None}, "`contents` must have at least one turn"),
        ({"contents": []}, "`contents` must have at least one turn"),
        ({"contents": "hi"}, "`contents` must be a list"),
        ({"contents": ["hi"]}, "`contents[0]` must be an object"),
        ({"contents": [{"role": "user"}]}, "`contents[0]` has no `parts`"),
        ({"contents": [USER, {"role": "system", "parts": [{"text": "x"}]}]}, "`contents[1].role` is 'system'"),
        ({"contents": [{"role": 5, "parts": []}]}, "`contents[0].role` must be text"),
        ({"contents": [{"parts": "hi"}]}, "`contents[0].parts` must be a list"),
        ({"contents": [{"parts": ["hi"]}]}, "`contents[0].parts[0]` must be an object"),
        ({"systemInstruction": 5}, "`systemInstruction` must be an object"),
        ({"systemInstruction": {"parts": [{"inlineData": {}}]}}, "instructions are text only"),
        ({"systemInstruction": {"parts": [{"text": 5}]}}, "`systemInstruction.parts[0].text` must be text"),
        ({"generationConfig": []}, "`generationConfig` must be an object"),
        ({"generationConfig": {"maxOutputTokens": 0}}, "`generationConfig.maxOutputTokens` must be at least 1"),
        ({"generation_config": {"max_output_tokens": -1}}, "`generationConfig.maxOutputTokens` must be at least 1"),
        ({"generationConfig": {"temperature": "hot"}}, "`generationConfig.temperature` must be a number"),
        ({"generationConfig": {"topK": 1.5}}, "`generationConfig.topK` must be a whole number"),
        ({"generationConfig": {"stopSequences": "END"}}, "`generationConfig.stopSequences` must be a list"),
        ({"generationConfig": {"thinkingConfig": {"thinkingLevel": "huge"}}}, "Send minimal, low, medium or high"),
        ({"generationConfig": {"thinkingConfig": {"thinkingLevel": 5}}}, "thinkingLevel` must be text"),
        ({"generationConfig": {"thinkingConfig": {"thinkingBudget": "x"}}}, "thinkingBudget` must be a whole number"),
        ({"tools": "f"}, "`tools` must be a list"),
        ({"tools": [5]}, "`tools[0]` must be an object"),
        ({"tools": [{"functionDeclarations": [{}]}]}, "`tools[0].functionDeclarations[0]` has no `name`"),
        ({"tools": [{"functionDeclarations": [5]}]}, "`tools[0].functionDeclarations[0]` must be an object"),
        ({"toolConfig": 5}, "`toolConfig` must be an object"),
        ({"toolConfig": {"functionCallingConfig": {"mode": "MAYBE"}}}, "Send AUTO, ANY, NONE or VALIDATED"),
        ({"toolConfig": {"functionCallingConfig": {"mode": "ANY"}}}, "`tools` offers none"),
        (
            {
                "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["g"]}},
                "tools": FUNCTION,
            },
            "'g', which is not among `tools`",
        ),
        ({"toolConfig": {"functionCallingConfig": {"allowedFunctionNames": "f"}}}, "must be a list"),
        ({"with": "alpha"}, "`with` must be a list"),
        ({"bench": {"reply": "one"}}, "all, merged, route or choices"),
        ({"model": 5}, "`model` must be text"),
    ],
)
def test_malformed_requests_are_refused_with_what_is_right(fields: dict[str, Any], said: str) -> None:
    assert said in refusal(**fields)


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"5", b"null", b'{"contents":' + b"[" * 1_000 + b"]" * 1_000 + b"}"]
)
def test_bodies_that_are_no_object_are_refused(body: bytes) -> None:
    with pytest.raises(BadRequest):
        SERVER.read_ask(body, PATH)


@pytest.mark.parametrize(
    ("config", "choice", "extras"),
    [
        ({}, ToolChoice(), {}),
        ({"mode": "AUTO"}, ToolChoice(), {}),
        ({"mode": "none"}, ToolChoice("none"), {}),
        ({"mode": "ANY"}, ToolChoice("required"), {}),
        ({"mode": "ANY", "allowedFunctionNames": ["f", "g"]}, ToolChoice("required"), {"allowedFunctionNames"}),
        ({"mode": "VALIDATED"}, ToolChoice(), {"mode"}),
        ({"mode": "VALIDATED", "allowedFunctionNames": ["f"]}, ToolChoice(), {"mode", "allowedFunctionNames"}),
        ({"streamFunctionCallArguments": True}, ToolChoice(), {"streamFunctionCallArguments"}),
    ],
)
def test_choices_of_tools_are_read_and_what_canon_cannot_say_is_kept(
    config: dict[str, Any], choice: ToolChoice, extras: set[str]
) -> None:
    tools = [{"functionDeclarations": [{"name": "f"}, {"name": "g"}]}]
    ask = read(tools=tools, toolConfig={"functionCallingConfig": config, "retrievalConfig": {}})

    assert ask.tool_choice == choice
    assert set(ask.extras) == {"toolConfig.retrievalConfig"} | {
        f"toolConfig.functionCallingConfig.{name}" for name in extras
    }


@pytest.mark.parametrize(
    ("config", "effort", "budget", "extras"),
    [
        ({"thinkingBudget": 0}, "none", None, set()),
        ({"thinkingBudget": -1}, "", None, {"thinkingBudget"}),
        ({"thinkingBudget": 100}, "", 100, set()),
        ({"thinkingLevel": "THINKING_LEVEL_UNSPECIFIED", "includeThoughts": True}, "", None, {"includeThoughts"}),
        ({"thinking_level": "high", "include_thoughts": False}, "high", None, {"includeThoughts"}),
    ],
)
def test_how_much_to_reason_is_read(config: dict[str, Any], effort: str, budget: int | None, extras: set[str]) -> None:
    ask = read(generationConfig={"thinkingConfig": config})

    assert (ask.knobs.reasoning_effort, ask.knobs.reasoning_tokens) == (effort, budget)
    assert set(ask.extras) == {f"generationConfig.thinkingConfig.{name}" for name in extras}


@pytest.mark.parametrize(
    ("config", "output"),
    [
        ({"responseMimeType": "text/plain"}, None),
        ({"responseMimeType": "application/json"}, OutputFormat("json_object")),
        ({"response_json_schema": {"a": 1}}, OutputFormat("json_schema", schema=Raw(b'{"a": 1}'))),
        (
            {"responseSchema": {"type": "ARRAY", "items": {"any_of": [{"type": "STRING"}]}, "min_items": "2"}},
            OutputFormat(
                "json_schema",
                schema=Raw(b'{"type":"array","items":{"anyOf":[{"type":"string"}]},"minItems":2}'),
            ),
        ),
    ],
)
def test_structured_output_is_read(config: dict[str, Any], output: OutputFormat | None) -> None:
    assert read(generationConfig=config).output == output


def test_output_that_is_neither_text_nor_json_stays_as_it_was_sent() -> None:
    ask = read(generationConfig={"responseMimeType": "text/x.enum", "responseSchema": {"enum": ["a"]}})

    assert ask.output is None
    assert set(ask.extras) == {"generationConfig.responseMimeType", "generationConfig.responseSchema"}


def test_tokens_are_counted_of_bare_contents_or_of_a_whole_request() -> None:
    bare = read_count(json.dumps({"contents": [USER]}).encode(), "/v1beta/models/m:countTokens")
    whole = {"model": "models/m", "contents": [USER], "tools": [FUNCTION]}
    full = read_count(json.dumps({"generate_content_request": whole}).encode())

    assert (bare.model, bare.turns) == ("m", (HELLO,))
    assert (full.model, full.tools) == ("m", (Tool("f"),))
    with pytest.raises(BadRequest, match="`contents` must have"):
        read_count(b"{}")
