"""Token counts of generateContent, where reasoning is counted beside the answer, and back."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from gateway.canon.event import Usage
from gateway.wire.gemini.shape import UsageEntry


class Counting:
    """What a reader has learned of the counts. They come with every chunk, some of them left out: a count once known is
    only replaced by another."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._told: Usage | None = None

    def take(self, entry: UsageEntry | None) -> Usage | None:
        """The canon's counts so far; None when this entry says nothing new."""
        if entry is None:
            return None
        fresh = {name: getattr(entry, name) for name in entry.__struct_fields__}
        self._counts.update({name: count for name, count in fresh.items() if count is not None})
        usage = _usage(self._counts) if self._counts else None
        if usage == self._told:
            return None
        self._told = usage
        return usage


def _usage(counts: dict[str, int]) -> Usage:
    prompt = counts.get("prompt_token_count", 0) + counts.get("tool_use_prompt_token_count", 0)
    output, thoughts = counts.get("candidates_token_count", 0), counts.get("thoughts_token_count", 0)
    if not thoughts or counts.get("total_token_count") != prompt + output:
        # Otherwise the total says that reasoning has been counted with the answer.
        output += thoughts
    return Usage(prompt, output, counts.get("cached_content_token_count", 0), 0, thoughts)


class UsageBody(Struct, rename="camel", omit_defaults=True):
    prompt_token_count: int
    candidates_token_count: int
    total_token_count: int
    thoughts_token_count: int | UnsetType = UNSET
    cached_content_token_count: int | UnsetType = UNSET


def write_usage(usage: Usage) -> UsageBody:
    """Counts as callers of this API expect them; the total is always the sum."""
    return UsageBody(
        usage.input,
        max(0, usage.output - usage.reasoning),
        usage.input + usage.output,
        usage.reasoning or UNSET,
        usage.cached or UNSET,
    )
