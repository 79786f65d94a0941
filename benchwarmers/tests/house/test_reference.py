"""The reference pages are what the code says, and leave nothing out."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest
from django.core.management import get_commands
from django_celery_beat.models import PeriodicTask

from benchwarmers.rights.table import OUTSIDE, ROWS
from benchwarmers.tests.house.reference import commands, fields, routes
from benchwarmers.tests.house.reference.pages import PAGES
from benchwarmers.tests.house.tree import ROOT, files, name, text_files
from benchwarmers.tests.rights.routes import walk
from gateway.api import routing
from gateway.canon.ask import BenchField
from gateway.engine.panel_fields import PanelField
from gateway.wire.gemini.path import EMBEDS
from probes.jobs.kinds import KINDS
from probes.providers import PRESETS


def on_disk(place: str) -> str:
    return (ROOT / place).read_text("utf-8")


@pytest.mark.django_db
@pytest.mark.parametrize("place", PAGES)
def test_a_page_of_the_reference_is_as_it_would_be_made_now(place: str) -> None:
    stale = "run: python -m benchwarmers.tests.house.reference"
    assert on_disk(place) == PAGES[place](), stale


def test_every_page_of_the_folder_is_made() -> None:
    assert {name(path) for path in files() if name(path).startswith("docs/reference/")} <= set(PAGES)


def test_every_route_is_told() -> None:
    told = on_disk("docs/reference/routes.md")
    found = {routes.spelt(one.pattern) for one in walk() if not one.regular and not one.of_admin}
    assert found
    missing = {path for path in found | set(OUTSIDE) if f"{path}`" not in told and f"{path.rstrip('/')}`" not in told}
    assert missing == set()
    assert {one.name for one in walk() if not one.of_admin} - set(ROWS) == set()


def test_every_path_that_asks_models_is_told() -> None:
    told = {path.removeprefix("/v1") for path in routes.ASKED}
    known = set(routing._ASKING) | set(routing._COUNTED) | set(routing._EMBEDDED)
    assert known | set(routing._OLLAMA) | set(routing._EMBEDDED_OLLAMA) <= told
    assert all(any(path.endswith(f":{verb}") for path in told) for verb in EMBEDS)


def test_every_command_is_told() -> None:
    written = {path.stem for path in files() if path.match("*/management/commands/*.py") and path.stem != "__init__"}
    assert written
    assert written == set(commands.names())
    assert all(f"\n## {command}\n" in on_disk("docs/reference/commands.md") for command in written)


@pytest.mark.django_db
def test_every_kind_of_job_and_every_row_of_the_schedule_is_told() -> None:
    told = on_disk("docs/reference/jobs.md")
    assert all(f"| `{kind}` |" in told for kind in KINDS)
    rows = PeriodicTask.objects.exclude(task__startswith="celery.")
    assert all(row.description in told for row in rows)


def test_every_field_of_the_bench_object_and_every_provider_is_told() -> None:
    told = on_disk("docs/reference/fields.md")
    for kind in (BenchField, PanelField):
        assert all(f"| {row[0]} |" in told for row in fields.rows(kind))
    assert all(f"| `{preset}` |" in on_disk("docs/providers.md") for preset in PRESETS)


def test_no_page_names_a_place_of_this_machine() -> None:
    for place in PAGES:
        assert str(ROOT) not in on_disk(place)
        assert str(Path(importlib.__file__).parent) not in on_disk(place)


@pytest.mark.parametrize("page", [path for path in text_files() if path.suffix == ".md"], ids=name)
def test_a_page_names_no_command_and_no_target_that_is_not_there(page: Path) -> None:
    text = page.read_text("utf-8")
    assert set(re.findall(r"manage\.py ([a-z_]+)", text)) - set(get_commands()) == set()
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)", text)) - targets == set()
