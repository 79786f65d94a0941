"""Vectors that nobody has learned: each word's hash points somewhere, and a text points where its words do together.

The same text always has the same vector, texts that share words have near ones, and no text has one of length 0. Pure.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable

from gateway.canon.embedding import EmbedAsk, Embedded
from gateway.canon.fault import BadRequest
from gateway.canon.tokens import estimate
from gateway.practice.listings import known

DIMENSIONS = 64
_MIDDLE = 127.5


def embed(ask: EmbedAsk) -> Embedded:
    """A unit vector for each text, of `DIMENSIONS` numbers or as many fewer as are asked for. Raises BadRequest for
    more, and NotFound where no character has the model's name."""
    known(ask.model)
    length = ask.dimensions or DIMENSIONS
    if length > DIMENSIONS:
        raise BadRequest(f"A vector of this script has at most {DIMENSIONS} numbers, and {length:,} were asked for.")
    return Embedded(tuple(vector_of(text, length) for text in ask.texts), ask.model, sum(map(estimate, ask.texts)))


def vector_of(text: str, length: int = DIMENSIONS) -> tuple[float, ...]:
    """The unit vector of a text: the first `length` numbers of its longest one, at length 1 again."""
    sums = [0.0] * length
    for word in _words(text):
        pointed = hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=DIMENSIONS).digest()
        for at, byte in enumerate(pointed[:length]):
            sums[at] += byte - _MIDDLE
    size = math.hypot(*sums)
    return tuple(number / size for number in sums) if size else (1.0, *sums[1:])


def _words(text: str) -> Iterable[str]:
    """The words, whatever their case; the text itself where it has none."""
    return re.findall(r"\w+", text.lower()) or [text]
