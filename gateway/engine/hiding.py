"""Takes our own secrets out of what a provider sends, in bytes, before anything reads it. Pure.

A debugging proxy or a broken provider may put the key it was sent into an answer. A secret that is broken in two by the
network is put together again; one that a model spells out, a token an event, is not: whoever wants to give the key away
has it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

HIDDEN: Final = b"[the endpoint's key]"
SHORTEST: Final = 16
"""Bytes. A shorter key, as local servers are given, may be a word of an answer."""


def to_hide(secrets: Iterable[str]) -> tuple[bytes, ...]:
    """Those of the secrets that are looked for in answers."""
    return tuple(dict.fromkeys(secret.encode() for secret in secrets if len(secret) >= SHORTEST))


class Hiding:
    """Over one body, chunk by chunk."""

    def __init__(self, secrets: tuple[bytes, ...]) -> None:
        self._secrets = secrets
        self._held = b""

    def feed(self, chunk: bytes) -> bytes:
        """What may be passed on: the end of a chunk waits when a secret may begin there."""
        data = self._held + chunk if self._held else chunk
        for secret in self._secrets:
            if secret in data:
                data = data.replace(secret, HIDDEN)
        if data.endswith(b"\n"):  # as nearly every chunk of a stream; no secret has a line break
            self._held = b""
            return data
        begun = max(_begun(secret, data) for secret in self._secrets)
        self._held = data[len(data) - begun :]
        return data[: len(data) - begun] if begun else data

    def end(self) -> bytes:
        """What was held back and turned out to be no secret."""
        held, self._held = self._held, b""
        return held


def _begun(secret: bytes, data: bytes) -> int:
    """How many bytes at the end of the data are the beginning of a secret."""
    at = data.find(secret[:1], max(0, len(data) - len(secret) + 1))
    while at >= 0:
        if secret.startswith(data[at:]):
            return len(data) - at
        at = data.find(secret[:1], at + 1)
    return 0
