"""How tools, their schemas and structured output go out to a member."""

import json
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import OutputFormat, Tool, ToolChoice
from gateway.tests.wire.gemini.asking import ask_of, read, sent
from gateway.tests.wire.test_schemas import ODD


def test_schemas_of_other_apis_are_fitted_and_their_losses_named() -> None:
    tool = Tool("f", "d", Raw(json.dumps(ODD).encode()), strict=True, extras={"eager": Raw(b"true")})
    body, notes = sent(ask_of(protocol="openai_chat", tools=(tool,)))
    (declared,) = body["tools"][0]["functionDeclarations"]

    assert declared["parameters"]["properties"]["type"] == {"type": "string", "nullable": True}
    assert "parametersJsonSchema" not in declared
    assert notes == (
        "The schema of the tool f could not say properties.const.exclusiveMinimum, properties.tags.uniqueItems, "
        "properties.tags.prefixItems, additionalProperties.",
        "`strict` of the tool f was left out: this API has no such setting.",
        "`eager` of the tool f was left out.",
    )


def test_schemas_of_this_api_go_on_without_a_loss() -> None:
    closed = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
    plain = {"type": "OBJECT", "properties": {"a": {"type": "STRING", "nullable": True}}}
    functions = [{"name": "f", "parametersJsonSchema": closed}, {"name": "g", "parameters": plain}]
    body, notes = sent(
        read(
            tools=[{"functionDeclarations": functions}],
            generationConfig={"responseJsonSchema": closed, "responseMimeType": "application/json"},
        )
    )

    assert body["tools"][0]["functionDeclarations"] == [
        functions[0],
        {
            "name": "g",
            "parameters": {"type": "object", "properties": {"a": {"type": "string", "nullable": True}}},
        },
    ]
    assert body["generationConfig"] == {"responseMimeType": "application/json", "responseJsonSchema": closed}
    assert notes == ()


def test_a_function_without_parameters_has_no_schema() -> None:
    empty = Tool("f", parameters=Raw(b'{"type":"object","properties":{}}'))

    assert sent(ask_of(tools=(empty,)))[0]["tools"] == [{"functionDeclarations": [{"name": "f"}]}]


def test_structured_output_goes_out() -> None:
    schema = Raw(b'{"type":"array","items":{"type":["string","null"]}}')

    assert sent(ask_of(output=OutputFormat("json_object")))[0]["generationConfig"] == {
        "responseMimeType": "application/json"
    }
    assert sent(ask_of(output=OutputFormat("json_schema", schema=schema)))[0]["generationConfig"] == {
        "responseMimeType": "application/json",
        "responseSchema": {"type": "array", "items": {"type": "string", "nullable": True}},
    }


def test_a_free_text_tool_goes_out_as_a_function_with_one_text() -> None:
    body, notes = sent(ask_of(protocol="openai_chat", tools=(Tool("patch", kind="custom", grammar=Raw(b'"g"')),)))
    (declared,) = body["tools"][0]["functionDeclarations"]

    assert declared["parameters"]["properties"] == {"input": {"type": "string"}}
    assert "free-text" in notes[0]


def test_vendor_tools_go_to_members_of_this_api_only() -> None:
    tools = (Tool("googleSearch", kind="vendor", definition=Raw(b'{"googleSearch":{}}')), Tool("f"))

    assert sent(ask_of(tools=tools))[0]["tools"] == [{"functionDeclarations": [{"name": "f"}]}, {"googleSearch": {}}]
    body, notes = sent(ask_of(protocol="anthropic", tools=tools, tool_choice=ToolChoice("named", "googleSearch")))
    assert body["tools"] == [{"functionDeclarations": [{"name": "f"}]}]
    assert "toolConfig" not in body
    assert len(notes) == 2


@pytest.mark.parametrize(
    ("choice", "config"),
    [
        (ToolChoice("none"), {"mode": "NONE"}),
        (ToolChoice("required"), {"mode": "ANY"}),
        (ToolChoice("named", "f"), {"mode": "ANY", "allowedFunctionNames": ["f"]}),
        (ToolChoice(), None),
    ],
)
def test_choices_of_tools_go_out(choice: ToolChoice, config: Any) -> None:
    body = sent(ask_of(tools=(Tool("f"),), tool_choice=choice))[0]

    assert body.get("toolConfig") == (None if config is None else {"functionCallingConfig": config})
