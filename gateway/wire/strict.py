"""What a caller wants a model to be held to (`strict`), in schemas that the member's API takes.

Only for callers of other protocols: one that speaks the member's own knows its rules, and its schemas go out byte for
byte.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Raw
from msgspec.structs import replace

from gateway.canon.ask import OutputFormat, Tool
from gateway.wire.schemas import Fitted

Fit = Callable[[Raw], Fitted]


def hold_tool(tool: Tool, fit: Fit, notes: list[str]) -> Tool:
    """The tool with a schema that can be held to. Where there is none it goes out as it is and is not strict."""
    if not tool.strict or tool.kind != "function" or tool.parameters is None:
        return tool
    what = f"the tool {tool.name}"
    fitted = fit(tool.parameters)
    if not fitted.held:
        notes.append(_left_out(what))
        return replace(tool, strict=None)
    _tell(fitted, what, notes)
    return replace(tool, parameters=fitted.schema)


def hold_output(output: OutputFormat, fit: Fit, notes: list[str]) -> OutputFormat:
    """The same for the format of the answer."""
    if not output.strict or output.schema is None:
        return output
    fitted = fit(output.schema)
    if not fitted.held:
        notes.append(_left_out("the answer"))
        return replace(output, strict=None)
    _tell(fitted, "the answer", notes)
    return replace(output, schema=fitted.schema)


def close_output(output: OutputFormat, fit: Fit, notes: list[str]) -> OutputFormat | None:
    """The format of the answer for an API that holds every answer to its schema; None where it cannot be held to."""
    if output.schema is None:
        return None
    fitted = fit(output.schema)
    if not fitted.held:
        return None
    _tell(fitted, "the answer", notes)
    return replace(output, schema=fitted.schema)


def _left_out(what: str) -> str:
    return f"`strict` of {what} was left out: its schema allows fields or values that this API cannot be held to."


def _tell(fitted: Fitted, what: str, notes: list[str]) -> None:
    if fitted.losses:
        notes.append(f"The schema of {what} could not say {', '.join(fitted.losses)}.")
