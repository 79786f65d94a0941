"""Who can be asked, as each format lists its models. Every list says that the characters are scripts and no models.

Pure. A path is relative to the format's own prefix.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from datetime import UTC, datetime
from typing import Any, Protocol

import msgspec

from gateway.canon.fault import NotFound
from gateway.practice.squad import CHARACTERS, OWNER, THINKERS
from gateway.wire.ollama import read_show

_SINCE = 1_764_374_400
_SINCE_TEXT = datetime.fromtimestamp(_SINCE, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
_MODELS = "/models"


class Listing(Protocol):
    """One format's list."""

    def routes(self, prefix: str) -> str:
        """What can be asked for, in words."""

    def find(self, method: str, path: str, body: bytes) -> bytes | None:
        """The document at this path; None when nothing is there. Raises NotFound for a character that there is none
        of."""


def known(served: str) -> str:
    """The same name. Raises NotFound when no character has it."""
    if served not in CHARACTERS:
        names = ", ".join(CHARACTERS)
        raise NotFound(f"There is no character {served[:60]!r}; there are {names}.", code="model_not_found")
    return served


class _Models(ABC):
    """Lists at `/models`, with each model below it."""

    def routes(self, prefix: str) -> str:
        return f"GET {prefix}{_MODELS} and {prefix}{_MODELS}/<name>"

    def find(self, method: str, path: str, body: bytes) -> bytes | None:
        if method != "GET":
            return None
        if path == _MODELS:
            return msgspec.json.encode(self.all_of([self.one_of(served) for served in CHARACTERS]))
        if path.startswith(f"{_MODELS}/"):
            return msgspec.json.encode(self.one_of(known(path.removeprefix(f"{_MODELS}/"))))
        return None

    @abstractmethod
    def all_of(self, models: list[dict[str, Any]]) -> dict[str, Any]:
        """The document of the list."""

    @abstractmethod
    def one_of(self, served: str) -> dict[str, Any]:
        """The document of one character."""


class OpenAiListing(_Models):
    """Of chat completions and of Responses."""

    def all_of(self, models: list[dict[str, Any]]) -> dict[str, Any]:
        return {"object": "list", "data": models}

    def one_of(self, served: str) -> dict[str, Any]:
        return {"id": served, "object": "model", "created": _SINCE, "owned_by": OWNER}


class AnthropicListing(_Models):
    """Of Messages."""

    def all_of(self, models: list[dict[str, Any]]) -> dict[str, Any]:
        return {"data": models, "has_more": False, "first_id": models[0]["id"], "last_id": models[-1]["id"]}

    def one_of(self, served: str) -> dict[str, Any]:
        return {"type": "model", "id": served, "display_name": f"{served}, {OWNER}", "created_at": _SINCE_TEXT}


class GeminiListing(_Models):
    """Of generateContent."""

    def all_of(self, models: list[dict[str, Any]]) -> dict[str, Any]:
        return {"models": models}

    def one_of(self, served: str) -> dict[str, Any]:
        methods = ["generateContent", "streamGenerateContent"]
        return {
            "name": f"models/{served}",
            "displayName": served,
            "description": OWNER,
            "supportedGenerationMethods": methods,
        }


class OllamaListing:
    """Of Ollama's own API."""

    def routes(self, prefix: str) -> str:
        return f"GET {prefix}/tags, POST {prefix}/show"

    def find(self, method: str, path: str, body: bytes) -> bytes | None:
        match method, path:
            case "GET", "/tags":
                return msgspec.json.encode({"models": [self._tag(served) for served in CHARACTERS]})
            case "POST", "/show":
                return msgspec.json.encode({**self._tag(known(read_show(body))), "model_info": {}})
            case _:
                return None

    @staticmethod
    def _tag(served: str) -> dict[str, Any]:
        thinks = ["thinking"] if served in THINKERS else []
        return {
            "name": served,
            "model": served,
            "modified_at": _SINCE_TEXT,
            "size": 0,
            "digest": "",
            "details": {"family": OWNER, "families": [OWNER]},
            "capabilities": ["completion", "vision", "tools", *thinks],
        }
