"""Turns of the canon to the messages of APIs where a turn may become several.

Results of tools are messages of their own, and the pictures in them follow in a user message, because models look for
them there. Where a model knows no system role its instructions open the first user message. What a message looks like
is each API's own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from gateway.canon.ask import Media, Part, Text, ToolResult, Turn
from gateway.wire import losses
from gateway.wire.base import Facts

Message = dict[str, object]


class TurnLetters(ABC):
    """Writes the messages of one request and keeps notes of what they could not hold."""

    def __init__(self, facts: Facts, *, same_protocol: bool) -> None:
        self._facts = facts
        self._same_protocol = same_protocol
        self.notes: list[str] = []

    def write(self, turns: Sequence[Turn]) -> list[Message]:
        """The messages, in order."""
        messages: list[Message] = []
        instructions: list[str] = []
        pictures: list[Part] = []
        for turn in turns:
            results = [part for part in turn.parts if type(part) is ToolResult]
            others: list[Part] = [part for part in turn.parts if type(part) is not ToolResult]
            for result in results:
                messages.append(self._result(result, turn, pictures))
            if turn.role == "tool" and not others:
                continue
            if turn.role in ("system", "developer") and not self._facts.system_role:
                instructions.append(turn.text)
                self.notes.append("The instructions went into the first user message: this model knows no system role.")
                continue
            if pictures:
                messages.append(self._pictures(pictures))
            if others or not results:
                messages.append(self._message(turn, others))
        if pictures:
            messages.append(self._pictures(pictures))
        return _instruct(messages, instructions)

    @abstractmethod
    def _message(self, turn: Turn, parts: list[Part]) -> Message:
        """A turn's message; `parts` are its parts without results of tools."""

    @abstractmethod
    def _result(self, result: ToolResult, turn: Turn, pictures: list[Part]) -> Message:
        """A result's message. What it cannot hold goes to `pictures`."""

    @abstractmethod
    def _pictures(self, pictures: list[Part]) -> Message:
        """The user message that holds what results could not; `pictures` is empty afterwards."""

    # --- what these APIs share ----------------------------------------------------------------------------------------

    def _write_extras(self, turn: Turn, message: Message) -> None:
        if self._same_protocol:
            message.update({name: raw for name, raw in turn.extras.items() if name not in losses.NOT_FIELDS})
        else:
            self.notes.extend(losses.of_message(turn))

    def _take_media(self, result: ToolResult, pictures: list[Part]) -> bool:
        """Moves a result's media to `pictures`, under a line that tells where they come from. Were there any?"""
        if result.error:
            self.notes.append("That a tool's result is an error can only be told by its text.")
        media = [part for part in result.parts if isinstance(part, Media)]
        if media:
            self.notes.append("Media in a tool's result went into a user message after it.")
            pictures += [Text(f"From the tool call {result.call_id}:"), *media]
        return bool(media)


def _instruct(messages: list[Message], instructions: list[str]) -> list[Message]:
    """The first user message, opened by the instructions."""
    if not instructions:
        return messages
    words = "\n\n".join(instructions)
    first = next((message for message in messages if message["role"] == "user"), None)
    if first is None:
        return [{"role": "user", "content": words}, *messages]
    content = first["content"]
    if isinstance(content, list):
        first["content"] = [{"type": "text", "text": words}, *content]
    else:
        first["content"] = f"{words}\n\n{content}"
    return messages
