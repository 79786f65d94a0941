"""Turns of the canon to the items of a Responses request's input.

Words, reasoning, calls and results of tools are items of their own, in the order in which they stand. Reasoning goes
back as the item it was where it was made here, as plain reasoning where the model wants that, and otherwise not at all.
Tools that items of a caller's input had offered are offered by such items again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Raw

from gateway.canon.ask import Media, Part, Refusal, Text, Thought, Tool, ToolCall, ToolResult, Turn
from gateway.wire import losses
from gateway.wire.base import Facts
from gateway.wire.free_text import wrap
from gateway.wire.openai_responses import seal, unread
from gateway.wire.openai_responses.content import Content, write_part
from gateway.wire.openai_responses.names import ADDED, Directory, Known, Place, place_of
from gateway.wire.openai_responses.tools import write_tools
from gateway.wire.own_fields import calls_of

Item = dict[str, object]


class Letters:
    """Writes the items of one request and keeps notes of what they could not hold. `native` says that both sides speak
    this API in full: then tools have the names and kinds that their caller gave them."""

    def __init__(self, facts: Facts, tools: Sequence[Tool], *, same_protocol: bool, native: bool) -> None:
        self._facts = facts
        self._same_protocol = same_protocol
        self._native = native
        self._directory = Directory(tools)
        self._added = _by_place(tools) if native else {}
        self._kinds: dict[str, str] = {}
        self._reasoning: set[int] = set()
        self._items: list[Item | Raw] = []
        self._contents = unread.Contents()
        self.notes: list[str] = []

    def write(self, turns: Sequence[Turn], first: int = 0) -> list[Item | Raw]:
        """The items, in order. `first` is the number of turns that went elsewhere."""
        instructions: list[str] = []
        for at, turn in enumerate(turns, start=first):
            self._offer(at)
            if turn.role in ("system", "developer") and not self._facts.system_role:
                instructions.append(turn.text)
                self.notes.append("The instructions went into the first user message: this model knows no system role.")
            else:
                self._turn(turn)
        for place in self._added:
            if place.before >= first + len(turns):
                self._add(place)
        return _instruct(self._items, instructions)

    def _turn(self, turn: Turn) -> None:
        if turn.name:
            self.notes.append("The name of a participant was left out: this API has no field for it.")
        if not self._same_protocol:
            self.notes.extend(losses.of_message(turn))
        before = len(self._items)
        self._contents = unread.Contents(turn if self._same_protocol and self._facts.content_lists else None)
        own = calls_of(turn) if self._same_protocol else {}
        words: list[Content] = []
        thoughts: list[Thought] = []
        for part in sorted(turn.parts, key=_results_first):
            if isinstance(part, Thought):
                self._message(turn, words)
                thoughts = self._think(thoughts, part)
                continue
            self._leave(thoughts)
            if isinstance(part, Text | Media | Refusal):
                words.append(part)
                continue
            self._message(turn, words)
            if isinstance(part, ToolCall):
                self._items.append({**self._call(part), **own.get(part.id, {})})
            else:
                self._items.append({**self._result(part), **self._own(turn)})
        self._message(turn, words)
        self._leave(thoughts)
        self._drop_orphan()
        if len(self._items) == before and not turn.parts:
            self._items.append(self._plain(turn, ""))

    # --- words --------------------------------------------------------------------------------------------------------

    def _message(self, turn: Turn, words: list[Content]) -> None:
        """The words so far as a message; they are used up."""
        if not words:
            return
        assistant = turn.role == "assistant"
        kept = [part for part in words if not (assistant and isinstance(part, Media))]
        if len(kept) < len(words):
            self.notes.append("Media in an assistant's message were left out: this API takes them from users only.")
        words.clear()
        self._items.append(self._plain(turn, self._content(kept, assistant=assistant)))

    def _plain(self, turn: Turn, content: object) -> Item:
        role = "user" if turn.role == "tool" else turn.role
        return {"type": "message", "role": role, "content": content, **self._own(turn)}

    def _own(self, turn: Turn) -> Item:
        """The fields of an item that only this API knows."""
        if not self._same_protocol:
            return {}
        return {name: raw for name, raw in turn.extras.items() if name not in losses.NOT_FIELDS}

    def _content(self, parts: list[Content], *, assistant: bool = False) -> object:
        sent = self._contents.take(len(parts))
        if sent is not None:
            return sent
        texts = [part for part in parts if isinstance(part, Text)]
        marked = any(part.cache is not None for part in parts if not isinstance(part, Refusal))
        if len(texts) == len(parts) and not self._facts.content_lists:
            if marked:
                self.notes.append("Cache marks were left out: this model takes plain text only.")
            return "\n\n".join(part.text for part in texts)
        if len(texts) == len(parts) <= 1 and not marked:
            return texts[0].text if texts else ""
        if marked and not self._same_protocol:
            self.notes.append("Cache marks were left out: they belong to the caller's API.")
        return [write_part(part, assistant=assistant, cache=self._same_protocol) for part in parts]

    # --- reasoning ----------------------------------------------------------------------------------------------------

    def _think(self, waiting: list[Thought], thought: Thought) -> list[Thought]:
        """A thought without a seal waits: it may be a part of the item whose seal follows."""
        item = seal.open_seal(thought.seal)
        if item is None:
            return [*waiting, thought]
        read = seal.read_item(item)
        own = max(len(seal.words_of(read)) - 1, 0)
        self._leave(waiting[: len(waiting) - own])
        if read.type == "reasoning":
            self._reasoning.add(len(self._items))
        self._items.append(seal.write_item(item))
        return []

    def _leave(self, waiting: list[Thought]) -> None:
        """Thoughts that no item of this API seals, as plain reasoning or not at all."""
        if any(thought.seal is not None for thought in waiting):
            self.notes.append(losses.FOREIGN_THOUGHT_SEAL)
        if self._facts.reasoning_field and any(thought.text for thought in waiting):
            content = [{"type": "reasoning_text", "text": thought.text} for thought in waiting if thought.text]
            self._reasoning.add(len(self._items))
            self._items.append({"type": "reasoning", "summary": [], "content": content})
        elif any(thought.text for thought in waiting):
            self.notes.append("Earlier reasoning was left out: this model does not take it back.")
        waiting.clear()

    def _drop_orphan(self) -> None:
        """Reasoning that nothing follows is refused by the API."""
        while len(self._items) - 1 in self._reasoning:
            self._reasoning.discard(len(self._items) - 1)
            self._items.pop()
            self.notes.append("Reasoning that led to nothing was left out: this API refuses it.")

    # --- tools --------------------------------------------------------------------------------------------------------

    def _call(self, call: ToolCall) -> Item:
        known = self._directory.find(call.name) if self._native else Known(call.name)
        wrapped = call.custom and self._facts.plain_tools
        arguments = wrap(call.arguments) if wrapped else call.arguments
        if wrapped:
            self.notes.append(losses.FREE_CALL)
        if not call.custom and not arguments.strip():
            arguments = "{}"
        if call.seal is not None:
            self.notes.append(losses.FOREIGN_CALL_SEAL)
        if call.cache is not None:
            self.notes.append(losses.NO_CACHE_ON_CALLS)
        kind = "custom_tool_call" if call.custom and not wrapped else "function_call"
        said: Item = {"input" if kind == "custom_tool_call" else "arguments": arguments}
        if known.search and _decodes(arguments, "{"):
            kind = "tool_search_call"
            said = {"execution": "client", "status": "completed", "arguments": Raw(arguments.encode())}
        else:
            said = {"name": known.name, **({"namespace": known.namespace} if known.namespace else {}), **said}
        self._kinds[call.id] = kind
        return {"type": kind, "call_id": call.id, **said}

    def _result(self, result: ToolResult) -> Item:
        if result.error:
            self.notes.append("That a tool's result is an error can only be told by its text.")
        if result.cache is not None:
            self.notes.append(losses.NO_CACHE_ON_CALLS)
        content = self._content([*result.parts])
        kind = self._kinds.get(result.call_id, "function_call")
        if kind == "tool_search_call":
            found = Raw(content.encode()) if isinstance(content, str) and _decodes(content, "[") else Raw(b"[]")
            search = {"execution": "client", "status": "completed", "tools": found}
            return {"type": "tool_search_output", "call_id": result.call_id, **search}
        return {"type": f"{kind}_output", "call_id": result.call_id, "output": content}

    def _offer(self, at: int) -> None:
        for place in [place for place in self._added if place.before == at]:
            self._add(place)

    def _add(self, place: Place) -> None:
        tools = write_tools(self._added[place], native=True)
        self._items.append({"type": "additional_tools", "role": place.role, "tools": tools})


def _by_place(tools: Iterable[Tool]) -> dict[Place, list[Tool]]:
    found: dict[Place, list[Tool]] = {}
    for tool in tools:
        if ADDED in tool.extras and (place := place_of(tool)) is not None:
            found.setdefault(place, []).append(tool)
    return found


def _results_first(part: Part) -> bool:
    return not isinstance(part, ToolResult)


def _instruct(items: list[Item | Raw], instructions: list[str]) -> list[Item | Raw]:
    """The first user message, opened by the instructions."""
    if not instructions:
        return items
    words = "\n\n".join(instructions)
    first = next((item for item in items if isinstance(item, dict) and item.get("role") == "user"), None)
    if first is None:
        return [{"type": "message", "role": "user", "content": words}, *items]
    content = first["content"]
    if isinstance(content, list):
        first["content"] = [{"type": "input_text", "text": words}, *content]
    else:
        first["content"] = f"{words}\n\n{content}"
    return items


def _decodes(text: str, start: str) -> bool:
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return False
    return text.lstrip().startswith(start)
