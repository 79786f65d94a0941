"""A script as events of the canon, so that the writers of every format can tell it.

Pure. Thoughts end in a seal, for which each format has a place of its own (see `native_seals`). A script that is cut
before its thoughts are over has none.
"""

from __future__ import annotations

from collections.abc import Iterator

from gateway.canon.event import ArgsDelta, Closed, Event, Finish, Opened, TextDelta, ThoughtDelta, ToolOpened, Usage
from gateway.practice.native_seals import Place
from gateway.practice.squad import Piece, Script

_THOUGHT, _SAID = 0, 1
_FINISHES = {"stop": Finish.STOP, "length": Finish.LENGTH, "tool_calls": Finish.TOOL_USE}


def usage_of(script: Script) -> Usage:
    """Its tokens: a piece is a token, thoughts are part of what was generated."""
    thoughts = sum(piece.kind == "thought" for piece in script.pieces)
    return Usage(script.prompt_tokens, len(script.pieces), reasoning=thoughts)


def events_of(script: Script, id: str, place: Place) -> Iterator[tuple[float, Event]]:
    """(pause before it in seconds, event) from the first to the last; `id` is the answer's own, `place` where its
    format keeps seals."""
    first = script.pieces[0].pause if script.pieces else 0.0
    yield first, Opened(script.served, id)
    yield 0.0, Usage(script.prompt_tokens)
    opened: set[int] = set()
    thinking = False
    for number, piece in enumerate(script.pieces):
        if thinking and piece.kind != "thought":
            yield 0.0, ThoughtDelta("", _THOUGHT, place.write(script.text("thought"), script.seal))
        thinking = piece.kind == "thought"
        if piece.kind == "arguments" and piece.call not in opened:
            opened.add(piece.call)
            call = script.calls[piece.call]
            sealed = place.write("", call.seal) if call.seal and place.calls else None
            yield 0.0, ToolOpened(_SAID + piece.call, call.id, call.name, call.custom, sealed)
        yield piece.pause if number else 0.0, _event_of(piece)
    yield 0.0, usage_of(script)
    yield 0.0, Closed(_FINISHES[script.finish])


def is_piece(event: Event) -> bool:
    """Is this event one of the script's pieces?"""
    return isinstance(event, TextDelta | ThoughtDelta | ArgsDelta) and bool(event.text)


def _event_of(piece: Piece) -> Event:
    match piece.kind:
        case "thought":
            return ThoughtDelta(piece.text, _THOUGHT)
        case "text":
            return TextDelta(piece.text, _SAID)
        case "arguments":
            return ArgsDelta(_SAID + piece.call, piece.text)
