"""The items of a Responses request's input to turns of the canon, and the tools that some of them bring.

What an assistant did between two other items (reasoning, words, calls) is one turn. Refuses, with a sentence that names
the item and says what is right, whatever would be lost.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from gateway.canon.ask import Media, Part, Role, Text, Thought, Tool, ToolCall, ToolResult, Turn
from gateway.canon.fault import BadRequest
from gateway.wire.body import given, read_body
from gateway.wire.openai_responses import seal, unread
from gateway.wire.openai_responses.content import read_part
from gateway.wire.openai_responses.names import ADDED, FOUND, SEARCH, Place, as_field, flat_name
from gateway.wire.openai_responses.shape import ContentPart, Fields, Item, OutputItem
from gateway.wire.openai_responses.tools import read_tools

_ROLES: tuple[Role, ...] = tuple(role for role in get_args(Role) if role != "tool")
_READ_OF_MESSAGE = frozenset({"type", "role", "content", "id", "status"})
_KEPT_ELSEWHERE = frozenset({"item_reference", "compaction", "compaction_summary", "context_compaction"})
_RECORDS = frozenset(
    {"web_search_call", "file_search_call", "code_interpreter_call", "mcp_list_tools", "mcp_call", "tool_search_call"}
    | {"tool_search_output"}
)
"""What the provider's own tools left behind. The answer after it holds what came of it."""
_KNOWN = "message, reasoning, function_call, function_call_output, custom_tool_call or custom_tool_call_output"


class Conversation:
    """Takes items in order; `turns` and `tools` are what they amount to. Two messages in a row are two turns."""

    def __init__(self, opening: Iterable[Turn] = ()) -> None:
        self._turns = list(opening)
        self._parts: list[Part] = []
        self._extras: Fields = {}
        self._kept = unread.Kept()
        self._spoke = self._speaking = False
        self._call_seals: dict[str, Raw] = {}
        self.tools: list[Tool] = []

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All turns so far."""
        self._close()
        return tuple(self._turns)

    def take(self, raw: Raw, place: str) -> None:
        """The next item; `place` is its path in the body, such as `input[3]`."""
        item = read_body(raw, Item, place)
        kind = item.type or "message"
        spoken, self._speaking = self._speaking, kind == "message"
        if spoken and kind == "message":
            self._close()
        if kind == "message":
            self._take_message(item, raw, place)
        elif kind == "reasoning":
            self._take_reasoning(raw, place)
        elif kind in ("function_call", "custom_tool_call"):
            self._take_call(item, raw, place)
        elif kind in ("function_call_output", "custom_tool_call_output"):
            self._take_result(item, raw, place, _read_content(item.output, f"{place}.output"))
        elif kind == "tool_search_call" and item.execution == "client":
            self._parts.append(ToolCall(_call_id(item, place), SEARCH, _arguments(item)))
        elif kind == "tool_search_output" and item.execution == "client":
            self._take_found(item, raw, place)
        elif kind == "additional_tools":
            self._take_added(item, place)
        elif kind in _RECORDS:
            self._parts.append(Thought("", seal.make_seal(raw)))
        else:
            raise BadRequest(_refusal(kind, place))

    # --- what an assistant did ----------------------------------------------------------------------------------------

    def _take_message(self, item: Item, raw: Raw, place: str) -> None:
        role = _read_role(item, place)
        fields = read_body(raw, Fields, place)
        extras = {
            name: field for name, field in fields.items() if name not in _READ_OF_MESSAGE and given(field) is not None
        }
        parts = _read_content(item.content, f"{place}.content")
        if role != "assistant":
            self._close()
            kept = unread.Kept()
            kept.content(item.content, parts)
            self._turns.append(Turn(role, tuple(parts), extras=extras | kept.extras()))
            return
        if self._spoke and extras != self._extras:
            self._close()
        self._kept.content(item.content, parts)
        self._parts += parts
        self._extras, self._spoke = extras, True

    def _take_reasoning(self, raw: Raw, place: str) -> None:
        item = read_body(raw, OutputItem, place)
        wrapped = seal.unwrap(item.encrypted_content)
        if wrapped is None or not wrapped.call_id:
            self._parts += seal.take_item(item, raw)
            return
        self._call_seals[wrapped.call_id] = wrapped.bench_seal

    def _take_call(self, item: Item, raw: Raw, place: str) -> None:
        call = _read_call(item, place)
        self._parts.append(replace(call, seal=self._call_seals.get(call.id)))
        if extras := unread.of_call(read_body(raw, Fields, place)):
            self._kept.calls[call.id] = extras

    def _close(self) -> None:
        if self._parts or self._spoke:
            extras = self._extras | self._kept.extras()
            self._turns.append(Turn("assistant", tuple(seal.take_back(self._parts)), extras=extras))
        self._parts, self._extras, self._kept, self._spoke = [], {}, unread.Kept(), False

    # --- results and tools --------------------------------------------------------------------------------------------

    def _take_result(self, item: Item, raw: Raw, place: str, parts: list[Part]) -> None:
        kept = tuple(part for part in parts if isinstance(part, Text | Media))
        if len(kept) != len(parts):
            raise BadRequest(f"`{place}.output` can hold text and media only.")
        self._close()
        result = ToolResult(_call_id(item, place), kept, name=item.name or "")
        content = unread.Kept()
        content.content(item.output, parts)
        extras = unread.of_result(read_body(raw, Fields, place)) | content.extras()
        self._turns.append(Turn("tool", (result,), extras=extras))

    def _take_found(self, item: Item, raw: Raw, place: str) -> None:
        """What a search found is on offer from now on; the model reads the definitions as the search's result."""
        more = {FOUND: as_field(_call_id(item, place))}
        tools = item.tools or []
        for at, raw in enumerate(tools):
            self.tools += read_tools(raw, f"{place}.tools[{at}]", more)
        self._take_result(item, raw, place, [Text(msgspec.json.encode(tools).decode())])

    def _take_added(self, item: Item, place: str) -> None:
        self._close()
        more = {ADDED: as_field(Place(len(self._turns), item.role or "developer"))}
        for at, raw in enumerate(item.tools or ()):
            self.tools += read_tools(raw, f"{place}.tools[{at}]", more)


