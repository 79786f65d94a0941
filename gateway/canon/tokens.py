"""Token estimates. Fixed by the interface: a quarter of the characters and a tenth on top, 2,500 for an image."""

from __future__ import annotations

from collections.abc import Iterator

from gateway.canon.ask import Ask, Media, Part, Refusal, Text, Thought, ToolCall, ToolResult
from gateway.canon.flatten import flatten
from gateway.canon.text_documents import text_length

TOKENS_PER_IMAGE = 2_500


def estimate(text: str) -> int:
    """Tokens in `text`: 0 for empty text, otherwise at least 1."""
    return estimate_length(len(text))


def estimate_length(characters: int) -> int:
    """The same for a text of which only the length is known."""
    return max(1, characters * 11 // 40) if characters else 0


def estimate_prompt(system: str, prompt: str, images: int) -> int:
    """Tokens of a flattened request with `images` pictures."""
    return estimate(f"{system}\n\n{prompt}".strip()) + TOKENS_PER_IMAGE * images


def count_ask(ask: Ask) -> int:
    """Tokens of a whole request: what `estimate_prompt` counts, and text documents, tools, calls, their results and
    reasoning."""
    system, prompt = flatten(ask)
    characters = len(f"{system}\n\n{prompt}".strip())
    characters += sum([_length(part) for turn in ask.turns for part in turn.parts if type(part) is not Text])
    for tool in ask.tools:
        characters += len(tool.name) + len(tool.description)
        characters += sum(
            len(bytes(raw)) for raw in (tool.parameters, tool.grammar, tool.definition) if raw is not None
        )
    images = sum([media.kind == "image" for media in ask.media])
    return estimate_length(characters) + TOKENS_PER_IMAGE * images


def _length(part: Part) -> int:
    """Characters of what the flat prompt leaves out."""
    match part:
        case ToolCall(name=name, arguments=arguments):
            return len(name) + len(arguments)
        case ToolResult(parts=parts, name=name):
            return len(name) + sum(_texts(parts))
        case Media():
            return text_length(part)
        case Thought(text=text) | Refusal(text=text):
            return len(text)
        case _:
            return 0


def _texts(parts: tuple[Text | Media, ...]) -> Iterator[int]:
    return (len(part.text) if isinstance(part, Text) else text_length(part) for part in parts)
