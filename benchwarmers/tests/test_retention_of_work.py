"""What was asked and answered goes after its days, and so do probes; verdicts, evidence and what is known stay."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session

from collections_app.actions.setting import do_save_settings
from collections_app.models import Change, ClaimGroup, ClaimSeat, Evidence, Setting, Standing, Verdict
from collections_app.standings_store import rebuild_standings
from gateway.engine.batch import write_records
from gateway.models import Conversation, Panel, Seat, Shadow, Turn
from gateway.tests.engine.written import make_rows, opened, work
from probes.jobs.run import run_job
from probes.models import Fingerprint, Job, JobLine, ProbeSample
from probes.retention import every_rule
from probes.tests.jobs.given import Clock, asked

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def without_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("probes.retention.time.sleep", lambda seconds: None)


def fill() -> None:
    """A panel with verdicts and a claim, and a conversation with its turn and shadow, on each of twenty days."""
    rows = make_rows()
    for day in range(20):
        at, panel, talk = NOW - timedelta(days=day, hours=1), f"p{day}", f"r{day}"
        write_records([opened(rows, panel, at=at), work(rows, call=f"{panel}.member1", at=at)])
        Verdict.objects.create(call=f"{panel}.member1", judge=rows.alice, judge_name="alice", useful=True, at=at)
        ClaimSeat.objects.create(
            group=ClaimGroup.objects.create(panel=panel, text="It leaks.", by="alice", at=at), call=panel, text="It"
        )
        told: dict[str, Any] = {"alias": "m1", "at": at, "status": "ok", "number": 1}
        Conversation.objects.create(id=talk, caller="ci", started_at=at - timedelta(days=30), last_at=at)
        Turn.objects.create(conversation_id=talk, call=f"{talk}.1", **told)
        Shadow.objects.create(conversation_id=talk, call=f"{talk}.s1", member="m2", **told)


def run(clock: Clock | None = None) -> Job:
    job = asked("retention", "all")
    run_job(job.pk, clock or Clock(NOW))
    job.refresh_from_db()
    return job


def counts() -> list[int]:
    return [each.objects.count() for each in (Panel, Seat, ClaimGroup, ClaimSeat, Conversation, Turn, Shadow)]


def test_panels_and_conversations_go_with_what_was_said_and_their_record_stays() -> None:
    fill()
    rebuild_standings()
    stood = list(Standing.objects.order_by("pk").values_list("offloads", flat=True))
    do_save_settings(actor=None, work_days=10)
    job = run()
    assert (job.state, job.note) == ("done", "18 rows deleted")
    assert (job.done, job.total) == (18, 18)
    assert list(JobLine.objects.values_list("text", flat=True)) == ["panels: 9 rows", "conversations: 9 rows"]
    assert counts() == [11, 33, 11, 11, 11, 11, 11]
    assert set(Panel.objects.values_list("pk", flat=True)) == {f"p{day}" for day in range(11)}
    assert (Verdict.objects.count(), Evidence.objects.count()) == (20, 20)
    rebuild_standings()
    assert list(Standing.objects.order_by("pk").values_list("offloads", flat=True)) == stood
    told = Change.objects.filter(thing="retention").values_list("name", "old")
    assert set(told) == {("panels", 9), ("conversations", 9)}
    assert run().note == "nothing was too old"


def test_a_conversation_that_goes_on_is_as_old_as_its_last_turn() -> None:
    fill()
    Conversation.objects.filter(pk="r19").update(last_at=NOW)
    do_save_settings(actor=None, work_days=10)
    run()
    assert Turn.objects.filter(conversation="r19").exists()


def test_it_stops_when_asked_and_goes_on_with_what_is_left() -> None:
    fill()
    do_save_settings(actor=None, work_days=10)
    job = asked("retention", "all")
    Job.objects.filter(pk=job.pk).update(stop_asked=True)
    run_job(job.pk, Clock(NOW))
    job.refresh_from_db()
    assert (job.state, Panel.objects.count()) == ("skipped", 20)
    assert run().note == "18 rows deleted"


def test_probes_go_but_for_the_last_of_each_kind() -> None:
    rows = make_rows(models=2)
    old = NOW - timedelta(days=90)
    for model, ages in zip(rows.models, ((0, 80, 90, 95), (85, 90)), strict=True):
        for age in ages:
            at = NOW - timedelta(days=age)
            asked_so: dict[str, Any] = {"language_model": model, "kind": "availability", "at": at}
            ProbeSample.objects.create(**asked_so, prompt="tiny", answered=True)
            Fingerprint.objects.create(language_model=model, at=at)
    ProbeSample.objects.create(language_model=rows.models[0], kind="speed", prompt="large", at=old, answered=True)
    ProbeSample.objects.create(language_model=rows.models[0], kind="speed", prompt="large", at=old, answered=False)
    do_save_settings(actor=None, sample_days=70)
    run()
    left = ProbeSample.objects.order_by("language_model", "at", "answered")
    told = [(one.language_model.alias, (NOW - one.at).days, one.answered) for one in left]
    assert told == [("m1", 90, False), ("m1", 90, True), ("m1", 0, True), ("m2", 85, True)]
    assert [(NOW - one.at).days for one in Fingerprint.objects.order_by("at")] == [85, 0]


def test_sessions_that_are_over_go_whatever_the_settings_say() -> None:
    for name, hours in (("past", -1), ("open", 1)):
        Session.objects.create(session_key=name, session_data="", expire_date=NOW + timedelta(hours=hours))
    assert run().note == "1 rows deleted"
    assert Session.objects.get().session_key == "open"
    assert not Change.objects.filter(thing="retention").exists()


def test_every_table_that_grows_has_a_rule_and_each_is_walked_by_an_index() -> None:
    do_save_settings(actor=None, ledger_days=400, work_days=400, sample_days=400, log_days=400)
    rules = every_rule(Setting.load(), NOW)
    assert {rule.thing for rule in rules} == {
        *("sessions", "ledger", "panels", "conversations", "change log", "readings", "jobs", "samples", "looks"),
    }
    for rule in rules:
        meta = rule.rows.model._meta
        named = "id" if rule.by == "pk" else rule.by
        firsts = {index.fields[0].lstrip("-") for index in meta.indexes} | {meta.pk.name}
        assert meta.get_field(named).db_index or named in firsts, rule.thing
