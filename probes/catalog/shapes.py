"""Whether a document is the feed that it is said to be. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from probes.catalog.names import FREELLMAPI, MODELS_DEV, OPENROUTER
from probes.catalog.sources import FreeLlmApi, ModelsDev


class NotTheFeed(ValueError):
    """What came is something else. The words say what is wrong."""


def read(name: str, body: bytes) -> Any:
    """The document in a feed's body. Raises NotTheFeed."""
    try:
        document = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise NotTheFeed("what came is not JSON") from None
    if problem := _PROBLEMS[name](document):
        raise NotTheFeed(problem)
    return document


def _models_dev(document: Any) -> str:
    if not isinstance(document, dict):
        return "what came is no table of providers"
    without = [name for name, entry in document.items() if not isinstance(_get(entry, "models"), dict)]
    if without:
        return f"what came has entries without models, such as {without[0][:60]!r}"
    if not any(entry["models"] for entry in ModelsDev(document).providers.values()):
        return "what came lists no models"
    return ""


def _openrouter(document: Any) -> str:
    entries = _get(document, "data")
    if not isinstance(entries, list):
        return "what came is no list of models"
    if not entries or not all(isinstance(_get(entry, "id"), str) for entry in entries):
        return "what came lists no models, or some without an id"
    return ""


def _freellmapi(document: Any) -> str:
    entries = _get(document, "models") if isinstance(document, dict) else document
    if not isinstance(entries, list):
        return "what came is no list of models"
    return "" if FreeLlmApi(document).entries else "what came lists no models with a platform and an id"


def _get(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None


_PROBLEMS: Final[Mapping[str, Callable[[Any], str]]] = {
    MODELS_DEV: _models_dev,
    OPENROUTER: _openrouter,
    FREELLMAPI: _freellmapi,
}
