"""Turns of the canon to the messages of an Ollama chat.

Reasoning goes back as `thinking`, and each model's template decides whether it is seen; its opaque state goes only
where it was made.
"""

from __future__ import annotations

from msgspec import Raw

from gateway.canon.ask import Media, Part, Refusal, Text, Thought, ToolCall, ToolResult, Turn
from gateway.wire import losses
from gateway.wire.arguments import write_input
from gateway.wire.base import Facts
from gateway.wire.body import join_lists
from gateway.wire.letters import Message, TurnLetters
from gateway.wire.ollama import seal
from gateway.wire.ollama.pictures import write_picture


class Letters(TurnLetters):
    """Writes the messages of one request and keeps notes of what they could not hold."""

    def __init__(self, facts: Facts, *, same_protocol: bool) -> None:
        super().__init__(facts, same_protocol=same_protocol)
        self._names: dict[str, str] = {}

    # --- one message --------------------------------------------------------------------------------------------------

    def _message(self, turn: Turn, parts: list[Part]) -> Message:
        message: Message = {"role": self._role(turn)}
        if turn.name:
            self.notes.append("Names of participants were left out: this API has none.")
        self._write_content(parts, message)
        self._write_thoughts([part for part in parts if isinstance(part, Thought)], message)
        calls = [part for part in parts if isinstance(part, ToolCall)]
        if calls:
            message["tool_calls"] = [self._call(call) for call in calls]
        self._write_extras(turn, message)
        return message

    def _role(self, turn: Turn) -> str:
        if turn.role == "developer":
            self.notes.append("The role developer was sent as system.")
            return "system"
        return "user" if turn.role == "tool" else turn.role

    def _write_content(self, parts: list[Part], message: Message) -> None:
        """Words and pictures. The words are one text here, so that where among them a picture stood is lost."""
        message["content"] = "\n\n".join(part.text for part in parts if isinstance(part, Text | Refusal))
        pictures = []
        for part in parts:
            if isinstance(part, Text | Media | ToolCall) and part.cache is not None:
                self.notes.append(losses.NO_CACHE)
            if isinstance(part, Refusal):
                self.notes.append(losses.REFUSAL_AS_TEXT)
            if isinstance(part, Media):
                if part.detail:
                    self.notes.append(losses.NO_DETAIL)
                picture = write_picture(part)
                if picture is None:
                    self.notes.append(_left_out(part))
                else:
                    pictures.append(picture)
        if pictures:
            message["images"] = pictures

    def _write_thoughts(self, thoughts: list[Thought], message: Message) -> None:
        words = "".join(thought.text for thought in thoughts)
        if words:
            message["thinking"] = words
        sealed: list[Raw] = [own for thought in thoughts if (own := seal.open_seal(thought.seal)) is not None]
        if len(sealed) < sum(thought.seal is not None for thought in thoughts):
            self.notes.append(losses.FOREIGN_THOUGHT_SEAL)
        if sealed:
            message["bench_thoughts"] = join_lists(sealed)

    def _call(self, call: ToolCall) -> Message:
        self._names[call.id] = call.name
        entry: Message = {"id": call.id, "function": {"name": call.name, "arguments": write_input(call)}}
        own = seal.open_seal(call.seal)
        if own is None and call.seal is not None:
            self.notes.append(losses.FOREIGN_CALL_SEAL)
        if call.custom:
            self.notes.append(losses.FREE_CALL)
        if own is not None:
            entry["bench_seal"] = own
        return entry

    # --- results of tools ---------------------------------------------------------------------------------------------

    def _result(self, result: ToolResult, turn: Turn, pictures: list[Part]) -> Message:
        media = self._take_media(result, pictures)
        if result.cache is not None:
            self.notes.append(losses.NO_CACHE)
        message: Message = {"role": "tool"}
        self._write_content([part for part in result.parts if isinstance(part, Text)], message)
        message["content"] = message["content"] or ("See the next message." if media else "")
        message["tool_call_id"] = result.call_id
        name = result.name or self._names.get(result.call_id, "")
        if name:
            message["tool_name"] = name
        self._write_extras(turn, message)
        return message

    def _pictures(self, pictures: list[Part]) -> Message:
        message: Message = {"role": "user"}
        self._write_content(pictures, message)
        pictures.clear()
        return message


def _left_out(media: Media) -> str:
    what = media.kind if media.kind != "image" else "images that are not sent as data"
    return f"A part was left out: this API does not take {what}."
