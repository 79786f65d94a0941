"""Token counts of chat completions, in the dialects that providers write them in, and back."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from gateway.canon.event import Usage
from gateway.wire.openai_chat.shape import InputDetails, Number, OutputDetails, UsageEntry

_NO_INPUTS: Final = InputDetails()
_NO_OUTPUTS: Final = OutputDetails()


def read_usage(entry: UsageEntry) -> Usage | None:
    """The canon's counts; None when the entry has no counts at all."""
    if entry.prompt_tokens is None and entry.completion_tokens is None:
        return None
    inputs = entry.prompt_tokens_details or _NO_INPUTS
    outputs = entry.completion_tokens_details or _NO_OUTPUTS
    prompt, output = _first(entry.prompt_tokens), _first(entry.completion_tokens)
    reasoning = _first(outputs.reasoning_tokens, entry.reasoning_tokens)
    if reasoning and _first(entry.total_tokens) == prompt + output + reasoning:
        # Some providers count reasoning beside the completion; their total gives it away.
        output += reasoning
    return Usage(
        input=prompt,
        output=output,
        cached=_first(
            inputs.cached_tokens, entry.prompt_cache_hit_tokens, entry.cached_tokens, entry.cache_read_input_tokens
        ),
        cache_write=_first(inputs.cache_write_tokens, inputs.cache_creation_tokens, entry.cache_creation_input_tokens),
        reasoning=reasoning,
    )


class InputCounts(Struct, omit_defaults=True):
    cached_tokens: int
    cache_write_tokens: int = 0


class OutputCounts(Struct):
    reasoning_tokens: int


class UsageBody(Struct):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    prompt_tokens_details: InputCounts
    completion_tokens_details: OutputCounts


def write_usage(usage: Usage) -> UsageBody:
    """Counts as callers of this API expect them; the total is always the sum."""
    return UsageBody(
        usage.input,
        usage.output,
        usage.input + usage.output,
        InputCounts(usage.cached, usage.cache_write),
        OutputCounts(usage.reasoning),
    )


def _first(*counts: Number) -> int:
    for count in counts:
        if count is not None:
            return int(count)
    return 0
