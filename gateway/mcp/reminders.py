"""Which calls a session was reminded of, and which call ids a transcript names. Nothing of it is kept for good."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path
from typing import Final

SESSIONS: Final = 1_000
TAIL: Final = 8 << 20
"""Bytes of a transcript that are read, from its end."""
CALL: Final = re.compile(r"\bp\d{8}-\d{6}-[0-9a-f]{4,12}\.[a-z]+\d*\b")


class Reminders:
    """The last sessions, each with the calls it was told of."""

    def __init__(self, sessions: int = SESSIONS) -> None:
        self._told: OrderedDict[str, set[str]] = OrderedDict()
        self._most = sessions

    def fresh(self, session: str, calls: Iterable[str]) -> list[str]:
        """Those among the calls that this session was not told of; it is now."""
        told = self._told.setdefault(session, set())
        self._told.move_to_end(session)
        while len(self._told) > self._most:
            self._told.popitem(last=False)
        new = [call for call in calls if call not in told]
        told.update(new)
        return new


def calls_in(text: str) -> list[str]:
    """The ids of seats that a text names, each once, in the order of their first mention."""
    return list(dict.fromkeys(CALL.findall(text)))


def read_transcript(path: str) -> str:
    """The end of a transcript; empty when it is none or cannot be read."""
    if not path.endswith(".jsonl"):
        return ""
    try:
        with Path(path).open("rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - TAIL))
            return file.read(TAIL).decode("utf-8", errors="replace")
    except OSError:
        return ""
