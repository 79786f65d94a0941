"""The questions that probes ask, and how an answer to each is judged. All of them are always the same."""

from __future__ import annotations

import re
import struct
import zlib
from base64 import b64encode
from collections.abc import Callable
from typing import Any, Final

from msgspec import Raw, json

from gateway.canon.ask import Ask, Knobs, Media, OutputFormat, Text, Thought, Tool, ToolChoice, Turn
from gateway.engine.json_fit import fits, read_json
from gateway.engine.order import Outcome
from probes.asking import Question

WORD: Final = "harbour"
_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "minLength": 1},
        "population_millions": {"type": "number"},
        "capital": {"type": "boolean"},
    },
    "required": ["city", "population_millions", "capital"],
    "additionalProperties": False,
}
_CLOCK: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"city": {"type": "string", "description": "Name of the city, in English"}},
    "required": ["city"],
    "additionalProperties": False,
}
_FACTORS: Final = (7_463, 5_819)
_COLOUR: Final = (220, 20, 30)
_NUMBERED: Final = tuple(re.compile(rf"{at}[.)]\s+\S") for at in (1, 2, 3))


def ask(text: str, *media: Media, **facts: Any) -> Ask:
    """One user's turn, streamed, so that the time of the first token is known."""
    return Ask("bench", "", (Turn("user", (Text(text), *media)),), stream=True, **facts)


def says(word: str) -> Callable[[Outcome], bool]:
    """Is this word in the answer, on its own?"""
    pattern = re.compile(rf"\b{re.escape(word)}\b", re.I)
    return lambda outcome: pattern.search(outcome.reply.text) is not None


def settings_listing(lines: int = 400) -> str:
    """Invented settings, about 45 characters a line, the same every time."""
    areas = ("cache", "queue", "mailer", "search", "billing", "archive", "report", "gateway", "upload", "session")
    words = ("limit", "window", "retries", "threshold", "interval", "capacity", "backlog", "timeout", "depth", "share")
    units = ("seconds", "rows", "percent", "entries", "megabytes")
    made, seed = [], 20_177
    for at in range(lines):
        seed = (seed * 1_103_515_245 + 12_345) % 2**31  # a plain congruential series: no randomness is wanted
        area, word, unit = areas[at % 10], words[seed // 7 % 10], units[seed // 911 % 5]
        made.append(f"cluster.{area}.node{at // 10:02d}.{word}_{unit} = {seed % 9_000 + 1_000}")
    return "\n".join(made)


def picture(red: int, green: int, blue: int, side: int = 48) -> str:
    """A PNG of one colour, in base64."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes((red, green, blue)) * side) * side
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    whole = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    return b64encode(whole).decode()


def called_clock(outcome: Outcome) -> bool:
    """Was the clock called for a city?"""
    for call in outcome.reply.calls:
        try:
            given = read_json(call.arguments)
        except ValueError:
            continue
        if call.name == "city_clock" and fits(_CLOCK, given):
            return True
    return False


def fits_schema(outcome: Outcome) -> bool:
    """Is the answer JSON of the schema, and nothing around it?"""
    try:
        return fits(_SCHEMA, read_json(outcome.reply.text.strip()))
    except ValueError:
        return False


def reasoned(outcome: Outcome) -> bool | None:
    """Did thoughts come before the right number? With thoughts and another number nothing is known."""
    reply, usage = outcome.reply, outcome.paid
    if not any(isinstance(part, Thought) for part in reply.parts) and not (usage is not None and usage.reasoning):
        return False
    digits = re.sub(r"(?<=\d)[,.\u00a0\u202f ](?=\d{3}\b)", "", reply.text)
    return True if str(_FACTORS[0] * _FACTORS[1]) in re.findall(r"\d+", digits) else None


def three_lines(outcome: Outcome) -> bool:
    """Three lines, numbered from 1, and nothing else?"""
    lines = [line.strip() for line in outcome.reply.text.strip().splitlines() if line.strip()]
    return len(lines) == 3 and all(form.match(line) for form, line in zip(_NUMBERED, lines, strict=True))


TINY: Final = Question("tiny", ask(f"Answer with the single word {WORD} and write nothing else."), judge=says(WORD))
LARGE: Final = Question(
    "large",
    ask(
        "Below is a listing of settings. Say in at most three sentences what kind of system it configures. Quote no "
        f"setting.\n\n{settings_listing()}"
    ),
    least=20,
)
INSTRUCT: Final = Question(
    "instruct",
    ask(
        "Name three rivers. Answer with exactly three lines, numbered 1. 2. 3., one river a line, and with no other "
        "text before or after."
    ),
    judge=three_lines,
)
TOOLS: Final = Question(
    "tools",
    ask(
        "What time is it in Lisbon right now?",
        tools=(Tool("city_clock", "Tells the present local time of a city.", Raw(json.encode(_CLOCK))),),
        tool_choice=ToolChoice("auto"),
        knobs=Knobs(max_tokens=1024),
    ),
    seconds=180.0,
    judge=called_clock,
)
SCHEMA: Final = Question(
    "schema",
    ask(
        "Describe Lisbon by its name, its population in millions and whether it is a capital.",
        output=OutputFormat("json_schema", "city", Raw(json.encode(_SCHEMA)), strict=True),
        knobs=Knobs(max_tokens=1024),
    ),
    seconds=180.0,
    judge=fits_schema,
)
IMAGE: Final = Question(
    "image",
    ask(
        "What colour is this picture? Answer with one word.",
        Media("image", data=picture(*_COLOUR), mime="image/png"),
        knobs=Knobs(max_tokens=1024),
    ),
    seconds=180.0,
    judge=says("red"),
)
REASONING: Final = Question(
    "reasoning",
    ask(
        f"Work out {_FACTORS[0]} times {_FACTORS[1]} and end with the result as a plain number.",
        knobs=Knobs(max_tokens=2048),
    ),
    seconds=180.0,
    judge=reasoned,
)
