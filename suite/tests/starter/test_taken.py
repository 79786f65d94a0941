"""How the pack comes into an installation, and what it leaves alone there."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from suite.models import Task, TaskVersion
from suite.starter_pack import take_starter_pack
from suite.tests.starter.frozen import pack

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, tzinfo=UTC)
SLUG = "starter-claim-monkey"


def change(**fields: Any) -> None:
    """What the task's current version was before: other words, by this hand."""
    TaskVersion.objects.filter(task__slug=SLUG).update(digest="0" * 64, prompt="Otherwise?", **fields)


def prompt() -> str:
    return TaskVersion.objects.get(task__slug=SLUG, current=True).prompt


def test_a_new_installation_has_every_task_ready_to_be_asked() -> None:
    assert take_starter_pack(NOW) == len(pack())
    tasks = Task.objects.filter(origin="starter", draft=False, dropped=False)
    assert {task.slug for task in tasks} == set(pack())
    versions = TaskVersion.objects.filter(current=True).select_related("task")
    for version in versions:
        draft = pack()[version.task.slug]
        assert (version.digest, version.prompt, version.key) == (draft.digest, draft.prompt, draft.key)
        assert (version.task.pair, version.task.control, version.task.shape) == (draft.pair, draft.control, draft.shape)
    assert len(versions) == len(pack())


def test_a_second_start_changes_nothing_and_asks_little() -> None:
    take_starter_pack(NOW)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert take_starter_pack(NOW) == 0
    assert len(asked) == 2


def test_a_newer_pack_brings_its_words_and_keeps_the_older_version() -> None:
    take_starter_pack(NOW)
    change()
    assert take_starter_pack(NOW) == 1
    assert prompt() == pack()[SLUG].prompt
    assert TaskVersion.objects.filter(task__slug=SLUG, current=False).get().prompt == "Otherwise?"
    task = Task.objects.get(slug=SLUG)
    assert (task.draft, task.reviewed_by) == (False, "starter pack")


def test_what_an_operator_dropped_stays_dropped_and_as_it_was() -> None:
    take_starter_pack(NOW)
    change()
    Task.objects.filter(slug=SLUG).update(dropped=True)
    assert take_starter_pack(NOW) == 0
    assert prompt() == "Otherwise?"
    assert Task.objects.get(slug=SLUG).dropped


def test_what_an_operator_wrote_anew_is_not_overwritten() -> None:
    take_starter_pack(NOW)
    change(made_by="alice")
    assert take_starter_pack(NOW) == 0
    assert prompt() == "Otherwise?"


def test_the_command_finds_them_all_there() -> None:
    take_starter_pack(NOW)
    out = io.StringIO()
    call_command("load_suite", stdout=out)
    assert out.getvalue() == f"{len(pack())} tasks, 0 of them new or changed\n"
