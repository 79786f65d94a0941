"""Panels that nobody runs any more are closed by the schedule."""

import os
import socket
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from django_celery_beat.models import PeriodicTask

from benchwarmers.celery import app
from gateway.engine.records import CallBegun
from gateway.engine.trail import FOLDER, Trail
from gateway.engine.trail_lines import line_of
from gateway.models import Call, Panel, Seat
from probes.tasks import sweep_panels

pytestmark = pytest.mark.django_db


def open_panel(name: str, process: str, minutes_ago: int = 0) -> Panel:
    now = timezone.now()
    panel = Panel.objects.create(
        id=name,
        caller="local",
        collection_name="core",
        protocol="openai_chat",
        shape="general",
        shape_by="set on the collection",
        process=process,
        started_at=now - timedelta(minutes=minutes_ago),
    )
    seat = {"panel": panel, "label": "member", "alias": "alpha"}
    Seat.objects.create(call=f"{name}.member1", place=1, status="ok", answer="done", finished_at=now, **seat)
    Seat.objects.create(call=f"{name}.member2", place=2, status="asked", **seat)
    return panel


def test_the_schedule_has_the_sweep() -> None:
    row = PeriodicTask.objects.get(task=sweep_panels.name)
    assert row.task in app.tasks
    assert row.enabled
    assert row.queue == "quick"


def test_a_panel_of_a_dead_process_is_interrupted_and_what_had_finished_stays() -> None:
    open_panel("p1", f"{socket.gethostname()}/{2**22 + 1}")

    assert sweep_panels.run() == 1

    assert Panel.objects.get(id="p1").state == "interrupted"
    done, lost = Seat.objects.filter(panel="p1").order_by("place")
    assert (done.status, done.answer) == ("ok", "done")
    assert (lost.status, lost.finished_at is not None) == ("error", True)


def test_a_panel_of_a_living_process_is_left_alone() -> None:
    open_panel("p1", f"{socket.gethostname()}/{os.getppid()}")
    open_panel("p2", "another-host/17")

    assert sweep_panels.run() == 0
    assert set(Panel.objects.values_list("state", flat=True)) == {"running"}


def test_a_panel_older_than_any_panel_can_be_is_interrupted_wherever_it_ran() -> None:
    open_panel("p1", "another-host/17", minutes_ago=31)

    assert sweep_panels.run() == 1


def test_the_sweep_takes_up_what_a_dead_process_left(settings: Any, tmp_path: Path) -> None:
    settings.BENCH = replace(settings.BENCH, home=tmp_path)
    told = CallBegun(
        timezone.now(), "", None, "m1", "anthill", "anthill", "m1", None, None, "ci", "core", "", None, "r1", 1
    )
    trail = Trail(tmp_path / FOLDER)
    trail.note(line_of(told))
    sweep_panels()
    assert not Call.objects.exists()  # its process lives
    assert trail._page is not None
    trail._page.close()
    os.close(trail._file)
    sweep_panels()
    assert Call.objects.get().request == "r1"
