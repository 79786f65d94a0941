"""How a log record becomes one line on stderr, with credentials blanked.

Assumes records may carry anything a library formats. Never logs, never raises.
"""

from __future__ import annotations

import logging
import re

TIME_FORMAT = "%Y-%m-%dT%H:%M:%S%z"
_BLANKS = (
    (re.compile(r"\bbwk_[A-Za-z0-9_-]{4,}"), "bwk_***"),
    (re.compile(r"\bsk-[A-Za-z0-9_-]{6,}"), "sk-***"),
    (re.compile(r"\bAIza[A-Za-z0-9_-]{20,}"), "AIza***"),
    (re.compile(r"(?i)\b(bearer\s+)[A-Za-z0-9._~+/-]{8,}=*"), r"\1***"),
    (re.compile(r"(?i)([?&\s](?:api_key|access_token|refresh_token|key|token|code)=)[^&\s\"']+"), r"\1***"),
    (re.compile(r"(/sign-in/[^/\s]+/)[^/\s]+"), r"\1***"),
    (re.compile(r"(://[^/\s:@]*:)[^/\s@]+@"), r"\1***@"),
)


_ANY = re.compile("|".join(pattern.pattern.replace("(?i)", "") for pattern, _ in _BLANKS), re.IGNORECASE)


def blank(text: str) -> str:
    """The text with keys, tokens and passwords replaced by `***`."""
    if not _ANY.search(text):  # as nearly every line
        return text
    for pattern, replacement in _BLANKS:
        text = pattern.sub(replacement, text)
    return text


def one_line(text: str) -> str:
    """The text as it may stand in the log: on one line, credentials blanked."""
    return blank(text).replace("\r", "\\r").replace("\n", "\\n")


class LineFormatter(logging.Formatter):
    """One line per record: time, level, logger, message; tracebacks are folded into the line. Credentials blanked."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s", TIME_FORMAT)
        self._second = (0, "")

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        """The time to the second, worked out once for all records of that second."""
        second, words = self._second
        if int(record.created) != second:
            words = super().formatTime(record, datefmt)
            self._second = (int(record.created), words)
        return words

    def format(self, record: logging.LogRecord) -> str:
        """The finished line, without its line end."""
        return one_line(super().format(record))
