"""Claims as text: their normal form, and whether two of them say the same. Pure.

Two sentences are the same claim when their weighted words overlap enough and nothing speaks against it: other numbers,
other identifiers, an opposite, a negation of something else, or a before and after the other way round. A wrong "the
same" would judge a seat for what it never said, so doubt means no.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from collections_app.claim_words import Sentence, read_sentence

LONGEST_CLAIM = 400
MOST_CLAIMS = 20
LONGEST_NOTE = 500
ALIKE = 0.62
"""From this similarity on, two claims are suggested to be one."""

_BULK_TO_CONTAIN = 3.0
_HALF = 0.5


def collapse(text: str, longest: int) -> str:
    """White space collapsed, control characters left out, cut at `longest` characters."""
    # White space first, for some of it is made of control characters; and again, for one may have stood between two.
    plain = "".join(sign for sign in " ".join(text.split()) if unicodedata.category(sign) not in {"Cc", "Cs"})
    return " ".join(plain.split())[:longest].strip()


def tidy_claims(claims: Iterable[str] | None) -> list[str]:
    """Each claim once and in normal form, at most twenty of them."""
    kept = (collapse(claim, LONGEST_CLAIM) for claim in claims or ())
    return list(dict.fromkeys(claim for claim in kept if claim))[:MOST_CLAIMS]


@lru_cache(maxsize=8192)
def read(text: str) -> Sentence:
    """The words of a claim; read once, since each is compared with many."""
    return read_sentence(text)


def similarity(one: str, other: str) -> float:
    """How much two claims say the same: 0 (other things, or the opposite) to 1."""
    a, b = read(one), read(other)
    if not a.weights or not b.weights:
        return float(one.casefold() == other.casefold())
    return 0.0 if contradict(a, b) else _overlap(a, b)


def is_same(one: str, other: str) -> bool:
    """True when the two should be suggested as one claim."""
    return similarity(one, other) >= ALIKE


def contradict(a: Sentence, b: Sentence) -> bool:
    """True when the two cannot be one claim however alike their words are."""
    return (
        _differ(a.numbers, b.numbers)
        or _differ(a.identifiers, b.identifiers)
        or bool(a.poles & {-pole for pole in b.poles} - (b.poles | {-pole for pole in a.poles}))
        or _deny_otherwise(a, b)
        or _turned_round(a, b)
    )


def _differ(mine: frozenset[str], other: frozenset[str]) -> bool:
    """Both name some and have none in common."""
    return bool(mine and other) and not mine & other


def _deny_otherwise(a: Sentence, b: Sentence) -> bool:
    """One denies what the other says, or they deny different things. A denial of what the other does not speak of only
    adds to it.
    """
    if a.denied and b.denied:
        return len(a.denied & b.denied) < _HALF * min(len(a.denied), len(b.denied))
    denied, says = (a.denied, b.weights.keys()) if a.denied else (b.denied, a.weights.keys())
    return bool(denied) and len(denied & says) >= _HALF * len(denied)


def _turned_round(a: Sentence, b: Sentence) -> bool:
    """What comes before in one comes after in the other."""
    for (first, second), (third, fourth) in (
        (a.order[word], b.order[word]) for word in a.order.keys() & b.order.keys()
    ):
        if len(first & fourth) + len(second & third) > len(first & third) + len(second & fourth):
            return True
    return False


def _overlap(a: Sentence, b: Sentence) -> float:
    """What they share of all words. When one only adds to the other, half of it is how much of the shorter one the
    longer one has; words exchanged for others may be what matters.
    """
    shared = sum(min(weight, b.weights[word]) for word, weight in a.weights.items() if word in b.weights)
    bulk_a, bulk_b = sum(a.weights.values()), sum(b.weights.values())
    jaccard = shared / (bulk_a + bulk_b - shared)
    smaller = min(bulk_a, bulk_b)
    adds = a.weights.keys() <= b.weights.keys() or b.weights.keys() <= a.weights.keys()
    return (jaccard + shared / smaller) / 2 if adds and smaller >= _BULK_TO_CONTAIN else jaccard


def group_texts(texts: Sequence[str], fixed: Sequence[Sequence[str]] = ()) -> list[int]:
    """Which group each text falls into. The `fixed` groups are numbers 0 and on, and stay apart; new ones follow.

    A text joins the group whose every text is the same claim, the most alike first; so no chain of small differences
    leads from one claim to another.
    """
    groups: list[list[str]] = [list(group) for group in fixed]
    chosen: list[int] = []
    for text in texts:
        best, where = 0.0, -1
        for number, group in enumerate(groups):
            least = _least_alike(text, group, best)
            if least > best:
                best, where = least, number
        if where < 0:
            groups.append([])
            where = len(groups) - 1
        groups[where].append(text)
        chosen.append(where)
    return chosen


def _least_alike(text: str, group: Sequence[str], beaten: float) -> float:
    """The least similarity to any text of the group; 0 when that is not the same claim or beats nobody."""
    least = 1.0
    mine = read(text).weights.keys()
    for other in group:
        if other == text:
            continue
        if mine and mine.isdisjoint(read(other).weights):
            return 0.0
        least = min(least, similarity(text, other))
        if least < ALIKE or least <= beaten:
            return 0.0
    return least if group else 0.0
