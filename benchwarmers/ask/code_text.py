"""Values as JSON for a shell, as Python and as JavaScript: how a request is written down in code. Pure.

A string of JSON is a string of the other two as well, so one rendering serves all three; they differ in constants, in
names of arguments and in how a picture is read from its file.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from typing import Any, Final, Literal

from msgspec import Struct

Language = Literal["shell", "python", "script"]
_CONSTANTS: Final[dict[Language, dict[bool, str]]] = {
    "shell": {True: "true", False: "false"},
    "python": {True: "True", False: "False"},
    "script": {True: "true", False: "false"},
}
_MARK: Final = "\0"
"""Around the name of a picture in a document for a shell. JSON never has one as it is."""
_SPECIAL: Final = re.compile(r"[\\$`]")
STEP: Final[dict[Language, int]] = {"shell": 2, "python": 4, "script": 2}


class Picture(Struct, frozen=True):
    """The base64 of a file, with what stands before it; `raw` where a library wants the bytes themselves."""

    name: str
    before: str = ""
    raw: bool = False


def render(value: Any, language: Language, depth: int = 0) -> str:
    """The value as an expression, indented as what stands `depth` steps deep. A picture in JSON for a shell stays a
    mark that `shell_document` fills."""
    match value:
        case bool():
            return _CONSTANTS[language][value]
        case Picture():
            return _picture(value, language)
        case Mapping():
            entries = [f"{_text(name)}: {render(inner, language, depth + 1)}" for name, inner in value.items()]
            return _block("{", entries, "}", language, depth)
        case list():
            return _block("[", [render(inner, language, depth + 1) for inner in value], "]", language, depth)
        case _:
            return _text(value)


def arguments(value: Mapping[str, Any], language: Language) -> str:
    """The fields as arguments of a call, a line each: keywords in Python, one object in JavaScript."""
    if language == "script":
        return render(value, language)
    lines = [f"{' ' * STEP[language]}{name}={render(inner, language, 1)},\n" for name, inner in value.items()]
    return f"\n{''.join(lines)}"


def shell_document(body: Any) -> str:
    """JSON as a shell's here-document for standard input, pictures read from their files where there are some."""
    pieces = render(body, "shell").split(_MARK)
    if len(pieces) == 1:
        return f"<<'JSON'\n{pieces[0]}\nJSON"
    # Without quotes around the word, a shell replaces what stands in the document: only what is meant to be.
    for at, piece in enumerate(pieces):
        pieces[at] = f"$(base64 < {shlex.quote(piece)} | tr -d '\\n')" if at % 2 else _SPECIAL.sub(r"\\\g<0>", piece)
    return f"<<JSON\n{''.join(pieces)}\nJSON"


def _picture(picture: Picture, language: Language) -> str:
    name = _text(picture.name)
    if language == "shell":
        return f'"{picture.before}{_MARK}{picture.name}{_MARK}"'
    call = f"Path({name}).read_bytes()" if picture.raw else f"picture({name})"
    return f'"{picture.before}" + {call}' if picture.before else call


def _block(opens: str, entries: list[str], closes: str, language: Language, depth: int) -> str:
    """On one line where that is short, else an entry a line."""
    short = f"{opens}{', '.join(entries)}{closes}"
    if len(short) < 88 - STEP[language] * depth and "\n" not in short:
        return short
    inner, outer = " " * STEP[language] * (depth + 1), " " * STEP[language] * depth
    return f"{opens}\n{inner}" + f",\n{inner}".join(entries) + f"\n{outer}{closes}"


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
