"""The canaries: values that stand nowhere but where a secret is put, and how to find them in any common spelling.
Pure."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from urllib.parse import quote


def spellings(value: str) -> dict[str, str]:
    """The ways in which a value may turn up in a text, by name."""
    found = {
        "plain": value,
        "percent-encoded": quote(value, safe=""),
        "in JSON": json.dumps(value)[1:-1],
        "in hex": value.encode().hex(),
    }
    for before in range(3):  # inside a longer text, base64 looks different by where the value begins
        whole = b64encode(b"\0" * before + value.encode()).decode().rstrip("=")
        inner = whole[(0, 2, 3)[before] : len(whole) - 2]
        found[f"base64, {before} in"] = inner
        found[f"base64 for addresses, {before} in"] = inner.replace("+", "-").replace("/", "_")
    return found


class Birds:
    """Canaries by name."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._spellings = {name: spellings(value) for name, value in values.items()}

    def add(self, name: str, value: str) -> None:
        """One that is only known now, such as the cookie of a session."""
        self._spellings[name] = spellings(value)

    def found_in(self, text: str) -> list[tuple[str, str]]:
        """(name, spelling) of each canary in the text."""
        return [
            (name, kind) for name, ways in self._spellings.items() for kind, spelled in ways.items() if spelled in text
        ]
