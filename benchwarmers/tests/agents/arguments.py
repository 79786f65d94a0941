"""Arguments for a tool nobody has seen before, from its schema: what a property is for is told by its name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Raw, Struct


class Words(Struct, frozen=True):
    """What can be put into arguments: the file, a shell command, the line to find, the line to add after it, and the
    same as free text for a tool that takes nothing else."""

    path: str
    command: str
    find: str
    add: str
    free: str


def fill(schema: Raw | None, words: Words) -> dict[str, Any]:
    """The arguments: all that is required, the text to be replaced, and no more."""
    found = msgspec.json.decode(schema) if schema is not None else {}
    return _object(found, words) if isinstance(found, dict) else {}


def _object(schema: Mapping[str, Any], words: Words) -> dict[str, Any]:
    properties = schema.get("properties") or {}
    required = schema.get("required") or []
    return {name: _value(name, one, words) for name, one in properties.items() if name in required or _is_old(name)}


def _value(name: str, schema: Mapping[str, Any], words: Words) -> Any:
    if options := schema.get("enum"):
        return options[0]
    for alternatives in ("anyOf", "oneOf"):
        if alternatives in schema:
            return _value(name, schema[alternatives][0], words)
    match _kind(schema):
        case "object":
            return _object(schema, words)
        case "array":
            return [_value(name.removesuffix("s"), schema.get("items") or {}, words)]
        case "integer" | "number":
            return max(1, schema.get("minimum", 1))
        case "boolean":
            return False
        case _:
            return _text(re.sub(r"[^a-z]", "", name.lower()), words)


def _kind(schema: Mapping[str, Any]) -> str:
    kind = schema.get("type", "object" if "properties" in schema else "string")
    kind = next((one for one in kind if one != "null"), "null") if isinstance(kind, list) else kind
    return str(kind).lower()


def _is_old(name: str) -> bool:
    return name.lower().startswith("old")


def _text(name: str, words: Words) -> str:
    if name.startswith("old"):
        return words.find
    if name.startswith("new"):
        return f"{words.find}\n{words.add}"
    if name in ("command", "cmd"):
        return words.command
    if "path" in name or "file" in name:
        return words.path
    return words.free if name in ("input", "patch") else "Appends a line."
