"""Turns of the canon to the system text and the messages of a Messages request.

Turns of the same role become one message, results of tools come first in theirs, and a conversation always begins with
the user: this API refuses anything else. Reasoning goes back only where it was made.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import msgspec
from msgspec import Raw, Struct

from gateway.canon.ask import Media, Part, Refusal, Text, Thought, ToolCall, ToolResult, Turn
from gateway.wire import losses
from gateway.wire.anthropic import seal
from gateway.wire.anthropic.sources import write_media
from gateway.wire.arguments import write_input
from gateway.wire.base import Facts
from gateway.wire.cache_marks import ephemeral

Block = dict[str, object]
_BEGIN = "Begin."
_NO_NAMES = "Names of participants were left out: this API has none."
_ID = re.compile(r"[A-Za-z0-9_-]+")
_NOT_IN_ID = re.compile(r"[^A-Za-z0-9_-]")


class _Message(Struct):
    role: str
    blocks: list[Block | Raw]
    results: int = 0


class Letters:
    """Writes the messages of one request and keeps notes of what they could not hold. With `inline_system` instructions
    stay where they stand among the messages."""

    def __init__(self, facts: Facts, *, same_protocol: bool, inline_system: bool) -> None:
        self._facts = facts
        self._same_protocol = same_protocol
        self._inline_system = inline_system
        self._messages: list[_Message] = []
        self._system: list[Block | Raw] = []
        self.notes: list[str] = []

    def write(self, turns: Sequence[Turn]) -> tuple[list[Block | Raw], list[Block]]:
        """(system blocks, messages)."""
        for turn in turns:
            if turn.role in ("system", "developer"):
                self._instruct(turn)
            else:
                self._add("assistant" if turn.role == "assistant" else "user", self._blocks(turn))
        self._trim_prefill()
        if not self._messages:
            self.notes.append("The instructions went out as the user's message: this API needs one.")
            self._messages, self._system = [_Message("user", self._system or [_text(_BEGIN)])], []
        elif self._messages[0].role != "user":
            self.notes.append(f"The user's message {_BEGIN!r} was put first: this API needs one there.")
            self._messages.insert(0, _Message("user", [_text(_BEGIN)]))
        return self._system, [{"role": message.role, "content": _content(message)} for message in self._messages]

    # --- turns --------------------------------------------------------------------------------------------------------

    def _instruct(self, turn: Turn) -> None:
        if self._messages and self._inline_system:
            self._add("system", self._blocks(turn))
            return
        if not self._same_protocol:
            self.notes.extend(losses.of_message(turn))
        elif losses.CONTENT in turn.extras:
            self.notes.append("Instructions that are not text were left out: this request does not allow them.")
        if turn.name:
            self.notes.append(_NO_NAMES)
        blocks = self._written(turn)
        if not self._messages and self._facts.system_role:
            self._system += blocks
        elif blocks:
            self.notes.append("Instructions went into a message of the user.")
            self._add("user", blocks)

    def _add(self, role: str, blocks: list[Block | Raw]) -> None:
        """Blocks at the end of the conversation. Results of tools go before the rest of their message."""
        if not blocks:
            return
        if not self._messages or self._messages[-1].role != role:
            self._messages.append(_Message(role, []))
        message = self._messages[-1]
        for block in blocks:
            if isinstance(block, dict) and block["type"] == "tool_result":
                message.blocks.insert(message.results, block)
                message.results += 1
            else:
                message.blocks.append(block)

    def _blocks(self, turn: Turn) -> list[Block | Raw]:
        if turn.name:
            self.notes.append(_NO_NAMES)
        if not self._same_protocol:
            self.notes.extend(losses.of_message(turn))
            return self._written(turn)
        for name in turn.extras:
            if name not in losses.NOT_FIELDS:
                self.notes.append(f"`{name}` of a message was left out: messages have no such field.")
        sent = turn.extras.get(losses.CONTENT) or turn.extras.get(losses.FORM)
        return self._written(turn) if sent is None else list(msgspec.json.decode(sent, type=list[Raw]))

    def _written(self, turn: Turn) -> list[Block | Raw]:
        return [block for part in turn.parts if (block := self._block(part, turn.role)) is not None]

    def _trim_prefill(self) -> None:
        """The start of an answer, which a conversation may end with, must not end in white space."""
        last = self._messages[-1].blocks[-1] if self._messages and self._messages[-1].role == "assistant" else None
        if isinstance(last, dict) and isinstance(last.get("text"), str):
            last["text"] = str(last["text"]).rstrip()

    # --- blocks -------------------------------------------------------------------------------------------------------

    def _block(self, part: Part, role: str) -> Block | None:
        match part:
            case Text():
                return _text(part.text, self._mark(part.cache)) if part.text.strip() else None
            case Refusal():
                self.notes.append(losses.REFUSAL_AS_TEXT)
                return _text(part.text) if part.text.strip() else None
            case Media():
                return self._media(part, role)
            case Thought():
                return self._thought(part)
            case ToolCall():
                return self._call(part)
            case ToolResult():
                return self._result(part)

    def _mark(self, cache: Raw | None) -> Raw | None:
        return cache if cache is None or self._same_protocol else ephemeral(cache)

    def _media(self, media: Media, role: str) -> Block | None:
        block = write_media(media, self._mark(media.cache)) if role != "assistant" else None
        if media.detail:
            self.notes.append(losses.NO_DETAIL)
        if block is None:
            what = f"{media.kind} of type {media.mime}" if media.mime else media.kind
            self.notes.append(f"A part was left out: this API does not take {what} in a message of {role}.")
        return block

    def _thought(self, thought: Thought) -> Block | None:
        block = seal.write_thought(thought)
        if block is None and thought.text and self._facts.reasoning_field and thought.seal is None:
            return {"type": "thinking", "thinking": thought.text}
        if block is None:
            self.notes.append("Earlier reasoning was left out: it does not bear this model's signature.")
        return block

    def _call(self, call: ToolCall) -> Block:
        block: Block = {"type": "tool_use", "id": _clean(call.id), "name": call.name, "input": write_input(call)}
        own = seal.open_seal(call.seal)
        if own is None and call.seal is not None:
            self.notes.append(losses.FOREIGN_CALL_SEAL)
        if call.custom:
            self.notes.append(losses.FREE_CALL)
        block.update(own or {})
        if call.cache is not None:
            block["cache_control"] = self._mark(call.cache)
        return block

    def _result(self, result: ToolResult) -> Block:
        block: Block = {"type": "tool_result", "tool_use_id": _clean(result.call_id)}
        inner = [written for part in result.parts if (written := self._block(part, "tool")) is not None]
        if inner:
            block["content"] = _plain(inner)
        if result.error:
            block["is_error"] = True
        if result.cache is not None:
            block["cache_control"] = self._mark(result.cache)
        return block


def _content(message: _Message) -> object:
    blocks = [block for block in message.blocks if isinstance(block, dict)]
    return message.blocks if len(blocks) != len(message.blocks) else _plain(blocks)


def _plain(blocks: list[Block]) -> object:
    """A single plain text stands for the list that holds it."""
    if len(blocks) == 1 and blocks[0].keys() == {"type", "text"}:
        return blocks[0]["text"]
    return blocks


def _text(text: str, cache: Raw | None = None) -> Block:
    return {"type": "text", "text": text} if cache is None else {"type": "text", "text": text, "cache_control": cache}


def _clean(id: str) -> str:
    """A call's id in the letters this API takes. Ids of other formats stay apart from each other."""
    if _ID.fullmatch(id):
        return id
    return f"{_NOT_IN_ID.sub('_', id)}_{hashlib.sha256(id.encode()).hexdigest()[:8]}"
