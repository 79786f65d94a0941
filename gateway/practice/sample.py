"""A small JSON value that fits a JSON schema: what a script answers when structure is asked for, or a tool's arguments.

Fills required properties, and the others of an object that names none as required. Knows no patterns. Bounded: depth,
list lengths and the number of values are capped, whatever a schema asks for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import ceil
from typing import Any

Schema = Mapping[str, Any]

_DEEPEST = 12
_MOST_VALUES = 2_000
_MOST_ITEMS = 20
_LONGEST = 2_000
_FORMATS = {
    "date": "2026-11-29",
    "date-time": "2026-11-29T10:15:00Z",
    "time": "10:15:00Z",
    "email": "practice@example.org",
    "uri": "https://example.org/",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "hostname": "example.org",
}


class Sampler:
    """Makes one value for one schema. Strings are `text`; numbers are taken from `numbers` in order, where they fit."""

    def __init__(self, root: Schema, text: str, numbers: tuple[Fraction, ...] = ()) -> None:
        self._root = root
        self._text = text
        self._numbers: Iterator[Fraction] = iter(numbers)
        self._left = _MOST_VALUES

    def value(self) -> Any:
        """The value."""
        return self._any(self._root, 0, 0)

    def _any(self, schema: object, depth: int, salt: int) -> Any:
        self._left -= 1
        if not isinstance(schema, Mapping) or depth > _DEEPEST or self._left < 0:
            return None
        schema = self._resolved(schema)
        if "const" in schema:
            return schema["const"]
        if isinstance(options := schema.get("enum"), list) and options:
            return options[salt % len(options)]
        match _type_of(schema):
            case "object":
                return self._object(schema, depth, salt)
            case "array":
                return self._array(schema, depth)
            case "integer" | "number" as kind:
                return self._number(schema, kind == "integer", salt)
            case "boolean":
                return True
            case "null":
                return None
            case _:
                return self._string(schema, salt)

    def _resolved(self, schema: Schema) -> Schema:
        """The schema with references followed, alternatives chosen and parts merged."""
        for _ in range(_DEEPEST):
            if isinstance(reference := schema.get("$ref"), str):
                schema = _merged({key: schema[key] for key in schema if key != "$ref"}, self._target(reference))
            elif options := schema.get("anyOf") or schema.get("oneOf"):
                rest = {key: schema[key] for key in schema if key not in ("anyOf", "oneOf")}
                schema = _merged(rest, _first_real(options))
            elif isinstance(parts := schema.get("allOf"), list):
                schema = {key: schema[key] for key in schema if key != "allOf"}
                for part in parts[:_MOST_ITEMS]:
                    schema = _merged(schema, part)
            else:
                break
        return schema

    def _target(self, reference: str) -> object:
        target: object = self._root
        for step in reference.removeprefix("#").strip("/").split("/"):
            name = step.replace("~1", "/").replace("~0", "~")
            if name:
                target = target.get(name) if isinstance(target, Mapping) else None
        return target

    def _object(self, schema: Schema, depth: int, salt: int) -> dict[str, Any]:
        properties = schema.get("properties")
        properties = properties if isinstance(properties, Mapping) else {}
        required = schema.get("required")
        names = [name for name in required if isinstance(name, str)] if isinstance(required, list) else list(properties)
        return {name: self._any(properties.get(name, {}), depth + 1, salt) for name in names}

    def _array(self, schema: Schema, depth: int) -> list[Any]:
        fixed = schema.get("prefixItems")
        values = [self._any(one, depth + 1, 0) for one in fixed[:_MOST_ITEMS]] if isinstance(fixed, list) else []
        least = min(_MOST_ITEMS, int(_bound(schema.get("minItems"), 0)))
        while len(values) < least:
            values.append(self._any(schema.get("items", {}), depth + 1, len(values)))
        return values

    def _number(self, schema: Schema, whole: bool, salt: int) -> int | float:
        low, high = _limits(schema, whole)
        step = _bound(schema.get("multipleOf"), 0)
        found = next(self._numbers, None)
        fits = found is not None and low <= found <= high and (not whole or found.denominator == 1)
        if found is not None and fits and not (step and found % step):
            return int(found) if whole else float(found)
        start = max(low, Fraction(0)) if high >= 0 else low if low > -(10**15) else high
        value = start + salt
        if step:
            value = ceil(start / step) * step + salt * step
        value = min(value, high)
        return ceil(value) if whole else float(value)

    def _string(self, schema: Schema, salt: int) -> str:
        if (shaped := _FORMATS.get(str(schema.get("format")))) is not None:
            return shaped
        text = self._text if not salt else f"{self._text} {salt + 1}"
        least = min(_LONGEST, int(_bound(schema.get("minLength"), 0)))
        most = min(_LONGEST, int(_bound(schema.get("maxLength"), _LONGEST)))
        return text.ljust(least, ".")[: max(0, most)]


def _type_of(schema: Schema) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "null")
    if isinstance(kind, str):
        return kind
    if "properties" in schema or "required" in schema:
        return "object"
    return "array" if "items" in schema or "prefixItems" in schema else "string"


def _first_real(options: object) -> object:
    """The first alternative that is not null."""
    listed = options if isinstance(options, list) else []
    real = [one for one in listed if isinstance(one, Mapping) and one.get("type") != "null"]
    return real[0] if real else next(iter(listed), {})


def _merged(base: Schema, other: object) -> Schema:
    if not isinstance(other, Mapping):
        return base
    merged = {**base, **other}
    for field in ("properties", "required"):
        one, two = base.get(field), other.get(field)
        if isinstance(one, Mapping) and isinstance(two, Mapping):
            merged[field] = {**one, **two}
        elif isinstance(one, list) and isinstance(two, list):
            merged[field] = [*one, *(name for name in two if name not in one)]
    return merged


def _limits(schema: Schema, whole: bool) -> tuple[Fraction, Fraction]:
    edge = Fraction(1) if whole else Fraction(1, 1000)
    low, high = _bound(schema.get("minimum"), -(10**18)), _bound(schema.get("maximum"), 10**18)
    if "exclusiveMinimum" in schema:
        low = max(low, _bound(schema["exclusiveMinimum"], low - edge) + edge)
    if "exclusiveMaximum" in schema:
        high = min(high, _bound(schema["exclusiveMaximum"], high + edge) - edge)
    return low, high


def _bound(value: object, otherwise: Fraction | int) -> Fraction:
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 10**18:
        return Fraction(value)
    return Fraction(otherwise)
