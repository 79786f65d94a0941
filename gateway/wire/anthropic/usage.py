"""Token counts of Messages, where the input leaves out the cached share, and back."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from gateway.canon.event import Usage
from gateway.wire.anthropic.shape import Number, OutputDetails, UsageEntry


class Counting:
    """What a reader has learned of the counts. They come in several events and are told anew each time, some of them
    left out or as nothing: a count once known is only replaced by another."""

    def __init__(self) -> None:
        self._input = self._read = self._written = self._output = self._thinking = 0

    def take(self, entry: UsageEntry | None) -> Usage | None:
        """The canon's counts so far; None when this entry says nothing."""
        if entry is None or (entry.input_tokens is None and entry.output_tokens is None):
            return None
        self._input = _count(entry.input_tokens) or self._input
        self._read = _count(entry.cache_read_input_tokens) or self._read
        self._written = _count(entry.cache_creation_input_tokens) or self._written
        self._output = _count(entry.output_tokens) or self._output
        details = entry.output_tokens_details or OutputDetails()
        self._thinking = _count(details.thinking_tokens) or self._thinking
        prompt = self._input + self._read + self._written
        return Usage(prompt, self._output, self._read, self._written, self._thinking)


class OutputCounts(Struct):
    thinking_tokens: int


class UsageBody(Struct, omit_defaults=True):
    input_tokens: int
    cache_creation_input_tokens: int
    cache_read_input_tokens: int
    output_tokens: int
    output_tokens_details: OutputCounts | UnsetType = UNSET


def write_usage(usage: Usage) -> UsageBody:
    """Counts as callers of this API expect them: the three kinds of input add up to all of it."""
    return UsageBody(
        max(0, usage.input - usage.cached - usage.cache_write),
        usage.cache_write,
        usage.cached,
        usage.output,
        OutputCounts(usage.reasoning) if usage.reasoning else UNSET,
    )


def _count(number: Number) -> int:
    return int(number) if number is not None else 0
