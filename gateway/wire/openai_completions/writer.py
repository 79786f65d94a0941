"""Writes an answer to a caller as a legacy completion: chunk by chunk, or whole.

The format knows text and nothing else. Reasoning is left out; an answer that calls a tool fails. The gateway's own
object rides on the finish chunk, or on the usage chunk where the caller asked for usage. After the end it writes
nothing.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from gateway.canon.ask import Ask
from gateway.canon.event import (
    ArgsDelta,
    Closed,
    Event,
    Failed,
    Finish,
    Note,
    Opened,
    TextDelta,
    ThoughtDelta,
    ToolOpened,
    Usage,
)
from gateway.canon.reply import Reply
from gateway.wire.base import Stamp
from gateway.wire.estimates import characters_of, estimate_usage
from gateway.wire.openai_chat import ending
from gateway.wire.openai_chat.errors import write_error
from gateway.wire.openai_chat.usage import write_usage
from gateway.wire.openai_completions.shape import ChoiceBody, CompletionBody
from gateway.wire.sse import CONTENT_TYPE, frame
from gateway.wire.text_only import untold_call

_ENCODE = msgspec.json.Encoder().encode
_DONE = b"data: [DONE]\n\n"
_NOTHING = b""
_OBJECT = "text_completion"
_INSTEAD = "/v1/chat/completions"


class CompletionWriter:
    """One reply to one caller."""

    content_type = CONTENT_TYPE

    def __init__(self, ask: Ask, stamp: Stamp) -> None:
        self._ask = ask
        self._stamp = stamp
        self._choices: set[int] = set()
        self._characters = 0
        self._usage: Usage | None = None
        self._over = False

    def feed(self, event: Event) -> bytes:
        """The bytes this event adds to the stream."""
        if self._over:
            return _NOTHING
        match event:
            case TextDelta():
                self._characters += len(event.text)
                self._choices.add(event.choice)
                return self._chunk(ChoiceBody(event.text, event.choice, None, None))
            case ThoughtDelta():
                self._characters += len(event.text)
                return _NOTHING
            case ToolOpened():
                return self._fail(Failed(untold_call(event.name, _INSTEAD)))
            case Usage():
                self._usage = event
                return _NOTHING
            case Opened() | Note() | ArgsDelta():
                return _NOTHING
            case Closed():
                return self._close(event)
            case Failed():  # pragma: no branch
                return self._fail(event)

    def beat(self) -> bytes:
        """A chunk without words."""
        return _NOTHING if self._over else self._chunk(ChoiceBody("", 0, None, None))

    def whole(self, reply: Reply) -> bytes:
        """The reply as one completion; the error document when it failed. Raises ErrorInReply for what cannot be
        told."""
        if reply.fault is not None:
            return write_error(reply.fault)
        if reply.calls:
            raise untold_call(reply.calls[0].name, _INSTEAD)
        closed = Closed(reply.finish or Closed().finish, reply.native, reply.sequence, reply.bench)
        further = [ChoiceBody(text, index, None, "stop") for index, text in enumerate(reply.choices, start=1)]
        usage = reply.usage or estimate_usage(self._ask, characters_of(reply))
        body = self._body([_last_choice(reply.text, closed), *further])
        body.usage = write_usage(usage)
        body.bench = closed.bench if closed.bench is not None else UNSET
        return _ENCODE(body)

    # --- pieces -------------------------------------------------------------------------------------------------------

    def _body(self, choices: list[ChoiceBody]) -> CompletionBody:
        return CompletionBody(self._stamp.id, _OBJECT, self._stamp.created, self._stamp.model, choices)

    def _chunk(self, choice: ChoiceBody) -> bytes:
        return frame(_ENCODE(self._body([choice])))

    def _close(self, closed: Closed) -> bytes:
        self._over = True
        written = b"".join(self._chunk(ChoiceBody("", choice, None, "stop")) for choice in sorted(self._choices - {0}))
        bench = closed.bench if closed.bench is not None else UNSET
        last = self._body([_last_choice("", closed)])
        if not self._ask.include_usage:
            last.bench = bench
            return written + frame(_ENCODE(last)) + _DONE
        usage = self._body([])
        usage.usage = write_usage(self._usage or estimate_usage(self._ask, self._characters))
        usage.bench = bench
        return written + frame(_ENCODE(last)) + frame(_ENCODE(usage)) + _DONE

    def _fail(self, failed: Failed) -> bytes:
        self._over = True
        return frame(write_error(failed.fault)) + _DONE


def _last_choice(text: str, closed: Closed) -> ChoiceBody:
    # The format has no word for tools, and an answer that calls one never comes this far.
    finish = Finish.STOP if closed.finish is Finish.TOOL_USE else closed.finish
    return ChoiceBody(
        text,
        0,
        None,
        ending.finish_word(finish),
        ending.finer_word(closed) or UNSET,
        closed.sequence or UNSET,
    )
