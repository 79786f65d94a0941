"""Writes an answer to a caller of Ollama's API, as chat or as generate: line by line, or whole.

The two differ in where the words stand. Tool calls wait for the end and come in one line before the last, because the
format has no pieces of one; generate has no calls at all, and an answer that makes one fails. Counts are always told,
estimated where nobody counted. The gateway's own object rides on the last line. After the end it writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from gateway.canon.ask import Ask, Thought, ToolCall
from gateway.canon.event import (
    ArgsDelta,
    Closed,
    Event,
    Failed,
    Note,
    Opened,
    TextDelta,
    ThoughtDelta,
    ToolOpened,
    Usage,
)
from gateway.canon.reply import Fold, Reply
from gateway.wire.arguments import write_input
from gateway.wire.base import Stamp
from gateway.wire.body import on_one_line
from gateway.wire.estimates import characters_of, estimate_usage
from gateway.wire.ndjson import CONTENT_TYPE, frame
from gateway.wire.ollama import seal
from gateway.wire.ollama.ending import done_reason, finer_word
from gateway.wire.ollama.errors import write_error
from gateway.wire.text_only import untold_call

_ENCODE = msgspec.json.Encoder().encode
_NOTHING = b""
_GO_ON = b',"done":false}\n'
_BETWEEN_ANSWERS = "\n\n"
_INSTEAD = "/api/chat"


class LastFields(Struct, omit_defaults=True):
    """What the last line tells beside the words. Times are nanoseconds."""

    done: bool
    done_reason: str
    total_duration: int
    load_duration: int
    prompt_eval_count: int
    prompt_eval_duration: int
    eval_count: int
    eval_duration: int
    native_finish_reason: str | UnsetType = UNSET
    stop_reason: str | UnsetType = UNSET
    bench: Raw | UnsetType = UNSET


class OllamaWriter:
    """One reply to one caller."""

    content_type = CONTENT_TYPE

    def __init__(self, ask: Ask, stamp: Stamp, *, generate: bool) -> None:
        self._ask = ask
        self._stamp = stamp
        self._generate = generate
        created = datetime.fromtimestamp(stamp.created, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        head = b'{"model":%b,"created_at":"%b",' % (_ENCODE(stamp.model), created.encode())
        self._head = head + (b'"response":' if generate else b'"message":{"role":"assistant","content":')
        self._tail = _NOTHING if generate else b"}"
        self._calls = Fold()
        self._thoughts: dict[int, list[str]] = {}
        self._choices: dict[int, list[str]] = {}
        self._characters = 0
        self._usage: Usage | None = None
        self._over = False

    def feed(self, event: Event) -> bytes:
        """The bytes this event adds to the stream."""
        if self._over:
            return _NOTHING
        match event:
            case TextDelta(choice=choice) if choice:
                self._choices.setdefault(choice, []).append(event.text)
                return _NOTHING
            case TextDelta():
                self._characters += len(event.text)
                return self._words(event.text) + _GO_ON
            case ThoughtDelta():
                return self._thought(event)
            case ToolOpened(name=name) if self._generate:
                return self._fail(Failed(untold_call(name, _INSTEAD)))
            case ToolOpened() | ArgsDelta():
                self._calls.feed(event)
                return _NOTHING
            case Usage():
                self._usage = event
                return _NOTHING
            case Opened() | Note():
                return _NOTHING
            case Closed():
                return self._close(event)
            case Failed():  # pragma: no branch
                return self._fail(event)

    def beat(self) -> bytes:
        """A line without words."""
        return _NOTHING if self._over else self._words("") + _GO_ON

    def whole(self, reply: Reply) -> bytes:
        """The reply as one document; the error document when it failed. Raises ErrorInReply for what cannot be told."""
        if reply.fault is not None:
            return write_error(reply.fault)
        if reply.calls and self._generate:
            raise untold_call(reply.calls[0].name, _INSTEAD)
        more = b',"thinking":' + _ENCODE(reply.reasoning) if reply.reasoning else _NOTHING
        thoughts = seal.show_thoughts(part for part in reply.parts if isinstance(part, Thought))
        more += _thoughts_field(thoughts) + _calls_field(reply.calls)
        closed = Closed(reply.finish or Closed().finish, reply.native, reply.sequence, reply.bench)
        usage = reply.usage or estimate_usage(self._ask, characters_of(reply))
        text = reply.text + "".join(_BETWEEN_ANSWERS + choice for choice in reply.choices)
        return self._words(text, more) + self._last(closed, usage)

    # --- pieces -------------------------------------------------------------------------------------------------------

    def _words(self, text: str, more: bytes = _NOTHING) -> bytes:
        return self._head + _ENCODE(text) + more + self._tail

    def _thought(self, event: ThoughtDelta) -> bytes:
        written = _NOTHING
        words = self._thoughts.setdefault(event.part, [])
        if event.text:
            words.append(event.text)
            self._characters += len(event.text)
            written = self._words("", b',"thinking":' + _ENCODE(event.text)) + _GO_ON
        if event.seal is not None:
            thoughts = seal.show_thoughts([Thought("".join(words), event.seal)])
            written += self._words("", _thoughts_field(thoughts)) + _GO_ON
        return written

    def _close(self, closed: Closed) -> bytes:
        self._over = True
        written = _NOTHING
        for choice in sorted(self._choices):
            written += self._words(_BETWEEN_ANSWERS + "".join(self._choices[choice])) + _GO_ON
        calls = self._calls.reply().calls
        if calls:
            self._characters += sum(len(call.arguments) for call in calls)
            written += self._words("", _calls_field(calls)) + _GO_ON
        usage = self._usage or estimate_usage(self._ask, self._characters)
        return written + frame(self._words("") + self._last(closed, usage))

    def _last(self, closed: Closed, usage: Usage) -> bytes:
        """The rest of a last line or of a whole reply, after the words."""
        elapsed = self._stamp.elapsed
        spent = max(1, int(elapsed() * 1_000_000_000)) if elapsed is not None else 1
        fields = LastFields(
            True,
            done_reason(closed.finish),
            spent,
            0,
            usage.input,
            0,
            usage.output,
            spent,
            finer_word(closed) or UNSET,
            closed.sequence or UNSET,
            on_one_line(closed.bench) if closed.bench is not None else UNSET,
        )
        return b"," + _ENCODE(fields)[1:]

    def _fail(self, failed: Failed) -> bytes:
        self._over = True
        return frame(write_error(failed.fault))


def _thoughts_field(thoughts: Raw | None) -> bytes:
    return _NOTHING if thoughts is None else b',"bench_thoughts":' + bytes(thoughts)


def _calls_field(calls: Iterable[ToolCall]) -> bytes:
    entries: list[dict[str, object]] = []
    for index, call in enumerate(calls):
        function = {"index": index, "name": call.name, "arguments": on_one_line(write_input(call))}
        entries.append({"id": call.id, "function": function})
        if call.seal is not None:
            entries[-1]["bench_seal"] = on_one_line(call.seal)
    return b',"tool_calls":' + _ENCODE(entries) if entries else _NOTHING
