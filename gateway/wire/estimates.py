"""Token counts for replies that nobody counted, in formats that are never without them."""

from __future__ import annotations

from gateway.canon.ask import Ask, ToolCall
from gateway.canon.event import Usage
from gateway.canon.flatten import flatten
from gateway.canon.reply import Reply
from gateway.canon.tokens import estimate_length, estimate_prompt


def estimate_usage(ask: Ask, characters: int) -> Usage:
    """The usage of a reply of so many characters to `ask`."""
    system, prompt = flatten(ask)
    images = sum(media.kind == "image" for media in ask.media)
    return Usage(estimate_prompt(system, prompt, images), estimate_length(characters))


def characters_of(reply: Reply) -> int:
    """The length of all that a model wrote: text, reasoning and arguments of calls."""
    return sum(len(part.arguments if isinstance(part, ToolCall) else part.text) for part in reply.parts)
