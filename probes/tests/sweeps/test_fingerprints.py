"""Looks at models as a job: what is asked, kept and told."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from collections_app.actions.changed import do_count_evidence_again
from collections_app.models import Alert, LanguageModel
from gateway.canon.kinds import AlertKind, JobState
from probes.health.looks import QUESTIONS
from probes.models import Fingerprint, Job, ProbeSample
from probes.tests.sweeps.provider import NAMES, Provider, fails, provider, says
from probes.tests.sweeps.sweeping import NOW, again, lines, registered, swept

ONE = {"number": "427", "word": "Blorvin", "name": "Elias Thorne", "cutoff": "2024-06", "habit": "1. Apple"}
TWO = {"number": "73", "word": "Zanto", "name": "Mara Voss", "cutoff": "2023-10", "habit": "- Fig"}
Reply = tuple[int, dict[str, Any]]


def asked(text: str) -> str:
    """Which of a look's questions it is."""
    return next(one.name for one in QUESTIONS if one.ask.turns[0].text == text)


def answers(voice: Callable[[str], dict[str, str]], tokens: Callable[[str], int]) -> Callable[..., Reply]:
    """`voice` and `tokens` say who answers as a served name, and what it counts."""

    def answer(served: str, text: str, body: dict[str, Any]) -> Reply:
        status, reply = says(voice(served)[asked(text)], model=served)
        reply["usage"]["prompt_tokens"] = tokens(served) + len(text) // 4
        return status, reply

    return answer


def day(number: int) -> datetime:
    return NOW + timedelta(days=number)


def looks(one: Provider, days: range) -> list[Job]:
    return [swept("fingerprints", day(number)) for number in days]


def test_a_steady_model_is_looked_at_with_five_calls_a_day_and_raises_no_alarm() -> None:
    with provider(answers(lambda served: ONE, lambda served: 9)) as one:
        registered(one.base, models=2)
        jobs = looks(one, range(4))
    assert len(one.asked) == 4 * 2 * 5
    assert {text for _, text in one.asked} & set(NAMES) == set()
    assert {body["temperature"] for body in one.bodies} == {0.0}
    assert jobs[-1].note == "2 of 2 models looked at, 0 changed"
    rows = Fingerprint.objects.filter(language_model__alias="c1-m1").order_by("at")
    assert list(rows.values_list("distance", "changed", "served_as")) == [(None, False, "c1/m1")] * 3 + [
        (0.0, False, "c1/m1")
    ]
    assert ProbeSample.objects.filter(kind="fingerprint", answered=True).count() == 40
    assert not Alert.objects.exists()


def test_another_model_under_the_name_is_told_and_its_verdicts_set_aside() -> None:
    mask: dict[str, Any] = {"c1/m1": (ONE, 9), "c1/m2": (ONE, 9)}
    with provider(answers(lambda served: mask[served][0], lambda served: mask[served][1])) as one:
        registered(one.base, models=2)
        looks(one, range(3))
        mask["c1/m1"] = (TWO, 14)
        one.asked.clear()
        (job,) = looks(one, range(3, 4))
        assert len(one.asked) == 15  # the other one's look, and two at this
        after = looks(one, range(4, 8))
    assert job.note == "2 of 2 models looked at, 1 changed"
    assert lines(job) == ["c1-m1: unlike before; looked at again", "c1-m1: another model answers under this name"]
    alert = Alert.objects.get()
    assert (alert.raiser, alert.kind, alert.language_model.alias) == ("fingerprint", AlertKind.CHANGED, "c1-m1")  # type: ignore[union-attr]
    assert "number was 427, is 73" in alert.message
    assert "tokens was" in alert.message
    model = LanguageModel.objects.get(alias="c1-m1")
    assert model.evidence_since == day(3)
    assert Fingerprint.objects.filter(changed=True).count() == 1
    assert (Fingerprint.objects.get(changed=True).distance or 0) > 0.7
    # What it is now is what it is compared with from then on.
    assert [later.note for later in after] == ["2 of 2 models looked at, 0 changed"] * 4
    do_count_evidence_again(actor=None, alias="c1-m1")
    assert not Alert.objects.exists()


def test_one_odd_look_raises_no_alarm() -> None:
    seen: list[str] = []

    def voice(served: str) -> dict[str, str]:
        seen.append(served)
        return TWO if 15 < len(seen) <= 20 else ONE

    with provider(answers(voice, lambda served: 9)) as one:
        registered(one.base, models=1)
        jobs = looks(one, range(4))
    assert lines(jobs[3]) == ["c1-m1: unlike before; looked at again"]
    assert jobs[3].note == "1 of 1 models looked at, 0 changed"
    assert not Alert.objects.exists()
    assert LanguageModel.objects.get().evidence_since is None


def test_a_look_that_fails_is_given_up_at_once_and_not_kept() -> None:
    def answer(served: str, text: str, body: dict[str, Any]) -> Reply:
        return fails(500, "overloaded") if served == "c1/m1" else says(ONE[asked(text)])

    with provider(answer) as one:
        registered(one.base, models=2)
        job = swept("fingerprints")
    assert [served for served, _ in one.asked] == ["c1/m1"] + ["c1/m2"] * 5
    assert lines(job) == ["c1-m1, number: capacity: 500: overloaded"]
    assert job.note == "1 of 2 models looked at, 0 changed"
    assert Fingerprint.objects.count() == 1


def test_a_sweep_that_is_taken_up_again_makes_no_look_twice_and_still_makes_the_second() -> None:
    mask: dict[str, Any] = {"who": ONE}
    with provider(answers(lambda served: mask["who"], lambda served: 9 if mask["who"] is ONE else 14)) as one:
        registered(one.base, models=1)
        looks(one, range(3))
        mask["who"] = TWO
        job = swept("fingerprints", day(3))
        # As if it had ended between the two looks.
        last = Fingerprint.objects.get(changed=True)
        ProbeSample.objects.filter(
            pk__in=ProbeSample.objects.filter(job=job).order_by("-pk").values_list("pk", flat=True)[:5]
        ).delete()
        last.delete()
        Alert.objects.all().delete()
        LanguageModel.objects.update(evidence_since=None)
        Job.objects.filter(pk=job.pk).update(state=JobState.QUEUED)
        one.asked.clear()
        job = again(job, day(3))
    assert len(one.asked) == 5
    assert job.note == "1 of 1 models looked at, 1 changed"
    assert Alert.objects.count() == 1
