"""Formats that know a prompt and a text and no conversation: what they ask for and are told beyond that.

A prompt with a gap at its end, and the words after the gap (`suffix`), becomes a conversation whose instruction tells
of those words. A tool call cannot be told, so an answer that makes one has failed.
"""

from __future__ import annotations

from gateway.canon.ask import Text, Turn
from gateway.canon.fault import ErrorInReply

_INSTRUCTION = (
    "The user's text breaks off in a gap. Write only what fills the gap, without repeating what stands before or after "
    "it. After the gap the text goes on like this:\n\n"
)


def instruct_fill_in(suffix: str) -> Turn:
    """The instruction that tells of the words after the gap."""
    return Turn("system", (Text(_INSTRUCTION + suffix),))


def untold_call(name: str, instead: str) -> ErrorInReply:
    """The failure of an answer that calls the tool `name`; `instead` is a path that can tell of calls."""
    return ErrorInReply(f"The model called the tool {name}, and this API has no way to say so. Ask through {instead}.")
