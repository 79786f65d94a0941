"""The content and the fields of items that canon has no word for: members of the same protocol get them back."""

from __future__ import annotations

import msgspec
from msgspec import Raw

from gateway.canon.ask import Part, Text, Turn
from gateway.wire.losses import CONTENT, FORM
from gateway.wire.openai_responses.shape import ContentPart, Fields, ImageUrl, InputAudio
from gateway.wire.own_fields import own_fields, own_fields_below, pack_calls

_PART = frozenset(field.encode_name for field in msgspec.structs.fields(ContentPart))
_IN_PART = {
    "image_url": frozenset(field.encode_name for field in msgspec.structs.fields(ImageUrl)) | {"detail"},
    "input_audio": frozenset(field.encode_name for field in msgspec.structs.fields(InputAudio)),
}
_CALL = frozenset({"type", "id", "status", "call_id", "name", "namespace", "arguments", "input", "execution"})
_RESULT = frozenset({"type", "id", "status", "call_id", "name", "output", "execution", "tools"})
_NULL = Raw(b"null")


def of_call(fields: Fields) -> Fields:
    """A call's own fields."""
    return own_fields(fields, _CALL)


def of_result(fields: Fields) -> Fields:
    """The own fields of a call's output."""
    return own_fields(fields, _RESULT)


class Kept:
    """What is kept of the items of one turn: the contents of its messages in order, and its calls' own fields."""

    def __init__(self) -> None:
        self._contents: list[Raw] = []
        self._lossy = False
        self._formed = False
        self.calls: dict[str, Fields] = {}

    def content(self, raw: Raw, parts: list[Part]) -> None:
        """The content of the next message, or of an output. One without parts goes out nowhere."""
        if not parts:
            return
        if not bytes(raw).startswith(b"["):
            self._contents.append(_NULL)
            return
        sent = msgspec.json.decode(raw, type=list[Fields])
        lossy = any(own_fields(part, _PART) or own_fields_below(part, _IN_PART) for part in sent)
        # An empty list among a part's fields says nothing, but is a part of what was sent.
        formed = (len(sent) == 1 and _is_plain(parts)) or any(part.keys() - _PART for part in sent)
        self._lossy, self._formed = self._lossy or lossy, self._formed or formed
        self._contents.append(raw if lossy or formed else _NULL)

    def extras(self) -> Fields:
        """All of it, as a turn's extras."""
        found: Fields = {}
        if self._lossy or self._formed:
            found[CONTENT if self._lossy else FORM] = Raw(msgspec.json.encode(self._contents))
        return found | pack_calls(self.calls)


class Contents:
    """The contents of a turn's messages as they were sent, one by one."""

    def __init__(self, turn: Turn | None = None) -> None:
        kept = (turn.extras.get(CONTENT) or turn.extras.get(FORM)) if turn is not None else None
        self._left: list[Raw] = msgspec.json.decode(kept, type=list[Raw]) if kept is not None else []

    def take(self, parts: int) -> Raw | None:
        """That of the next message, which has so many parts; None where canon says it as well. Nothing more comes once
        a turn has other messages than were sent."""
        if not self._left:
            return None
        raw = self._left.pop(0)
        if bytes(raw) == b"null":
            return None
        if len(msgspec.json.decode(raw, type=list[Raw])) != parts:
            self._left = []
            return None
        return raw


def _is_plain(parts: list[Part]) -> bool:
    part = parts[0]
    return isinstance(part, Text) and part.cache is None and bool(part.text)
