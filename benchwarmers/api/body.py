"""Reads what a program sends against the fields that a route takes: every field that is unknown, missing or of the
wrong kind is named, with one sentence, all at once. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, TypeVar

import msgspec

from collections_app.refusal import Problems

Form = TypeVar("Form", bound=msgspec.Struct)
KINDS: Final = {
    "array": "a list",
    "bool": "true or false",
    "datetime": "a time such as 2026-11-30T12:00:00Z",
    "float": "a number",
    "int": "a whole number",
    "null": "null",
    "object": "an object",
    "str": "text",
}
_EXPECTED: Final = re.compile(r"Expected `([^`]+)`")
_WHERE: Final = re.compile(r" - at `\$\[(\d+)\]")


def read_body(said: Mapping[str, Any], form: type[Form]) -> Form:
    """The body as the form has it.

    :raises Refused: with each field that is unknown, missing or not of its kind.
    """
    fields = {field.encode_name: field for field in msgspec.structs.fields(form)}
    problems = Problems()
    _check_known(said, fields, problems, "field")
    values: dict[str, Any] = {}
    for name, field in fields.items():
        if name not in said:
            problems.check(not field.required, name, "This field is missing.")
            continue
        if _has_nul(said[name]):
            problems.add(name, "It holds a NUL character, which nothing here does.")
            continue
        try:
            values[field.name] = msgspec.convert(said[name], field.type)
        except msgspec.ValidationError as error:
            problems.add(name, _sentence(str(error)))
    problems.refuse()
    return form(**values)


def check_query(asked: Mapping[str, Any], known: Iterable[str]) -> None:
    """Let no parameter of an address pass that the route does not know: a filter with a slip would find too much.

    :raises Refused: with each of them.
    """
    problems = Problems()
    _check_known(asked, dict.fromkeys(known), problems, "parameter")
    problems.refuse()


def aware(moment: datetime | None, field: str) -> datetime | None:
    """A time that says where it holds.

    :raises Refused: it has no zone.
    """
    if moment is not None and moment.tzinfo is None:
        problems = Problems()
        problems.add(field, f"It is {KINDS['datetime']}, with its zone.")
        problems.refuse()
    return moment


def _check_known(said: Mapping[str, Any], known: Mapping[str, Any], problems: Problems, word: str) -> None:
    listed = ", ".join(known)
    for name in said:
        why = f"There is no such {word}; known are {listed}." if listed else f"This takes no {word}."
        problems.check(name in known, name[:64].replace("\0", "\ufffd"), why)


def _sentence(error: str) -> str:
    """What would be right, out of the decoder's words."""
    found = _EXPECTED.search(error)
    if found is None:
        return f"{error.split(' - at ')[0]}."
    right = " or ".join(KINDS.get(word.strip(), word.strip()) for word in found[1].split("|"))
    place = _WHERE.search(error)
    return f"Entry {int(place[1]) + 1} is {right}." if place else f"It is {right}."


def _has_nul(value: Any) -> bool:
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, dict):
        return any(_has_nul(one) for pair in value.items() for one in pair)
    return isinstance(value, list) and any(map(_has_nul, value))
