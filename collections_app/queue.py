"""Which missing verdict would move the seating most. Pure; another way of weighing can be handed to `in_order`.

A verdict on a model that was rarely judged in this collection and shape says most. Members count more than explorers,
since they sit in every panel. Fresh work counts more than old work, and a seat more where people disagree about the
others: there its verdict decides. A failed seat comes last; its failure is known without a verdict.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

KIND = {"member": 1.0, "explorer": 0.7, "merger": 0.5}
FADES_DAYS = 14.0
FAILED = 0.001
SPLIT_ADDS = 0.5


@dataclass(frozen=True, slots=True)
class Waiting:
    """One seat without a verdict of the person who is asked.

    `judged` counts the judged answers of its model in this collection and shape, `age_days` the days since it was
    asked; `useful` and `not_useful` are what people said of the panel's other seats; `failed` is True for an error.
    """

    call: str
    kind: str
    judged: int
    age_days: float
    useful: int = 0
    not_useful: int = 0
    failed: bool = False


AnyWaiting = TypeVar("AnyWaiting", bound=Waiting)


def weigh(one: Waiting) -> float:
    """How much this verdict would move; more is more."""
    news = 1 / math.sqrt(1 + one.judged)
    fresh = math.pow(0.5, max(one.age_days, 0.0) / FADES_DAYS)
    return news * KIND.get(one.kind, 1.0) * fresh * (1 + SPLIT_ADDS * _split(one)) * (FAILED if one.failed else 1.0)


def in_order(waiting: Iterable[AnyWaiting], by: Callable[[Waiting], float] = weigh) -> Sequence[AnyWaiting]:
    """The one that moves most first; of equal ones the newest, and of those as they came."""
    return sorted(waiting, key=lambda one: (-round(by(one), 6), one.age_days))


def tell_why(one: Waiting) -> str:
    """Why it is asked for, in a few words."""
    if one.failed:
        return _("failed; nothing but the record needs it")
    news = _("never judged here")
    if one.judged:
        news = ngettext("judged %(count)d time here", "judged %(count)d times here", one.judged) % {"count": one.judged}
    return _("%(news)s, people disagree about the others") % {"news": news} if _split(one) else news


def _split(one: Waiting) -> float:
    """0 when people agree about the other seats, 1 when they are evenly split."""
    said = one.useful + one.not_useful
    return 4 * one.useful * one.not_useful / said**2 if said else 0.0
