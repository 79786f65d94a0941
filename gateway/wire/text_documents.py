"""Text documents in the words of a message, for members that take no documents."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from gateway.canon.ask import Media, Part, Text, ToolResult, Turn
from gateway.canon.text_documents import as_words, text_of
from gateway.wire import losses

_AS_SENT = (losses.FORM, losses.CONTENT, losses.PARTS)


def spell_out(turns: Sequence[Turn], notes: list[str], *, same_protocol: bool) -> tuple[Turn, ...]:
    """The turns with every text document as words. What they held in the caller's own form is no longer what is sent;
    where that was more than canon holds, it is noted, as each document is."""
    if not any(_holds_media(part) for turn in turns for part in turn.parts):
        return tuple(turns)
    return tuple(_of_turn(turn, notes, same_protocol=same_protocol) for turn in turns)


def _of_turn(turn: Turn, notes: list[str], *, same_protocol: bool) -> Turn:
    parts = tuple(_of_part(part, notes) for part in turn.parts)
    if all(new is old for new, old in zip(parts, turn.parts, strict=True)):
        return turn
    if not same_protocol:
        return replace(turn, parts=parts)
    sent = {name: raw for name, raw in turn.extras.items() if name in _AS_SENT}
    notes.extend(losses.of_message(replace(turn, extras=sent)))
    kept = {name: raw for name, raw in turn.extras.items() if name not in sent}
    return replace(turn, parts=parts, extras=kept)


def _of_part(part: Part, notes: list[str]) -> Part:
    if isinstance(part, ToolResult):
        inner = tuple(_as_text(one, notes) for one in part.parts)
        same = all(new is old for new, old in zip(inner, part.parts, strict=True))
        return part if same else replace(part, parts=inner)
    return _as_text(part, notes) if isinstance(part, Media) else part


def _as_text(part: Text | Media, notes: list[str]) -> Text | Media:
    text = text_of(part) if isinstance(part, Media) else None
    if not isinstance(part, Media) or text is None:
        return part
    which = f"The document {part.name}" if part.name else "A document"
    notes.append(f"{which} was sent as text: this model is not known to take documents.")
    return Text(as_words(part, text), cache=part.cache)


def _holds_media(part: Part) -> bool:
    return isinstance(part, Media) or (
        isinstance(part, ToolResult) and any(isinstance(one, Media) for one in part.parts)
    )
