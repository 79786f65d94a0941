"""What people do with tasks and passes, and what the change log says of it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User

from collections_app.models import Change, LanguageModel
from collections_app.refusal import NotAllowed, Refused
from collections_app.tests.world import World, make_world
from gateway.canon.kinds import ModelRole, TaskShape
from probes.models import Job
from suite.actions import Edit, do_accept_tasks, do_begin_pass, do_drop_tasks, do_edit_task
from suite.drafts import Draft, bug_key
from suite.models import Attempt, SuitePass, Task, TaskVersion
from suite.store import keep_task

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 6, 1, tzinfo=UTC)
FILES = [{"name": "a.py", "text": "1 | x\r\n2 | y"}]
DRAFT = Draft("bug", "A bug", TaskShape.SEEDED, "find it", bug_key((2,)), FILES, why="As it was.")


@pytest.fixture(autouse=True)
def world() -> World:
    made = make_world()
    keep_task(DRAFT, by="maya", now=NOW)
    return made


def task() -> Task:
    return Task.objects.get(slug="bug")


def log() -> list[tuple[str, str, str, Any, Any]]:
    told = Change.objects.filter(thing__in=("task", "suite pass")).order_by("id")
    return list(told.values_list("thing", "name", "field", "old", "new"))


def edit(**fields: Any) -> Edit:
    said = {"title": "A bug", "prompt": "find it", "key": msgspec.json.encode(bug_key((2,))).decode()}
    return Edit(**{**said, "why": "As it was.", "files": ("1 | x\n2 | y",), **fields})


def test_a_draft_is_accepted_by_somebody_once(world: World) -> None:
    do_accept_tasks(actor=world.alice, tasks=[task()], now=NOW)
    do_accept_tasks(actor=world.alice, tasks=[task()], now=NOW)
    assert (task().draft, task().reviewed_by, task().reviewed_at) == (False, "alice", NOW)
    assert log() == [("task", "bug", "draft", True, False)]


def test_a_task_is_dropped_and_brought_back(world: World) -> None:
    do_drop_tasks(actor=world.alice, tasks=[task()], now=NOW)
    with pytest.raises(Refused, match="bug was dropped"):
        do_accept_tasks(actor=world.alice, tasks=[task()], now=NOW)
    do_drop_tasks(actor=world.alice, tasks=[task()], now=NOW, dropped=False)
    assert not task().dropped
    assert [row[2:] for row in log()] == [("dropped", False, True), ("dropped", True, False)]


def test_both_halves_of_a_pair_are_accepted_or_neither(world: World) -> None:
    keep_task(msgspec.structs.replace(DRAFT, slug="control"), by="maya", now=NOW)
    do_drop_tasks(actor=None, tasks=[Task.objects.get(slug="control")], now=NOW)
    with pytest.raises(Refused):
        do_accept_tasks(actor=world.alice, tasks=list(Task.objects.all()), now=NOW)
    assert task().draft


@pytest.mark.parametrize(
    ("fields", "renewed"),
    [
        ({}, False),
        ({"prompt": "find it well"}, True),
        ({"key": msgspec.json.encode(bug_key((1, 2))).decode()}, True),
        ({"files": ("1 | x\n2 | z",)}, True),
        ({"title": "Another", "why": "Seen.", "created_on": "2026-05-01", "source_url": "https://a.example"}, False),
    ],
    ids=["nothing", "the prompt", "the key", "a file", "what is sent to nobody"],
)
def test_only_what_is_asked_or_its_key_makes_a_version(world: World, fields: dict[str, Any], renewed: bool) -> None:
    assert do_edit_task(actor=world.alice, task=task(), edit=edit(**fields), now=NOW) is renewed
    assert TaskVersion.objects.count() == 1 + renewed
    assert bool(log()) == bool(fields)
    current = task().versions.get(current=True)
    assert current.made_by == ("alice" if renewed else "maya")
    assert current.why == fields.get("why", "As it was.")


def test_an_edit_is_written_in_words(world: World) -> None:
    do_edit_task(actor=world.alice, task=task(), edit=edit(title="Another", created_on="2026-05-01"), now=NOW)
    assert (task().title, task().created_on) == ("Another", date(2026, 5, 1))
    assert [row[2:] for row in log()] == [("title", "A bug", "Another"), ("created_on", None, "2026-05-01")]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", " "),
        ("prompt", ""),
        ("key", "{"),
        ("key", "[]"),
        ("key", "{}"),
        ("key", '{"must_find": [{"regex": "("}]}'),
        ("source_url", "javascript:alert(1)"),
        ("created_on", "yesterday"),
        ("files", ("one", "two")),
    ],
)
def test_an_edit_that_cannot_be_is_refused_at_its_field(world: World, field: str, value: Any) -> None:
    with pytest.raises(Refused) as refused:
        do_edit_task(actor=world.alice, task=task(), edit=edit(**{field: value}), now=NOW)
    assert [at for at, _ in refused.value.problems] == [field]
    assert not log()


def begin(actor: User | None, *aliases: str, **fields: Any) -> tuple[SuitePass, Job]:
    models = list(LanguageModel.objects.filter(alias__in=aliases).order_by("alias"))
    return do_begin_pass(actor=actor, models=models, versions=list(TaskVersion.objects.all()), now=NOW, **fields)


def test_a_pass_makes_its_attempts_and_a_job(world: World) -> None:
    one, job = begin(world.alice, "fast", "slow", repetitions=3, note="a try")
    assert (one.kind, one.by, one.note, Attempt.objects.count()) == ("manual", "alice", "a try", 6)
    assert (job.kind, job.payload, job.by) == ("suite-pass", {"pass": one.pk}, "alice")
    assert log() == [("suite pass", str(one.pk), "", None, {"calls": 6, "models": ["fast", "slow"]})]


@pytest.mark.parametrize(
    ("aliases", "fields", "told"),
    [
        ((), {}, "Choose at least one model"),
        (("fast",), {"repetitions": 0}, "Repetitions are from 1"),
        (("fast",), {"repetitions": 21}, "Repetitions are from 1"),
        (("fast",), {"timeout_s": 0.0}, "time limit"),
    ],
)
def test_a_pass_that_cannot_be_is_refused(aliases: tuple[str, ...], fields: dict[str, Any], told: str) -> None:
    with pytest.raises(Refused, match=told):
        begin(None, *aliases, **fields)
    assert not SuitePass.objects.exists()


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"retired_at": NOW}, "is retired"),
        ({"role": ModelRole.IMAGE}, "does not chat"),
        ({"went_paid_at": NOW}, "costs money now"),
    ],
)
def test_who_cannot_be_asked_is_refused_by_name(fields: dict[str, Any], told: str) -> None:
    LanguageModel.objects.filter(alias="fast").update(**fields)
    with pytest.raises(Refused, match=f"fast {told}"):
        begin(None, "fast", "slow")


def test_a_pass_of_too_many_calls_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("suite.actions.MOST_CALLS", 5)
    with pytest.raises(Refused, match="6 calls; one pass makes at most 5"):
        begin(None, "fast", "slow", repetitions=3)


def test_callers_do_none_of_it(world: World) -> None:
    with pytest.raises(NotAllowed):
        do_accept_tasks(actor=world.bob, tasks=[task()], now=NOW)
    with pytest.raises(NotAllowed):
        do_drop_tasks(actor=world.bob, tasks=[task()], now=NOW)
    with pytest.raises(NotAllowed):
        do_edit_task(actor=world.bob, task=task(), edit=edit(), now=NOW)
    with pytest.raises(NotAllowed):
        begin(world.bob, "fast")
