"""What a request says, as a set of single statements, and the note that must name each one that a member is not told.

A statement is a tuple that begins with its kind. Ids of calls may be written anew, so calls go by their number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
from msgspec import Raw

from gateway.canon.ask import Ask, Media, Refusal, Text, Thought, Tool, ToolCall, ToolResult, Turn
from gateway.wire.losses import CONTENT, FORM, PARTS
from gateway.wire.own_fields import CALLS, calls_of

Statement = tuple[object, ...]

_WORD = re.compile(r"[a-z]+\d+")
_INSTRUCTIONS = ("system", "developer")

NAMED = {
    "instruction": r"[Ii]nstructions went",
    "word": r"A part was left out",
    "refusal": r"A refusal went out as plain text",
    "media": r"A part was left out|Media in an assistant|Media in a tool's result went",
    "title": r"A part was left out",
    "detail": r"The detail of a picture|A part was left out",
    "thought": r"[Rr]easoning was left out|[Oo]paque state of reasoning",
    "seal": r"[Rr]easoning was left out|[Oo]paque state of reasoning",
    "call seal": r"opaque state of a tool call",
    "cache": r"Cache marks|A part was left out",
    "participant": r"[Nn]ames? of (a )?participants?",
    "field of a message": r"`{0}` of a message was left out|of the parts of a message",
    "field of a call": r"`{0}` of a tool call was left out",
    "free call": r"free-text",
    "error": r"result is an error",
    "tool": r"[Tt]ools? .*left out|Only the tool",
    "free tool": r"free-text tool {0}|tools were left out|Only the tool",
    "about": r"tools were left out|Only the tool",
    "grammar": r"tools were left out|Only the tool",
    "schema": r"The schema of the tool {0}|tools were left out|Only the tool",
    "strict": r"`strict` of the tool {0}|tools were left out|Only the tool",
    "field of a tool": r"`{1}` of the tool {0} was left out",
    "cache on a tool": r"Cache marks|tools were left out|Only the tool",
    "choice": r"`tool_choice` was|choice of a tool was|Only the tool|tools? .*left out",
    "one at a time": r"one at a time",
    "format": r"JSON output without a schema|The schema of the answer",
    "format name": r"The name of the output format",
    "format about": r"The description of the output format",
    "format strict": r"`strict` of the (output format|answer)",
    "effort": r"The reasoning effort {0} was",
    "budget": r"[Rr]easoning.* budget|Reasoning was left out",
    "field": r"`{0}` was left out",
    "temperature": r"temperature .* lowered",
}
"""Patterns of notes by kind. In a pattern `{0}` is what the statement is about."""


def unnamed(lost: set[Statement], notes: tuple[str, ...]) -> list[Statement]:
    """The lost statements that no note names."""
    return sorted((one for one in lost if not _is_named(one, notes)), key=repr)


def _is_named(statement: Statement, notes: tuple[str, ...]) -> bool:
    kind, *about = statement
    pattern = NAMED.get(str(kind), f"`{kind}` was left out").format(*map(re.escape, map(str, about)))
    return any(re.search(pattern, note) for note in notes)


def statements(ask: Ask) -> set[Statement]:
    """All that a request says."""
    return {*_of_turns(ask), *_of_tools(ask), *_of_settings(ask)}


def _of_turns(ask: Ask) -> Iterator[Statement]:
    calls: dict[str, int] = {}
    for turn in ask.turns:
        if turn.name:
            yield "participant", turn.name
        for name in turn.extras:
            if name not in (FORM, CONTENT, PARTS, CALLS):
                yield "field of a message", name
        for fields in calls_of(turn).values():
            for name in fields:
                yield "field of a call", name
        for part in turn.parts:
            yield from _of_part(part, turn, calls)


def _of_part(part: object, turn: Turn, calls: dict[str, int]) -> Iterator[Statement]:
    match part:
        case Text(text=text, cache=cache):
            kind = "instruction" if turn.role in _INSTRUCTIONS else "word"
            for word in _WORD.findall(text):
                yield kind, word
            if cache is not None:
                yield "cache", text
        case Media():
            yield from _of_media(part)
        case Thought(text=text, seal=seal):
            if text:
                yield "thought", text
            if seal is not None:
                yield "seal", bytes(seal)
        case Refusal(text=text):
            yield "refusal", text
        case ToolCall():
            yield from _of_call(part, calls.setdefault(part.id, len(calls)))
        case ToolResult():
            yield from _of_result(part, calls[part.call_id])
            for inner in part.parts:
                yield from _of_part(inner, turn, calls)
        case _:
            raise TypeError(f"no part: {part!r}")


def _of_call(call: ToolCall, number: int) -> Iterator[Statement]:
    yield "call", number, call.name
    yield "arguments", number, *_WORD.findall(call.arguments)
    if call.custom:
        yield "free call", number
    if call.seal is not None:
        yield "call seal", number
    if call.cache is not None:
        yield "cache", "call", number


def _of_result(result: ToolResult, number: int) -> Iterator[Statement]:
    yield "result", number
    if result.error:
        yield "error", number
    if result.cache is not None:
        yield "cache", "result", number


def _of_media(media: Media) -> Iterator[Statement]:
    which = media.url or f"{media.kind} data"
    yield "media", which
    if media.name:
        yield "title", media.name
    if media.detail:
        yield "detail", which, media.detail
    if media.cache is not None:
        yield "cache", which


def _of_tools(ask: Ask) -> Iterator[Statement]:
    for tool in ask.tools:
        yield "tool", tool.name
        yield from _of_tool(tool)
    choice = ask.tool_choice
    if choice.mode != "auto":
        yield "choice", choice.mode, choice.name
    if choice.parallel is False and choice.mode != "none" and any(tool.kind != "vendor" for tool in ask.tools):
        yield ("one at a time",)


def _of_tool(tool: Tool) -> Iterator[Statement]:
    for word in re.findall(r"about\d+", tool.description):
        yield "about", tool.name, word
    told = tool.description.encode() + bytes(tool.grammar or b"")
    for word in re.findall(rb"grammar\d+", told):
        yield "grammar", tool.name, word
    if tool.kind == "custom":
        yield "free tool", tool.name
    elif tool.parameters is not None:
        yield "schema", tool.name, _canonical(tool.parameters)
    if tool.strict:
        yield "strict", tool.name
    if tool.cache is not None:
        yield "cache on a tool", tool.name
    for name in tool.extras:
        yield "field of a tool", tool.name, name


def _of_settings(ask: Ask) -> Iterator[Statement]:
    if ask.output is not None:
        yield "format", ask.output.kind, _canonical(ask.output.schema)
        for kind, said in (("name", ask.output.name), ("about", ask.output.description), ("strict", ask.output.strict)):
            if said:
                yield f"format {kind}", said
    for name in ask.knobs.__struct_fields__:
        value = getattr(ask.knobs, name)
        if value not in (None, "", ()):
            yield {"reasoning_effort": "effort", "reasoning_tokens": "budget"}.get(name, name), value
    for name in ask.extras:
        yield "field", name


def _canonical(raw: Raw | None) -> str:
    return "" if raw is None else repr(msgspec.json.decode(raw))
