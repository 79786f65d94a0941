"""Marks what models wrote as data, so that none of it passes for an instruction to the agent that reads it."""

from __future__ import annotations

from hashlib import sha256

from gateway.mcp import words


def fence(text: str, name: str) -> str:
    """The text between two equal lines that do not occur in it. `name` is what they are called by, such as a panel's
    id; the digest keeps a model from guessing them."""
    salt = 0
    while True:
        line = f"=== {name} {sha256(f'{name} {salt} {text}'.encode()).hexdigest()[:16]} ==="
        if line not in text:
            return f"{words.DATA_BEGINS.format(fence=line)}\n{line}\n{text}\n{line}"
        salt += 1
