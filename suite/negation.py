"""Whether a sentence asserts something or rules it out. Pure, lexical, English.

A word that negates reaches to the end of its clause, and over an insertion between commas. Two of them cancel each
other. What comes after counts only where it says that the thing does not happen ("an acquire is never made").
"""

from __future__ import annotations

import re
from typing import Final

_SENTENCE: Final = re.compile(r"[.!?](?=\s|$)|\n")
_CLAUSE: Final = re.compile(
    r"[,;:()]|\s[-\u2013\u2014]+\s"
    r"|\b(?:but|however|although|though|yet|whereas|while|because|since|so)\b"
)
_AND: Final = re.compile(r"\b(?=(?:and|or|nor)\b)")
_NEGATION: Final = re.compile(
    r"\b(?:no|not|never|none|nobody|nothing|nowhere|neither|nor|without|zero|cannot|false|untrue|incorrect|disproved"
    r"|unlikely|impossible|fails? to|refuted|wrong that|rather than|instead of|lacks?|absent)\b|n['\u2019]t\b"
)
_NO_NEGATION: Final = re.compile(
    r"\bnot (?:only|just|merely|simply|bad|surprising(?:ly)?|uncommon(?:ly)?|to mention)\b"
    r"|\bno (?:doubt|wonder|question|surprise|fewer|less|more than|later|earlier|matter|problem)\b"
    r"|\b(?:cannot|can['\u2019]t|could not|couldn['\u2019]t) help but\b|\bnothing (?:but|other than)\b"
    r"|\bfalse (?:positive|alarm)s?\b|\bwithout (?:a )?(?:doubt|question|fail)\b|\bif not\b|\bwhy not\b"
    r"|\bnot sure (?:if|whether)\b"
)
_UNFINISHED: Final = re.compile(r"(?:\b(?:not|never|no|cannot|without|neither|nor)|n['\u2019]t)\s*$")
_AFTER: Final = re.compile(
    r"^[\w'`\"()\u2019-]*\s*(?:(?:is|are|was|were|has|have|had|does|do|did|will|would|can|could|gets?|ever)\s*)*"
    r"(?:(?:not|never|no longer)\b|n['\u2019]t\b)\s*(?:ever |actually |really |even |been |be )*"
    r"(?:call(?:ed)?|run|execut\w*|tak\w*|mak\w*|made|done|perform\w*|issu\w*|us(?:e|ed)|reach\w*|happen\w*|occur\w*"
    r"|exist\w*|present|there|involv\w*|true|the case|appear\w*)\b"
    r"|^[\w'`\"]*\s*(?:is|are|was|were)\s+(?:false|untrue|incorrect|wrong|absent|impossible|ruled out|disproved)\b"
    r"|^[\w'`\"]*\s*[:?]\s*(?:no|false|never|none|absent)\b"
)


def sentences(text: str) -> list[tuple[int, str]]:
    """(where it begins, sentence) of each, in order. A line ends a sentence."""
    found, begin = [], 0
    for end in _SENTENCE.finditer(text):
        found.append((begin, text[begin : end.start()]))
        begin = end.end()
    found.append((begin, text[begin:]))
    return [(place, sentence) for place, sentence in found if sentence.strip()]


def ruled_out(sentence: str, start: int, end: int) -> bool:
    """Whether the sentence rules out what stands in it from `start` to `end`."""
    before, after = sentence[:start], sentence[end:]
    reach = _NO_NEGATION.sub(lambda found: " " * len(found[0]), _reach(before))
    return _negated(reach) or _AFTER.match(after) is not None


def _negated(reach: str) -> bool:
    """By the last part of an enumeration that says something of its own: "no select and no insert" says no twice."""
    for part in reversed(_AND.split(reach)):
        if count := len(_NEGATION.findall(part)):
            return count % 2 == 1
    return False


def _reach(before: str) -> str:
    """The part of what comes before whose negations count: the clause itself, and the one before an insertion that it
    goes on after ("it does not, as far as I see, acquire")."""
    ends = [found.end() for found in _CLAUSE.finditer(before)]
    if not ends:
        return before
    own = before[ends[-1] :]
    earlier = before[: ends[-1]]
    starts = [0, *ends[:-1]]
    for begin in reversed(starts):
        clause = earlier[begin:]
        head = _CLAUSE.split(clause, maxsplit=1)[0]
        if _UNFINISHED.search(head):
            return f"{head} {own}"
    return own
