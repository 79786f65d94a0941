"""The messages of a Messages request to turns of the canon.

Refuses, with a sentence that names the block and says what is right, whatever would be lost for everybody. What only
other models cannot be told (the doings of the provider's own tools, citations) stays beside the turn as it was sent, in
`extras`, and goes on to members of this protocol.
"""

from __future__ import annotations

from msgspec import Raw

from gateway.canon.ask import Media, Part, Role, Text, ToolCall, ToolResult, Turn
from gateway.canon.fault import BadRequest
from gateway.wire.anthropic import seal
from gateway.wire.anthropic.shape import Block, Fields, Message
from gateway.wire.anthropic.sources import read_document, read_image
from gateway.wire.body import given, read_body
from gateway.wire.losses import CONTENT, FORM

_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system"}
_KNOWN: dict[str, frozenset[str]] = {
    "text": frozenset({"type", "text", "cache_control"}),
    "image": frozenset({"type", "source", "cache_control"}),
    "document": frozenset({"type", "source", "title", "cache_control"}),
    "tool_result": frozenset({"type", "tool_use_id", "content", "is_error", "cache_control"}),
}
_CALL_FIELDS = frozenset({"type", "id", "name", "input", "cache_control"})
_NOTHING = (b"null", b"[]", b"{}")
_ELSEWHERE = {
    "image_url": 'an image is {"type": "image", "source": {"type": "url", "url": ...}}',
    "input_image": 'an image is {"type": "image", "source": {"type": "url", "url": ...}}',
    "input_text": 'text is {"type": "text", "text": ...}',
    "output_text": 'text is {"type": "text", "text": ...}',
    "file": 'a file is {"type": "document", "source": {...}}',
    "container_upload": 'a file is {"type": "document", "source": {...}}',
}
_TAKEN = "text, image, document, search_result, tool_use, tool_result, thinking or redacted_thinking"


def read_turn(raw: Raw, place: str) -> Turn:
    """One message; `place` is its path in the body, such as `messages[3]`."""
    message = read_body(raw, Message, place)
    fields = read_body(raw, Fields, place)
    role = _ROLES.get(message.role or "")
    if role is None:
        raise BadRequest(f"`{place}.role` is {message.role!r}. Send user or assistant, or system for instructions.")
    extras = {
        name: field for name, field in fields.items() if name not in ("role", CONTENT) and given(field) is not None
    }
    if message.content is None:
        raise BadRequest(f"`{place}` has no `content`. Send text or a list of blocks.")
    if isinstance(message.content, str):
        return Turn(role, (Text(message.content),) if message.content else (), extras=extras)
    reading = _Reading(role)
    parts = reading.read(message.content, f"{place}.{CONTENT}")
    if reading.lossy:
        extras[CONTENT] = fields[CONTENT]
    elif len(message.content) == 1 and is_plain(parts):
        extras[FORM] = fields[CONTENT]
    return Turn(role, tuple(seal.take_back(parts)), extras=extras)


def is_plain(parts: list[Part]) -> bool:
    """Are these words and nothing else, which could stand as text just as well as in a list?"""
    part = parts[0] if len(parts) == 1 else None
    return isinstance(part, Text) and part.cache is None and bool(part.text) and not part.text[-1].isspace()


def read_system(system: str | list[Raw] | None) -> tuple[Turn, ...]:
    """The instructions, as one turn where there are any."""
    if not system:
        return ()
    if isinstance(system, str):
        return (Turn("system", (Text(system),)),)
    parts: list[Part] = []
    for at, raw in enumerate(system):
        block = read_body(raw, Block, f"system[{at}]")
        if block.type != "text" or block.text is None:
            raise BadRequest(f'`system[{at}]` must be {{"type": "text", "text": ...}}: instructions are text only.')
        parts.append(Text(block.text, given(block.cache_control)))
    return (Turn("system", tuple(parts)),)


