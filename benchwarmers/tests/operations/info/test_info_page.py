"""The page about the installation: what it tells whom, its checks, and the text for a report."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client

from benchwarmers import seen
from benchwarmers.doctor import Finding
from benchwarmers.operations.info import views
from benchwarmers.operations.info.lent import load_lent
from benchwarmers.tests.dashboard.conftest import as_person, world
from benchwarmers.tests.dashboard.test_usage import text_of
from benchwarmers.version import version

__all__ = ["as_person", "world"]
As = Callable[[str], Client]


def test_everybody_reads_which_program_this_is(as_person: As) -> None:
    page = text_of(as_person("zoe"), "/info/")
    assert version().number in page
    assert "SQLite 3." in page or "PostgreSQL" in page
    assert "Models" in page
    assert all(one.name in page for one in load_lent())


@pytest.mark.parametrize(
    ("name", "processes", "folders"),
    [("zoe", False, False), ("ben", False, False), ("maya", True, False), ("boss", True, True)],
)
def test_processes_are_for_those_who_run_operations_and_folders_for_admins(
    as_person: As, name: str, processes: bool, folders: bool
) -> None:
    page = as_person(name).get("/info/").content.decode()
    assert ("Processes" in page) is processes
    assert (str(settings.BENCH.home) in page) is folders
    assert as_person(name).get("/info/checks/").status_code == (200 if folders else 403)


def test_processes_that_were_seen_are_told_with_how_long_ago(as_person: As) -> None:
    assert "No worker was seen" in text_of(as_person("maya"), "/info/")
    now = time.time()
    seen.note("host/7", now - 1, now)
    page = text_of(as_person("maya"), "/info/")
    assert "worker host/7" in page
    assert "beat" in page
    assert "No worker was seen" not in page


def test_the_text_for_a_report_names_nobody_and_no_place(as_person: As) -> None:
    seen.note("secret-host/7", 1.0, time.time())
    report = as_person("boss").get("/info/").context["report"]
    assert report.startswith(f"Benchwarmers {version().number}\n")
    assert "Endpoints: " in report
    for word in ("boss", "maya", str(settings.BENCH.home), "secret-host"):
        assert word not in report


def test_checks_put_what_is_wrong_first(as_person: As, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [Finding(True, "The clock is right."), Finding(False, "The <b>disk</b> is full.")]
    monkeypatch.setattr(views, "run_looks", lambda bench: iter(found))
    part = as_person("boss").get("/info/checks/", headers={"HX-Request": "true"}).content.decode()
    assert part.startswith("<p>1 thing wants attention.")
    assert part.index("&lt;b&gt;disk") < part.index("The clock")
    assert "<html" in as_person("boss").get("/info/checks/").content.decode()


def test_the_page_asks_the_database_little(as_person: As, django_assert_max_num_queries: Any) -> None:
    client = as_person("boss")
    with django_assert_max_num_queries(25):
        client.get("/info/")


def test_what_was_not_seen_for_long_is_forgotten_or_late() -> None:
    cache.delete(seen.KEY)
    seen.note("a/1", 0.0, 1_000.0)
    seen.note("b/2", 1_050.0, 1_060.0)
    told = {one.name: one for one in seen.load_seen(1_060.0) or []}
    assert (told["beat"].ago_s, told["a/1"].ago_s, told["a/1"].late, told["b/2"].late) == (10.0, 60.0, True, False)
    seen.note("b/2", None, 1_000.0 + seen.KEEP_S + 10)
    assert {one.name for one in seen.load_seen(1_910.0) or []} == {"beat", "b/2"}
