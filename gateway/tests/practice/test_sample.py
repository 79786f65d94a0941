"""Made-up JSON fits the schema it was made for."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from gateway.practice.sample import Sampler

PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 18}},
    "required": ["name", "age"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    "schema",
    [
        {},
        PERSON,
        {"type": "array", "items": PERSON, "minItems": 3, "uniqueItems": True},
        {"type": "array", "prefixItems": [{"type": "boolean"}, {"type": "null"}], "items": False},
        {"enum": ["a", "b"]},
        {"const": {"x": [1]}},
        {"type": ["null", "string"], "maxLength": 3},
        {"type": "string", "minLength": 40, "maxLength": 41},
        {"type": "string", "format": "date-time"},
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        {"type": "integer", "minimum": 7, "multipleOf": 5},
        {"type": "integer", "maximum": -3},
        {"type": "number", "maximum": -0.5, "minimum": -0.75},
        {"anyOf": [{"type": "null"}, {"type": "integer"}]},
        {"oneOf": [{"$ref": "#/$defs/p"}, {"type": "null"}], "$defs": {"p": PERSON}},
        {
            "allOf": [
                {**PERSON, "additionalProperties": True},
                {"properties": {"extra": {"const": 1}}, "required": ["extra"]},
            ]
        },
        {
            "type": "object",
            "properties": {"child": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}, "tags": {"type": "array"}},
            "required": ["tags"],
        },
        {"properties": {"a": {"type": "boolean"}, "b": {"items": {}}}},
    ],
)
def test_the_value_is_valid(schema: dict[str, Any]) -> None:
    value = Sampler(schema, "some words", (Fraction(5), Fraction(30))).value()
    Draft202012Validator(schema).validate(value)


def test_numbers_of_the_prompt_are_used_where_they_fit() -> None:
    schema = {"properties": {"a": {"type": "number"}, "b": {"type": "integer"}}, "required": ["a", "b"]}
    assert Sampler(schema, "", (Fraction(17), Fraction(25))).value() == {"a": 17.0, "b": 25}


def recursive() -> dict[str, Any]:
    return {"type": "object", "properties": {"again": {"$ref": "#"}}, "required": ["again"]}


def broad() -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string", "minLength": 10**9}
    for _ in range(30):
        schema = {"type": "array", "items": schema, "minItems": 10**9}
    return schema


@pytest.mark.parametrize(
    "schema",
    [
        recursive(),
        broad(),
        {"$ref": "#/$ref"},
        {"$ref": "#"},
        {"$ref": "https://example.org/else.json"},
        {"anyOf": "x", "allOf": 5, "enum": [], "required": "a", "properties": 3, "type": 9},
        {"type": "number", "minimum": 1e308, "maximum": float("nan"), "multipleOf": -1},
        {"type": "integer", "minimum": "low"},
    ],
)
def test_hostile_schemas_cost_little(schema: dict[str, Any]) -> None:
    began = time.perf_counter()
    Sampler(schema, "words").value()
    assert time.perf_counter() - began < 0.5
