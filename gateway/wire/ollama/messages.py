"""The messages of an Ollama chat to turns of the canon.

Calls often come without ids here, and results of tools then name a tool or nothing at all. Every call gets an id, the
given one or a number, and every result the id of the call it answers: by the id it names, else the oldest unanswered
call of the tool it names, else the oldest unanswered call. A result without an id that no call is left for (clients
that ask for tools in words send such) is what the user says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import msgspec
from msgspec import Raw

from gateway.canon.ask import Part, Role, Text, ToolCall, ToolResult, Turn
from gateway.canon.fault import BadRequest
from gateway.wire.body import given
from gateway.wire.ollama import seal
from gateway.wire.ollama.pictures import read_pictures
from gateway.wire.ollama.shape import CallEntry, Message

_ROLES: tuple[Role, ...] = tuple(role for role in get_args(Role) if role != "developer")
_CALL_FORM = '{"function": {"name": ..., "arguments": {...}}}'


class Conversation:
    """Reads the messages of one request, in their order."""

    def __init__(self, messages: list[Message]) -> None:
        self._given = {call.id for message in messages for call in message.tool_calls or () if call.id}
        self._number = 0
        self._open: list[ToolCall] = []

    def read_turn(self, message: Message, place: str, extras: dict[str, Raw]) -> Turn:
        """One message; `place` is its path in the body, such as `messages[3]`."""
        role = _read_role(message, place)
        content = [Text(message.content)] if message.content else []
        pictures = read_pictures(message.images, f"{place}.images")
        if role == "tool":
            call_id, name = self._match(message)
            if not call_id:
                return Turn("user", (*content, *pictures), extras=extras)
            return Turn(role, (ToolResult(call_id, (*content, *pictures), name=name),), extras=extras)
        parts: list[Part] = [*content, *pictures]
        if role == "assistant":
            calls = self._read_calls(message.tool_calls or [], f"{place}.tool_calls")
            parts = [*seal.take_thoughts(message.thinking or "", message.bench_thoughts), *parts, *calls]
        elif message.tool_calls:
            raise BadRequest(f"`{place}` has `tool_calls`, which only an assistant's message can have.")
        return Turn(role, tuple(parts), message.name or "", extras)

    def _read_calls(self, entries: list[CallEntry], place: str) -> Iterator[ToolCall]:
        for at, entry in enumerate(entries):
            function = entry.function
            if function is None or not function.name:
                raise BadRequest(f"`{place}[{at}]` names no function. Send {_CALL_FORM}.")
            try:
                arguments = read_arguments(function.arguments)
            except ValueError as garbled:
                raise BadRequest(f"`{place}[{at}].function.arguments` is not UTF-8 text.") from garbled
            call = ToolCall(entry.id or self._next_id(), function.name, arguments, seal=given(entry.bench_seal))
            self._open.append(call)
            yield call

    def _next_id(self) -> str:
        while True:
            made_up = f"call_{self._number}"
            self._number += 1
            if made_up not in self._given:
                return made_up

    def _match(self, message: Message) -> tuple[str, str]:
        """(id of the call that this result answers, name of its tool); no id when there is no such call."""
        id, named = message.tool_call_id or "", message.tool_name or message.name or ""
        if id:
            found = next((call for call in self._open if call.id == id), None)
        else:
            found = next((call for call in self._open if call.name == named), None) or next(iter(self._open), None)
        if found is None:
            return id, named
        self._open.remove(found)
        return found.id, named or found.name


def read_arguments(raw: Raw) -> str:
    """A call's arguments as text: an object in the words it came in, JSON text without its quotes, `{}` for nothing.
    Raises ValueError for what is no text."""
    sent = given(raw)
    if sent is None:
        return "{}"
    text = msgspec.json.decode(sent, type=str) if bytes(sent).startswith(b'"') else bytes(sent).decode()
    return text if text.strip() else "{}"


def _read_role(message: Message, place: str) -> Role:
    asked = (message.role or "user").lower()
    for role in _ROLES:
        if role == asked:
            return role
    raise BadRequest(f"`{place}.role` is {message.role!r}. Send one of {', '.join(_ROLES)}.")
