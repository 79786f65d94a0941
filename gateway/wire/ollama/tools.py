"""Tools and structured output of Ollama's API, both ways. It knows functions only, and no choice among them."""

from __future__ import annotations

import msgspec
from msgspec import Raw

from gateway.canon.ask import OutputFormat, Tool
from gateway.canon.fault import BadRequest
from gateway.wire.body import given, read_body
from gateway.wire.ollama.shape import ToolBody, ToolEntry
from gateway.wire.own_fields import own_fields, own_fields_below, put_back

_READ = frozenset(field.encode_name for field in msgspec.structs.fields(ToolEntry))
_READ_BELOW = {"function": frozenset(field.encode_name for field in msgspec.structs.fields(ToolBody))}
_FORM = '{"type": "function", "function": {"name": ..., "parameters": {...}}}'


def read_tool(raw: Raw, place: str) -> Tool:
    """One entry of `tools`."""
    entry = read_body(raw, ToolEntry, place)
    if entry.type not in (None, "function"):
        raise BadRequest(f"`{place}` is of type {entry.type}, and this API knows functions only. Send {_FORM}.")
    body = entry.function
    if body is None or not body.name:
        raise BadRequest(f"`{place}` names no function. Send {_FORM}.")
    fields = read_body(raw, dict[str, Raw], place)
    return Tool(
        body.name,
        description=body.description or "",
        parameters=given(body.parameters),
        strict=body.strict,
        extras=own_fields(fields, _READ) | own_fields_below(fields, _READ_BELOW),
    )


def write_tool(tool: Tool, *, same_protocol: bool) -> dict[str, object]:
    """One entry of `tools`."""
    body: dict[str, object] = {"name": tool.name}
    if tool.description:
        body["description"] = tool.description
    if tool.parameters is not None:
        body["parameters"] = tool.parameters
    if tool.strict is not None:
        body["strict"] = tool.strict
    entry: dict[str, object] = {"type": "function", "function": body}
    if same_protocol:
        put_back(entry, tool.extras)
    return entry


def read_format(raw: Raw) -> OutputFormat | None:
    """`format`: the word json, or a schema; None for plain text."""
    sent = given(raw)
    if sent is None or bytes(sent) == b'""':
        return None
    if bytes(sent) == b'"json"':
        return OutputFormat("json_object")
    if bytes(sent).startswith(b"{"):
        return OutputFormat("json_schema", schema=sent)
    raise BadRequest('`format` must be "json" or an object: the JSON schema of the answer.')


def write_format(output: OutputFormat) -> str | Raw:
    """`format`."""
    return "json" if output.kind == "json_object" or output.schema is None else output.schema
