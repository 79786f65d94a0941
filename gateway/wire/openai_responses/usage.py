"""Token counts of Responses, both ways."""

from __future__ import annotations

from msgspec import Struct

from gateway.canon.event import Usage
from gateway.wire.openai_responses.shape import InputDetails, Number, OutputDetails, UsageEntry


def read_usage(entry: UsageEntry) -> Usage | None:
    """The canon's counts; None when the entry has no counts at all."""
    if entry.input_tokens is None and entry.output_tokens is None:
        return None
    inputs = entry.input_tokens_details or InputDetails()
    outputs = entry.output_tokens_details or OutputDetails()
    given, output, reasoning = _count(entry.input_tokens), _count(entry.output_tokens), _count(outputs.reasoning_tokens)
    if reasoning and _count(entry.total_tokens) == given + output + reasoning:
        # Some providers count reasoning beside the output; their total gives it away.
        output += reasoning
    return Usage(given, output, _count(inputs.cached_tokens), _count(inputs.cache_write_tokens), reasoning)


class InputCounts(Struct, omit_defaults=True):
    cached_tokens: int
    cache_write_tokens: int = 0


class OutputCounts(Struct):
    reasoning_tokens: int


class UsageBody(Struct):
    input_tokens: int
    input_tokens_details: InputCounts
    output_tokens: int
    output_tokens_details: OutputCounts
    total_tokens: int


def write_usage(usage: Usage) -> UsageBody:
    """Counts as callers of this API expect them; the total is always the sum."""
    return UsageBody(
        usage.input,
        InputCounts(usage.cached, usage.cache_write),
        usage.output,
        OutputCounts(usage.reasoning),
        usage.input + usage.output,
    )


def _count(number: Number) -> int:
    return int(number) if number is not None else 0
