"""The words of a claim, as far as they tell it from another: stems with weights, numbers, identifiers, opposites, what
is denied, and what stands before and after. English, which claims are mostly written in; other languages are compared
by their words alone. Pure.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

TOKEN = re.compile(
    r"(?P<identifier>(?:[A-Za-z_][\w]*(?:(?:\.|::|->|/)[A-Za-z_][\w]*)+|[A-Za-z_]\w*_\w*|[A-Za-z]+[a-z][A-Z]\w*)"
    r"(?:\(\))?|[A-Za-z_]\w*\(\))"
    r"|(?P<number>\d+(?:[.,]\d+)*)"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)?)"
    r"|(?P<stop>[,;:.!?—–])"
)


def _words(line: str) -> list[str]:
    return line.split()


WEIGHT = {"identifier": 3.0, "number": 2.5, "word": 1.0}
NUMBERS = dict(zip(_words("two three four five six seven eight nine ten eleven twelve"), range(2, 13), strict=True))
SMALL = frozenset(
    _words(
        "a an the this that these those it its there here is are was were be been being am has have had do does did"
        " get gets got will would can could may might should must shall of in on at to from by for with as into than"
        " then so if when while which who what where and or but because also just very only even still already one"
        " some any all each both i we you they he she him her their our your my me us them yes ok"
    )
)
DENYING = frozenset(_words("no not never none nor neither without cannot nothing nobody lacks lack missing"))
CLAUSE = frozenset(_words("but and or because since so while when if although though which"))
ORDERING = {"before": "before", "after": "before", "than": "than"}
OPPOSITES = (
    "increase decrease|increases decreases|above below|first last|minimum maximum|min max|more less|more fewer"
    "|higher lower|up down|true false|left right|safe unsafe|locked unlocked|sync async|synchronous asynchronous"
    "|valid invalid|correct incorrect|mutable immutable|sorted unsorted|open close|opens closes|early late"
    "|blocking nonblocking|stale fresh|ascending descending|read write|reads writes|faster slower|signed unsigned"
    "|always sometimes|succeeds fails|success failure|public private|add remove|adds removes|used unused"
    "|reachable unreachable|handled unhandled|bounded unbounded|inclusive exclusive|even odd|start end"
)
POLES = {
    word: sign * number
    for number, pair in enumerate(OPPOSITES.split("|"), 1)
    for word, sign in zip(pair.split(), (1, -1), strict=True)
}
ENDINGS = ("ings", "ing", "edly", "ed", "es", "s", "ly")


@dataclass(frozen=True)
class Sentence:
    """`weights` by stem; `denied` the stems of clauses that deny; `poles` the opposites it names, with their sign;
    `order` for each ordering word the stems (before it, after it), turned for `after`."""

    weights: dict[str, float]
    numbers: frozenset[str]
    identifiers: frozenset[str]
    poles: frozenset[int]
    denied: frozenset[str]
    order: dict[str, tuple[frozenset[str], frozenset[str]]]


@dataclass
class _Reading:
    """What has been read of a sentence so far."""

    weights: dict[str, float] = field(default_factory=dict)
    numbers: set[str] = field(default_factory=set)
    identifiers: set[str] = field(default_factory=set)
    poles: set[int] = field(default_factory=set)
    denied: set[str] = field(default_factory=set)
    clause: set[str] = field(default_factory=set)
    denials: int = 0
    row: list[str] = field(default_factory=list)
    turns: list[tuple[str, int]] = field(default_factory=list)

    def keep(self, stem: str, weight: float) -> None:
        self.weights[stem] = weight
        self.clause.add(stem)
        self.row.append(stem)

    def end_clause(self) -> None:
        if not self.clause:
            return  # "not only, but": the denial belongs to what follows
        if self.denials % 2:
            self.denied |= self.clause
        self.clause, self.denials = set(), 0


def read_sentence(text: str) -> Sentence:
    """What the text says, as words that can be compared."""
    reading = _Reading()
    plain = unicodedata.normalize("NFKC", text).replace("’", "'").replace("`", " ")
    for found in TOKEN.finditer(plain):
        if found.group() == "None" and found.start():  # Python's, which denies nothing
            reading.keep("null", WEIGHT["word"])
        else:
            _take(reading, found.lastgroup or "", found.group())
    reading.end_clause()
    order: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
    for word, place in reading.turns:
        sides = frozenset(reading.row[:place]), frozenset(reading.row[place:])
        order[ORDERING[word]] = sides[::-1] if word == "after" else sides
    return Sentence(
        weights=reading.weights,
        numbers=frozenset(reading.numbers),
        identifiers=frozenset(reading.identifiers),
        poles=frozenset(reading.poles),
        denied=frozenset(reading.denied),
        order=order,
    )


def _take(reading: _Reading, kind: str, token: str) -> None:
    if kind == "stop":
        reading.end_clause()
    elif kind == "number":
        reading.numbers.add(token)
        reading.keep(token, WEIGHT["number"])
    elif kind == "identifier":
        name = token.removesuffix("()").removeprefix("self.").removeprefix("this.").rsplit("/", 1)[-1]
        reading.identifiers.add(name)
        reading.keep(name.casefold(), WEIGHT["identifier"])
    else:
        _take_word(reading, token.casefold())


def _take_word(reading: _Reading, word: str) -> None:
    if word in NUMBERS:
        _take(reading, "number", str(NUMBERS[word]))
        return
    if word in CLAUSE:
        reading.end_clause()
    if word.endswith("n't") or word in DENYING:
        reading.denials += 1
        if word not in {"lacks", "lack", "missing"}:
            return
    if word in ORDERING:
        reading.turns.append((word, len(reading.row)))
        return
    if word in POLES:
        reading.poles.add(POLES[word])
    if word not in SMALL and word not in DENYING:
        reading.keep(stem_of(word), WEIGHT["word"])


def stem_of(word: str) -> str:
    """The word without a common ending; short words stay whole."""
    word = word.split("'", 1)[0]
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word.removesuffix(ending)
            break
    if len(word) > 3 and word.endswith("ie"):
        word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    if len(word) > 4 and word.endswith("i"):
        word = f"{word[:-1]}y"
    return word[:-1] if len(word) > 3 and word.endswith("e") else word
