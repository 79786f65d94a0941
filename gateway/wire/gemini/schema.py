"""Schemas in the words of generateContent as JSON schema: lower-case types, null as a type of its own, counts as
numbers, one spelling of every name."""

from __future__ import annotations

import msgspec
from msgspec import Raw

from gateway.wire.gemini.shape import camel
from gateway.wire.schemas import Node

_COUNTS = frozenset(("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"))


def read_schema(schema: Raw) -> Raw:
    """The same as JSON schema. What is no object, or is nested too deeply to be looked at, stays as it is."""
    try:
        return Raw(msgspec.json.encode(_read(msgspec.json.decode(schema, type=Node))))
    except (msgspec.DecodeError, RecursionError):
        return schema


def _read(node: object) -> object:
    if not isinstance(node, dict):
        return node
    read: Node = {}
    for name, value in node.items():
        word = camel(name)
        match word, value:
            case "type", str():
                read[word] = value.lower()
            case "properties", dict():
                read[word] = {key: _read(inner) for key, inner in value.items()}
            case "items", _:
                read[word] = _read(value)
            case "anyOf", list():
                read[word] = [_read(kind) for kind in value]
            case _, str() if word in _COUNTS and value.isdecimal():
                read[word] = int(value)
            case _:
                read[word] = value
    return _say_null(read) if read.pop("nullable", None) is True else read


def _say_null(node: Node) -> Node:
    """The node with null among what it allows."""
    kinds = node.get("anyOf")
    if isinstance(kinds, list):
        return {**node, "anyOf": [*kinds, {"type": "null"}]}
    values = node.get("enum")
    if isinstance(values, list) and None not in values:
        node = {**node, "enum": [*values, None]}
    return {**node, "type": [node.get("type", "string"), "null"]}
