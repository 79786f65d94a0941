"""What every protocol gives that has embeddings, and what they share: reading texts, and looking at what came.

            request                      answer
server      read(body, path) -> ask      write(ask, embedded, model, bench) -> body
client      write(ask, facts)            read(body, ask) -> embedded
"""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

import msgspec
from msgspec import Raw, Struct

from gateway.canon.embedding import EmbedAsk, Embedded
from gateway.canon.fault import BadRequest
from gateway.canon.tokens import estimate
from gateway.wire.base import Facts, Outgoing
from gateway.wire.body import OWN_FIELDS, read_body
from gateway.wire.errors import broken

T = TypeVar("T")

OWN: Final = OWN_FIELDS
"""The gateway's own fields, which no member is sent."""
_WHAT = "a reply with embeddings"
_LARGEST: Final = 3.4e38
_SINGLE = 4


class EmbedServer(Struct, frozen=True):
    """The half that callers see. `read` raises BadRequest. `write` takes the model's name for the reply, and the bench
    object where there is one and the format has room for it."""

    read: Callable[[bytes, str], EmbedAsk]
    write: Callable[[EmbedAsk, Embedded, str, Raw | None], bytes]


class EmbedClient(Struct, frozen=True):
    """The half that members see. `read` takes the body of a 200 and raises an UpstreamFault when it is no answer to the
    request."""

    write: Callable[[EmbedAsk, Facts], Outgoing]
    read: Callable[[bytes, EmbedAsk], Embedded]


def read_texts(raw: Raw | None, place: str) -> tuple[str, ...]:
    """One text or a list of them."""
    sent = b"" if raw is None else bytes(raw)
    if sent[:1] not in (b"[", b'"'):
        raise BadRequest(f"`{place}` must be text, or a list of texts.")
    texts = [read_body(sent, str, place)] if sent[:1] == b'"' else _read_list(sent, place)
    if not texts:
        raise BadRequest(f"`{place}` has no text. Send text, or a list of texts.")
    for at, text in enumerate(texts):
        refuse_empty(text, place if sent[:1] == b'"' else f"{place}[{at}]")
    return tuple(texts)


def refuse_empty(text: str, place: str) -> None:
    if not text:
        raise BadRequest(f"`{place}` is empty, and nothing has no embedding. Leave it out, or send text.")


def _read_list(sent: bytes, place: str) -> list[str]:
    entries = read_body(sent, list[Raw], place)
    if any(bytes(entry)[:1] in b"[-0123456789" for entry in entries):
        raise BadRequest(
            f"`{place}` is a list of tokens, whose numbers mean something else to every model. Send text, or a list of "
            "texts."
        )
    return read_body(sent, list[str], place)


def counted(ask: EmbedAsk, came: Embedded) -> int:
    """The tokens of the texts, as the upstream counted them, else as they are estimated."""
    return came.tokens if came.tokens is not None else sum(map(estimate, ask.texts))


def embedded(
    vectors: Sequence[Sequence[float] | str], ask: EmbedAsk, body: bytes, *, model: str = "", tokens: int | None = None
) -> Embedded:
    """The vectors of `body`, in numbers or packed. Raises Broken when they are not one for each text, of one length and
    finite."""
    if len(vectors) != len(ask.texts):
        raise broken(_WHAT, body, f"{len(vectors)} vectors for {len(ask.texts)} texts")
    opened = tuple(_open(vector, body) for vector in vectors)
    if len({len(vector) for vector in opened}) != 1 or not opened[0]:
        raise broken(_WHAT, body, "the vectors are empty, or not of one length")
    if any(max(vector) > _LARGEST or min(vector) < -_LARGEST for vector in opened):
        raise broken(_WHAT, body, "a number is too large")
    return Embedded(opened, model, tokens)


def decode(body: bytes, kind: type[T]) -> T:
    """The reply as `kind`. Raises Broken."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as garbled:
        raise broken(_WHAT, body, garbled) from garbled


def pack(vector: Sequence[float]) -> str:
    """Base64 of little-endian 32-bit floats."""
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()


def _open(vector: Sequence[float] | str, body: bytes) -> tuple[float, ...]:
    if not isinstance(vector, str):
        return tuple(vector)
    try:
        data = base64.b64decode(vector, validate=True)
        opened = struct.unpack(f"<{len(data) // _SINGLE}f", data)
    except (binascii.Error, ValueError, struct.error) as garbled:
        raise broken(_WHAT, body, garbled) from garbled
    if any(number != number for number in opened):
        raise broken(_WHAT, body, "a number is none")
    return opened


def losses(ask: EmbedAsk, carried: frozenset[str], *, same_protocol: bool) -> tuple[str, ...]:
    """What of the request an API has no word for, a sentence each. `carried` names the fields it has."""
    named = {"titles": "title", "task": "taskType", "dimensions": "dimensions", "truncate": "truncate", "user": "user"}
    notes = [
        f"`{word}` was left out: this API has no such field."
        for field, word in named.items()
        if field not in carried and getattr(ask, field) not in ((), "", None)
    ]
    if not same_protocol:
        notes += [f"`{name}` was left out: it belongs to the caller's API." for name in ask.extras]
    return tuple(notes)
