"""A conversation as one system text and one prompt: for records, size estimates and models that know no roles."""

from __future__ import annotations

from gateway.canon.ask import Ask, Media, Part, Text, Turn
from gateway.canon.redact import placeholder


def flatten(ask: Ask) -> tuple[str, str]:
    """(system, prompt). A single turn is its own text; several are labelled `role: text` and joined by blank lines.
    Images appear as placeholders."""
    system = "\n\n".join([turn.text for turn in ask.turns if turn.role in ("system", "developer")])
    turns = [turn for turn in ask.turns if turn.role not in ("system", "developer")]
    if len(turns) == 1:
        return system, _words(turns[0])
    return system, "\n\n".join([f"{turn.role}: {_words(turn)}" for turn in turns])


def first_line(prompt: str, length: int = 90) -> str:
    """The start of a prompt on one line, white space collapsed."""
    # A prompt may be a megabyte, of which only the beginning matters.
    return " ".join(prompt.lstrip()[: 40 * length].split())[:length]


def _words(turn: Turn) -> str:
    if len(turn.parts) == 1 and type(turn.parts[0]) is Text:
        return turn.parts[0].text
    return "\n".join([words for part in turn.parts if (words := _part_words(part))])


def _part_words(part: Part) -> str:
    match part:
        case Text(text=text):
            return text
        case Media():
            return placeholder(part)
        case _:
            return ""
