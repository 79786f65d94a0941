"""Tools, tool choice and structured output of Messages, both ways.

A tool of any type but a function's is the provider's own: it keeps its definition as it was sent and goes to members of
the same protocol only. A free-text tool of another format goes out as a function with one text.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Raw

from gateway.canon.ask import OutputFormat, Tool, ToolChoice
from gateway.canon.fault import BadRequest
from gateway.wire.anthropic.shape import ChoiceEntry, Fields, FormatEntry, ToolEntry
from gateway.wire.body import given, read_body
from gateway.wire.free_text import as_function

_READ = frozenset(field.encode_name for field in msgspec.structs.fields(ToolEntry))
_NO_PARAMETERS = Raw(b'{"type":"object","properties":{}}')
_CHOICES = "auto, any, tool or none"


def read_tool(raw: Raw, place: str) -> Tool:
    """One entry of `tools`."""
    entry = read_body(raw, ToolEntry, place)
    if entry.type not in (None, "custom"):
        return Tool(entry.name or entry.type, kind="vendor", definition=raw)
    if not entry.name:
        raise BadRequest(f'`{place}` has no name. Send {{"name": ..., "description": ..., "input_schema": {{...}}}}.')
    schema = given(entry.input_schema)
    if schema is not None and not bytes(schema).startswith(b"{"):
        raise BadRequest(f"`{place}.input_schema` must be an object: the JSON schema of the tool's input.")
    fields = read_body(raw, Fields, place)
    return Tool(
        entry.name,
        description=entry.description or "",
        parameters=schema,
        strict=entry.strict,
        cache=given(entry.cache_control),
        extras={name: field for name, field in fields.items() if name not in _READ and given(field) is not None},
    )


def read_choice(raw: Raw, tools: Sequence[Tool]) -> ToolChoice:
    """`tool_choice`."""
    if given(raw) is None:
        return ToolChoice()
    entry = read_body(raw, ChoiceEntry, "tool_choice")
    parallel = None if entry.disable_parallel_tool_use is None else not entry.disable_parallel_tool_use
    match entry.type:
        case "auto":
            return ToolChoice("auto", parallel=parallel)
        case "none":
            return ToolChoice("none", parallel=parallel)
        case "any":
            if not tools:
                raise BadRequest("`tool_choice` asks for a tool, but `tools` offers none.")
            return ToolChoice("required", parallel=parallel)
        case "tool":
            if entry.name is None or entry.name not in {tool.name for tool in tools}:
                raise BadRequest(f"`tool_choice` names the tool {entry.name!r}, which is not among `tools`.")
            return ToolChoice("named", entry.name, parallel)
        case other:
            raise BadRequest(f"`tool_choice.type` is {other!r}. Send {_CHOICES}, the third with the tool's name.")


def read_format(raw: Raw | None, place: str) -> OutputFormat | None:
    """The output format at `place`; None for plain text."""
    sent = given(raw)
    if sent is None:
        return None
    entry = read_body(sent, FormatEntry, place)
    schema = given(entry.schema)
    if entry.type in (None, "json_schema") and schema is not None:
        return OutputFormat("json_schema", schema=schema)
    raise BadRequest(f'`{place}` must be {{"type": "json_schema", "schema": {{...}}}}.')


def write_tool(tool: Tool, *, same_protocol: bool) -> dict[str, object] | Raw:
    """One entry of `tools`."""
    if tool.definition is not None:
        return tool.definition
    if tool.kind == "custom":
        tool = as_function(tool)
    entry: dict[str, object] = {"name": tool.name}
    if tool.description:
        entry["description"] = tool.description
    entry["input_schema"] = tool.parameters if tool.parameters is not None else _NO_PARAMETERS
    if tool.strict is not None:
        entry["strict"] = tool.strict
    if tool.cache is not None:
        entry["cache_control"] = tool.cache
    if same_protocol:
        entry.update(tool.extras)
    return entry


def write_choice(choice: ToolChoice) -> dict[str, object] | None:
    """`tool_choice`; None where it goes without saying."""
    if choice.mode == "none":
        return {"type": "none"}
    if choice.mode == "auto" and choice.parallel is None:
        return None
    written: dict[str, object] = {"type": "any" if choice.mode == "required" else "auto"}
    if choice.mode == "named":
        written = {"type": "tool", "name": choice.name}
    if choice.parallel is not None:
        written["disable_parallel_tool_use"] = not choice.parallel
    return written


def write_format(output: OutputFormat) -> dict[str, object]:
    """The output format of a schema."""
    return {"type": "json_schema", "schema": output.schema if output.schema is not None else Raw(b"{}")}
