"""What clients ask before anything else: is somebody there? Answered with an empty 200 and without a key."""

from __future__ import annotations

from typing import Final

_GREETINGS: Final = {("HEAD", "/"), ("HEAD", "/api/hello"), ("GET", "/api/hello")}


def is_greeting(method: str, path: str) -> bool:
    """True for the probes of Ollama's and Anthropic's clients. GET / stays the start page's."""
    return (method, path) in _GREETINGS
