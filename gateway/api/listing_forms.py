"""How each API writes the listing and one line of it. Pure: entries in, plain JSON values out.

OpenAI's clients get the entry as it is, with everything that the gateway knows. The others refuse or ignore fields that
are not theirs, so they get theirs alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec

from gateway.api.listing import OWNER, Entry
from gateway.api.zones import Format
from gateway.canon.names import PREFIX

Document = dict[str, object]

OLLAMA_VERSION: Final = "0.13.5"
"""The Ollama whose API this is. Codex asks the Responses API of no Ollama before 0.13.4, so it must not be less."""
_LOADED_FOR: Final = timedelta(minutes=5)
_GEMINI_METHODS: Final = ["generateContent", "streamGenerateContent", "countTokens"]


def list_document(form: Format, entries: Sequence[Entry]) -> Document:
    """The whole listing in one format."""
    return _LISTS.get(form, openai_list)(entries)


def one_document(form: Format, entry: Entry) -> Document:
    """One line of it, asked for by itself."""
    return _ONES.get(form, openai_one)(entry)


def openai_list(entries: Sequence[Entry]) -> Document:
    return {"object": "list", "data": [openai_one(entry) for entry in entries]}


def openai_one(entry: Entry) -> Document:
    return {field: msgspec.to_builtins(getattr(entry, field)) for field in entry.__struct_fields__}


def anthropic_list(entries: Sequence[Entry]) -> Document:
    """All on one page."""
    return {
        "data": [anthropic_one(entry) for entry in entries],
        "has_more": False,
        "first_id": entries[0].id if entries else None,
        "last_id": entries[-1].id if entries else None,
    }


def anthropic_one(entry: Entry) -> Document:
    document: Document = {
        "type": "model",
        "id": entry.id,
        "display_name": display_name(entry),
        "created_at": _time(entry.created),
        "lifecycle": "active",
    }
    if entry.together.context_window is not None:
        document["max_input_tokens"] = entry.together.context_window
    return document


def gemini_list(entries: Sequence[Entry]) -> Document:
    return {"models": [gemini_one(entry) for entry in entries]}


def gemini_one(entry: Entry) -> Document:
    document: Document = {
        "name": f"models/{entry.id}",
        "baseModelId": entry.id,
        "version": "1",
        "displayName": display_name(entry),
        "description": entry.description,
        "supportedGenerationMethods": _GEMINI_METHODS,
    }
    if entry.together.context_window is not None:
        document["inputTokenLimit"] = entry.together.context_window
    return document


def ollama_tags(entries: Sequence[Entry]) -> Document:
    """GET /api/tags."""
    return {
        "models": [
            {
                "name": entry.id,
                "model": entry.id,
                "modified_at": _time(entry.created),
                "size": 0,
                "digest": _digest(entry),
                "details": _ollama_details(),
            }
            for entry in entries
        ]
    }


def ollama_ps(entries: Sequence[Entry], now: datetime) -> Document:
    """GET /api/ps: all of them as loaded, in no memory of this machine and for a while from `now`."""
    expires = (now + _LOADED_FOR).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "models": [
            {
                "name": entry.id,
                "model": entry.id,
                "size": 0,
                "digest": _digest(entry),
                "details": _ollama_details(),
                "expires_at": expires,
                "size_vram": 0,
                **_ollama_window(entry),
            }
            for entry in entries
        ]
    }


def _ollama_window(entry: Entry) -> Document:
    window = entry.together.context_window
    return {} if window is None else {"context_length": window}


def _digest(entry: Entry) -> str:
    return hashlib.sha256(entry.id.encode()).hexdigest()


def ollama_show(entry: Entry) -> Document:
    """POST /api/show."""
    information: Document = {
        "general.architecture": OWNER,
        "general.basename": entry.id.removeprefix(PREFIX).partition(":")[0],
    }
    if entry.together.context_window is not None:
        information[f"{OWNER}.context_length"] = entry.together.context_window
    return {
        "modelfile": f"# {entry.description or display_name(entry)}\n",
        "parameters": "",
        "template": "{{ .Prompt }}",
        "details": _ollama_details(),
        "model_info": information,
        "modified_at": _time(entry.created),
        "capabilities": _ollama_capabilities(entry),
    }


def display_name(entry: Entry) -> str:
    """What a menu shows: the collection, and how it answers where the name says so; an alias as it is."""
    if not entry.id.startswith(PREFIX):
        return entry.id
    name, _, mode = entry.id.removeprefix(PREFIX).partition(":")
    return f"{name} ({mode})" if mode else name


def _ollama_capabilities(entry: Entry) -> list[str]:
    """Tools are for one member, so they are told of where one answers."""
    shared = entry.together.capabilities
    found = ["completion"]
    if "vision" in shared:
        found.append("vision")
    if "tools" in shared and entry.reply == "route":
        found.append("tools")
    return found


def _ollama_details() -> Document:
    return {
        "parent_model": "",
        "format": "",
        "family": OWNER,
        "families": [OWNER],
        "parameter_size": "",
        "quantization_level": "",
    }


def _time(epoch: int) -> str:
    return datetime.fromtimestamp(epoch, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


_LISTS: Final[dict[Format, Callable[[Sequence[Entry]], Document]]] = {
    Format.ANTHROPIC: anthropic_list,
    Format.GEMINI: gemini_list,
}
_ONES: Final[dict[Format, Callable[[Entry], Document]]] = {
    Format.ANTHROPIC: anthropic_one,
    Format.GEMINI: gemini_one,
}
