"""Claims that people judged, as tasks: the files that were shown, and the claim as a hypothesis about them. Pure.

Whoever judged a panel's answers said which claims hold and which are false. Each is a question with a known answer
then, about the files as they were. A claim that people disagree about has no known answer and is passed over.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from gateway.canon.kinds import TaskShape
from suite.drafts import Draft

BIG: Final = 40_000
"""Characters of files from which on small models fail on the length instead of the question."""
_HEADER: Final = re.compile(r"^=====[ \t]+(?:FILE:[ \t]*)?(\S.*)$", re.M)
_CLOSING: Final = " ====="
_DOCUMENT: Final = re.compile(r"^\[document: [^\]\n]+\]$", re.M)
_PROMPT: Final = (
    "Somebody says this of the code below:\n\n{claim}\n\n"
    "It may be so or not. Decide whether it is true of the code exactly as it is shown, with the language and its "
    "standard library as they are. Answer in plain ASCII. The first line is exactly `VERDICT: TRUE` or exactly "
    "`VERDICT: FALSE`. After it quote the lines that decide it, and explain in at most five sentences."
)


class NothingToMine(Exception):
    """No task can be made of the panel; the text says what is missing."""


class Said(Struct, frozen=True):
    """One claim of one verdict: the seat's call, its words, whether the judge says that it holds, and who judged."""

    call: str
    text: str
    holds: bool
    judge: str = ""


class Group(Struct, frozen=True):
    """Wordings that people settled to be one claim: the words that stand for it, and (call, text) of each."""

    text: str
    wordings: frozenset[tuple[str, str]]


class Mined(Struct, frozen=True):
    """`drafts` in order; `disputed` claims were passed over; `size` characters of files are in each."""

    drafts: list[Draft]
    disputed: list[str]
    size: int

    @property
    def big(self) -> bool:
        return self.size > BIG


def files_in(prompt: str) -> list[dict[str, str]]:
    """The `===== name` sections of a prompt as {name, text}, under names that are safe for files. A second section of
    the same name is numbered."""
    marks = list(_HEADER.finditer(prompt))
    ends = [*(mark.start() for mark in marks[1:]), len(prompt)][: len(marks)]
    found: dict[str, str] = {}
    many: Counter[str] = Counter()
    for mark, end in zip(marks, ends, strict=True):
        said = " ".join(mark[1].split()).removesuffix(_CLOSING)
        name = re.sub(r"[^\w./-]+", "-", said).strip("-./") or "part"
        name = name if "." in name.rpartition("/")[2] else f"{name}.txt"
        stem, dot, ending = name.rpartition(".")
        first = name
        many[first] += 1
        while name in found:
            many[first] += 1
            name = f"{stem}-{many[first] - 1}{dot}{ending}"
        found[name] = prompt[mark.end() : end].strip("\n") + "\n"
    return [{"name": name, "text": text} for name, text in found.items() if text.strip()]


def claims_in(said: Iterable[Said], groups: Sequence[Group]) -> tuple[list[tuple[str, bool, list[Said]]], list[str]]:
    """(claims as (words, whether it holds, who said so), those that people disagree about). Words in other case, and
    wordings of one group, are one claim."""
    settled = {wording: number for number, group in enumerate(groups) for wording in group.wordings}
    words = {group.text.lower(): number for number, group in enumerate(groups)}
    words |= {text.lower(): number for (_, text), number in settled.items()}
    found: dict[int | str, list[Said]] = {}
    for one in said:
        lower = one.text.lower()
        found.setdefault(settled.get((one.call, one.text), words.get(lower, lower)), []).append(one)
    claims, disputed = [], []
    for key, ones in found.items():
        text = groups[key].text if isinstance(key, int) else ones[0].text
        if len({one.holds for one in ones}) > 1:
            disputed.append(text)
        else:
            claims.append((text, ones[0].holds, ones))
    return claims, disputed


def claim_key(*, holds: bool) -> dict[str, Any]:
    """The key of a claim: what the first line must say."""
    right, wrong = ({"regex": rf"^verdict\W{{0,4}}\s*{word}\b", "label": f"verdict: {word}"} for word in _words(holds))
    return {"must_find": [right], "must_not_claim": [wrong], "score_in": "first_line", "min_answer_chars": 10}


def _words(holds: bool) -> tuple[str, str]:
    return ("true", "false") if holds else ("false", "true")


def mine(panel: str, prompt: str, said: Iterable[Said], groups: Sequence[Group], aliases: Mapping[str, str]) -> Mined:
    """The drafts of a panel. `aliases` tells who answered each call.

    :raises NothingToMine: it shows no files, or nobody judged a claim that all agree on.
    """
    files = files_in(prompt)
    if not files:
        kept = "; of the documents that came with it only the size was kept" if _DOCUMENT.search(prompt) else ""
        raise NothingToMine(f"{panel}: its prompt has no `===== name` sections{kept}, so there is nothing to show.")
    claims, disputed = claims_in(said, groups)
    if not claims:
        why = f"people disagree about all {len(disputed)} of its claims" if disputed else "no verdict on it has claims"
        raise NothingToMine(f"{panel}: {why}.")
    size = sum(len(file["text"]) for file in files)
    drafts = [
        Draft(
            slug=f"mined-{panel[:60]}-{number}",
            title=f"A claim that {'holds' if holds else 'is false'}, of {files[0]['name']}"[:200],
            shape=TaskShape.CLAIM,
            prompt=_PROMPT.format(claim=text),
            key=claim_key(holds=holds),
            attachments=files,
            why=_why(holds, ones, aliases),
            origin="mined",
            source=panel,
        )
        for number, (text, holds, ones) in enumerate(claims, 1)
    ]
    return Mined(drafts, disputed, size)


def _why(holds: bool, ones: Sequence[Said], aliases: Mapping[str, str]) -> str:
    judges = ", ".join(dict.fromkeys(one.judge or "somebody" for one in ones))
    seats = ", ".join(dict.fromkeys(f"{one.call} ({aliases.get(one.call, 'unknown')})" for one in ones))
    return (
        f"{'TRUE' if holds else 'FALSE'}: so judged by {judges}; claimed in {seats}. Accept it when these files alone "
        "settle it, and its words neither name a model nor give the answer away."
    )
