"""Which conversation a turn belongs to: pure. The same opening is the same conversation in every format.

A client that names its session is believed; any other conversation is known by its opening. Requests that a client
makes beside the conversation (a title, a summary) have other instructions or no tools, and so are conversations of
their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import Raw

from gateway.canon.ask import Ask

SESSION_HEADERS: Final = ("x-claude-code-session-id", "x-session-id")
"""The request headers that name a session, in the order in which they count."""
ATTRIBUTION: Final = "x-anthropic-billing-header:"
"""What the block begins with that a client puts before its instructions and changes at will."""
_LENGTH: Final = 24
_NOTHING: Final = sha256()
"""To be copied: a new one has the algorithm looked up each time."""


def conversation_key(collection: str, caller: str, ask: Ask, hints: Mapping[str, str]) -> str:
    """24 hex digits. `caller` is the caller's name, `hints` the session headers that came, by lower-case name."""
    session = session_of(ask, hints) if hints or ask.extras else ""
    opening = session or _first_words(ask)
    tools = "tools" if session and ask.tools else ""
    words = "\0".join((collection, caller, instructions(ask), opening, tools))
    digest = _NOTHING.copy()
    digest.update(words.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:_LENGTH]


def session_of(ask: Ask, hints: Mapping[str, str]) -> str:
    """What the client calls its session, or nothing."""
    first, last = SESSION_HEADERS
    return (
        hints.get(first)
        or _text(_object(ask.extras.get("metadata")).get("user_id"))
        or _text(_decoded(ask.extras.get("prompt_cache_key")))
        or hints.get(last)
        or ""
    )


def instructions(ask: Ask) -> str:
    """The system text before the first word of the conversation, without the attribution block."""
    texts: list[str] = []
    for turn in ask.turns:
        if turn.role not in ("system", "developer"):
            break
        texts += [part for part in turn.text.split("\n\n") if not part.startswith(ATTRIBUTION)]
    return "\n\n".join(texts)


def _first_words(ask: Ask) -> str:
    for turn in ask.turns:
        if turn.role == "user":
            return turn.text
    return ""


def _decoded(raw: Raw | None) -> Any:
    if raw is None:
        return None
    try:
        return msgspec.json.decode(raw)
    except msgspec.MsgspecError:
        return None


def _object(raw: Raw | None) -> dict[str, Any]:
    value = _decoded(raw)
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
