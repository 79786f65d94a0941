"""One model taken on, from its listing to its grade, against a provider that answers by script."""

from __future__ import annotations

from typing import Any

import pytest

from collections_app.models import Change, Endpoint, Fact, LanguageModel
from gateway.canon.kinds import ModelStatus
from gateway.models import Call
from probes.health.store_status import note_sample
from probes.models import OnboardingIssue, ProbeSample
from probes.onboarding import steps
from probes.onboarding.alias import alias_for
from probes.onboarding.items import Item
from probes.onboarding.queue import do_onboard
from probes.side import side
from probes.tests.jobs.given import NOW
from probes.tests.onboarding.scripted import Scripted
from probes.tests.onboarding.taken import asked, lines, taken, worked

RICH = {
    "id": "maker/chats-1",
    "architecture": {"input_modalities": ["text", "image"], "output_modalities": ["text"]},
    "supported_parameters": ["tools", "structured_outputs", "reasoning"],
    "context_length": 200_000,
}


def test_a_model_that_answers_is_registered_graded_and_what_it_can_do_is_kept(provider: Scripted) -> None:
    provider.models = {"maker/chats-1": RICH}
    job = taken("maker/chats-1", mode="full")
    assert (job.state, job.step) == ("done", 5)
    assert job.note.startswith("answered 4/4 in 0.")
    assert job.note.endswith("s; follows instructions; calls tools; sees pictures; keeps to a JSON schema; reasons")
    asked = {"tiny": 2, "large": 2, "instruct": 1, "tools": 1, "image": 1, "schema": 1, "reasoning": 1}
    assert provider.questions_to("maker/chats-1") == asked
    model = LanguageModel.objects.get(alias="chats-1")
    assert (model.served, model.endpoint.name, model.ad_hoc) == ("maker/chats-1", "den", False)
    assert model.status == ModelStatus.HEALTHY
    proven = dict(Fact.objects.filter(language_model=model, source="probe").values_list("field", "value"))
    assert proven == dict.fromkeys(("tools", "vision", "structured_output", "reasoning"), True)
    samples = ProbeSample.objects.filter(language_model=model)
    assert {(sample.kind, sample.job_id) for sample in samples} == {("onboarding", job.pk)}
    assert [line for line in lines(job) if line.startswith("[")] == [
        "[1/5] Is it served?",
        "[2/5] A place on the bench",
        "[3/5] What is known of it",
        "[4/5] Does it answer, and what can it do?",
        "[5/5] The suite",
    ]
    assert "the suite has no task that it has not answered" in lines(job)


def test_every_question_is_in_the_ledger(provider: Scripted) -> None:
    provider.models = {"maker/chats-1": RICH}
    taken("maker/chats-1")
    side().close()  # writes what is left
    calls = Call.objects.filter(alias="chats-1")
    assert calls.count() == 9
    assert {call.purpose for call in calls} == {"probe"}


def test_a_model_that_claims_nothing_is_asked_no_special_questions(provider: Scripted) -> None:
    provider.models = {"chats-2": {"id": "chats-2"}}
    job = taken("chats-2")
    assert provider.questions_to("chats-2") == {"tiny": 2, "large": 2, "instruct": 1, "tools": 1}
    assert job.note.endswith("follows instructions; calls tools")


def test_a_free_model_is_asked_each_plain_question_once(provider: Scripted) -> None:
    provider.models = {"chats-3:free": {"id": "chats-3:free"}}
    assert taken("chats-3:free").note.startswith("answered 2/2")
    assert provider.questions_to("chats-3:free") == {"tiny": 1, "large": 1, "instruct": 1, "tools": 1}
    assert LanguageModel.objects.get().alias == "chats-3-free"


def test_a_small_window_is_not_asked_the_large_question(provider: Scripted) -> None:
    provider.models = {"chats-4": {"id": "chats-4", "context_length": 4_096}}
    assert taken("chats-4").note.startswith("answered 2/2")
    assert "large" not in provider.questions_to("chats-4")


def test_a_weak_model_is_taken_on_and_proves_nothing(provider: Scripted) -> None:
    provider.models = {"weak-1": {"id": "weak-1"}}
    job = taken("weak-1")
    assert job.state == "done"
    assert job.note.endswith("does not follow instructions; calls no tool")
    assert not Fact.objects.filter(source="probe").exists()


