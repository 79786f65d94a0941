"""What a script notices in a prompt: its opening, its keyword, a sum, a list that is asked for, faults in code.

Pure text rules on the first 20,000 characters; nothing is understood. Every pattern runs in linear time.
"""

from __future__ import annotations

import re
from fractions import Fraction

from msgspec import Struct

READ_CHARACTERS = 20_000
OPENING_WORDS = 7

_NUMBER = r"-?\d{1,12}(?:\.\d{1,6})?"
_SUM = re.compile(
    rf"(?<![\w.])({_NUMBER})(?:\s*([+*×÷])\s*|\s+([-/x]|plus|minus|times|divided by)\s+)({_NUMBER})(?![\w.]*\d)", re.I
)
_NUMBERS = re.compile(rf"(?<![\w.]){_NUMBER}(?!\w)")
_LIST = re.compile(r"\b(?:list|name|give(?: me)?|suggest)\s+(\d{1,2}|two|three|four|five|six|seven)\b", re.I)
_WORD = re.compile(r"[^\W_][\w'-]*")
_CODE = re.compile(
    r"^[ \t]*(?:def |class |return\b|import |from \w+ import|for \(|if \(|func |fn |const |let |#include|public )", re.M
)
_FENCE = "```"
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_MOST_ITEMS = 10
_DULL = frozenset(
    re.findall(
        r"\w+",
        "about above after again against because before being below between could does doing during every explain "
        "further given having here itself more most other please review should some such than that their them then "
        "there these they this through under until very want what when where which while whose those will with would "
        "write your",
    )
)
_SMELLS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"==\s*None|!=\s*None"), "compares with None by equality instead of identity"),
    (re.compile(r"\bexcept\s*:"), "catches every exception and says nothing"),
    (re.compile(r"def \w+\([^)\n]{0,200}=\s*(?:\[\]|\{\})"), "shares one mutable default between all calls"),
    (re.compile(r"range\(\s*len\("), "walks by index where the items themselves would do"),
    (re.compile(r"<=\s*(?:len\(|\w+\.length)"), "runs one step past the end"),
    (re.compile(r"\beval\(|\bexec\("), "runs text as code"),
    (re.compile(r"(?:password|secret|api_key)\s*=\s*['\"]", re.I), "keeps a secret in the source"),
    (re.compile(r"\bopen\([^)\n]{0,200}\)\.(?:read|write)"), "opens a file that nobody closes"),
    (re.compile(r"\bTODO\b|\bFIXME\b"), "is marked as unfinished"),
)


class Sum(Struct, frozen=True):
    """A calculation with two numbers. `value` is None for a division by zero."""

    text: str
    value: Fraction | None


class Finding(Struct, frozen=True):
    """What looks wrong in a line of code, counted from 1."""

    line: int
    text: str


class Code(Struct, frozen=True):
    """Code in a prompt: how many lines, and what stands out in them."""

    lines: int
    findings: tuple[Finding, ...]


class Prompt(Struct, frozen=True):
    """The last thing that was said, as far as a script can tell."""

    opening: str
    keyword: str
    words: int
    numbers: tuple[Fraction, ...] = ()
    sum: Sum | None = None
    items: int = 0
    code: Code | None = None


def read_prompt(text: str) -> Prompt:
    """What is in `text`."""
    text = text[:READ_CHARACTERS]
    words = _WORD.findall(text)
    listed = _LIST.search(text)
    return Prompt(
        opening=_opening(text),
        keyword=_keyword(words),
        words=len(text.split()),
        numbers=tuple(Fraction(number) for number in _NUMBERS.findall(text)[:20]),
        sum=_sum(text),
        items=_count(listed.group(1)) if listed else 0,
        code=_code(text),
    )


def shown(value: Fraction) -> str:
    """A number as people write it: whole, or with at most four decimals."""
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.4f}".rstrip("0").rstrip(".")


def _opening(text: str) -> str:
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    words = first.split()
    cut = " ".join(words[:OPENING_WORDS]).strip("`#*\"“”' .:")[:80]
    return f"{cut} …" if len(words) > OPENING_WORDS else cut


def _keyword(words: list[str]) -> str:
    telling = [word for word in words[:200] if len(word) > 3 and word.lower() not in _DULL and not word[0].isdigit()]
    return max(telling, key=len, default="the question")[:40]


def _count(text: str) -> int:
    return min(_MOST_ITEMS, _COUNTS.get(text.lower()) or int(text))


def _sum(text: str) -> Sum | None:
    if (found := _SUM.search(text)) is None:
        return None
    left, right = Fraction(found.group(1)), Fraction(found.group(4))
    sign = (found.group(2) or found.group(3)).lower()
    match sign:
        case "+" | "plus":
            value: Fraction | None = left + right
        case "-" | "minus":
            value = left - right
        case "/" | "÷" | "divided by":
            value = left / right if right else None
        case _:
            value = left * right
    return Sum(" ".join(found.group(0).split()), value)


def _code(text: str) -> Code | None:
    if _FENCE in text:
        inside = text.split(_FENCE, 2)[1]
        lines = inside.splitlines()[1:]
    elif len(_CODE.findall(text)) >= 2:
        lines = text.splitlines()
    else:
        return None
    findings = [
        Finding(number, smell)
        for number, line in enumerate(lines, 1)
        for pattern, smell in _SMELLS
        if pattern.search(line[:500])
    ]
    return Code(len(lines), tuple(findings[:5]))
