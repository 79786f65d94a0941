"""What providers say when they refuse or fail, whatever API they speak, and what stands for it here.

Reads every shape seen in the wild: an error object, the same in a list, bare `message` or `detail`, validation lists,
plain text, HTML. Never returns an empty message. Statuses come out as numbers.
"""

from __future__ import annotations

import html
import re
from http import HTTPStatus

from gateway.canon.fault import Broken, ErrorInReply
from gateway.wire.loose import Json, read_loosely

_LONGEST = 2_000
_SHOWN = 200
_TAGS = re.compile(r"<(script|style)\b[^<]*(?:<(?!/\1>)[^<]*)*(?:</\1>|\Z)|<[^<>]*>", re.I)
"""Each match ends where the next may begin, so that a page of half a million brackets is read in one pass."""
_STATUS_OF_CODE = {
    "insufficient_quota": 429,
    "rate_limit_exceeded": 429,
    "rate_limit_error": 429,
    "invalid_api_key": 401,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "model_not_found": 404,
    "not_found_error": 404,
    "context_length_exceeded": 400,
    "invalid_request_error": 400,
    "invalid_prompt": 400,
    "content_filter": 400,
    "request_too_large": 413,
    "tool_use_failed": 400,
    "server_error": 500,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}


def read_error(status: int, body: bytes) -> tuple[str, str]:
    """(message, provider's code) of an HTTP error."""
    told = read_loosely(body)
    if told is None and body.strip() != b"null":
        told = _plain(body.decode("utf-8", "replace"))
    message, code = describe(told)
    return message or _reason(status), code


def error_in_reply(error: Json) -> ErrorInReply:
    """What an error inside a 200 says; `error` is the value of its `error` field, or the whole document."""
    message, code = describe(error)
    return ErrorInReply(
        message or "The provider told of an error and said no more.",
        upstream_status=_status(error, code),
        provider_code=code,
    )


def broken(what: str, data: bytes, why: object) -> Broken:
    """An answer that is not what its API promises; `what` says what was waited for, `why` what is wrong."""
    shown = data[:_SHOWN].decode("utf-8", "replace")
    return Broken(f"The provider sent what is not {what} ({why}): {shown}", body=shown)


def describe(told: Json) -> tuple[str, str]:
    """(message, code) of an error document in any shape; empty where it has none."""
    if isinstance(told, list):
        return _describe_list(told)
    if not isinstance(told, dict):
        return ("" if told is None else str(told).strip()[:_LONGEST]), ""
    inner = told.get("error")
    if isinstance(inner, dict | list) and inner:
        message, code = describe(inner)
        return message, code or _word(told.get("code"))
    code = _word(told.get("code")) or _word(told.get("type")) or _word(told.get("status"))
    message = next((text for key in ("message", "error", "detail", "msg") if (text := _text(told.get(key)))), "")
    if raw := _raw_cause(told):
        message = f"{message}: {raw}" if message else raw
    return message[:_LONGEST], code


def _describe_list(told: list[object]) -> tuple[str, str]:
    found = [describe(entry) for entry in told if isinstance(entry, dict)]
    code = next((code for _, code in found if code), "")
    return "; ".join(message for message, _ in found if message)[:_LONGEST], code


def _text(value: object) -> str:
    if isinstance(value, dict | list):
        place = value.get("loc") if isinstance(value, dict) else None
        return describe(value)[0] if not place else f"{place}: {describe(value)[0]}"
    return value.strip() if isinstance(value, str) else ""


def _raw_cause(told: dict[str, object]) -> str:
    """A relay's note of what the provider behind it said."""
    metadata = told.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, dict) else None
    return raw.strip() if isinstance(raw, str) else ""


def _word(value: object) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _status(error: Json, code: str) -> int | None:
    """The HTTP status an error stands for, when it says so by number or by a well-known code."""
    fields = error if isinstance(error, dict) else {}
    for value in (fields.get("status_code"), fields.get("code"), fields.get("status"), code):
        digits = str(value)
        if len(digits) == 3 and digits.isdecimal() and 400 <= int(digits) <= 599:
            return int(digits)
    words = (code, _word(fields.get("code")), _word(fields.get("type")))
    return next((_STATUS_OF_CODE[word] for word in words if word in _STATUS_OF_CODE), None)


def _plain(text: str) -> str:
    words = html.unescape(_TAGS.sub(" ", text)) if "<" in text else text
    return " ".join(words.split())[:_LONGEST]


def _reason(status: int) -> str:
    try:
        return f"The provider answered {status} {HTTPStatus(status).phrase} and said no more."
    except ValueError:
        return f"The provider answered {status} and said no more."
