"""Schemas are made to fit, property names stay, and every loss is named."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from gateway.wire.closed_schemas import for_anthropic, for_openai_strict
from gateway.wire.schemas import for_gemini

ODD = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {
        "type": {"type": ["string", "null"]},
        "const": {"type": "integer", "exclusiveMinimum": 0},
        "tags": {
            "type": "array",
            "uniqueItems": True,
            "prefixItems": [{"const": "a"}],
            "items": {"anyOf": [{"$ref": "#/$defs/T"}, {"type": "null"}]},
        },
    },
    "$defs": {"T": {"type": "string"}},
    "additionalProperties": False,
}
"""A tool's schema with all that servers of generateContent were seen to refuse."""

ALLOWED = {
    *("type", "format", "title", "description", "nullable", "enum", "items", "properties", "required", "anyOf"),
    *("minItems", "maxItems", "minProperties", "maxProperties", "minLength", "maxLength", "minimum", "maximum"),
    *("pattern", "default", "example", "propertyOrdering"),
}


def fit(schema: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    fitted = for_gemini(Raw(json.dumps(schema).encode()))
    return json.loads(bytes(fitted.schema)), fitted.losses


def fit_field(schema: Any, **root: Any) -> dict[str, Any]:
    """The schema of one property."""
    return dict(fit({"type": "object", "properties": {"x": schema}, **root})[0]["properties"]["x"])


def nodes_of(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The schema and every one inside it, found by where schemas stand and not by how they look."""
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]
    inner += [schema["items"]] if "items" in schema else []
    return [schema, *(node for child in inner for node in nodes_of(child))]


def test_a_schema_with_everything_that_servers_refuse_loses_just_that() -> None:
    schema, losses = fit(ODD)

    assert schema["properties"] == {
        "type": {"type": "string", "nullable": True},
        "const": {"type": "integer", "description": "More than 0."},
        "tags": {
            "type": "array",
            "items": {"type": "string", "nullable": True},
            "description": 'No two items are equal. The items in order: [{"const":"a"}].',
        },
    }
    assert losses == (
        "properties.const.exclusiveMinimum",
        "properties.tags.uniqueItems",
        "properties.tags.prefixItems",
        "additionalProperties",
    )
    assert all(set(node) <= ALLOWED for node in nodes_of(schema))


@pytest.mark.parametrize(
    ("asked", "sent"),
    [
        ({"const": "a"}, {"type": "string", "enum": ["a"]}),
        ({"enum": ["a", None]}, {"type": "string", "enum": ["a"], "nullable": True}),
        ({"type": "integer", "enum": [1, 2]}, {"type": "integer", "description": "One of [1,2]."}),
        ({"const": True}, {"type": "boolean", "description": "Always true."}),
        ({"enum": ["", "a"]}, {"type": "string", "description": 'One of ["","a"].'}),
        ({"type": "null"}, {"type": "string", "nullable": True}),
        ({"type": "STRING", "nullable": True}, {"type": "string", "nullable": True}),
        ({"type": "string", "format": "email"}, {"type": "string", "description": 'Format: "email".'}),
        ({"type": "string", "format": "date-time"}, {"type": "string", "format": "date-time"}),
        ({"anyOf": [{"type": "integer"}], "description": "d"}, {"type": "integer", "description": "d"}),
        ({"minimum": 1}, {"type": "number", "minimum": 1}),
        ({"type": "array"}, {"type": "array", "items": {"type": "string"}}),
        ({"type": "array", "items": True}, {"type": "array", "items": {"type": "string"}}),
        ({"allOf": [{"minLength": 1}, {"maxLength": 2}]}, {"type": "string", "minLength": 1, "maxLength": 2}),
        ({"$ref": "#/$defs/T", "description": "mine"}, {"type": "integer", "description": "mine"}),
        (
            {"type": ["string", "integer"], "enum": ["a", 1], "minLength": 2, "description": "d"},
            {
                "anyOf": [
                    {"type": "string", "enum": ["a"], "minLength": 2, "description": "d"},
                    {"type": "integer", "description": "d One of [1]."},
                ]
            },
        ),
        (
            {"oneOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}], "title": "t", "default": 1},
            {
                "anyOf": [
                    {"type": "string", "title": "t", "nullable": True},
                    {"type": "integer", "title": "t", "nullable": True},
                ]
            },
        ),
        (
            {"type": "object", "additionalProperties": {"type": "string"}},
            {"type": "object", "description": 'Further fields: {"type":"string"}.'},
        ),
        ({"type": ["null"]}, {"type": "string", "nullable": True}),
        ({"const": {"a": 1}}, {"type": "object", "description": 'Always {"a":1}.'}),
        (
            {"type": ["array", "object"], "enum": [[1], {}], "maxItems": 2},
            {
                "anyOf": [
                    {"type": "array", "items": {"type": "string"}, "maxItems": 2, "description": "One of [[1]]."},
                    {"type": "object", "description": "One of [{}]."},
                ]
            },
        ),
        (True, {"type": "string"}),
        ("odd", {"type": "string"}),
    ],
)
def test_each_construct_has_its_nearest_form(asked: Any, sent: dict[str, Any]) -> None:
    assert fit_field(asked, **{"$defs": {"T": {"type": "integer", "description": "theirs"}}}) == sent


def test_what_forbids_nothing_is_no_loss() -> None:
    idle = {"type": "object", "$id": "i", "$comment": "c", "additionalProperties": True, "uniqueItems": False}

    assert fit(idle) == ({"type": "object"}, ())


def test_fields_beside_a_union_go_into_its_kinds() -> None:
    schema, losses = fit(
        {
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
            "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
        }
    )

    assert list(schema) == ["anyOf"]
    assert [kind["required"] for kind in schema["anyOf"]] == [["a"], ["b"]]
    assert all(set(kind["properties"]) == {"a", "b"} for kind in schema["anyOf"])
    assert losses == ()


def test_names_that_are_required_but_unknown_are_left_out() -> None:
    schema, losses = fit({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a", "gone"]})

    assert (schema["required"], losses) == (["a"], ("required",))


def test_parts_of_an_all_of_are_put_together_and_conflicts_named() -> None:
    schema, losses = fit(
        {
            "allOf": [
                {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
                {"$ref": "#/definitions/B"},
                {"minProperties": 1},
                {"minProperties": 2},
            ],
            "definitions": {"B": {"properties": {"b": {"type": "integer"}}, "required": ["b"]}},
        }
    )

    assert schema == {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "integer"}},
        "required": ["a", "b"],
        "minProperties": 1,
    }
    assert losses == ("allOf",)


def test_a_type_that_holds_itself_is_cut_off() -> None:
    tree = {
        "$ref": "#/$defs/Node",
        "$defs": {"Node": {"type": "object", "properties": {"left": {"$ref": "#/$defs/Node"}}}},
    }
    schema, losses = fit(tree)

    assert schema["properties"]["left"] == {"type": "object", "description": "Nested in the same way."}
    assert losses == ("properties.left.$ref",)
    assert fit({"$ref": "#"})[1] == ("$ref",)
    assert fit({"allOf": [{"$ref": "#"}]})[1] != ()


@pytest.mark.parametrize("reference", ["https://elsewhere/s.json", "#/$defs/None", 5])
def test_a_reference_that_leads_nowhere_is_told(reference: Any) -> None:
    schema, losses = fit({"type": "object", "properties": {"a": {"$ref": reference}}})

    assert schema["properties"]["a"] == {"type": "object", "description": f"As {reference} says."}
    assert losses == ("properties.a.$ref",)


@pytest.mark.parametrize("schema", [b"5", b"[]", b"null", b'"x"', b"{", b'{"a":' * 2_000 + b"1" + b"}" * 2_000])
def test_what_is_no_schema_becomes_an_object_of_any_kind(schema: bytes) -> None:
    fitted = for_gemini(Raw(schema))

    assert (bytes(fitted.schema), fitted.losses) == (b'{"type":"object"}', ("everything",))


def test_references_that_multiply_and_levels_without_end_are_cut() -> None:
    doubling = {
        "$ref": "#/$defs/0",
        "$defs": {
            str(at): {
                "type": "object",
                "properties": {"a": {"$ref": f"#/$defs/{at + 1}"}, "b": {"$ref": f"#/$defs/{at + 1}"}},
            }
            for at in range(30)
        },
    }
    joined = {
        "allOf": [{"$ref": "#/$defs/0"}],
        "$defs": {str(at): {"allOf": [{"$ref": f"#/$defs/{at + 1}"}] * 2} for at in range(30)},
    }
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(200):
        deep = {"type": "array", "items": deep}

    assert len(json.dumps(fit(doubling)[0])) < 1_000_000
    assert any(loss.endswith("depth") for loss in fit(doubling)[1])
    assert any(loss.endswith("depth") for loss in fit(deep)[1])
    assert "allOf" in " ".join(fit(joined)[1])


KEYWORDS = st.sampled_from(
    [
        *("type", "properties", "items", "anyOf", "oneOf", "allOf", "enum", "const", "$ref", "required", "nullable"),
        *("format", "not", "prefixItems", "additionalProperties", "description", "minimum", "$defs", "default"),
    ]
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(0, 9)
    | st.sampled_from(["string", "object", "null", "#", "#/$defs/a", "a"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(KEYWORDS | st.sampled_from(["a", "b"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(KEYWORDS, VALUES, max_size=5))
def test_whatever_comes_in_a_schema_of_known_words_comes_out(schema: Any) -> None:
    raw = Raw(json.dumps(schema).encode())

    assert all(set(node) <= ALLOWED for node in nodes_of(fit(schema)[0]))
    for fitted in (for_openai_strict(raw), for_anthropic(raw)):
        assert isinstance(json.loads(bytes(fitted.schema)), dict)


def test_fitting_twice_changes_nothing_more() -> None:
    once, _ = fit(ODD)

    assert fit(once) == (once, ())


# --- closed objects ---------------------------------------------------------------------------------------------------


def test_strict_schemas_are_closed_and_require_every_field() -> None:
    fitted = for_openai_strict(
        Raw(
            json.dumps(
                {
                    "type": "object",
                    "properties": {
                        "a": {"type": "string"},
                        "b": {"type": "integer", "default": 1},
                        "c": {"type": ["string", "null"]},
                        "d": {"enum": ["x"]},
                        "e": {"oneOf": [{"type": "object", "properties": {}}, {"$ref": "#/$defs/T"}]},
                    },
                    "required": ["a", "e"],
                    "$defs": {"T": {"type": "object", "properties": {"type": {"type": "string"}}}},
                    "additionalProperties": {"type": "string"},
                }
            ).encode()
        )
    )
    schema = json.loads(bytes(fitted.schema))

    assert schema["required"] == ["a", "b", "c", "d", "e"]
    assert schema["properties"] == {
        "a": {"type": "string"},
        "b": {"type": ["integer", "null"], "description": "Usually 1."},
        "c": {"type": ["string", "null"]},
        "d": {"anyOf": [{"enum": ["x"]}, {"type": "null"}]},
        "e": {
            "anyOf": [
                {"type": "object", "properties": {}, "additionalProperties": False, "required": []},
                {"$ref": "#/$defs/T"},
            ]
        },
    }
    assert schema["$defs"]["T"]["additionalProperties"] is False
    assert schema["additionalProperties"] is False
    assert "additionalProperties" in fitted.losses
    assert "properties.b.default" in fitted.losses
    assert "properties.b.optional" in fitted.losses
    assert "properties.a.optional" not in fitted.losses


def test_anthropics_schemas_are_closed_and_tell_constraints_in_words() -> None:
    fitted = for_anthropic(Raw(json.dumps(ODD).encode()))
    schema = json.loads(bytes(fitted.schema))

    assert schema["properties"]["const"] == {"type": "integer", "description": "More than 0."}
    assert schema["properties"]["type"] == {"type": ["string", "null"]}
    assert schema["properties"]["tags"]["items"] == {"anyOf": [{"$ref": "#/$defs/T"}, {"type": "null"}]}
    assert schema["additionalProperties"] is False
    assert "required" not in schema
    assert fitted.losses == (
        "properties.const.exclusiveMinimum",
        "properties.tags.uniqueItems",
        "properties.tags.prefixItems",
    )
