"""The claim map of one panel: each claim once, with the seats that made it. Pure.

Three kinds of sentences come in: those that people settled into groups, those that stand in verdicts, and lines of the
answers that could be claims. What is not settled is grouped by likeness, which is a suggestion until somebody says so.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from collections_app.claims import LONGEST_CLAIM, MOST_CLAIMS, collapse, group_texts, is_same

POINT = re.compile(r"^(?P<indent>\s{0,8})(?:[-*+•]|\d{1,3}[.)])\s+(?P<text>\S.*)$")
FENCE = re.compile(r"^\s*(?:```|~~~)")
LINK = re.compile(r"!?\[([^\[\]]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\)")
MARKS = re.compile(r"(\*\*|__|~~|\*(?=\S)|(?<=\S)\*|(?<!\w)_(?=\S)|(?<=\S)_(?!\w))")
TICK_BOX = re.compile(r"^\[[ xX]\]\s+")
FEWEST_WORDS = 3


@dataclass(frozen=True, slots=True)
class Wording:
    """One sentence of one seat. `group` is the settled claim it belongs to, None while it is only alike.
    `line` is True for a line of the answer that nobody has taken up yet.
    """

    call: str
    text: str
    group: int | None = None
    line: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim. Its wordings are in the order they came in; a seat can have several."""

    group: int | None
    text: str
    wordings: tuple[Wording, ...]

    @property
    def key(self) -> str:
        """Names the claim as it stands: another seat, another wording or another group makes another key."""
        said = [(one.call, one.text, one.group) for one in self.wordings]
        return hashlib.sha256(repr((self.group, said)).encode()).hexdigest()[:16]

    @property
    def calls(self) -> list[str]:
        """The seats that made it."""
        return list(dict.fromkeys(one.call for one in self.wordings))

    @property
    def settled(self) -> bool:
        """True when a person put all of it together."""
        return self.group is not None and all(one.group == self.group for one in self.wordings)

    @property
    def is_line(self) -> bool:
        """True while it stands in the answers alone."""
        return all(one.line for one in self.wordings)


def map_claims(
    settled: Sequence[tuple[int, str, Sequence[Wording]]], said: Iterable[Wording], lines: Iterable[Wording]
) -> list[Claim]:
    """Every claim of a panel: settled ones first, then what verdicts add, then lines of answers.

    :param settled: (group, text, wordings) of each group.
    :param said: sentences in verdicts; those that are settled already are passed over.
    :param lines: lines of answers; one that a seat has already said otherwise is passed over.
    """
    known = {(one.call, one.text) for _, _, wordings in settled for one in wordings}
    loose = list(dict.fromkeys(one for one in said if (one.call, one.text) not in known))
    known |= {(one.call, one.text) for one in loose}
    fresh = [one for one in dict.fromkeys(lines) if (one.call, one.text) not in known]
    fixed = [[one.text for one in wordings] for _, _, wordings in settled]
    groups: list[list[Wording]] = [list(wordings) for _, _, wordings in settled]
    for one, number in zip([*loose, *fresh], group_texts([one.text for one in [*loose, *fresh]], fixed), strict=True):
        if number == len(groups):
            groups.append([])
        if one.line and _has_said(groups[number], one):
            continue
        groups[number].append(one)
    heads: list[tuple[int | None, str]] = [(group, text) for group, text, _ in settled]
    heads += [(None, found[0].text) for found in groups[len(settled) :]]
    return [Claim(group, text, tuple(found)) for (group, text), found in zip(heads, groups, strict=True) if found]


def _has_said(group: Sequence[Wording], one: Wording) -> bool:
    return any(other.call == one.call for other in group)


def read_points(answer: str) -> list[str]:
    """Bulleted and numbered lines of an answer as plain sentences: no code blocks, no marks, no headings, at most
    twenty, each of three words at least and said once.
    """
    found: list[str] = []
    fenced = False
    for line in answer.splitlines():
        if FENCE.match(line):
            fenced = not fenced
        point = None if fenced else POINT.match(line)
        if point is None:
            continue
        text = collapse(plain(point["text"]), LONGEST_CLAIM)
        if len(text.split()) < FEWEST_WORDS or text.endswith(":") or any(is_same(text, other) for other in found):
            continue
        found.append(text)
        if len(found) == MOST_CLAIMS:
            break
    return found


def plain(text: str) -> str:
    """A line of markdown without its marks; what stands in code stays as it is."""
    parts = re.split(r"(`[^`]*`)", TICK_BOX.sub("", text))
    return "".join(part.strip("`") if part.startswith("`") else MARKS.sub("", LINK.sub(r"\1", part)) for part in parts)
