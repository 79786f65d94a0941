"""Jobs from the queue to their end, with real listings and real calls."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from collections_app.models import Alert, Endpoint, LanguageModel
from gateway.models import Call
from probes.actions import do_retry_model
from probes.jobs import store
from probes.jobs.run import run_job
from probes.models import Job, ProbeSample, Served
from probes.tests.onboarding.scripted import Scripted


def model(served: str) -> LanguageModel:
    home = Endpoint.objects.get(name="den")
    return LanguageModel.objects.create(alias=served, served=served, endpoint=home)


def failed(row: LanguageModel, failure: str) -> None:
    sample(row, answered=False, failure=failure)


def sample(row: LanguageModel, **came: Any) -> None:
    at = timezone.now() - timedelta(hours=3)
    ProbeSample.objects.create(language_model=row, kind="availability", prompt="tiny", at=at, **came)


def done(job: Job | None) -> Job:
    assert job is not None
    run_job(job.pk)
    job.refresh_from_db()
    return job


def check() -> Job:
    return done(store.enqueue("served", "all", now=timezone.now()))


def test_what_is_gone_is_asked_once_more_over_the_wire_and_retired(provider: Scripted) -> None:
    for served in ("gone-1", "chats-1"):
        provider.models[served] = {"id": served}
        failed(model(served), "structural")
    provider.models["fine-1"] = {"id": "fine-1"}
    sample(model("fine-1"), answered=True)
    model("never-1")
    job = check()
    assert (job.state, job.step) == ("done", 3)
    assert provider.asked == {("gone-1", "tiny"): 1, ("chats-1", "tiny"): 1}
    assert provider.listed == 1
    rows = {row.alias: row for row in LanguageModel.objects.all()}
    assert rows["gone-1"].retired_by == "auto"
    assert rows["gone-1"].retired_why.endswith("(404: The model does not exist)")
    assert (rows["chats-1"].retired, rows["chats-1"].status) == (False, "healthy")
    assert set(Served.objects.values_list("served", flat=True)) == {"gone-1", "chats-1", "fine-1"}
    assert [alert.language_model for alert in Alert.objects.select_related("language_model")] == [rows["never-1"]]


def test_an_endpoint_that_is_closed_fails_the_check_and_loses_nobody(provider: Scripted) -> None:
    failed(model("gone-1"), "structural")
    provider.down = True
    job = check()
    assert (job.state, job.note) == ("failed", "no endpoint could be listed; nothing was decided")
    assert not LanguageModel.objects.get().retired
    assert provider.asked == {}


def test_asking_again_is_one_call_that_is_in_the_ledger(provider: Scripted) -> None:
    good, bad = model("chats-1"), model("gone-1")
    told = {row.alias: done(do_retry_model(actor=None, alias=row.alias)) for row in (good, bad)}
    assert told["chats-1"].state == "done"
    assert (told["gone-1"].state, told["gone-1"].note) == ("no answer", "structural: 404: The model does not exist")
    assert provider.asked == {("chats-1", "tiny"): 1, ("gone-1", "tiny"): 1}
    good.refresh_from_db()
    assert good.status == "healthy"
    assert list(ProbeSample.objects.values_list("language_model__alias", "kind")) == [("chats-1", "retry")]


def test_a_model_that_went_paid_is_never_called_not_even_by_hand(provider: Scripted) -> None:
    row = model("chats-1")
    job = do_retry_model(actor=None, alias=row.alias)
    LanguageModel.objects.update(went_paid_at=timezone.now())
    told = done(job)
    assert told.state == "no answer"
    assert told.note.startswith("entitlement: not sent: chats-1 costs money since")
    assert provider.asked == {}
    assert not Call.objects.filter(attempts__gt=0).exists()
