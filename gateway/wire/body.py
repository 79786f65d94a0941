"""Request bodies: JSON to typed structs, and every misfit to a sentence that says what is wrong and what is right.

Shared by all servers, with the two fields that every format carries for the gateway: `with` and `bench`. May assume
bytes of a bounded size. Never lets a decoding error of any kind out except as `BadRequest`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, TypeVar

import msgspec
from msgspec import Raw

from gateway.canon.ask import BenchField
from gateway.canon.fault import BadRequest

T = TypeVar("T")

MISSING = Raw(b"")
"""Stands for a raw field that was not sent. The decoder knows no "raw JSON or nothing": a field typed `Raw | None`
takes null only."""

_KINDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_WRONG_KIND = re.compile(r"Expected `(?P<right>[^`]+)`, got `(?P<wrong>\w+)`(?: - at `\$\.?(?P<place>.*)`)?")
_OUT_OF_RANGE = re.compile(r"Expected `\w+` (?P<sign>>=|<=|>|<) (?P<bound>\S+) - at `\$\.?(?P<place>.*)`")
_SIGNS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}


def read_fields(body: bytes) -> dict[str, Raw]:
    """The top-level fields of a JSON object, unread."""
    return read_body(body, dict[str, Raw])


def read_body(body: bytes | Raw, kind: type[T], place: str = "") -> T:
    """`body` as `kind`. `place` names the field the body came from, for the message."""
    try:
        if type(body) is bytes and not body.isascii():
            body.decode()  # the decoder does not look into what it leaves unread
        return msgspec.json.decode(body, type=kind)
    except UnicodeDecodeError as garbled:
        raise BadRequest(f"The body is not JSON in UTF-8 ({garbled.reason}). Send one JSON object.") from garbled
    except msgspec.ValidationError as misfit:
        raise BadRequest(explain(str(misfit), place)) from misfit
    except msgspec.DecodeError as garbled:
        raise BadRequest(f"The body is not JSON ({garbled}). Send one JSON object.") from garbled
    except RecursionError as deep:
        raise BadRequest("The body is nested too deeply. Send JSON with fewer levels.") from deep


def explain(misfit: str, place: str = "") -> str:
    """A decoder's complaint in a caller's words."""
    if found := _WRONG_KIND.fullmatch(misfit):
        right = " or ".join(_KINDS.get(kind, kind) for kind in found["right"].split(" | ") if kind != "null")
        wrong = _KINDS.get(found["wrong"], found["wrong"])
        return f"{_where(place, found['place'])} must be {right}, not {wrong}."
    if found := _OUT_OF_RANGE.fullmatch(misfit):
        return f"{_where(place, found['place'])} must be {_SIGNS[found['sign']]} {found['bound']}."
    what, _, below = misfit.partition(" - at `$")
    return f"{_where(place, below.rstrip('`').removeprefix('.'))} cannot be used: {what[:1].lower()}{what[1:]}."


NO_WISHES: Final = BenchField()
OWN_FIELDS: Final = frozenset({"with", "only", "bench"})
"""The gateway's own fields, the same in every format."""


def read_nominated(fields: dict[str, Raw]) -> tuple[str, ...]:
    """The models a caller wants to see seated."""
    sent = given(fields["with"]) if "with" in fields else None
    if sent is None:
        return ()
    try:
        return tuple(msgspec.json.decode(sent, type=list[str]))
    except msgspec.DecodeError as misfit:
        raise BadRequest("`with` must be a list of model aliases, each as text.") from misfit


def read_bench(fields: dict[str, Raw]) -> BenchField:
    """The caller's wishes for this one request. `only` may stand beside `bench` as well as in it."""
    if "bench" not in fields and "only" not in fields:
        return NO_WISHES
    sent, only = given(fields.get("bench")), given(fields.get("only"))
    try:
        wishes = BenchField() if sent is None else msgspec.json.decode(sent, type=BenchField)
    except msgspec.DecodeError as misfit:
        raise BadRequest(
            explain(str(misfit), "bench")
            + " `bench` is an object; its `reply`, if given, is one of all, merged, route or choices."
        ) from misfit
    if only is None:
        return wishes
    try:
        return msgspec.structs.replace(wishes, only=tuple(msgspec.json.decode(only, type=list[str])))
    except msgspec.DecodeError as misfit:
        raise BadRequest("`only` must be a list of model aliases, each as text.") from misfit


def given(raw: Raw | None) -> Raw | None:
    """A raw field's value; None when it was not sent or is null."""
    return None if raw is None or bytes(raw) in (b"", b"null") else raw


def read_number(option: object) -> int | None:
    """A whole number, or the raw JSON of one; None for anything else."""
    if isinstance(option, int):
        return option
    try:
        return msgspec.json.decode(option, type=int) if isinstance(option, Raw) else None
    except msgspec.DecodeError:
        return None


def _where(place: str, below: str | None) -> str:
    path = f"{place}{'' if not place or not below or below.startswith('[') else '.'}{below or ''}"
    return f"`{path}`" if path else "The body"


def on_one_line(raw: Raw) -> Raw:
    """The same JSON without line breaks, which would end a line of a stream too soon. Inside strings JSON has none."""
    text = bytes(raw)
    return raw if b"\n" not in text and b"\r" not in text else Raw(b" ".join(text.splitlines()))


def join_lists(pieces: Iterable[Raw]) -> Raw:
    """The entries of several JSON lists as one list, each entry as it came; what is no list counts as an entry."""
    inner = [_inside(bytes(piece).strip()) for piece in pieces]
    return Raw(b"[" + b",".join(entry for entry in inner if entry.strip()) + b"]")


def _inside(piece: bytes) -> bytes:
    """The entries of a list; what is no list is an entry itself."""
    return piece[1:-1] if piece.startswith(b"[") else piece
