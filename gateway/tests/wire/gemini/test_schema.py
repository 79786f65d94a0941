"""Schemas in the words of this API are read as JSON schema."""

import json
from typing import Any

import pytest
from msgspec import Raw

from gateway.wire.gemini.schema import read_schema


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ({"type": "STRING", "format": "enum", "enum": ["A"]}, {"type": "string", "format": "enum", "enum": ["A"]}),
        ({"type": "INTEGER", "nullable": True}, {"type": ["integer", "null"]}),
        ({"type": "STRING", "enum": ["A"], "nullable": True}, {"type": ["string", "null"], "enum": ["A", None]}),
        (
            {"anyOf": [{"type": "STRING"}], "nullable": True},
            {"anyOf": [{"type": "string"}, {"type": "null"}]},
        ),
        ({"any_of": [{"type": "NUMBER"}], "nullable": False}, {"anyOf": [{"type": "number"}]}),
        ({"min_items": "1", "max_length": 2, "minimum": 1.5}, {"minItems": 1, "maxLength": 2, "minimum": 1.5}),
        (
            {"type": "OBJECT", "properties": {"any_of": {"type": "TYPE"}}, "property_ordering": ["any_of"]},
            {"type": "object", "properties": {"any_of": {"type": "type"}}, "propertyOrdering": ["any_of"]},
        ),
        ({"type": "ARRAY", "items": "odd"}, {"type": "array", "items": "odd"}),
    ],
)
def test_types_are_lowered_null_is_a_type_and_names_have_one_spelling(said: Any, meant: Any) -> None:
    assert json.loads(bytes(read_schema(Raw(json.dumps(said).encode())))) == meant


@pytest.mark.parametrize("schema", [b"5", b"[]", b"{", b'{"a":' * 3_000])
def test_what_is_no_schema_stays_as_it_is(schema: bytes) -> None:
    assert bytes(read_schema(Raw(schema))) == schema
