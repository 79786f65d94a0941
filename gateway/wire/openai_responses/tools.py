"""Tools, tool choice and structured output of Responses, both ways.

Namespaces are lifted into the flat list that canon has, and put back where both sides speak this API. A form of
`tool_choice` that canon has no word for stays among the extras. Grammars have the canon's shape, which is that of chat
completions. Reading refuses what would be lost, and says what is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Literal

import msgspec
from msgspec import Raw

from gateway.canon.ask import OutputFormat, Tool, ToolChoice
from gateway.canon.fault import BadRequest
from gateway.wire.body import given, read_body
from gateway.wire.free_text import as_function
from gateway.wire.openai_responses.names import NAMESPACE, OURS, SEARCH, Directory, Home, as_field, flat_name, home_of
from gateway.wire.openai_responses.shape import ChoiceEntry, Fields, FormatEntry, ToolEntry

_Mode = Literal["auto", "none", "required"]
_MODES: dict[str, _Mode] = {"auto": "auto", "none": "none", "required": "required", "any": "required"}
_READ = frozenset({"type", "name", "description", "parameters", "strict", "format"})
_NO_PARAMETERS = Raw(b'{"type":"object","properties":{}}')
_GRAMMAR = "grammar"


# --- reading ----------------------------------------------------------------------------------------------------------


def read_tools(raw: Raw, place: str, more: Fields, home: Home | None = None) -> Iterator[Tool]:
    """The tools in one entry of `tools`; a namespace holds several. `more` are fields that each of them gets."""
    entry = read_body(raw, ToolEntry, place)
    match entry.type:
        case "namespace" if home is None:
            namespace = _needed(entry.name, place, "name")
            for at, inner in enumerate(entry.tools or ()):
                inside = Home(namespace, "", entry.description)
                yield from read_tools(inner, f"{place}.tools[{at}]", more, inside)
        case "function" | "custom":
            yield _read_tool(raw, entry, place, more, home)
        case "tool_search" if entry.execution == "client":
            extras = {SEARCH: raw, **more}
            yield Tool(SEARCH, entry.description or "", given(entry.parameters), extras=extras)
        case None:
            raise BadRequest(f'`{place}` has no type. Send {{"type": "function", "name": ..., "parameters": {{...}}}}.')
        case kind:
            yield Tool(kind, kind="vendor", definition=raw, extras=more)


def _read_tool(raw: Raw, entry: ToolEntry, place: str, more: Fields, home: Home | None) -> Tool:
    if not entry.name:
        raise BadRequest(
            f"`{place}` has no `name`. In this API the name stands beside the type: "
            f'{{"type": "{entry.type}", "name": ...}}.'
        )
    own = {name: field for name, field in read_body(raw, Fields, place).items() if name not in _READ}
    extras = {name: field for name, field in own.items() if given(field) is not None} | more
    if home is not None:
        extras[NAMESPACE] = as_field(Home(home.namespace, entry.name, home.description))
    return Tool(
        flat_name(entry.name, home.namespace if home is not None else None),
        description=entry.description or "",
        parameters=given(entry.parameters),
        strict=entry.strict,
        kind="custom" if entry.type == "custom" else "function",
        grammar=_read_grammar(given(entry.format), place),
        extras=extras,
    )


def _read_grammar(raw: Raw | None, place: str) -> Raw | None:
    if raw is None:
        return None
    fields = read_body(raw, Fields, f"{place}.format")
    kind = fields.pop("type", Raw(b"null"))
    if bytes(kind) != b'"grammar"' or _GRAMMAR in fields:
        return raw
    return Raw(msgspec.json.encode({"type": _GRAMMAR, _GRAMMAR: fields}))


def read_choice(raw: Raw, parallel: bool | None, tools: Sequence[Tool]) -> tuple[ToolChoice, bool]:
    """(choice, whether it is said in full)."""
    sent = given(raw)
    if sent is None:
        return ToolChoice(parallel=parallel), True
    entry = read_body(sent, str | ChoiceEntry, "tool_choice")  # type: ignore[arg-type]
    choice, full = _read_form(entry)
    offered = {tool.name for tool in tools}
    if choice.mode == "named" and choice.name not in offered:
        raise BadRequest(f"`tool_choice` names the tool {choice.name!r}, which is not among `tools`.")
    if choice.mode == "required" and not offered:
        raise BadRequest("`tool_choice` asks for a tool, but `tools` offers none.")
    return ToolChoice(choice.mode, choice.name, parallel), full


def _read_form(entry: str | ChoiceEntry) -> tuple[ToolChoice, bool]:
    if isinstance(entry, str):
        return ToolChoice(_mode(entry)), True
    match entry.type:
        case "allowed_tools":
            return ToolChoice(_mode(entry.mode or "auto")), False
        case "function" | "custom" | None:
            if entry.name:
                return ToolChoice("named", flat_name(entry.name, entry.namespace)), True
        case "tool_search":
            return ToolChoice("named", SEARCH), True
        case kind:
            return ToolChoice("named", kind), False
    raise BadRequest(
        'A `tool_choice` that names a tool is {"type": "function", "name": ...}; otherwise send auto, none or required.'
    )


def _mode(word: str) -> _Mode:
    mode = _MODES.get(word)
    if mode is None:
        raise BadRequest(
            f"`tool_choice` {word!r} is unknown. Send auto, none, required or an object that names a tool."
        )
    return mode


def read_format(raw: Raw | None) -> OutputFormat | None:
    """`text.format`; None for plain text."""
    sent = given(raw)
    if sent is None:
        return None
    entry = read_body(sent, FormatEntry, "text.format")
    if entry.type == "text":
        return None
    if entry.type == "json_object":
        return OutputFormat("json_object")
    schema = given(entry.schema)
    if entry.type == "json_schema" and schema is not None:
        return OutputFormat("json_schema", entry.name or "", schema, entry.strict, entry.description or "")
    raise BadRequest(
        "`text.format` must have the type text, json_object or json_schema, the last with "
        '{"name": ..., "schema": {...}} beside it.'
    )


def _needed(value: str | None, place: str, field: str) -> str:
    if not value:
        raise BadRequest(f"`{place}` has no `{field}`.")
    return value


# --- writing ----------------------------------------------------------------------------------------------------------


def write_tools(tools: Iterable[Tool], *, native: bool, plain: bool = False) -> list[object]:
    """`tools`. With `native` the tools go back into their namespaces with their own fields; with `plain` there are
    functions only."""
    if not native:
        return [_write_tool(as_function(tool) if plain and tool.kind == "custom" else tool) for tool in tools]
    written: list[object] = []
    for space, members in groupby(tools, key=_namespace):
        inner = [_write_own(tool) for tool in members]
        if space is None:
            written += inner
        else:
            name, description = space
            about = {} if description is None else {"description": description}
            written.append({"type": "namespace", "name": name, **about, "tools": inner})
    return written


def _namespace(tool: Tool) -> tuple[str, str | None] | None:
    home = home_of(tool)
    return None if home is None else (home.namespace, home.description)


def _write_own(tool: Tool) -> dict[str, object] | Raw:
    if SEARCH in tool.extras:
        return tool.extras[SEARCH]
    written = _write_tool(tool, strict=tool.strict)
    if isinstance(written, dict):
        home = home_of(tool)
        written["name"] = home.name if home is not None else tool.name
        if tool.parameters is None:
            written.pop("parameters", None)
        written.update({name: raw for name, raw in tool.extras.items() if name not in OURS})
    return written


def _write_tool(tool: Tool, *, strict: bool | None = False) -> dict[str, object] | Raw:
    """`strict` is what holds when the tool does not say: this API would take silence for yes."""
    if tool.definition is not None:
        return tool.definition
    entry: dict[str, object] = {"type": tool.kind, "name": tool.name}
    if tool.description:
        entry["description"] = tool.description
    if tool.kind == "custom":
        if tool.grammar is not None:
            entry["format"] = _write_grammar(tool.grammar)
        return entry
    entry["parameters"] = tool.parameters if tool.parameters is not None else _NO_PARAMETERS
    said = tool.strict if tool.strict is not None else strict
    if said is not None:
        entry["strict"] = said
    return entry


def _write_grammar(grammar: Raw) -> object:
    try:
        fields = msgspec.json.decode(grammar, type=Fields)
        inner = msgspec.json.decode(fields.get(_GRAMMAR, Raw(b"null")), type=Fields | None)
    except msgspec.DecodeError:
        return grammar
    return grammar if inner is None else {"type": _GRAMMAR, **inner}


def write_choice(choice: ToolChoice, tools: Iterable[Tool], *, native: bool, plain: bool = False) -> object:
    """`tool_choice`, as a word or naming a tool."""
    if choice.mode != "named":
        return choice.mode
    tool = next((tool for tool in tools if tool.name == choice.name), Tool(choice.name))
    if tool.kind == "vendor":
        return {"type": tool.name}
    if not native:
        return {"type": "function" if plain else tool.kind, "name": tool.name}
    known = Directory([tool]).find(tool.name)
    if known.search:
        return {"type": SEARCH}
    named = {"type": tool.kind, "name": known.name}
    return {**named, "namespace": known.namespace} if known.namespace else named


def write_format(output: OutputFormat) -> dict[str, object]:
    """`text.format`."""
    if output.kind == "json_object":
        return {"type": "json_object"}
    body: dict[str, object] = {
        "type": "json_schema",
        "name": output.name or "response",
        "schema": output.schema or Raw(b"{}"),
    }
    if output.strict is not None:
        body["strict"] = output.strict
    if output.description:
        body["description"] = output.description
    return body
