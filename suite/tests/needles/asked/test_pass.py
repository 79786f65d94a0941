"""A pass over a needle sends the code itself, and says so where it cannot be made again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from collections_app.models import Fact, LanguageModel
from probes.tests.sweeps.provider import provider, says
from probes.tests.sweeps.sweeping import lines, registered
from suite.models import Attempt, Score
from suite.needles.selectors import tries
from suite.tests.asking.passing import begun, hunts, worked
from suite.tests.needles.given import kept
from suite.work import current_versions


def answers(served: str, question: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Finds what raises a LookupError in a loop, as a reader of the code would."""
    head, found, _ = question.partition("raise LookupError")
    return says(head.rpartition("def ")[2].partition("(")[0] if found else "I have no idea.")


def holding(base: str, *windows: int) -> list[LanguageModel]:
    """A model for each context window; 0 for one of which none is known."""
    models = registered(base, models=len(windows))
    for model, window in zip(models, windows, strict=True):
        if window:
            Fact.objects.create(language_model=model, field="context_window", value=window, source="operator")
    return models


def test_the_code_is_sent_and_the_function_found_in_it(installed: Path) -> None:
    with provider(answers) as one:
        models = holding(one.base, 10_000)
        _, job = begun(models, [kept(installed)])
        job = worked(job)
    assert (job.state, job.note) == ("done", "1 answered")
    assert [(row.found, row.of) for row in Score.objects.all()] == [(1, 1)]
    assert [(row.tokens, row.depth, row.found) for row in tries()] == [(4_000, 0.5, True)]


def test_code_that_changed_is_an_error_with_why_and_nobody_is_asked(installed: Path) -> None:
    with provider(answers) as one:
        models = holding(one.base, 10_000)
        kept(installed)
        _, job = begun(models, hunts(1))  # all there are
        (installed / "part_000.py").write_text("")
        job = worked(job)
    assert [question for _, question in one.asked] == ["Hunt 1."]
    told = dict(Attempt.objects.values_list("version__task__shape", "outcome"))
    assert told == {"needle": "error", "seeded": "answered"}
    assert "not that of" in Attempt.objects.get(outcome="error").detail
    assert any("not that of" in line for line in lines(job))
    assert (job.done, job.total) == (2, 2)


def test_who_is_not_known_to_hold_it_is_not_asked(installed: Path) -> None:
    with provider(answers) as one:
        _, job = begun(holding(one.base, 10_000, 5_000, 0), [kept(installed)])
        job = worked(job)
    assert [served for served, _ in one.asked] == ["c1/m1"]
    assert job.note == "2 not asked, 1 answered"
    assert list(Attempt.objects.filter(outcome="").order_by("id").values_list("detail", flat=True)) == [
        "its context window is 5,000 tokens and 9,096 are needed",
        "its context window is not known",
    ]


def test_a_needle_is_never_asked_by_itself(installed: Path) -> None:
    kept(installed)
    assert [version.task.slug for version in (hunts(1), current_versions())[1]] == ["hunt-1"]
