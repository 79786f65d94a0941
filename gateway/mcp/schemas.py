"""The shapes of the tools' arguments and of what they give back, as JSON Schema."""

from __future__ import annotations

from typing import Any, Final

Schema = dict[str, Any]


def _object(required: tuple[str, ...] = (), /, **properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _open(**properties: Schema) -> Schema:
    """What comes back may gain fields."""
    return {"type": "object", "properties": properties}


def _text(about: str) -> Schema:
    return {"type": "string", "description": about}


def _list(of: Schema, about: str) -> Schema:
    return {"type": "array", "items": of, "description": about}


STRING: Final[Schema] = {"type": "string"}
NUMBER: Final[Schema] = {"type": "number"}
SEAT: Final = _open(call=STRING, seat=STRING, alias=STRING, status=STRING, seconds=NUMBER, error=STRING, answer=STRING)

LIST_IN: Final = _object()
LIST_OUT: Final = _open(collections=_list(_open(name=STRING, description=STRING), "Those that this caller may ask"))
ASK_IN: Final = _object(
    ("collection", "prompt"),
    collection=_text("Its name, as in bench/core"),
    prompt=_text("The question with everything needed to answer it"),
    system=_text("What every seat is told before the question"),
    merged={"type": "boolean", "description": "One merged answer instead of each; left out: as the collection says"},
    **{"with": _list(STRING, "Aliases that shall sit besides the members")},
)
ASK_OUT: Final = _open(
    answer=STRING, panel=STRING, collection=STRING, shape=STRING, seats=_list(SEAT, "Who answered, and how it went")
)
VERDICT_IN: Final = _object(
    ("call", "useful"),
    call=_text("The call id of the seat, as in p20270105-091500-7c1e.member1"),
    useful={"type": "boolean", "description": "Whether the answer helped the real work"},
    note=_text("What it was about, in a sentence"),
    real=_list(STRING, "Claims that proved right, a sentence each"),
    false=_list(STRING, "Claims that proved wrong, a sentence each"),
)
VERDICT_OUT: Final = _open(call=STRING, useful={"type": "boolean"}, real={"type": "integer"}, false={"type": "integer"})
PENDING_IN: Final = _object(
    (),
    calls=_list(STRING, "Call ids to look up"),
    session=_text("Which session asks; each call is named to it once"),
    transcript=_text("A .jsonl file on the machine that this tool runs on, searched for call ids"),
    active={"description": "True when the hook runs because of itself"},
)
PENDING_OUT: Final = _open(pending=_list(STRING, "Call ids without a verdict"))
