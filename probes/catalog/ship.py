"""Makes the copies that are shipped: feeds pared down to facts. Pure.

Ids, windows, prices, kinds of input and output, abilities and dates stay; sentences of other people do not.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from probes.catalog.names import FREELLMAPI, MODELS_DEV, OPENROUTER
from probes.catalog.shapes import NotTheFeed, read

_MODEL: Final = ("limit", "modalities", "cost", "tool_call", "structured_output", "reasoning", "knowledge")
_DATED: Final = ("release_date", "open_weights", "status")
_COST: Final = ("input", "output", "cache_read", "cache_write", "reasoning")
_FREE: Final = ("platform", "modelId", "limits", "contextWindow", "context", "enabled", "modality")
_FREE_CAN: Final = ("supportsTools", "supportsVision")
_ROUTER: Final = ("id", "context_length", "architecture", "supported_parameters", "pricing", "top_provider")


def pare(body: bytes) -> tuple[str, Any]:
    """(the feed's name, its facts) of a feed's body, whichever it is. Raises NotTheFeed for none of them."""
    for name, pared in _PARED.items():
        try:
            return name, pared(read(name, body))
        except NotTheFeed:
            continue
    raise NotTheFeed("the file is no copy of models.dev, OpenRouter or FreeLLMAPI")


def bundle(bodies: Mapping[str, bytes], made: date) -> dict[str, Any]:
    """The document to ship, of bodies by where they come from, which is for messages alone."""
    shipped: dict[str, Any] = {}
    for where, body in bodies.items():
        try:
            name, document = pare(body)
        except NotTheFeed as problem:
            raise NotTheFeed(f"{where}: {problem}") from None
        shipped[name] = {"made": made.isoformat(), "document": document}
    return shipped


def _models_dev(document: Any) -> Any:
    return {
        provider: {
            **_some(entry, ("api", "npm")),
            "models": {served: _model(model) for served, model in entry["models"].items() if isinstance(model, dict)},
        }
        for provider, entry in document.items()
    }


def _model(model: Mapping[str, Any]) -> dict[str, Any]:
    kept = _some(model, (*_MODEL, *_DATED))
    if isinstance(kept.get("cost"), dict):
        kept["cost"] = _some(kept["cost"], _COST)
    if isinstance(kept.get("limit"), dict):
        kept["limit"] = _some(kept["limit"], ("context", "output"))
    return kept


def _freellmapi(document: Any) -> Any:
    entries = document["models"] if isinstance(document, dict) else document
    return {"models": [_some(entry, (*_FREE, *_FREE_CAN)) for entry in entries if isinstance(entry, dict)]}


def _openrouter(document: Any) -> Any:
    return {"data": [_some(entry, _ROUTER) for entry in document["data"]]}


def _some(entry: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: entry[name] for name in names if entry.get(name) not in (None, "", [], {})}


_PARED: Final = {OPENROUTER: _openrouter, FREELLMAPI: _freellmapi, MODELS_DEV: _models_dev}
