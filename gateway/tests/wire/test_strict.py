"""Tools and answers that a caller wants held to a schema, as members of other protocols get them."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from gateway.canon.ask import Ask, OutputFormat, Text, Tool, Turn
from gateway.wire.base import Facts, Outgoing
from gateway.wire.closed_schemas import for_anthropic, for_openai_strict
from gateway.wire.registry import CLIENTS
from gateway.wire.schemas import Fitted

OPEN = Raw(
    b'{"type" : "object", "properties":{"type":{"type":"string","format":"uri"},"properties":{"type":"integer"},'
    b'"anyOf":{"enum":["a"]}},"required":["properties"],"$schema":"s"}'
)
CLOSED = Raw(b'{"type":"object", "properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}')
ANY = Raw(b'{"type":"object","properties":{"env":{"type":"object"}}}')


def sent(api: str, protocol: str, schema: Raw, *, strict: bool | None = True) -> tuple[bytes, Any, Any, str]:
    """(the body, the tool, the format of the answer, the notes)."""
    outgoing: Outgoing = CLIENTS[api].write_ask(
        Ask(
            protocol,
            "m",
            (Turn("user", (Text("hi"),)),),
            tools=(Tool("f", parameters=schema, strict=strict),),
            output=OutputFormat("json_schema", "n", schema, strict),
        ),
        Facts("m"),
    )
    body = json.loads(outgoing.body)
    tool, answer = body["tools"][0], None
    if api == "openai_chat":
        tool, answer = tool["function"], body["response_format"]["json_schema"]
    elif api == "openai_responses":
        answer = body["text"]["format"]
    else:
        tool, answer = {**tool, "parameters": tool["input_schema"]}, body.get("output_config", {}).get("format")
    return outgoing.body, tool, answer, " ".join(outgoing.notes)


@pytest.mark.parametrize("api", ["openai_chat", "openai_responses"])
def test_members_that_hold_to_schemas_get_closed_ones(api: str) -> None:
    _, tool, answer, notes = sent(api, "anthropic", OPEN)

    assert (tool["strict"], answer["strict"]) == (True, True)
    assert tool["parameters"] == answer["schema"]
    assert tool["parameters"]["required"] == ["type", "properties", "anyOf"]
    assert tool["parameters"]["additionalProperties"] is False
    assert tool["parameters"]["properties"] == {
        "type": {"type": ["string", "null"], "description": 'Format: "uri".'},
        "properties": {"type": "integer"},
        "anyOf": {"anyOf": [{"enum": ["a"]}, {"type": "null"}]},
    }
    losses = "properties.type.format, properties.type.optional, properties.anyOf.optional"
    assert f"The schema of the tool f could not say {losses}." in notes
    assert f"The schema of the answer could not say {losses}." in notes


@pytest.mark.parametrize("api", ["openai_chat", "openai_responses", "anthropic"])
def test_a_caller_of_the_same_protocol_keeps_its_schemas_byte_for_byte(api: str) -> None:
    body, _, _, notes = sent(api, api, OPEN)

    assert body.count(bytes(OPEN)) == 2
    assert "schema" not in notes


@pytest.mark.parametrize("api", ["openai_chat", "openai_responses", "anthropic"])
def test_a_schema_that_is_closed_already_keeps_its_bytes(api: str) -> None:
    body, _, _, notes = sent(api, "gemini", CLOSED)

    assert body.count(bytes(CLOSED)) == 2
    assert "schema" not in notes


@pytest.mark.parametrize("api", ["openai_chat", "openai_responses"])
def test_nobody_is_held_to_a_schema_that_lets_in_anything(api: str) -> None:
    body, tool, answer, notes = sent(api, "anthropic", ANY)

    assert not tool.get("strict")
    assert "strict" not in answer
    assert body.count(bytes(ANY)) == 2
    assert "`strict` of the tool f was left out" in notes
    assert "`strict` of the answer was left out" in notes


def test_what_is_not_strict_goes_out_as_it_came() -> None:
    for api in ("openai_chat", "openai_responses"):
        body, _, _, notes = sent(api, "anthropic", OPEN, strict=None)
        assert body.count(bytes(OPEN)) == 2
        assert not notes


def test_messages_holds_every_answer_to_its_schema_and_only_strict_tools_to_theirs() -> None:
    _, tool, answer, _ = sent("anthropic", "openai_chat", OPEN)
    assert tool["parameters"] == answer["schema"]
    assert answer["schema"]["required"] == ["properties"]
    assert answer["schema"]["additionalProperties"] is False

    _, tool, answer, _ = sent("anthropic", "openai_chat", OPEN, strict=None)
    assert tool["parameters"] == json.loads(bytes(OPEN))
    assert answer["schema"]["additionalProperties"] is False
    assert "strict" not in tool


# --- what comes out can be held to ------------------------------------------------------------------------------------

NAMES = st.sampled_from(["a", "type", "properties", "anyOf", "items", "required", "$ref"])
LEAVES = st.sampled_from(
    [
        *({"type": "string", "minLength": 1}, {"type": "string", "format": "int32"}, {"type": ["integer", "null"]}),
        *({"enum": ["x", 1]}, {"const": 1}, {"type": "number", "minimum": 2}, {"$ref": "#/$defs/T"}, True, {}),
        *({"type": "object"}, {"type": "object", "additionalProperties": {"type": "string"}}),
        {"type": "array", "items": {"type": "string"}, "minItems": 3, "uniqueItems": True},
    ]
)


def objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(
        lambda properties, needed, more: {
            "type": "object",
            "properties": properties,
            "required": [name for name in properties if needed],
            **more,
        },
        st.dictionaries(NAMES, inner, max_size=3),
        st.booleans(),
        st.sampled_from([{}, {"additionalProperties": True}, {"title": "t", "examples": [{}]}, {"minProperties": 1}]),
    )


SCHEMAS = objects(
    st.recursive(
        LEAVES,
        lambda inner: (
            objects(inner)
            | st.builds(lambda kinds: {"anyOf": kinds}, st.lists(inner, min_size=1, max_size=2))
            | st.builds(lambda kinds: {"oneOf": kinds, "default": 1}, st.lists(inner, min_size=1, max_size=2))
            | st.builds(lambda kind: {"type": "array", "items": kind}, inner)
        ),
        max_leaves=6,
    )
)


def nodes(schema: Any) -> Iterator[dict[str, Any]]:
    yield schema
    for name in ("properties", "$defs"):
        for inner in schema.get(name, {}).values():
            yield from nodes(inner)
    for inner in [*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else [])]:
        yield from nodes(inner)


@given(SCHEMAS)
def test_a_schema_that_can_be_held_to_is_closed_all_the_way_down(schema: Any) -> None:
    raw = Raw(
        json.dumps({**schema, "$defs": {"T": {"type": "object", "properties": {"n": {"type": "null"}}}}}).encode()
    )
    for fit, every in ((for_openai_strict, True), (for_anthropic, False)):
        fitted: Fitted = fit(raw)
        if not fitted.held:
            continue
        for node in nodes(json.loads(bytes(fitted.schema))):
            assert {"type", "anyOf", "$ref", "enum", "const"} & node.keys()
            assert not {"oneOf", "default", "uniqueItems", "minProperties", "examples", "minLength"} & node.keys() - (
                {"minLength"} if every else set()
            )
            if node.get("type") == "object":
                assert node["additionalProperties"] is False
                assert not every or sorted(node["required"]) == sorted(node["properties"])
        assert fit(fitted.schema) == Fitted(fitted.schema)
