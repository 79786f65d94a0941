"""What a listing's entry says a model can do: modalities, tools, JSON by schema, reasoning. Pure.

Servers tell it as a list of words, as a table of booleans, or as booleans in the entry itself. A list of the parameters
that are taken is complete, so what is missing there is not supported; other lists only ever say yes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from probes.listing_numbers import at

CAN: Final[dict[str, frozenset[str]]] = {
    "tools": frozenset(
        {"tools", "tool", "tool_calls", "tool_calling", "tool_use", "function_calling", "supports_tools"}
        | {"supports_function_calling", "functions"}
    ),
    "structured_output": frozenset(
        {"structured_outputs", "structured_output", "json_schema", "json_mode", "supports_response_schema"}
        | {"supports_structured_output", "supports_structured_outputs"}
    ),
    "reasoning": frozenset({"reasoning", "thinking", "supports_reasoning", "supports_thinking"}),
    "vision": frozenset({"vision", "image_input", "supports_vision", "images"}),
}
"""The words for each feature, in lower case with `_`."""
_COMPLETE: Final = "supported_parameters"
_LISTS: Final = ("capabilities", "supported_features", "features", "tags")
_TABLES: Final = ("capabilities", "capabilities.supports", "supports", "features", "model_info", "")
_INPUTS: Final = ("architecture.input_modalities", "supported_input_modalities", "input_modalities", "modalities.input")
_OUTPUTS: Final = (
    "architecture.output_modalities",
    "supported_output_modalities",
    "output_modalities",
    "modalities.output",
)
_ARROW: Final = ("architecture.modality", "modality")
_ENDPOINTS: Final = ("supported_endpoints", "endpoints", "supported_endpoint_types")


def modalities(entry: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(what goes in, what comes out); empty where it is not told."""
    inputs, outputs = _words(entry, _INPUTS), _words(entry, _OUTPUTS)
    for path in _ARROW:
        arrow = at(entry, path)
        if isinstance(arrow, str) and "->" in arrow:
            before, _, after = arrow.partition("->")
            inputs, outputs = inputs or _clean(before.split("+")), outputs or _clean(after.split("+"))
    if not inputs and (sees := _sees(entry)) is not None:
        inputs = ("text", "image") if sees else ("text",)
    return inputs, outputs


def feature(entry: Mapping[str, Any], words: frozenset[str]) -> bool | None:
    """Whether the model can do what these words stand for; None where the entry does not say."""
    for path in _TABLES:
        table = at(entry, path) if path else entry
        if isinstance(table, Mapping):
            for name, value in table.items():
                if _plain(name) in words and (said := _yes(value)) is not None:
                    return said
    for path in (_COMPLETE, *_LISTS):
        told = at(entry, path)
        if isinstance(told, list):
            if words & {_plain(word) for word in told}:
                return True
            if path == _COMPLETE:
                return False
    return None


def decides_only(entry: Mapping[str, Any]) -> bool | None:
    """Whether the model answers typed questions and does not chat; None where the entry names no ways to ask it."""
    ways = [way.lower() for path in _ENDPOINTS for way in _strings(at(entry, path))]
    if not ways:
        return None
    chats = any("chat" in way or "messages" in way or "responses" in way or "generate" in way for way in ways)
    return any("decision" in way for way in ways) and not chats


def _sees(entry: Mapping[str, Any]) -> bool | None:
    return True if entry.get("type") == "vlm" else feature(entry, CAN["vision"])


def _yes(value: Any) -> bool | None:
    if isinstance(value, Mapping):
        value = value.get("supported")
    return value if isinstance(value, bool) else None


def _words(entry: Mapping[str, Any], paths: tuple[str, ...]) -> tuple[str, ...]:
    return next((clean for path in paths if (clean := _clean(_strings(at(entry, path))))), ())


def _strings(value: Any) -> list[str]:
    return [word for word in value if isinstance(word, str)] if isinstance(value, list) else []


def _clean(words: list[str]) -> tuple[str, ...]:
    short = (word.strip().lower() for word in words[:20])
    return tuple(dict.fromkeys(word for word in short if word.isalnum() and len(word) <= 20))


def _plain(word: Any) -> str:
    return word.lower().replace("-", "_").replace(" ", "_") if isinstance(word, str) else ""