def _read_role(item: Item, place: str) -> Role:
    for role in _ROLES:
        if role == (item.role or "user"):
            return role
    raise BadRequest(f"`{place}.role` is {item.role!r}. Send one of {', '.join(_ROLES)}.")


def _read_content(raw: Raw, place: str) -> list[Part]:
    content = given(raw)
    if content is None:
        return []
    read: str | list[ContentPart] = read_body(content, str | list[ContentPart], place)  # type: ignore[arg-type]
    if isinstance(read, str):
        return [Text(read)] if read else []
    return [read_part(part, f"{place}[{at}]") for at, part in enumerate(read)]


def _read_call(item: Item, place: str) -> ToolCall:
    if not item.name:
        raise BadRequest(f"`{place}` names no tool. Give the call the `name` of the tool it calls.")
    name = flat_name(item.name, item.namespace)
    if item.type == "custom_tool_call":
        return ToolCall(_call_id(item, place), name, item.input or "", custom=True)
    return ToolCall(_call_id(item, place), name, _arguments(item))


def _arguments(item: Item) -> str:
    """A call's arguments as text. Empty ones mean none: `{}`."""
    sent = item.arguments
    text = sent if isinstance(sent, str) else "" if sent is None else msgspec.json.encode(sent).decode()
    return text if text.strip() else "{}"


def _call_id(item: Item, place: str) -> str:
    if not item.call_id:
        raise BadRequest(f"`{place}` has no `call_id`. A call and its output need the same one.")
    return item.call_id


def _refusal(kind: str, place: str) -> str:
    if kind in _KEPT_ELSEWHERE:
        return (
            f"`{place}` is of type {kind}, which stands for items that only a provider keeps. "
            "Send the items themselves with each request."
        )
    if kind.endswith(("_call", "_call_output", "_request", "_response")):
        return (
            f"`{place}` is of type {kind}: it belongs to a tool of OpenAI's own, which other models do not know. "
            "Offer functions or custom tools in its place."
        )
    return f"`{place}` is of type {kind}, which is not known here. Items are of type {_KNOWN}."
