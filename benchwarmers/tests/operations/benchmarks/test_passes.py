"""A pass is told what it costs before it begins, and leads to its job."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from benchwarmers.tests.dashboard.test_usage import text_of
from benchwarmers.tests.operations.benchmarks.given import NOW, add_claim, add_pair, answer
from collections_app.models import LanguageModel
from gateway.canon.kinds import ModelRole
from probes.models import Job
from suite.models import Attempt, SuitePass

As = Callable[[str], Client]
PASSES = "/benchmarks/passes/"


@pytest.fixture(autouse=True)
def given(world: None) -> None:
    add_pair()
    add_claim()
    add_claim("a-draft", reviewed=False)


@pytest.mark.parametrize(("name", "status"), [("maya", 200), ("boss", 200), ("ben", 403), ("zoe", 403)])
def test_only_who_runs_the_suite_begins_passes(as_person: As, name: str, status: int) -> None:
    assert as_person(name).get(PASSES).status_code == status


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("", "0 calls 0 models × 3 tasks × 1 Choose the models to ask."),
        ("?model=wren", "3 calls 1 model × 3 tasks × 1"),
        ("?model=wren&model=osprey&shape=seeded&repetitions=5", "20 calls 2 models × 2 tasks × 5"),
        ("?model=wren&task=a-draft", "1 call 1 model × 1 task × 1"),
        ("?model=wren&model=nobody&model=wren", "3 calls 1 model × 3 tasks × 1"),
        ("?model=wren&language=go", "0 calls 1 model × 0 tasks × 1 No task fits."),
        ("?model=wren&repetitions=-1", "0 calls 1 model × 3 tasks × 0"),
    ],
)
def test_the_calls_are_counted_before(as_person: As, query: str, told: str) -> None:
    assert told in text_of(as_person("maya"), PASSES + query)


def test_what_it_costs_is_told_by_what_was_paid_before(as_person: As) -> None:
    claim = add_claim()
    answer({"wren": "VERDICT: TRUE"}, claim, cost=20_000_000)
    answer({"wren": "VERDICT: TRUE"}, claim, cost=40_000_000)
    client = as_person("maya")
    assert "About $0.18, by what earlier answers cost." in text_of(client, f"{PASSES}?model=wren&repetitions=2")
    assert "osprey has no answer with a known cost" in text_of(client, f"{PASSES}?model=wren&model=osprey")


def test_a_pass_that_is_too_large_has_no_button(as_person: As, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchwarmers.operations.benchmarks.pass_form.MOST_CALLS", 2)
    told = text_of(as_person("maya"), f"{PASSES}?model=wren")
    assert "One pass makes at most 2 calls." in told
    assert "Make 3 calls" not in told


def test_who_cannot_be_asked_is_not_offered(as_person: As) -> None:
    LanguageModel.objects.filter(alias="wren").update(retired_at=NOW)
    LanguageModel.objects.filter(alias="osprey").update(role=ModelRole.IMAGE)
    offered = {model.alias for model in as_person("maya").get(PASSES).context["models"]}
    assert not offered & {"wren", "osprey"}
    assert "warmup-one" in offered


def test_a_pass_begins_and_leads_to_its_job(as_person: As) -> None:
    client = as_person("maya")
    page = client.get(f"{PASSES}?model=wren&model=osprey&shape=seeded&repetitions=2&note=a+try")
    fields: dict[str, list[str]] = {}
    for name, value in page.context["wanted"].fields:
        fields.setdefault(name, []).append(value)
    answer = client.post(PASSES, fields)
    job = Job.objects.get(kind="suite-pass")
    assert answer.headers["Location"] == f"/jobs/{job.pk}/"
    assert (Attempt.objects.count(), SuitePass.objects.get().note) == (8, "a try")
    told = text_of(client, PASSES)
    assert "a try maya manual 0 of 8 0 not yet" in told
    assert f'href="/jobs/{job.pk}/"' in client.get(PASSES).content.decode()


def test_a_pass_that_is_refused_says_why(as_person: As) -> None:
    told = as_person("maya").post(PASSES, {"model": "wren", "repetitions": "99"})
    assert told.status_code == 422
    assert "Repetitions are from 1 to 20." in told.content.decode()
    assert not SuitePass.objects.exists()


def test_a_script_is_given_the_sum_alone(as_person: As) -> None:
    reply = as_person("maya").get(f"{PASSES}?model=wren", headers={"HX-Request": "true"}).content.decode()
    assert reply.startswith('<section id="pass-plan"')
    assert "Make 3 calls" in reply
