"""What happens while an answer is made: nine events, the same for every provider and every caller.

The stream is the truth; a whole reply is a fold of it (see reply.py). Order: `Opened` first if the upstream names
itself, then parts in any interleaving, `Usage` any number of times (the last one wins), then exactly one of `Closed` or
`Failed`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Raw, Struct

from gateway.canon.fault import Fault

MOST_TOKENS: Final = 2**31 - 1
"""The largest count that is believed, and that the ledger holds."""


class Finish(StrEnum):
    """Why a model stopped."""

    STOP = "stop"
    STOP_SEQUENCE = "stop_sequence"
    LENGTH = "length"
    TOOL_USE = "tool_use"
    CONTENT_FILTER = "content_filter"
    REFUSAL = "refusal"


class Opened(Struct, frozen=True, tag="opened"):
    """The upstream named itself: the model it serves and its own id for the answer."""

    model: str = ""
    id: str = ""


class TextDelta(Struct, frozen=True, tag="text"):
    """A piece of the answer. `refusal` marks a piece the provider put in its refusal field; `choice` is the seat's
    index where a format shows several answers side by side, and `finish` is set on the last piece of one that ends
    before the others. `Closed` ends all that have not ended."""

    text: str
    part: int = 0
    refusal: bool = False
    choice: int = 0
    finish: Finish | None = None


class ThoughtDelta(Struct, frozen=True, tag="thought"):
    """A piece of reasoning, and at its end the opaque seal that must go back to the same model."""

    text: str = ""
    part: int = 0
    seal: Raw | None = None


class ToolOpened(Struct, frozen=True, tag="tool"):
    """A tool call began. Its arguments follow as ArgsDelta under the same part index."""

    part: int
    call_id: str
    name: str
    custom: bool = False
    seal: Raw | None = None


class ArgsDelta(Struct, frozen=True, tag="args"):
    """A piece of a tool call's raw arguments."""

    part: int
    text: str


class Note(Struct, frozen=True, tag="note"):
    """The gateway's own news about this answer (skipped, failed over, left out). Never content."""

    kind: str
    text: str
    detail: Raw | None = None


class Usage(Struct, frozen=True, tag="usage"):
    """Tokens. `input` counts all of the prompt, `cached` and `cache_write` being shares of it; `output` counts all that
    was generated, `reasoning` being a share of it."""

    input: int = 0
    output: int = 0
    cached: int = 0
    cache_write: int = 0
    reasoning: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cached + other.cached,
            self.cache_write + other.cache_write,
            self.reasoning + other.reasoning,
        )

    def bounded(self) -> Usage:
        """The same with every count from 0 to MOST_TOKENS: some providers say -1 where they do not know."""
        counts = (self.input, self.output, self.cached, self.cache_write, self.reasoning)
        if min(counts) >= 0 and max(counts) <= MOST_TOKENS:
            return self
        return Usage(*(min(max(count, 0), MOST_TOKENS) for count in counts))


class Closed(Struct, frozen=True, tag="closed"):
    """The answer is complete. `native` is the provider's own word for why; `sequence` the stop sequence it met; `bench`
    the gateway's object about the whole run, as JSON."""

    finish: Finish = Finish.STOP
    native: str = ""
    sequence: str = ""
    bench: Raw | None = None


class Failed(Struct, frozen=True, tag="failed"):
    """The answer will not come, or not to its end."""

    fault: Fault


Event = Opened | TextDelta | ThoughtDelta | ToolOpened | ArgsDelta | Note | Usage | Closed | Failed
