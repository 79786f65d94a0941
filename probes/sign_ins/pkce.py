"""Proof Key for Code Exchange, with S256. Pure: the randomness comes in."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Final

METHOD: Final = "S256"
VERIFIER_BYTES: Final = 64


def verifier_of(random: bytes) -> str:
    """What is kept until the exchange, of 64 random bytes: 86 characters."""
    return _letters(random)


def challenge_of(verifier: str) -> str:
    """What is shown before it."""
    return _letters(sha256(verifier.encode()).digest())


def _letters(octets: bytes) -> str:
    return urlsafe_b64encode(octets).decode().rstrip("=")
