"""Turns of the canon to the instructions and the contents of a generateContent request.

Turns of the same role become one, results of tools come first in theirs, and a conversation always begins with the
user: this API refuses anything else. Reasoning and signatures go back only where they were made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Raw, Struct

from gateway.canon.ask import Media, Part, Refusal, Text, Thought, ToolCall, ToolResult, Turn
from gateway.wire import losses
from gateway.wire.arguments import write_input
from gateway.wire.base import Facts
from gateway.wire.gemini import seal
from gateway.wire.gemini.contents import PARTS
from gateway.wire.gemini.sources import write_media
from gateway.wire.own_fields import Fields, calls_of

Entry = dict[str, object]
_BEGIN = "Begin."
_GENERATION = re.compile(r"gemini-(\d+)")
_OBJECT = re.compile(r"\s*\{")


class _Content(Struct):
    role: str
    parts: list[Entry | Raw]
    results: int = 0


def generation(served: str) -> int:
    """The generation in a model's name; 0 where it names none."""
    found = _GENERATION.search(served)
    return int(found[1]) if found is not None else 0


class Letters:
    """Writes the contents of one request and keeps notes of what they could not hold."""

    def __init__(self, facts: Facts, *, same_protocol: bool) -> None:
        self._facts = facts
        self._same_protocol = same_protocol
        self._new = generation(facts.served) >= 3
        self._system: list[Entry | Raw] = []
        self._contents: list[_Content] = []
        self._names: dict[str, str] = {}
        self._own: dict[str, Fields] = {}
        self.notes: list[str] = []

    def write(self, turns: Sequence[Turn]) -> tuple[list[Entry | Raw], list[Entry]]:
        """(parts of the instructions, contents)."""
        for turn in turns:
            if turn.role in ("system", "developer"):
                self._instruct(turn)
            else:
                self._add("model" if turn.role == "assistant" else "user", self._parts(turn))
        if not self._contents:
            self.notes.append("The instructions went out as the user's message: this API needs one.")
            self._contents, self._system = [_Content("user", self._system or [{"text": _BEGIN}])], []
        elif self._contents[0].role != "user":
            self.notes.append(f"The user's message {_BEGIN!r} was put first: this API needs one there.")
            self._contents.insert(0, _Content("user", [{"text": _BEGIN}]))
        return self._system, [{"role": content.role, "parts": content.parts} for content in self._contents]

    # --- turns --------------------------------------------------------------------------------------------------------

    def _instruct(self, turn: Turn) -> None:
        self._note_names(turn)
        parts = self._written(turn)
        if not self._contents and self._facts.system_role:
            self._system += parts
        elif parts:
            self.notes.append("Instructions went into a message of the user.")
            self._add("user", parts)

    def _add(self, role: str, parts: list[Entry | Raw]) -> None:
        """Parts at the end of the conversation. Results of tools go before the rest of their turn."""
        if not parts:
            return
        if not self._contents or self._contents[-1].role != role:
            self._contents.append(_Content(role, []))
        content = self._contents[-1]
        for part in parts:
            if isinstance(part, dict) and "functionResponse" in part:
                content.parts.insert(content.results, part)
                content.results += 1
            else:
                content.parts.append(part)

    def _parts(self, turn: Turn) -> list[Entry | Raw]:
        self._note_names(turn)
        if self._same_protocol and PARTS in turn.extras:
            return list(msgspec.json.decode(turn.extras[PARTS], type=list[Raw]))
        self._own = calls_of(turn) if self._same_protocol else {}
        parts = self._written(turn)
        calls = [part for part in parts if isinstance(part, dict) and "functionCall" in part]
        if self._new and calls and not any("thoughtSignature" in call for call in calls):
            # Newer models refuse a step of theirs that bears no signature.
            calls[0]["thoughtSignature"] = seal.SKIP
        return parts

    def _note_names(self, turn: Turn) -> None:
        if turn.name:
            self.notes.append("Names of participants were left out: this API has none.")
        if not self._same_protocol:
            self.notes.extend(losses.of_message(turn))

    def _written(self, turn: Turn) -> list[Entry | Raw]:
        written: list[Entry | Raw] = []
        for part in turn.parts:
            if getattr(part, "cache", None) is not None:
                self.notes.append(losses.NO_CACHE)
            if isinstance(part, Refusal):
                self.notes.append(losses.REFUSAL_AS_TEXT)
            if isinstance(part, Thought):
                self._thought(part, written)
            else:
                written.extend(self._part(part))
        return written

    # --- parts --------------------------------------------------------------------------------------------------------

    def _part(self, part: Part) -> Iterable[Entry]:
        match part:
            case Text(text=text) | Refusal(text=text):
                return ({"text": text},) if text else ()
            case Media():
                return self._media(part)
            case ToolCall():
                return (self._call(part),)
            case ToolResult():
                return self._result(part)
            case _:
                return ()

    def _media(self, media: Media) -> Iterable[Entry]:
        part = write_media(media)
        if media.detail:
            self.notes.append(losses.NO_DETAIL)
        if part is None:
            self.notes.append(f"A part was left out: this API cannot open the {media.kind} stored as {media.file_id}.")
            return ()
        return (part,)

    def _thought(self, thought: Thought, written: list[Entry | Raw]) -> None:
        own = seal.open_seal(thought.seal)
        last = written[-1] if written else None
        if own is not None and bytes(own.part):
            written.append(own.part)
        elif own is not None and own.on_text:
            if isinstance(last, dict) and last.keys() == {"text"}:
                last["thoughtSignature"] = own.signature
            else:
                written.append({"text": "", "thoughtSignature": own.signature})
        elif own is not None:
            written.append({"text": thought.text, "thought": True, "thoughtSignature": own.signature})
        elif thought.seal is None and thought.text and (self._same_protocol or self._facts.reasoning_field):
            written.append({"text": thought.text, "thought": True})
        else:
            self.notes.append("Earlier reasoning was left out: it does not bear this model's signature.")

    def _call(self, call: ToolCall) -> Entry:
        self._names[call.id] = call.name
        own = self._own.get(call.id, {})
        part: Entry = {"functionCall": {"id": call.id, "name": call.name, "args": write_input(call), **own}}
        sealed = seal.open_seal(call.seal)
        if sealed is None and call.seal is not None:
            self.notes.append(losses.FOREIGN_CALL_SEAL)
        if call.custom:
            self.notes.append(losses.FREE_CALL)
        if sealed is not None and sealed.signature:
            part["thoughtSignature"] = sealed.signature
        return part

    def _result(self, result: ToolResult) -> Iterable[Entry]:
        if any(part.cache is not None for part in result.parts):
            self.notes.append(losses.NO_CACHE)
        text = "\n\n".join(part.text for part in result.parts if isinstance(part, Text))
        entry: Entry = {
            "id": result.call_id,
            "name": result.name or self._names.get(result.call_id, result.call_id),
            "response": _response(text, error=result.error),
            **self._own.get(result.call_id, {}),
        }
        media = [part for inner in result.parts if isinstance(inner, Media) for part in self._media(inner)]
        if media and self._new:
            entry["parts"] = media
            return ({"functionResponse": entry},)
        if media:
            self.notes.append("Media in a tool's result went into the user's message after it.")
        return ({"functionResponse": entry}, *media)


def _response(text: str, *, error: bool) -> object:
    """A result as the object that this API wants: its own, or one around its text."""
    if not error and _OBJECT.match(text):
        try:
            msgspec.json.decode(text, type=dict[str, Raw])
            return Raw(text.encode())
        except (msgspec.DecodeError, RecursionError):
            pass
    return {"error" if error else "output": text}
