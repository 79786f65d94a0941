"""Tools, tool choice and structured output of generateContent, both ways.

Schemas come in the API's own words or as JSON schema and are kept as JSON schema. They go out in the API's words where
those say all of it; else in the field for JSON schema where the caller speaks this API, and fitted, with the losses
named, where not. Tools that Google runs keep their definition and go to members of this protocol only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec
from msgspec import Raw

from gateway.canon.ask import OutputFormat, Tool, ToolChoice
from gateway.canon.fault import BadRequest
from gateway.wire import losses
from gateway.wire.body import given
from gateway.wire.free_text import as_function
from gateway.wire.gemini.schema import read_schema
from gateway.wire.gemini.shape import (
    Calling,
    Declaration,
    Fields,
    Generation,
    one_of,
    read_level,
    read_list,
    read_shape,
)
from gateway.wire.schemas import for_gemini

_Mode = Literal["auto", "none", "required"]
_FUNCTIONS = "functionDeclarations"
_CALLING = "toolConfig.functionCallingConfig"
_READ = frozenset(field.encode_name for field in msgspec.structs.fields(Declaration))
_CALLING_FIELDS = frozenset(field.encode_name for field in msgspec.structs.fields(Calling))
_MODES: dict[str, _Mode] = {
    "auto": "auto",
    "none": "none",
    "any": "required",
    "validated": "auto",
    "mode_unspecified": "auto",
}
_WORDS = {"auto": "AUTO", "none": "NONE", "required": "ANY", "named": "ANY"}
_JSON = "application/json"


def read_tools(raw: Raw | None) -> Iterator[Tool]:
    """Every function, and every tool that Google runs."""
    for at, entry in enumerate(read_list(raw, "tools") if raw is not None else ()):
        place = f"tools[{at}]"
        for name, value in read_level(entry, place).items():
            if name == _FUNCTIONS:
                for number, declaration in enumerate(read_list(value, f"{place}.{name}")):
                    yield _read_function(declaration, f"{place}.{name}[{number}]")
            else:
                yield Tool(name, kind="vendor", definition=Raw(msgspec.json.encode({name: value})))


def _read_function(raw: Raw, place: str) -> Tool:
    fields = read_level(raw, place)
    entry = read_shape(fields, Declaration, place)
    if not entry.name:
        raise BadRequest(f'`{place}` has no `name`. Send {{"name": ..., "parameters": {{...}}}}.')
    own = given(entry.parameters)
    return Tool(
        entry.name,
        description=entry.description or "",
        parameters=given(entry.parameters_json_schema) or (read_schema(own) if own is not None else None),
        extras={name: value for name, value in fields.items() if name not in _READ},
    )


def read_choice(config: Raw | None, tools: Iterable[Tool]) -> tuple[ToolChoice, Fields]:
    """(choice, what of `toolConfig` it does not say)."""
    if config is None:
        return ToolChoice(), {}
    fields = read_level(config, "toolConfig")
    extras = {f"toolConfig.{name}": value for name, value in fields.items() if name != "functionCallingConfig"}
    if "functionCallingConfig" not in fields:
        return ToolChoice(), extras
    inner = read_level(fields["functionCallingConfig"], _CALLING)
    entry = read_shape(inner, Calling, _CALLING)
    mode = one_of(given(entry.mode), f"{_CALLING}.mode", _MODES, "AUTO, ANY, NONE or VALIDATED") or "auto"
    allowed = entry.allowed_function_names or []
    offered = {tool.name for tool in tools}
    if unknown := [name for name in allowed if name not in offered]:
        raise BadRequest(f"`{_CALLING}.allowedFunctionNames` names {unknown[0]!r}, which is not among `tools`.")
    if mode == "required" and not offered:
        raise BadRequest(f"`{_CALLING}` asks for a function call, but `tools` offers none.")
    unsaid = {name: value for name, value in inner.items() if name not in _CALLING_FIELDS}
    named = mode == "required" and len(allowed) == 1
    if allowed and not named:
        unsaid["allowedFunctionNames"] = inner["allowedFunctionNames"]
    if bytes(inner.get("mode", b"")).lower() == b'"validated"':
        unsaid["mode"] = inner["mode"]
    extras.update({f"{_CALLING}.{name}": value for name, value in unsaid.items()})
    return (ToolChoice("named", allowed[0]) if named else ToolChoice(mode)), extras


def read_format(settings: Generation) -> OutputFormat | None:
    """Structured output; None for plain text and for what is no JSON."""
    schema = given(settings.response_json_schema)
    own = given(settings.response_schema)
    if schema is None and own is not None:
        schema = read_schema(own)
    if (settings.response_mime_type or _JSON).lower() != _JSON:
        return None
    if schema is not None:
        return OutputFormat("json_schema", schema=schema)
    return OutputFormat("json_object") if settings.response_mime_type else None


# --- to a member ------------------------------------------------------------------------------------------------------


class Schemas:
    """Writes schemas for one member; what they lose is told in `notes`."""

    def __init__(self, *, same_protocol: bool) -> None:
        self._same_protocol = same_protocol
        self.notes: list[str] = []

    def tools(self, tools: Sequence[Tool]) -> list[object]:
        """`tools`: all functions in one entry, then Google's own, each in one."""
        functions = [self._function(tool) for tool in tools if tool.kind != "vendor"]
        vendor = [tool.definition or Raw(b"{}") for tool in tools if tool.kind == "vendor"]
        return [*([{_FUNCTIONS: functions}] if functions else []), *vendor]

    def output(self, output: OutputFormat) -> dict[str, object]:
        """The settings for structured output."""
        self.notes.extend(losses.of_output(output))
        settings: dict[str, object] = {"responseMimeType": _JSON}
        if output.schema is not None:
            settings.update(self._schema(output.schema, "responseSchema", "responseJsonSchema", "the answer"))
        return settings

    def _function(self, tool: Tool) -> dict[str, object]:
        if tool.kind == "custom":
            self.notes.append(f"The free-text tool {tool.name} was sent as a function with one text.")
            tool = as_function(tool)
        written: dict[str, object] = {"name": tool.name}
        if tool.description:
            written["description"] = tool.description
        if tool.parameters is not None:
            what = f"the tool {tool.name}"
            written.update(self._schema(tool.parameters, "parameters", "parametersJsonSchema", what))
        if tool.cache is not None:
            self.notes.append(losses.NO_CACHE)
        if tool.strict:
            self.notes.append(f"`strict` of the tool {tool.name} was left out: this API has no such setting.")
        if self._same_protocol:
            written.update(tool.extras)
        else:
            self.notes.extend(losses.of_tool(tool))
        return written

    def _schema(self, schema: Raw, own: str, standard: str, what: str) -> dict[str, object]:
        fitted = for_gemini(schema)
        if fitted.losses and self._same_protocol:
            return {standard: schema}
        if fitted.losses:
            self.notes.append(f"The schema of {what} could not say {', '.join(fitted.losses)}.")
        if own == "parameters" and bytes(fitted.schema) in _NOTHING:
            return {}
        return {own: fitted.schema}


_NOTHING = (b'{"type":"object"}', b'{"type":"object","properties":{}}')


def write_choice(choice: ToolChoice) -> dict[str, object] | None:
    """`functionCallingConfig`; None for the usual."""
    if choice.mode == "auto":
        return None
    written: dict[str, object] = {"mode": _WORDS[choice.mode]}
    if choice.mode == "named":
        written["allowedFunctionNames"] = [choice.name]
    return written
