"""Turns of the canon to the messages of a chat completion request.

A tool's message holds text only. Reasoning goes back only where the model wants it, its opaque state only where it was
made here.
"""

from __future__ import annotations

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from gateway.canon.ask import Media, Part, Refusal, Text, Thought, ToolCall, ToolResult, Turn
from gateway.wire import losses
from gateway.wire.body import join_lists
from gateway.wire.cache_marks import ephemeral
from gateway.wire.free_text import wrap
from gateway.wire.letters import Message, TurnLetters
from gateway.wire.media import write_url
from gateway.wire.openai_chat import seal
from gateway.wire.openai_chat.whole import write_whole_call
from gateway.wire.own_fields import calls_of, put_back

_FORMATS = {"audio/mpeg": "mp3", "audio/wav": "wav"}


class Letters(TurnLetters):
    """Writes the messages of one request and keeps notes of what they could not hold."""

    # --- one message --------------------------------------------------------------------------------------------------

    def _message(self, turn: Turn, parts: list[Part]) -> Message:
        message: Message = {"role": self._role(turn)}
        if len(parts) == 1 and type(part := parts[0]) is Text and part.cache is None and not (turn.name or turn.extras):
            message["content"] = part.text  # as most messages of most requests
            return message
        calls = [part for part in parts if isinstance(part, ToolCall)]
        content = self._as_sent(turn) or self._content([part for part in parts if isinstance(part, Text | Media)])
        message["content"] = content if content or not calls else None
        if turn.name:
            message["name"] = turn.name
        refusal = "".join(part.text for part in parts if isinstance(part, Refusal))
        if refusal:
            message["refusal"] = refusal
        self._write_thoughts([part for part in parts if isinstance(part, Thought)], message)
        if calls:
            own = calls_of(turn) if self._same_protocol else {}
            message["tool_calls"] = [self._call(call, own.get(call.id)) for call in calls]
        self._write_extras(turn, message)
        return message

    def _role(self, turn: Turn) -> str:
        if turn.role == "developer" and not self._facts.developer_role:
            self.notes.append("The role developer was sent as system.")
            return "system"
        return "user" if turn.role == "tool" else turn.role

    def _as_sent(self, turn: Turn) -> Raw | None:
        """The content as its caller sent it, where it is more than canon holds or has a form of its own."""
        if not self._same_protocol or not self._facts.content_lists:
            return None
        more = turn.extras.get(losses.CONTENT) if self._facts.cache_marks else None
        return more or turn.extras.get(losses.FORM)

    def _content(self, parts: list[Text | Media]) -> str | list[object]:
        texts = [part for part in parts if isinstance(part, Text)]
        marked = any(part.cache is not None for part in parts)
        if marked and not self._facts.cache_marks:
            self.notes.append("Cache marks were left out: this model does not take them.")
            marked = False
        if len(texts) == len(parts) and not self._facts.content_lists:
            if marked:
                self.notes.append("Cache marks were left out: this model takes plain text only.")
            return "\n\n".join(part.text for part in texts)
        if len(texts) == len(parts) <= 1 and not marked:
            return texts[0].text if texts else ""
        return [self._part(part) for part in parts]

    def _part(self, part: Text | Media) -> Message:
        written: Message
        if isinstance(part, Text):
            written = {"type": "text", "text": part.text}
        elif part.kind == "image":
            written = self._image(part)
        elif part.kind == "audio" and part.data:
            sound = {"data": part.data, "format": _FORMATS.get(part.mime, part.mime.removeprefix("audio/"))}
            written = {"type": "input_audio", "input_audio": sound}
        else:
            written = {"type": "file", "file": _file(part)}
        if part.cache is not None and self._facts.cache_marks:
            written["cache_control"] = part.cache if self._same_protocol else ephemeral(part.cache)
        return written

    @staticmethod
    def _image(part: Media) -> Message:
        image: Message = {"url": write_url(part)}
        if part.detail:
            image["detail"] = part.detail
        return {"type": "image_url", "image_url": image}

    def _call(self, call: ToolCall, fields: dict[str, Raw] | None) -> object:
        own = seal.open_seal(call.seal)
        extra = own.extra_content if own is not None and seal.present(own.extra_content) else None
        if call.seal is not None and own is None:
            self.notes.append(losses.FOREIGN_CALL_SEAL)
        if call.cache is not None:
            self.notes.append(losses.NO_CACHE_ON_CALLS)
        if call.custom and self._facts.plain_tools is not False:
            self.notes.append(losses.FREE_CALL)
            call = replace(call, arguments=wrap(call.arguments), custom=False)
        written = write_whole_call(call, extra)
        if fields is None:
            return written
        entry: dict[str, object] = msgspec.to_builtins(written, builtin_types=(Raw,))
        put_back(entry, fields)
        return entry

    def _write_thoughts(self, thoughts: list[Thought], message: Message) -> None:
        words = "".join(thought.text for thought in thoughts)
        if words and self._facts.reasoning_field:
            message[self._facts.reasoning_field] = words
        details: list[Raw] = []
        unsealed = ""
        for thought in thoughts:
            own = seal.open_seal(thought.seal)
            if own is None and thought.seal is not None:
                self.notes.append(losses.FOREIGN_THOUGHT_SEAL)
            if own is None or not seal.present(own.reasoning_details):
                unsealed += thought.text
            else:
                details.append(own.reasoning_details)
            if own is not None and seal.present(own.extra_content):
                message["extra_content"] = own.extra_content
        if details:
            message["reasoning_details"] = join_lists(details)
        if unsealed and not self._facts.reasoning_field:
            self.notes.append("Earlier reasoning was left out: this model does not take it back.")

    # --- results of tools ---------------------------------------------------------------------------------------------

    def _result(self, result: ToolResult, turn: Turn, pictures: list[Part]) -> Message:
        media = self._take_media(result, pictures)
        message: Message = {"role": "tool", "tool_call_id": result.call_id}
        if result.name:
            message["name"] = result.name
        texts: list[Text | Media] = [part for part in result.parts if isinstance(part, Text)]
        if result.cache is not None:
            self.notes.append(losses.NO_CACHE_ON_CALLS)
        sent = self._as_sent(turn) if not media else None
        message["content"] = sent or self._content(texts) or ("See the next message." if media else "")
        self._write_extras(turn, message)
        return message

    def _pictures(self, pictures: list[Part]) -> Message:
        content = self._content([part for part in pictures if isinstance(part, Text | Media)])
        pictures.clear()
        return {"role": "user", "content": content}


def _file(part: Media) -> Message:
    file: Message = {"file_id": part.file_id} if part.file_id else {"file_data": write_url(part)}
    if part.name:
        file["filename"] = part.name
    return file
