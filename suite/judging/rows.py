"""What a judge can be asked of stored answers, and what it said of them."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, zip_longest
from typing import Final

from collections_app.models import LanguageModel
from gateway.canon.kinds import AttemptOutcome, TaskShape
from gateway.canon.names import family_of
from suite.asking import key_of
from suite.judging.claims import SHAPES, Claim, claims
from suite.judging.measure import Corrected, Rates, correct, rates
from suite.models import Attempt, Judgement, JudgeTrial, Score

MOST_OF_ONE: Final = 8
"""Claims of one answer that are judged."""


def known_claims(judge: LanguageModel, most: int) -> list[tuple[int, str, bool]]:
    """(attempt, claim, truth) of claims whose truth is known and that this judge was not tried on yet; true and false
    ones by turns, as long as there are both."""
    had = set(JudgeTrial.objects.filter(language_model=judge).values_list("attempt_id", "claim"))
    by_truth: dict[bool, list[tuple[int, str, bool]]] = {True: [], False: []}
    for attempt, claim in _mixed(_claims_for(judge, SHAPES)):
        if claim.truth is not None and (attempt, claim.text) not in had:
            by_truth[claim.truth].append((attempt, claim.text, claim.truth))
    turns = chain.from_iterable(zip_longest(by_truth[False], by_truth[True]))
    return [one for one in turns if one is not None][:most]


def free_claims(judge: LanguageModel, most: int, aliases: Iterable[str] = ()) -> list[tuple[int, str]]:
    """(attempt, claim) of claims that no key covers and that this judge was not asked yet, a few of each answer."""
    had: dict[int, set[str]] = defaultdict(set)
    for attempt, text in Judgement.objects.filter(language_model=judge).values_list("attempt_id", "claim"):
        had[attempt].add(text)
    found: list[tuple[int, str]] = []
    taken = {attempt: len(texts) for attempt, texts in had.items()}
    for attempt, claim in _mixed(_claims_for(judge, (TaskShape.FINDING,), aliases)):
        if claim.truth is None and claim.text not in had[attempt] and taken.get(attempt, 0) < MOST_OF_ONE:
            taken[attempt] = taken.get(attempt, 0) + 1
            found.append((attempt, claim.text))
    return found[:most]


def rates_of(judge: LanguageModel) -> Rates:
    """The judge's error, on answers to keys that still hold."""
    rows = JudgeTrial.objects.filter(language_model=judge, at__isnull=False, attempt__version__current=True)
    return rates(rows.exclude(attempt__version__task__dropped=True).values_list("truth", "said"))


def judged(judge: LanguageModel) -> list[Corrected]:
    """What the judge's verdicts amount to, by the model that answered; nothing while it must not judge."""
    measured = rates_of(judge)
    if measured.why_not:
        return []
    answers: dict[str, dict[int, list[bool]]] = defaultdict(lambda: defaultdict(list))
    rows = Judgement.objects.filter(language_model=judge, said__isnull=False, attempt__version__current=True)
    rows = rows.exclude(attempt__version__task__dropped=True).order_by("attempt_id", "id")
    for alias, attempt, said in rows.values_list("attempt__language_model__alias", "attempt_id", "said"):
        answers[alias][attempt].append(bool(said))
    sums = {alias: [(sum(said), len(said)) for said in mine.values()] for alias, mine in sorted(answers.items())}
    found = (correct(alias, measured, mine) for alias, mine in sums.items())
    return [one for one in found if one is not None]


def _claims_for(
    judge: LanguageModel, shapes: Iterable[TaskShape], aliases: Iterable[str] = ()
) -> Iterator[tuple[int, Claim]]:
    """The claims of all answers that this judge may see: none of its own family's."""
    rows = Score.objects.filter(
        current=True,
        attempt__outcome=AttemptOutcome.ANSWERED,
        attempt__version__current=True,
        attempt__version__task__draft=False,
        attempt__version__task__dropped=False,
        attempt__version__task__shape__in=list(shapes),
    )
    if wanted := list(aliases):
        rows = rows.filter(attempt__language_model__alias__in=wanted)
    own = family_of(judge.served)
    rows = rows.select_related("attempt__language_model", "attempt__version__task").order_by("attempt_id")
    for row in rows.iterator(chunk_size=500):
        attempt: Attempt = row.attempt
        if family_of(attempt.language_model.served) == own or attempt.language_model_id == judge.pk:
            continue
        shape = TaskShape(attempt.version.task.shape)
        for claim in claims(key_of(attempt.version), shape, row.steps, attempt.answer):
            yield attempt.pk, claim


def _mixed(found: Iterable[tuple[int, Claim]]) -> list[tuple[int, Claim]]:
    """In an order that depends on nothing but the claims themselves, so that a part of them is a fair sample."""
    return sorted(found, key=lambda one: hashlib.sha256(f"{one[0]} {one[1].text}".encode()).digest())
