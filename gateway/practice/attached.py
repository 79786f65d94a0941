"""Images and documents that come with a request, as far as a script can tell of them: what they are and how large, and
the number of words where a document is plain text. Nothing is fetched and no picture is looked at. Pure.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any, Literal
from urllib.parse import urlsplit

from msgspec import Struct

from gateway.canon.fault import BadRequest
from gateway.canon.tokens import TOKENS_PER_IMAGE, estimate_length

_DATA_URL = re.compile(r"data:(?P<mime>[\w.+-]+/[\w.+-]+)?(?:;[\w=.-]+)*;base64,", re.I)
_LONGEST = 80


class Attached(Struct, frozen=True):
    """One image or document. `about` says in a few words what it is, `tokens` is what it counts for."""

    kind: Literal["image", "document"]
    about: str
    tokens: int


def read_part(part: Mapping[str, Any]) -> str | Attached:
    """The words of a content part, or what it brings. Raises BadRequest for a part that a script can make nothing
    of."""
    kind = part.get("type")
    match kind:
        case "text" | "refusal":
            text = part.get("text", part.get("refusal"))
            if isinstance(text, str):
                return text
        case "image_url":
            image = part.get("image_url")
            url = image.get("url") if isinstance(image, Mapping) else image
            if isinstance(url, str) and url:
                return Attached("image", _about("image", url), TOKENS_PER_IMAGE)
        case "file":
            file = part.get("file")
            if isinstance(file, Mapping) and (document := _document(file)) is not None:
                return document
        case _:
            pass
    raise BadRequest(
        f"A content part of type {str(kind)[:40]!r} cannot be read; this script takes text, image_url and file, "
        "each with its content."
    )


def counted(attached: tuple[Attached, ...], kind: str) -> str:
    """`2 images`; empty when there are none."""
    number = sum(one.kind == kind for one in attached)
    return f"{number} {kind}{'s' if number > 1 else ''}" if number else ""


def _document(file: Mapping[str, Any]) -> Attached | None:
    name, data, stored = file.get("filename"), file.get("file_data"), file.get("file_id")
    named = f"“{_short(name)}”, " if isinstance(name, str) and name else ""
    if isinstance(data, str) and data:
        return Attached("document", named + _about("document", data), estimate_length(_size(data)))
    if isinstance(stored, str) and stored:
        return Attached("document", f"{named}stored as {_short(stored)}", 0)
    return None


def _about(kind: str, url: str) -> str:
    """What an address or base64 data is: where it is, or its type, its size and its words."""
    if url[:7].lower() in ("http://", "https:/"):
        try:
            parts = urlsplit(url)
        except ValueError:
            return "at an address"
        return f"at {_short((parts.hostname or '') + parts.path)}"
    found = _DATA_URL.match(url)
    mime = (found["mime"] if found else "") or ""
    words = _words(url) if mime.lower().startswith("text/") else None
    if words is not None:
        return f"{words} words of {mime.lower()}"
    return f"{mime.lower() or f'{kind} data'}, {_size(url):,} bytes"


def _base64(url: str) -> str:
    return url[found.end() :] if (found := _DATA_URL.match(url)) else url


def _size(url: str) -> int:
    """Bytes that the base64 stands for, or the length of an address."""
    data = _base64(url)
    return len(data) * 3 // 4 - data[-2:].count("=")


def _words(url: str) -> int | None:
    try:
        return len(base64.b64decode(_base64(url), validate=True).decode().split())
    except (binascii.Error, ValueError):
        return None


def _short(text: str) -> str:
    return " ".join(text.split())[:_LONGEST]