@pytest.mark.parametrize(
    ("served", "failure", "asked", "label"),
    [
        ("gone-1", "structural", {"tiny": 1}, "The provider knows no such model"),
        ("unpaid-1", "entitlement", {"tiny": 1}, "The account may not call it"),
        ("refused-1", "signin", {"tiny": 1}, "The key is refused"),
        ("busy-1", "capacity", {"tiny": 2, "large": 2}, "Busy, or out of quota"),
        ("empty-1", "empty", {"tiny": 2, "large": 2}, "Empty replies"),
    ],
)
def test_a_model_that_says_nothing_stays_registered_with_an_issue(
    provider: Scripted, served: str, failure: str, asked: dict[str, int], label: str
) -> None:
    provider.models = {served: {"id": served}}
    job = taken(served)
    assert job.state == "no answer"
    assert job.note.startswith(f"{label}: ")
    assert provider.questions_to(served) == asked
    issue = OnboardingIssue.objects.get(language_model__alias=served)
    assert (issue.failure, issue.step, issue.job_id) == (failure, "probed", job.pk)
    assert not issue.language_model.retired


def test_what_went_wrong_is_settled_by_the_first_answer_whoever_asks(provider: Scripted) -> None:
    provider.models = {"busy-1": {"id": "busy-1"}}
    taken("busy-1")
    model = OnboardingIssue.objects.get().language_model
    sample = ProbeSample(language_model=model, kind="availability", prompt="large", at=NOW, answered=False)
    note_sample(model, sample, NOW)
    assert OnboardingIssue.objects.exists()
    sample.answered = True
    note_sample(model, sample, NOW)
    assert not OnboardingIssue.objects.exists()


def test_an_alias_that_is_taken_at_the_same_moment_is_derived_anew(
    provider: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.models = {"chats-1": {"id": "chats-1"}}
    stolen: list[str] = []

    def derive(*words: Any, **more: Any) -> str:
        alias = alias_for(*words, **more)
        if not stolen:
            stolen.append(alias)
            LanguageModel.objects.create(alias=alias, served="another", endpoint=Endpoint.objects.get())
        return alias

    monkeypatch.setattr(steps, "alias_for", derive)
    assert taken("chats-1").state == "done"
    assert dict(LanguageModel.objects.values_list("alias", "served")) == {
        "chats-1": "another",
        "chats-1-den": "chats-1",
    }


def test_quick_and_ad_hoc_leave_the_suite_alone_and_show_alike_in_the_change_log(provider: Scripted) -> None:
    provider.models = {name: {"id": name} for name in ("chats-a", "chats-b", "chats-c")}
    for name, mode in (("chats-a", "full"), ("chats-b", "quick"), ("chats-c", "quick-adhoc")):
        taken(name, mode=mode)
    marks = Change.objects.filter(field="onboarded").order_by("id").values_list("name", "new")
    assert list(marks) == [("chats-a", "full"), ("chats-b", "quick"), ("chats-c", "quick-adhoc")]
    assert dict(LanguageModel.objects.values_list("alias", "ad_hoc")) == {
        "chats-a": False,
        "chats-b": False,
        "chats-c": True,
    }


def test_the_same_served_name_on_a_second_endpoint_is_a_second_model(provider: Scripted) -> None:
    provider.models = {"chats-1": {"id": "chats-1"}}
    Endpoint.objects.create(name="attic", base=provider.base, kind="local")
    taken("chats-1")
    worked(asked("chats-1", endpoint="attic")[0])
    assert dict(LanguageModel.objects.values_list("alias", "endpoint__name")) == {
        "chats-1": "den",
        "chats-1-attic": "attic",
    }


def test_what_is_not_listed_is_refused_with_what_sounds_like_it(provider: Scripted) -> None:
    provider.models = {name: {"id": name} for name in ("maker/chats-9", "other/thing")}
    job = taken("chats-8")
    assert job.state == "failed"
    assert job.note == "den does not list chats-8; it lists maker/chats-9"
    assert not LanguageModel.objects.exists()


def test_an_endpoint_that_is_away_fails_the_job_and_registers_nothing(provider: Scripted) -> None:
    provider.down = True
    job = taken("chats-1")
    assert job.state == "failed"
    assert "closed for the night" in job.note
    assert not LanguageModel.objects.exists()


@pytest.mark.parametrize("outputs", [["image"], None])
def test_a_model_that_makes_pictures_gets_its_role_and_no_question(
    provider: Scripted, outputs: list[str] | None
) -> None:
    told = {"architecture": {"input_modalities": ["text"], "output_modalities": outputs}} if outputs else {}
    name = "maker/painter" if outputs else "maker/flux-dev"
    provider.models = {name: {"id": name, **told}}
    job = taken(name, mode="full")
    assert (job.state, job.step) == ("done", 3)
    assert LanguageModel.objects.get().role == "image"
    assert not provider.asked


def test_an_alias_that_was_asked_for_is_the_models_also_where_none_can_be_derived(provider: Scripted) -> None:
    provider.models = {name: {**RICH, "id": name} for name in ("模型", "maker/chats-1")}
    for served, alias in (("模型", "great-model"), ("maker/chats-1", "chatty")):
        (job,) = do_onboard(actor=None, items=[Item("den", served, "quick", alias)], now=NOW)
        assert worked(job).state == "done"
        assert LanguageModel.objects.get(served=served).alias == alias
