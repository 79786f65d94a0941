"""Whether a JSON value fits a JSON schema, as far as structure goes: pure, and never much work.

Judges types, constants, properties, items, lengths and bounds, alternatives and references within the schema. Patterns,
formats and references elsewhere are not judged: a caller wrote them, and some of them never end. "Fits" therefore means
that nothing was found against it; a schema that is broken, or too long to follow, has nothing against any value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

_MOST_STEPS: Final = 20_000
_DEEPEST: Final = 60
_TYPES: Final[Mapping[str, Callable[[object], bool]]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
}


class _Unclear(Exception):
    """Too long or too deep to be followed."""


def read_json(text: str | bytes) -> Any:
    """The value. Whole numbers are ints however they are written. Raises ValueError when it is not JSON."""
    try:
        return _DECODER.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise ValueError(str(error)) from None


def same_key(value: object) -> bytes:
    """Equal for values that are the same JSON, whatever the order of their members."""
    return msgspec.json.encode(value, order="deterministic")


def fits(schema: object, value: object) -> bool:
    """Is there nothing in `schema` against `value`? Both as `read_json` gives them."""
    try:
        return _Check(schema).fits(schema, value, 0)
    except _Unclear:
        return True


class _Check:
    def __init__(self, root: object) -> None:
        self._root = root
        self._left = _MOST_STEPS

    def fits(self, schema: object, value: object, depth: int) -> bool:
        self._spend(1)
        if depth > _DEEPEST:
            raise _Unclear
        if not isinstance(schema, dict):
            return schema is not False
        return (
            self._of_type(schema, value)
            and self._of_constants(schema, value)
            and self._within(schema, value)
            and self._whole(schema, value, depth + 1)
            and self._members(schema, value, depth + 1)
        )

    def _spend(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0:
            raise _Unclear

    @staticmethod
    def _of_type(schema: dict[str, Any], value: object) -> bool:
        kinds = schema.get("type")
        listed = kinds if isinstance(kinds, list) else [kinds]
        known = [_TYPES[kind] for kind in listed if isinstance(kind, str) and kind in _TYPES]
        return not known or len(known) < len(listed) or any(is_one(value) for is_one in known)

    def _of_constants(self, schema: dict[str, Any], value: object) -> bool:
        for listed in (schema.get("enum"), [schema["const"]] if "const" in schema else None):
            if isinstance(listed, list) and self._key(value) not in [self._key(option) for option in listed]:
                return False
        return True

    def _key(self, value: object) -> bytes:
        """`same_key`, paid for by its length."""
        self._spend(1)
        key = same_key(value)
        self._spend(len(key) // 50)
        return key

    @staticmethod
    def _within(schema: dict[str, Any], value: Any) -> bool:
        """Bounds of numbers, and lengths of texts and lists."""
        if _TYPES["number"](value):
            size, least, most = value, "minimum", "maximum"
        elif isinstance(value, str):
            size, least, most = len(value), "minLength", "maxLength"
        elif isinstance(value, list):
            size, least, most = len(value), "minItems", "maxItems"
        else:
            return True
        low, high = schema.get(least), schema.get(most)
        return not (_TYPES["number"](low) and size < low) and not (_TYPES["number"](high) and size > high)

    def _whole(self, schema: dict[str, Any], value: object, depth: int) -> bool:
        """What is said of the value as a whole: a reference, alternatives, parts."""
        reference = schema.get("$ref")
        if isinstance(reference, str) and not self.fits(self._target(reference), value, depth):
            return False
        for word, enough in (("anyOf", any), ("oneOf", any), ("allOf", all)):
            options = schema.get(word)
            if isinstance(options, list) and options and not enough(self._each(options, value, depth)):
                return False
        return True

    def _each(self, schemas: list[object], value: object, depth: int) -> Iterable[bool]:
        return (self.fits(one, value, depth) for one in schemas)

    def _members(self, schema: dict[str, Any], value: object, depth: int) -> bool:
        if isinstance(value, list):
            items = schema.get("items")
            start = len(prefix) if isinstance(prefix := schema.get("prefixItems"), list) else 0
            return all(self.fits(items, item, depth) for item in value[start:])
        if not isinstance(value, dict):
            return True
        required, properties = schema.get("required"), schema.get("properties")
        named = properties if isinstance(properties, dict) else {}
        if isinstance(required, list):
            self._spend(len(required))
            if any(isinstance(name, str) and name not in value for name in required):
                return False
        others = schema.get("additionalProperties") if "patternProperties" not in schema else None
        return all(self.fits(named.get(name, others), inner, depth) for name, inner in value.items())

    def _target(self, reference: str) -> object:
        """What a reference within the schema points at; one that leads elsewhere says nothing."""
        if not reference.startswith("#"):
            return None
        target = self._root
        for step in filter(None, reference[1:].split("/")):
            self._spend(1)
            name = step.replace("~1", "/").replace("~0", "~")
            target = target.get(name) if isinstance(target, dict) else None
        return target


def _number(text: str) -> int | float:
    number = float(text)
    return int(number) if number.is_integer() else number


_DECODER: Final = msgspec.json.Decoder(float_hook=_number)
