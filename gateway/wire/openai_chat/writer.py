"""Writes an answer to a caller as a chat completion: chunk by chunk, or whole.

All chunks share one head, rendered once. Fields without a value are left out, never null. The gateway's own object
rides on the finish chunk, or on the usage chunk where the caller asked for usage; nothing comes after usage but
`[DONE]`. A free-text tool's caller gets the text itself, whatever the member knew. After the end it writes nothing.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gateway.canon.ask import Ask, Thought, ToolCall
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
from gateway.wire.free_text import Unwrapping, names_of, unwrap_call
from gateway.wire.openai_chat import ending, seal
from gateway.wire.openai_chat.errors import write_error
from gateway.wire.openai_chat.usage import write_usage
from gateway.wire.openai_chat.whole import write_call, write_whole
from gateway.wire.sse import CONTENT_TYPE, frame

_ENCODE = msgspec.json.Encoder().encode
_DONE = b"data: [DONE]\n\n"
_NOTHING = b""
_NO_CHOICES: frozenset[int] = frozenset()
_CHOICE_END = b',"finish_reason":null}]}\n\n'
_DELTA_END = b"}" + _CHOICE_END


class _Tool(Struct):
    index: int
    custom: bool
    written: bool = False


class ChatWriter:
    """One reply to one caller."""

    content_type = CONTENT_TYPE

    def __init__(self, ask: Ask, stamp: Stamp) -> None:
        self._stamp = stamp
        self._include_usage = ask.include_usage
        self._free = names_of(ask.tools)
        self._unwrapping = Unwrapping(self._free)
        self._head = self._text_head = _NOTHING
        self._started: set[int] = set()
        self._ended = _NO_CHOICES
        self._tools: dict[int, _Tool] = {}
        self._thoughts: dict[int, list[str]] = {}
        self._usage: Usage | None = None
        self._over = False

    def feed(self, event: Event) -> bytes:
        """The bytes this event adds to the stream."""
        if self._over:
            return _NOTHING
        if type(event) is TextDelta and 0 in self._started and not (event.choice or event.refusal or event.finish):
            return self._text_head + _ENCODE(event.text) + _DELTA_END
        if not self._free:
            return self._feed(event)
        return b"".join([self._feed(inner) for inner in self._unwrapping.feed(event)])

    def _feed(self, event: Event) -> bytes:
        match event:
            case TextDelta():
                return self._words(event)
            case ThoughtDelta():
                return self._thought(event)
            case ToolOpened():
                return self._open_tool(event)
            case ArgsDelta():
                return self._arguments(event)
            case Usage():
                self._usage = event
                return _NOTHING
            case Opened():
                return _NOTHING if self._started else self._start(0)
            case Note():
                return _NOTHING
            case Closed():
                return self._close(event)
            case Failed():  # pragma: no branch
                self._over = True
                return frame(write_error(event.fault)) + _DONE

    def beat(self) -> bytes:
        """A chunk without content; the opening chunk where that has not gone yet."""
        if self._over:
            return _NOTHING
        if not self._started:
            return self._start(0)
        return self._delta(b"{}", min(self._started - self._ended, default=0))

    def whole(self, reply: Reply) -> bytes:
        """The reply as one completion."""
        if self._free:
            parts = [unwrap_call(part, self._free) if isinstance(part, ToolCall) else part for part in reply.parts]
            reply = replace(reply, parts=tuple(parts))
        return write_whole(reply, self._stamp)

    # --- pieces -------------------------------------------------------------------------------------------------------

    def _start(self, choice: int) -> bytes:
        if not self._started:
            self._head = b'data: {"id":%b,"object":"chat.completion.chunk","created":%d,"model":%b,"choices":[' % (
                _ENCODE(self._stamp.id),
                self._stamp.created,
                _ENCODE(self._stamp.model),
            )
            self._text_head = self._head + b'{"index":0,"delta":{"content":'
        self._started.add(choice)
        return self._head + b'{"index":%d,"delta":{"role":"assistant","content":""}' % choice + _CHOICE_END

    def _words(self, event: TextDelta) -> bytes:
        choice = event.choice
        if not event.text and choice not in self._started:
            written = self._start(choice)
        elif event.text or event.finish is None:
            field = b'{"refusal":' if event.refusal else b'{"content":'
            written = self._delta(field + _ENCODE(event.text) + b"}", choice)
        else:
            written = _NOTHING
        return written if event.finish is None else written + self._end(choice, event.finish) + b"]}\n\n"

    def _end(self, choice: int, finish: Finish, more: bytes = _NOTHING) -> bytes:
        """The chunk that ends a choice, up to where more can be said beside it; `more` is said in it."""
        self._ended |= {choice}
        word = _ENCODE(ending.finish_word(finish))
        return self._head + b'{"index":%d,"delta":{},"finish_reason":%b%b}' % (choice, word, more)

    def _delta(self, delta: bytes, choice: int = 0) -> bytes:
        start = _NOTHING if choice in self._started else self._start(choice)
        return start + self._head + b'{"index":%d,"delta":' % choice + delta + _CHOICE_END

    def _thought(self, event: ThoughtDelta) -> bytes:
        written = _NOTHING
        words = self._thoughts.setdefault(event.part, [])
        if event.text:
            words.append(event.text)
            written = self._delta(b'{"reasoning_content":' + _ENCODE(event.text) + b"}")
        if event.seal is not None:
            written += self._delta(_ENCODE(seal.show_thought(Thought("".join(words), event.seal))))
        return written

    def _open_tool(self, event: ToolOpened) -> bytes:
        if event.part in self._tools:
            return _NOTHING
        tool = self._tools[event.part] = _Tool(len(self._tools), event.custom)
        extra = seal.show_call_seal(event.seal) if event.seal is not None else None
        call = write_call(ToolCall(event.call_id, event.name, "", event.custom), index=tool.index, extra=extra)
        return self._delta(b'{"tool_calls":[' + _ENCODE(call) + b"]}")

    def _arguments(self, event: ArgsDelta) -> bytes:
        tool = self._tools.get(event.part)
        if tool is None or not event.text:
            return _NOTHING
        tool.written = tool.written or bool(event.text.strip())
        return self._piece_of_arguments(tool, event.text)

    def _piece_of_arguments(self, tool: _Tool, text: str) -> bytes:
        kind, field = (b"custom", b"input") if tool.custom else (b"function", b"arguments")
        return self._delta(b'{"tool_calls":[{"index":%d,"%b":{"%b":%b}}]}' % (tool.index, kind, field, _ENCODE(text)))

    def _close(self, closed: Closed) -> bytes:
        self._over = True
        written = _NOTHING if self._started else self._start(0)
        for tool in self._tools.values():
            if not tool.written and not tool.custom:
                written += self._piece_of_arguments(tool, "{}")
        # The first answer ends last of those that are left; where it has ended by itself, the last of the others does.
        left = sorted(self._started - self._ended, key=lambda choice: (choice == 0, choice))
        others, last = left[:-1], left[-1:]
        for choice in others:
            written += self._end(choice, closed.finish) + b"]}\n\n"
        finer = ending.finer_word(closed)
        more = b',"native_finish_reason":%b' % _ENCODE(finer) if finer else _NOTHING
        if closed.sequence:
            more += b',"stop_reason":%b' % _ENCODE(closed.sequence)
        bench = b',"bench":' + bytes(closed.bench) if closed.bench is not None else _NOTHING
        counted = self._include_usage and self._usage is not None
        written += b"".join([self._end(choice, closed.finish, more) for choice in last]) or self._head
        written += b"]" + (_NOTHING if counted else bench) + b"}\n\n"
        if self._include_usage and self._usage is not None:
            written += self._head + b'],"usage":' + _ENCODE(write_usage(self._usage)) + bench + b"}\n\n"
        return written + _DONE
