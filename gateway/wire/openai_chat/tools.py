"""Tools, tool choice and structured output of chat completions, both ways.

Reading refuses what would be lost or refused upstream, and says what is right. A form of `tool_choice` that canon has
no word for stays among the extras, so that a member of the same protocol still gets it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Raw

from gateway.canon.ask import OutputFormat, Tool, ToolChoice
from gateway.canon.fault import BadRequest
from gateway.wire.body import given, read_body
from gateway.wire.openai_chat import unread
from gateway.wire.openai_chat.shape import ChoiceEntry, FormatEntry, ToolEntry
from gateway.wire.own_fields import put_back

_Mode = Literal["auto", "none", "required"]
_MODES: dict[str, _Mode] = {"auto": "auto", "none": "none", "required": "required", "any": "required"}


def read_tool(raw: Raw, place: str) -> Tool:
    """One entry of `tools`."""
    entry = read_body(raw, ToolEntry, place)
    kind = entry.type or ("function" if entry.function is not None else "")
    if kind not in ("function", "custom"):
        if not kind:
            raise BadRequest(f'`{place}` has no type. Send {{"type": "function", "function": {{"name": ...}}}}.')
        return Tool(kind, kind="vendor", definition=raw)
    body = entry.function if kind == "function" else entry.custom
    if body is None or not body.name:
        raise BadRequest(
            f"`{place}` does not say which tool it is. In chat completions the name goes inside: "
            f'{{"type": "{kind}", "{kind}": {{"name": ...}}}}.'
        )
    return Tool(
        body.name,
        description=body.description or "",
        parameters=given(body.parameters),
        strict=body.strict,
        kind="function" if kind == "function" else "custom",
        grammar=given(body.format),
        cache=given(entry.cache_control),
        extras=unread.of_tool(raw, kind),
    )


def read_choice(raw: Raw, parallel: bool | None, tools: Iterable[Tool]) -> tuple[ToolChoice, bool]:
    """(choice, whether it is said in full). An `allowed_tools` choice is only said by its mode."""
    if given(raw) is None:
        return ToolChoice(parallel=parallel), True
    entry = read_body(raw, str | ChoiceEntry, "tool_choice")  # type: ignore[arg-type]
    offered = {tool.name for tool in tools}
    choice, full = _read_form(entry)
    if choice.mode == "named" and choice.name not in offered:
        raise BadRequest(f"`tool_choice` names the tool {choice.name!r}, which is not among `tools`.")
    if choice.mode == "required" and not offered:
        raise BadRequest("`tool_choice` asks for a tool, but `tools` offers none.")
    return ToolChoice(choice.mode, choice.name, parallel), full


def _read_form(entry: str | ChoiceEntry) -> tuple[ToolChoice, bool]:
    if isinstance(entry, str):
        return ToolChoice(_mode(entry)), True
    if entry.type == "allowed_tools":
        return ToolChoice(_mode((entry.allowed_tools or entry).mode or "auto")), False
    named = entry.custom if entry.type == "custom" else entry.function
    if entry.type in ("function", "custom", None) and named is not None and named.name:
        return ToolChoice("named", named.name), True
    if entry.type and entry.type not in ("function", "custom"):
        return ToolChoice("named", entry.type), False
    raise BadRequest(
        'A `tool_choice` that names a tool is {"type": "function", "function": {"name": ...}}; '
        "otherwise send auto, none or required."
    )


def _mode(word: str) -> _Mode:
    mode = _MODES.get(word)
    if mode is None:
        raise BadRequest(
            f"`tool_choice` {word!r} is unknown. Send auto, none, required or an object that names a tool."
        )
    return mode


def read_format(raw: Raw) -> OutputFormat | None:
    """`response_format`; None for plain text."""
    if given(raw) is None:
        return None
    entry = read_body(raw, FormatEntry, "response_format")
    if entry.type == "text":
        return None
    if entry.type == "json_object":
        return OutputFormat("json_object")
    body = entry.json_schema
    if entry.type == "json_schema" and body is not None and given(body.schema) is not None:
        return OutputFormat("json_schema", body.name or "", body.schema, body.strict, body.description or "")
    raise BadRequest(
        "`response_format` must have the type text, json_object or json_schema, the last with "
        '{"json_schema": {"name": ..., "schema": {...}}}.'
    )


def write_tool(tool: Tool, *, same_protocol: bool) -> dict[str, object] | Raw:
    """One entry of `tools`."""
    if tool.definition is not None:
        return tool.definition
    body: dict[str, object] = {"name": tool.name}
    if tool.description:
        body["description"] = tool.description
    if tool.parameters is not None:
        body["parameters"] = tool.parameters
    if tool.strict is not None:
        body["strict"] = tool.strict
    if tool.grammar is not None:
        body["format"] = tool.grammar
    entry: dict[str, object] = {"type": tool.kind, tool.kind: body}
    if tool.cache is not None:
        entry["cache_control"] = tool.cache
    if same_protocol:
        put_back(entry, tool.extras)
    return entry


def write_choice(choice: ToolChoice, tools: Iterable[Tool]) -> str | dict[str, object]:
    """`tool_choice`, as a word or naming a tool."""
    if choice.mode != "named":
        return choice.mode
    kind = next((tool.kind for tool in tools if tool.name == choice.name), "function")
    return {"type": choice.name} if kind == "vendor" else {"type": kind, kind: {"name": choice.name}}


def write_format(output: OutputFormat) -> dict[str, object]:
    """`response_format`."""
    if output.kind == "json_object":
        return {"type": "json_object"}
    body: dict[str, object] = {"name": output.name or "response", "schema": output.schema or Raw(b"{}")}
    if output.strict is not None:
        body["strict"] = output.strict
    if output.description:
        body["description"] = output.description
    return {"type": "json_schema", "json_schema": body}