class _Reading:
    """Reads the blocks of one message; `lossy` says that canon could not hold all of them."""

    def __init__(self, role: Role) -> None:
        self._role = role
        self.lossy = False

    def read(self, blocks: list[Raw], place: str) -> list[Part]:
        return [part for at, raw in enumerate(blocks) for part in self._block(raw, f"{place}[{at}]")]

    def _block(self, raw: Raw, place: str) -> list[Part]:
        block, fields = read_body(raw, Block, place), read_body(raw, Fields, place)
        match block.type:
            case "text" | "image" | "document" | "search_result":
                return list(self._content(block, fields, place))
            case "tool_result":
                return [self._result(block, fields, place)]
            case "tool_use":
                return [self._call(block, fields, place)]
            case "thinking" | "redacted_thinking":
                self._only("assistant", block.type, place)
                return [self._thought(block, fields)]
            case None:
                raise BadRequest(f"`{place}` has no `type`. Send one of {_TAKEN}.")
            case other if self._role != "user" and other not in _ELSEWHERE:
                self.lossy = True
                return []
            case other:
                right = _ELSEWHERE.get(other, f"blocks are of type {_TAKEN}")
                raise BadRequest(f"`{place}` is of type {other}, which cannot be passed on: {right}.")

    def _content(self, block: Block, fields: Fields, place: str) -> list[Text | Media]:
        cache = given(block.cache_control)
        self._weigh(block, fields)
        match block.type:
            case "text":
                if block.text is None:
                    raise BadRequest(f"`{place}` has no `text`.")
                return [Text(block.text, cache)] if block.text or cache is not None else []
            case "image":
                self._only("user", "image", place)
                return [read_image(block.source, place, cache)]
            case "document":
                self._only("user", "document", place)
                context = [Text(block.context)] if block.context else []
                return [*context, read_document(block.source, block.title or "", place, cache)]
            case _:
                return [_search_result(block, place)]

    def _call(self, block: Block, fields: Fields, place: str) -> ToolCall:
        self._only("assistant", "tool_use", place)
        if not block.id or not block.name:
            raise BadRequest(f"`{place}` needs an `id` and a `name`: those of the tool call it repeats.")
        arguments = given(block.input)
        if arguments is not None and not bytes(arguments).startswith(b"{"):
            raise BadRequest(f"`{place}.input` must be an object.")
        others = {name: raw for name, raw in fields.items() if name not in _CALL_FIELDS and bytes(raw) not in _NOTHING}
        return ToolCall(
            block.id,
            block.name,
            bytes(arguments).decode() if arguments is not None else "{}",
            seal=seal.take_call_seal(others),
            cache=given(block.cache_control),
        )

    def _result(self, block: Block, fields: Fields, place: str) -> ToolResult:
        self._only("user", "tool_result", place)
        if not block.tool_use_id:
            raise BadRequest(f"`{place}` has no `tool_use_id`. Send the id of the call it answers.")
        self._weigh(block, fields)
        return ToolResult(
            block.tool_use_id,
            tuple(self._result_parts(block, f"{place}.{CONTENT}")),
            error=bool(block.is_error),
            cache=given(block.cache_control),
        )

    def _result_parts(self, block: Block, place: str) -> list[Text | Media]:
        sent = given(block.content)
        if sent is None:
            return []
        content: str | list[Raw] = read_body(sent, str | list[Raw], place)  # type: ignore[arg-type]
        if isinstance(content, str):
            return [Text(content)] if content else []
        parts: list[Text | Media] = []
        for at, raw in enumerate(content):
            where = f"{place}[{at}]"
            inner = read_body(raw, Block, where)
            if inner.type == "tool_reference" and inner.tool_name:
                self.lossy = True
                parts.append(Text(f"The tool {inner.tool_name} can be used from now on."))
            elif inner.type in ("text", "image", "document", "search_result"):
                parts += self._content(inner, read_body(raw, Fields, where), where)
            else:
                raise BadRequest(f"`{where}` is of type {inner.type}. A result holds text, images and documents.")
        return parts

    def _thought(self, block: Block, fields: Fields) -> Part:
        if block.type == "thinking":
            return seal.take_thinking(block.thinking or "", fields)
        return seal.take_opaque(fields)

    def _weigh(self, block: Block, fields: Fields) -> None:
        """Is there more in the block than canon holds?"""
        known = _KNOWN.get(block.type or "", frozenset())
        self.lossy = self.lossy or any(name not in known and bytes(raw) not in _NOTHING for name, raw in fields.items())

    def _only(self, role: Role, kind: str, place: str) -> None:
        if self._role != role:
            raise BadRequest(f"`{place}` is of type {kind}, which only a message with the role {role} can hold.")


def _search_result(block: Block, place: str) -> Text:
    """A search result as text; members of this protocol still get it as it was sent."""
    source = block.source if isinstance(block.source, str) else ""
    inner = read_body(given(block.content) or Raw(b"[]"), list[Block], f"{place}.{CONTENT}")
    lines = [block.title or "", source, *(entry.text or "" for entry in inner)]
    return Text("\n".join(line for line in lines if line), given(block.cache_control))
