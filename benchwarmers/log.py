"""How a log record becomes one line on stderr, as text or as JSON, credentials blanked first.

Assumes records may carry anything a library formats. Never logs, never raises.
"""

from __future__ import annotations

import logging
from collections.abc import MutableMapping
from typing import Any, Final

from gateway.canon.blanks import blank
from gateway.engine.origin import request_id

TIME_FORMAT = "%Y-%m-%dT%H:%M:%S%z"
_UNSEEN: Final = {
    **{code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0))},
    **{code: f"\\u{code:04x}" for code in (0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A))},
    ord("\n"): "\\n",
    ord("\r"): "\\r",
    ord("\t"): "\t",
}
"""Control characters, ends of lines and what turns the direction of writing, as they are spelled in the log."""


def one_line(text: str) -> str:
    """The text as it may stand in the log: on one line, without what steers a terminal, credentials blanked."""
    told = blank(text)
    return told if told.isprintable() else told.translate(_UNSEEN)


class LineFormatter(logging.Formatter):
    """One line per record: time, level, logger, message and, where there is one, the request's id; tracebacks are
    folded into the line. Credentials blanked."""

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
        request = request_id()
        line = one_line(super().format(record))
        return f"{line} request={request}" if request else line


def json_formatter() -> logging.Formatter:
    """One JSON object per record: time, level, logger, event, request and, after a failure, exception."""
    import structlog  # only where it is asked for

    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.processors.TimeStamper("iso", utc=True, key="time"),
        ],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            _name_request,
            _blank_all,
            structlog.processors.JSONRenderer(),
        ],
    )


def _name_request(_: object, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    if request := request_id():
        event["request"] = request
    return event


def _blank_all(_: object, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """After this no step adds text, and only rendering is left."""
    return {name: blank(found) if isinstance(found, str) else blank(repr(found)) for name, found in event.items()}
