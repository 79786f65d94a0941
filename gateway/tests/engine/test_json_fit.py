"""Whether JSON fits a schema: what is judged, what is not, and that no schema costs much."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator

from gateway.engine.json_fit import fits, read_json, same_key
from gateway.practice.sample import Sampler

PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0}},
    "required": ["name", "age"],
    "additionalProperties": False,
}
ADA = {"name": "Ada", "age": 36}


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        (PERSON, ADA, True),
        (PERSON, {"name": "Ada"}, False),
        (PERSON, {"name": "Ada", "age": "36"}, False),
        (PERSON, {"name": "Ada", "age": True}, False),
        (PERSON, {"name": "Ada", "age": -1}, False),
        (PERSON, {"name": "Ada", "age": 36, "x": 1}, False),
        (PERSON, [ADA], False),
        ({"type": "array", "items": PERSON, "minItems": 1}, [ADA], True),
        ({"type": "array", "items": PERSON, "minItems": 1}, [], False),
        ({"type": "array", "items": PERSON, "maxItems": 1}, [ADA, ADA], False),
        ({"type": "array", "items": PERSON}, [ADA, 1], False),
        ({"prefixItems": [{"type": "integer"}], "items": False}, [1], True),
        ({"prefixItems": [{"type": "integer"}], "items": False}, [1, 2], False),
        ({"type": ["string", "null"]}, None, True),
        ({"type": ["string", "null"]}, 1, False),
        ({"type": "number"}, 1, True),
        ({"type": "integer"}, 1.5, False),
        ({"maximum": 3}, 4, False),
        ({"maxLength": 3}, "four", False),
        ({"minLength": 3}, "no", False),
        ({"enum": ["a", 1]}, 1, True),
        ({"enum": ["a", 1]}, True, False),
        ({"const": {"a": [1]}}, {"a": [1]}, True),
        ({"const": 1, "enum": [2]}, 1, False),
        ({"anyOf": [{"type": "string"}, PERSON]}, ADA, True),
        ({"anyOf": [{"type": "string"}, PERSON]}, 1, False),
        ({"oneOf": [{"type": "string"}, {"type": "null"}]}, 1, False),
        ({"allOf": [{"required": ["name"]}, {"required": ["age"]}]}, {"name": "Ada"}, False),
        ({"$ref": "#/$defs/p", "$defs": {"p": PERSON}}, ADA, True),
        ({"$ref": "#/$defs/p", "$defs": {"p": PERSON}}, 1, False),
        ({"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"type": "null"}}}, 1, False),
        ({"properties": {"again": {"$ref": "#"}}, "required": ["x"]}, {"x": 1, "again": {}}, False),
        ({"additionalProperties": {"type": "integer"}}, {"a": "1"}, False),
        (False, 1, False),
        (True, 1, True),
        # Not judged, so not held against anything.
        ({"pattern": "^a$", "format": "date"}, "b", True),
        ({"patternProperties": {"^x": {}}, "additionalProperties": False}, {"y": 1}, True),
        ({"$ref": "https://example.org/else.json"}, 1, True),
        ({"$ref": "#/nowhere/at/all"}, 1, True),
        ({"type": "OBJECT"}, 1, True),
        ({"type": 5, "enum": 5, "required": 5, "properties": 5, "items": 5, "anyOf": 5, "minimum": "1"}, 1, True),
        (None, 1, True),
    ],
)
def test_structure_is_judged_and_nothing_else(schema: Any, value: Any, expected: bool) -> None:
    assert fits(schema, value) is expected


SCHEMAS = st.recursive(
    st.sampled_from(
        [
            {"type": "string"},
            {"type": "integer", "minimum": 2},
            {"type": ["null", "boolean"]},
            {"enum": ["a", 1, None]},
            {"const": 1},
            {},
        ]
    ),
    lambda inner: st.one_of(
        st.builds(lambda items: {"type": "array", "items": items, "minItems": 1}, inner),
        st.builds(
            lambda named, extra: {
                "type": "object",
                "properties": named,
                "required": sorted(named)[:2],
                "additionalProperties": extra,
            },
            st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
            st.sampled_from([False, True, {"type": "integer"}]),
        ),
        st.builds(lambda options: {"anyOf": options}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda options: {"allOf": options}, st.lists(inner, min_size=1, max_size=2)),
    ),
    max_leaves=8,
)
VALUES = st.recursive(
    st.sampled_from([None, True, 0, 1, 5, 1.5, "a", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=3),
    max_leaves=8,
)


@given(SCHEMAS, VALUES)
def test_it_agrees_with_a_validator_on_what_it_judges(schema: Any, value: Any) -> None:
    for one in (value, Sampler(schema, "a").value()):
        assert fits(schema, one) is Draft202012Validator(schema).is_valid(one)


def doubling() -> dict[str, Any]:
    names = [f"d{depth}" for depth in range(50)]
    halves = [[{"$ref": f"#/$defs/{name}"}] * 2 for name in names[1:]]
    return {"$ref": "#/$defs/d0", "$defs": {name: {"allOf": half} for name, half in zip(names, halves, strict=False)}}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"$ref": "#"}, 1),
        (doubling(), 1),
        ({"items": {"enum": list(range(100_000))}}, list(range(100_000))),
        ({"items": {"const": "x" * 1_000_000}}, ["y"] * 100_000),
        ({"items": {"required": ["a"] * 100_000}}, [{}] * 100_000),
        ({"items": {"$ref": "#/" + "a/" * 100_000}}, [1] * 100_000),
        ({"pattern": "^(a+)+$"}, "a" * 40 + "b"),
    ],
)
def test_no_schema_costs_much(schema: Any, value: Any) -> None:
    began = time.perf_counter()
    fits(schema, value)
    assert time.perf_counter() - began < 0.5


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ('{"a": 1, "b": [2]}', '{"b":[2.0],"a":1}', True),
        ("[1, 2]", "[2, 1]", False),
        ("1", "true", False),
        ("1", '"1"', False),
        ("0", "null", False),
        ("1e2", "100", True),
        ('"\\u00e9"', '"é"', True),
    ],
)
def test_values_are_compared_as_json(one: str, two: str, same: bool) -> None:
    assert (same_key(read_json(one)) == same_key(read_json(two))) is same


@pytest.mark.parametrize(
    "text", ["", "blue", "{'a': 1}", '{"a": 1} and more', "NaN", "[" * 5_000, '"\\ud800"', "\ud800"]
)
def test_what_is_not_json_is_not_read(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 each reader has its own words
        read_json(text)
