"""Reads a response from an upstream: streamed or whole, told apart by what comes and not by what was declared.

Text is never passed over: an event that is not JSON, is not of this API or holds a broken character ends the answer as
`Broken`. An answer counts only when its last event says so. After `Closed` or `Failed` nothing more comes out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from gateway.canon.event import Event, Failed, Opened, Usage
from gateway.canon.fault import Broken, ErrorInReply
from gateway.wire.errors import broken, describe, error_in_reply
from gateway.wire.intake import Intake
from gateway.wire.loose import Json, read_loosely
from gateway.wire.openai_responses.ending import read_ending, read_failure
from gateway.wire.openai_responses.pieces import Pieces
from gateway.wire.openai_responses.shape import Response, StreamEvent
from gateway.wire.openai_responses.usage import read_usage
from gateway.wire.parts import PartTable
from gateway.wire.sound import decode_sound

_EVENT = msgspec.json.Decoder(StreamEvent)
_RESPONSE = msgspec.json.Decoder(Response)
_DONE = b"[DONE]"
_SHOWN = 200
_WORDS = {
    "response.output_text.delta": "text",
    "response.refusal.delta": "refusal",
    "response.reasoning_summary_text.delta": "summary",
    "response.reasoning_text.delta": "reasoning",
}
_ARGUMENTS = {
    "response.function_call_arguments.delta": False,
    "response.custom_tool_call_input.delta": True,
}
_LAST = frozenset({"response.completed", "response.incomplete", "response.failed", "response.cancelled"})
_Garbled = (msgspec.DecodeError, RecursionError)


class ResponsesReader:
    """One answer of one upstream."""

    def __init__(self) -> None:
        self._intake = Intake()
        self._parts = PartTable()
        self._pieces = Pieces(self._parts)
        self._opened = False
        self._over = False
        self._usage: Usage | None = None

    def feed(self, data: bytes) -> Iterable[Event]:
        """Events that are complete with these bytes."""
        events: list[Event] = []
        if not self._over:
            self._read_all(self._intake.feed(data), events)
        return events

    def end(self) -> Iterable[Event]:
        """The upstream closed."""
        events: list[Event] = []
        if self._over:
            return events
        whole = self._intake.whole
        if whole is not None:
            self._read_whole(whole, events)
            return events
        self._read_all(self._intake.end(), events)
        if not self._over:
            events.append(self._fail(self._cut()))
        return events

    # --- framing ------------------------------------------------------------------------------------------------------

    def _read_all(self, arrived: list[tuple[str, bytes]], events: list[Event]) -> None:
        for name, data in arrived:
            if self._over:
                break
            if data.strip() != _DONE:
                self._read_event(name, data, events)

    def _read_event(self, name: str, data: bytes, events: list[Event]) -> None:
        try:
            event = decode_sound(_EVENT, data)
        except _Garbled as garbled:
            lines = [line for line in data.split(b"\n") if line.strip()]
            if name == "error":
                events.append(self._fail(error_in_reply(data.decode("utf-8", "replace"))))
            elif len(lines) > 1:
                # Several events without the blank lines between them.
                self._read_all([(name, line) for line in lines], events)
            else:
                events.append(self._fail(_broken(data, garbled)))
            return
        try:
            events.extend(self._tell(event.type or name, event, data))
        except _Garbled as garbled:
            events.append(self._fail(_broken(data, garbled)))

    def _read_whole(self, body: bytes, events: list[Event]) -> None:
        try:
            response = decode_sound(_RESPONSE, body)
            if response.output is None and not response.status:
                events.append(self._fail(_not_an_answer(body)))
                return
            events.extend(self._close(response))
        except _Garbled as garbled:
            message = describe(read_loosely(body))[0]
            events.append(self._fail(error_in_reply(read_loosely(body)) if message else _broken(body, garbled)))

    # --- one event ----------------------------------------------------------------------------------------------------

    def _tell(self, kind: str, event: StreamEvent, data: bytes) -> Iterator[Event]:
        if kind in _WORDS:
            yield from self._pieces.words(event, _WORDS[kind])
        elif kind in _ARGUMENTS:
            yield from self._pieces.arguments(event, custom=_ARGUMENTS[kind])
        elif kind == "response.output_item.added":
            yield from self._pieces.added(event)
        elif kind == "response.output_item.done":
            yield from self._pieces.done(event)
        elif kind in _LAST and event.response is not None:
            yield from self._close(event.response)
        elif kind == "error" or event.error:
            yield self._fail(error_in_reply(_error_of(read_loosely(data))))
        elif not kind:
            yield self._fail(
                Broken(f"The provider sent what is no event of a response: {_show(data)}", body=_show(data))
            )
        elif event.response is not None:
            yield from self._open(event.response)

    def _open(self, response: Response) -> Iterator[Event]:
        if not self._opened and (response.id or response.model):
            self._opened = True
            opened = Opened(response.model or "", str(response.id or ""))
            self._parts.seed = f"{opened.id}/{opened.model}"
            yield opened

    # --- the end ------------------------------------------------------------------------------------------------------

    def _close(self, response: Response) -> Iterator[Event]:
        yield from self._open(response)
        usage = read_usage(response.usage) if response.usage is not None else None
        if usage is not None:
            yield usage
        failure = read_failure(response)
        if failure is not None:
            yield self._fail(failure)
            return
        yield from self._pieces.rest(response.output or ())
        yield from self._parts.close()
        yield from read_ending(response, calls=self._parts.calls)
        self._over = True

    def _fail(self, fault: Broken | ErrorInReply) -> Failed:
        self._over = True
        return Failed(fault)

    def _cut(self) -> Broken:
        if self._opened:
            return Broken("The provider's stream broke off before the response was completed.")
        return Broken(f"The provider's reply holds no answer. It begins: {self._intake.shown}")


def _not_an_answer(body: bytes) -> Broken | ErrorInReply:
    told = read_loosely(body)
    if describe(told)[0]:
        return error_in_reply(told)
    return Broken(f"The provider's reply holds no answer. It begins: {_show(body)}", body=_show(body))


def _error_of(told: Json) -> Json:
    """The error in an event: an object of its own, or the event itself without its type, which says nothing."""
    if not isinstance(told, dict):
        return told
    inner = told.get("error")
    if isinstance(inner, dict):
        return inner
    return {name: value for name, value in told.items() if name != "type" or value != "error"}


def _show(data: bytes) -> str:
    return data[:_SHOWN].decode("utf-8", "replace")


def _broken(data: bytes, why: object) -> Broken:
    return broken("a response", data, why)
