"""The machine-readable part of an error's body, whatever shape it has. Pure; never raises."""

from __future__ import annotations

from gateway.wire.loose import Json, read_loosely

_KEYS = ("code", "type", "status", "error_type", "error_code", "reason")


def error_of(body: bytes) -> dict[str, object]:
    """The error object of a document: under `error`, in a list of one, or the document itself, with those fields of the
    document beside it that it has none of itself. Empty where there is none."""
    document: Json = read_loosely(body)
    if isinstance(document, list):
        document = document[0] if document and isinstance(document[0], dict) else None
    if not isinstance(document, dict):
        return {}
    inner = document.get("error")
    return {**document, **inner} if isinstance(inner, dict) else document


def details_of(error: dict[str, object]) -> list[dict[str, object]]:
    """The entries of its `details`, a lone one as a list of one."""
    details = error.get("details")
    entries = details if isinstance(details, list) else [details]
    return [entry for entry in entries if isinstance(entry, dict)]


def words_of(error: dict[str, object]) -> list[str]:
    """Every word by which it names its cause, the most specific first, each as `plain` has it."""
    said = [entry.get(key) for entry in details_of(error) for key in ("error_code", "reason")]
    said += [error.get(key) for key in _KEYS]
    return [plain(value) for value in said if isinstance(value, str) and value]


def plain(word: str) -> str:
    """A code without its case and its dashes: `rate_limit_exceeded` and `RateLimitExceeded` are one word."""
    return "".join(filter(str.isalnum, word)).lower()
