"""What is said about what a member cannot be sent: the sentences that all formats share.

A note is a loss: a caller that wants its request carried whole or not at all is refused for it. So nothing is noted
that another field says as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from gateway.canon.ask import OutputFormat, Tool, Turn
from gateway.wire.own_fields import CALLS, calls_of

CONTENT, PARTS = "content", "parts"
"""Names among a turn's extras of content that canon cannot say in full, as it was sent."""
FORM = "content as sent"
"""The same of content that canon does say in full and that would only be written in another form."""

NOT_FIELDS = frozenset({CONTENT, FORM, CALLS})
"""Names among a turn's extras that are no fields of its message."""

NO_CACHE = "Cache marks were left out: this API has none."
NO_CACHE_ON_CALLS = "Cache marks on tool calls and results were left out: this API has them on words and media only."
NO_CACHE_ON_TOOLS = "Cache marks on tools were left out: this API has them on words and media only."
NO_DETAIL = "The detail of a picture was left out: this API has no such setting."
REFUSAL_AS_TEXT = "A refusal went out as plain text: this API has no field for it."
FREE_CALL = "A free-text call was sent as the call of a function with one text."
FOREIGN_THOUGHT_SEAL = "The opaque state of reasoning was left out: another model made it."
FOREIGN_CALL_SEAL = "The opaque state of a tool call was left out: another model made it."


def of_message(turn: Turn) -> Iterator[str]:
    """What only the caller's API knows of a turn."""
    for name in turn.extras:
        if name in (CONTENT, PARTS):
            yield "What only the caller's API knows of the parts of a message was left out."
        elif name == CALLS:
            calls = calls_of(turn)
            if not calls:
                yield f"`{name}` of a message was left out: it belongs to the caller's API."
            named = dict.fromkeys(field for fields in calls.values() for field in fields)
            yield from (f"`{field}` of a tool call was left out: it belongs to the caller's API." for field in named)
        elif name != FORM:
            yield f"`{name}` of a message was left out: it belongs to the caller's API."


def of_tool(tool: Tool) -> Iterator[str]:
    """What only the caller's API knows of a tool."""
    return (f"`{name}` of the tool {tool.name} was left out." for name in tool.extras)


def of_output(output: OutputFormat, *, strict: bool = True) -> Iterator[str]:
    """What an API that takes a bare schema cannot be told of the format of the answer. With `strict` it does not
    promise to hold to it."""
    for name in ("name", "description"):
        if getattr(output, name):
            yield f"The {name} of the output format was left out: this API has no place for it."
    if strict and output.strict:
        yield "`strict` of the output format was left out: this API has no such setting."
