"""Embeddings in the gateway's own words: texts that are to become vectors, and the vectors that came."""

from __future__ import annotations

from msgspec import Raw, Struct, field

from gateway.canon.ask import BenchField


class EmbedAsk(Struct, frozen=True):
    """One request, with at least one text and none of them empty.

    `protocol` is the wire it came in by. `titles` stand beside the texts, or are none at all. `dimensions` is the
    wanted length of a vector, `task` what the vectors are for, in Gemini's words; `truncate` says whether a text that
    is too long may be cut. `packed` asks for vectors as base64 of little-endian 32-bit floats, `alone` for the one
    vector without a list around it. `extras` are fields that only the caller's API knows, as raw JSON: they go out
    again to a member that speaks it.
    """

    protocol: str
    model: str
    texts: tuple[str, ...]
    titles: tuple[str, ...] = ()
    dimensions: int | None = None
    task: str = ""
    truncate: bool | None = None
    user: str = ""
    packed: bool = False
    alone: bool = False
    bench: BenchField = BenchField()
    extras: dict[str, Raw] = field(default_factory=dict)


class Embedded(Struct, frozen=True):
    """A vector for each text, in their order and all of one length. `model` is what the upstream calls itself, `tokens`
    what it counted; None where it did not say."""

    vectors: tuple[tuple[float, ...], ...]
    model: str = ""
    tokens: int | None = None
