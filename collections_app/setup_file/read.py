"""Reads a set-up file's text into entries, or tells every mistake of form with its line. Pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Any

from collections_app.setup_file.form import FORMS, IDENTITY, WHAT, Form, fits
from collections_app.setup_file.lines import Place, find_places

_AT_LINE = re.compile(r"\s*\(at line (\d+), column \d+\)")
_AT_END = re.compile(r"\s*\(at end of document\)")
_SHOWN = 60


@dataclass(frozen=True)
class Mistake:
    """One thing that is wrong: where (counted from 1), and what would be right."""

    line: int
    sentence: str


class Mistaken(Exception):
    """The file cannot be applied. Carries every mistake, in the order of their lines."""

    def __init__(self, mistakes: list[Mistake]) -> None:
        self.mistakes = sorted(mistakes, key=lambda mistake: mistake.line)
        super().__init__("\n".join(f"line {mistake.line}: {mistake.sentence}" for mistake in self.mistakes))


@dataclass(frozen=True)
class Entry:
    """One table of the file: its section, its values, and where they stand."""

    section: str
    values: dict[str, Any]
    place: Place

    @property
    def name(self) -> str:
        """What tells it apart within its section."""
        return str(self.values.get(IDENTITY.get(self.section, ""), self.section))


def read_setup(text: str) -> list[Entry]:
    """The entries in the order of the file.

    :raises Mistaken: no TOML, an unknown table or field, a value of the wrong type, a missing field, or a name twice.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Mistaken([_syntax(text, str(error))]) from None
    except (ValueError, RecursionError):  # the reader's own, about which it says nothing
        raise Mistaken(
            [Mistake(1, "This is not TOML that can be read: a number is too long, or a list too deep.")]
        ) from None
    places: dict[str, list[Place]] = {}
    for place in find_places(text):
        places.setdefault(place.section, []).append(place)
    mistakes: list[Mistake] = []
    entries: list[Entry] = []
    for section, content in document.items():
        form = FORMS.get(section)
        if form is None:
            line = places[section][0].line if section in places else places[""][0].of(section)
            mistakes.append(Mistake(line, _unknown_table(section)))
        elif form.many != _is_many(content):
            line = places[section][0].line if section in places else places[""][0].of(section)
            mistakes.append(Mistake(line, f"Open this table with {form.header}."))
        else:
            entries += _entries(form, content, places.get(section, []), places[""][0])
    for entry in entries:
        mistakes += _check(FORMS[entry.section], entry)
    mistakes += _twice(entries)
    if mistakes:
        raise Mistaken(mistakes)
    return sorted(entries, key=lambda entry: entry.place.line)


def _syntax(text: str, message: str) -> Mistake:
    found = _AT_LINE.search(message)
    line = int(found[1]) if found else text.count("\n") + 1
    plain = _AT_END.sub("", _AT_LINE.sub("", message))
    return Mistake(line, f"This is not TOML: {plain[:1].lower()}{plain[1:]}.")


def _is_many(content: Any) -> bool:
    return isinstance(content, list) and all(isinstance(one, dict) for one in content)


def _entries(form: Form, content: Any, places: list[Place], top: Place) -> Iterator[Entry]:
    tables = content if form.many else [content]
    for number, values in enumerate(tables):
        # Tables written in one line, as `endpoint = [{...}]`, have no place of their own.
        place = places[number] if number < len(places) else Place(form.name, top.of(form.name))
        yield Entry(form.name, {name: _zoned(value) for name, value in values.items()}, place)


def _zoned(value: Any) -> Any:
    return value.replace(tzinfo=UTC) if isinstance(value, datetime) and value.tzinfo is None else value


def _unknown_table(section: str) -> str:
    near = get_close_matches(section, FORMS, n=1)
    hint = f"did you mean {FORMS[near[0]].header}?" if near else ""
    known = ", ".join(form.header for form in FORMS.values())
    return f"Unknown table “{section[:_SHOWN]}”; {hint or f'there are {known}'}{'' if hint else '.'}"


def _check(form: Form, entry: Entry) -> Iterator[Mistake]:
    for name, value in entry.values.items():
        kind = form.fields.get(name)
        if kind is None:
            near = get_close_matches(name, form.fields, n=1)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(form.fields)}."
            yield Mistake(entry.place.of(name), f"Unknown field “{name[:_SHOWN]}” in {form.header}; {hint}")
        elif not fits(value, kind):
            yield Mistake(entry.place.of(name), f"{name} is {WHAT[kind]}.")
    for name in form.needed:
        if name not in entry.values:
            yield Mistake(entry.place.line, f"{form.header} needs the field {name}.")


def _twice(entries: list[Entry]) -> Iterator[Mistake]:
    seen: dict[tuple[str, str], int] = {}
    for entry in entries:
        key = IDENTITY.get(entry.section)
        if key is None or key not in entry.values:
            continue
        first = seen.setdefault((entry.section, entry.name), entry.place.of(key))
        if first != entry.place.of(key):
            sentence = f"The {entry.section} “{entry.name[:_SHOWN]}” stands in line {first} already; name each once."
            yield Mistake(entry.place.of(key), sentence)
    defaults = [entry for entry in entries if entry.section == "endpoint" and entry.values.get("default") is True]
    for entry in defaults[1:]:
        sentence = f"The endpoint “{defaults[0].name[:_SHOWN]}” is the default already; only one can be."
        yield Mistake(entry.place.of("default"), sentence)
