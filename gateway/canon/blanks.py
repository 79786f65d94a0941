"""Takes out of a text what must not be kept or shown: keys, tokens and passwords; from evidence also who the account
is."""

from __future__ import annotations

import re
from typing import Final

_SECRETS: Final = (
    (re.compile(r"\bbwk_[A-Za-z0-9_-]{4,}"), "bwk_***"),
    (re.compile(r"\bsk-[A-Za-z0-9_-]{6,}"), "sk-***"),
    (re.compile(r"\bAIza[A-Za-z0-9_-]{20,}"), "AIza***"),
    (re.compile(r"(?i)\b(bearer\s+)[A-Za-z0-9._~+/-]{8,}=*"), r"\1***"),
    (re.compile(r"(?i)([?&\s](?:api_key|access_token|refresh_token|key|token|code)=)[^&\s\"']+"), r"\1***"),
    (re.compile(r"(/sign-in/[^/\s]+/)[^/\s]+"), r"\1***"),
    (re.compile(r"(/invitation/)[^/\s]{8,}"), r"\1***"),
    (re.compile(r"(/connect/callback/)[^/\s?]{8,}"), r"\1***"),
    (re.compile(r"(://[^/\s:@]*:)[^/\s@]+@"), r"\1***@"),
)
_ANY: Final = re.compile("|".join(pattern.pattern.replace("(?i)", "") for pattern, _ in _SECRETS), re.IGNORECASE)
_ACCOUNTS: Final = (
    (re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), "***"),
    (re.compile(r"(?i)\b(organization\s+[`'\"]?)[\w-]+"), r"\1***"),
    (re.compile(r"(?i)\b(projects?/)[^/\s`'\"]+"), r"\1***"),
    (
        re.compile(
            r"(?i)\b(org|proj|project|user|usr|acct|account|team|tenant|req|request|ref)([-_:] ?)(?=\S*\d)[\w-]{6,}"
        ),
        r"\1\2***",
    ),
    (re.compile(r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b"), "***"),
    (re.compile(r"\b(?=[A-Za-z0-9_]*\d)(?=[A-Za-z0-9_]*[A-Za-z])[A-Za-z0-9_]{24,}\b"), "***"),
)
_READ: Final = 4_000
"""Characters of evidence that are looked at: some patterns look at each as often as there are others before it."""


def blank(text: str) -> str:
    """The text with keys, tokens and passwords replaced by `***`."""
    if not _ANY.search(text):  # as nearly every line of a log
        return text
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text


def blank_evidence(text: str, longest: int = 200) -> str:
    """The start of what a provider said, fit to be kept: on one line, without secrets, addresses of people and names of
    accounts and requests."""
    text = blank(" ".join(text[:_READ].split()))
    for pattern, replacement in _ACCOUNTS:
        text = pattern.sub(replacement, text)
    return text[:longest]
