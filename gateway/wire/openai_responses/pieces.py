"""The items of a streamed response to parts of the canon.

An item is known by its place in the output, because some providers change its id from event to event. What streamed is
told at once; what only the finished item holds is told then, so that a provider may leave the deltas out, or send
nothing but the whole response.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Raw, Struct, field

from gateway.canon.event import Event, Note, TextDelta, ThoughtDelta
from gateway.wire.loose import Json
from gateway.wire.openai_responses import seal
from gateway.wire.openai_responses.names import SEARCH, flat_name
from gateway.wire.openai_responses.shape import OutputItem, OutputPart, StreamEvent
from gateway.wire.parts import PartTable

_ITEM = msgspec.json.Decoder(OutputItem)
_CALLS = frozenset({"function_call", "custom_tool_call"})
_BEYOND = 1_000_000


class _Item(Struct):
    parts: dict[tuple[str, int], int] = field(default_factory=dict)
    texts: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    arguments: list[str] = field(default_factory=list)
    last_thought: int | None = None
    done: bool = False


class Pieces:
    """All items of one answer."""

    def __init__(self, parts: PartTable) -> None:
        self._parts = parts
        self._items: dict[int, _Item] = {}
        self._by_id: dict[str, int] = {}
        self._left_out: set[str] = set()
        self._kinds: set[str] = set()
        self._call_ids: set[str] = set()

    # --- while it streams ---------------------------------------------------------------------------------------------

    def added(self, event: StreamEvent) -> Iterator[Event]:
        """An item began. A call is told at once."""
        item = _ITEM.decode(event.item)
        place = self._place(event, item.id)
        if item.type in _CALLS:
            yield from self._call(place, item, "")

    def words(self, event: StreamEvent, kind: str) -> Iterator[Event]:
        """A piece of text, refusal, summary or reasoning."""
        if isinstance(event.delta, str) and event.delta:
            at = event.summary_index if kind == "summary" else event.content_index
            yield from self._words(self._item(event), (kind, at or 0), event.delta)

    def arguments(self, event: StreamEvent, *, custom: bool) -> Iterator[Event]:
        """A piece of a call's arguments."""
        if isinstance(event.delta, str) and event.delta:
            place = self._place(event, event.item_id)
            self._items[place].arguments.append(event.delta)
            self._kinds.add("call")
            yield from self._parts.piece(index=place, arguments=event.delta, custom=custom)

    def done(self, event: StreamEvent) -> Iterator[Event]:
        """An item is finished: whatever of it did not stream comes now."""
        item = _ITEM.decode(event.item)
        yield from self._finish(self._place(event, item.id), item, event.item)

    def rest(self, output: Iterable[Raw]) -> Iterator[Event]:
        """What the finished response holds and nothing before it told."""
        told = set(self._kinds)
        for at, raw in enumerate(output):
            item = _ITEM.decode(raw)
            if item.type in _CALLS:
                if (item.call_id or item.id) not in self._call_ids:
                    yield from self._finish(_BEYOND + at, item, raw)
            elif item.type not in told:
                yield from self._finish(_BEYOND + at, item, raw)

    # --- one item -----------------------------------------------------------------------------------------------------

    def _finish(self, place: int, item: OutputItem, raw: Raw) -> Iterator[Event]:
        state = self._items.setdefault(place, _Item())
        if state.done:
            return
        state.done = True
        kind = item.type or ""
        self._kinds.add(kind)
        if kind == "message":
            content = item.content if isinstance(item.content, list) else [OutputPart("output_text", item.content)]
            whole = [
                ("refusal", at, part.refusal) if part.type == "refusal" else ("text", at, part.text)
                for at, part in enumerate(content)
            ]
            yield from self._remainders(state, whole)
        elif kind == "reasoning":
            yield from self._finish_reasoning(state, item, raw)
        elif kind in _CALLS or (kind == "tool_search_call" and item.execution == "client"):
            yield from self._finish_call(place, state, item)
        elif kind not in self._left_out:
            self._left_out.add(kind)
            yield Note("left_out", f"The answer had an item of type {kind}, which is not relayed.")

    def _finish_reasoning(self, state: _Item, item: OutputItem, raw: Raw) -> Iterator[Event]:
        for kind, parts in (("summary", item.summary), ("reasoning", item.content)):
            listed = parts if isinstance(parts, list) else []
            yield from self._remainders(state, [(kind, at, part.text) for at, part in enumerate(listed)])
        if seal.is_opaque(item):
            part_index = state.last_thought if state.last_thought is not None else self._parts.take()
            yield ThoughtDelta("", part_index, seal.make_seal(raw))

    def _finish_call(self, place: int, state: _Item, item: OutputItem) -> Iterator[Event]:
        whole = _text(item.input if item.type == "custom_tool_call" else item.arguments)
        written = "".join(state.arguments)
        if written and not whole.startswith(written):
            if whole:
                yield _disagreement("arguments of a tool call")
            whole = written
        yield from self._call(place, item, whole[len(written) :])

    def _call(self, place: int, item: OutputItem, arguments: str) -> Iterator[Event]:
        id = item.call_id or item.id or ""
        if id:
            self._call_ids.add(id)
        name = item.name or (SEARCH if item.type == "tool_search_call" else "")
        custom = item.type == "custom_tool_call"
        yield from self._parts.piece(
            index=place, id=id, name=flat_name(name, item.namespace), arguments=arguments, custom=custom
        )

    def _remainders(self, state: _Item, whole: list[tuple[str, int, str | None]]) -> Iterator[Event]:
        """What of these parts (kind, index, text) did not stream. Some providers count their parts in the stream from
        another number than in the finished item: then their order counts."""
        streamed = sorted(state.parts)
        if any(at >= len(whole) for kind, at in streamed if any(kind == known for known, _, _ in whole)):
            keys = {kind: iter([key for key in streamed if key[0] == kind]) for kind, _, _ in whole}
            for kind, at, text in whole:
                yield from self._remainder(state, next(keys[kind], (kind, _BEYOND + at)), text or "")
            return
        for kind, at, text in whole:
            yield from self._remainder(state, (kind, at), text or "")

    def _remainder(self, state: _Item, key: tuple[str, int], whole: str) -> Iterator[Event]:
        written = "".join(state.texts.get(key, ()))
        if whole.startswith(written):
            if rest := whole[len(written) :]:
                yield from self._words(state, key, rest)
        elif whole:
            yield _disagreement("text")

    def _words(self, state: _Item, key: tuple[str, int], text: str) -> Iterator[Event]:
        kind = key[0]
        part = state.parts.get(key)
        if part is None:
            part = state.parts[key] = self._parts.take()
            state.texts[key] = []
            self._kinds.add("reasoning" if kind in ("summary", "reasoning") else "message")
        state.texts[key].append(text)
        if kind in ("summary", "reasoning"):
            state.last_thought = part
            yield ThoughtDelta(text, part)
        else:
            yield TextDelta(text, part, refusal=kind == "refusal")

    def _item(self, event: StreamEvent) -> _Item:
        return self._items[self._place(event, event.item_id)]

    def _place(self, event: StreamEvent, id: str | None) -> int:
        """The item's place in the output; where an event does not say, the one its id had, or the last."""
        place = event.output_index
        if place is None and id:
            place = self._by_id.get(id, len(self._items))
        if place is None:
            place = max(self._items, default=0)
        if id:
            self._by_id[id] = place
        self._items.setdefault(place, _Item())
        return place


def _text(value: Json) -> str:
    """Arguments as text: as they are, or as JSON where a provider sent an object."""
    if value is None:
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _disagreement(what: str) -> Note:
    return Note("anomaly", f"The provider's stream and its finished item disagree about the {what}; the stream counts.")
