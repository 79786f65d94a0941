"""Panels whose process is gone."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

from gateway.engine.batch import write_records
from gateway.engine.recovery import INTERRUPTED, close_lost_panels
from gateway.models import Panel, Seat
from gateway.tests.engine.written import AT, done, make_rows, opened


def test_a_panel_of_a_dead_process_is_closed_and_what_it_had_stays(sqlite: Path) -> None:
    rows = make_rows(models=2)
    write_records([opened(rows, "gone", process="here/999999999"), done(rows, 1, "gone")])
    write_records([opened(rows, "namesake", process="here/77"), opened(rows, "elsewhere", process="there/1")])
    write_records([opened(rows, "alive", process="here/1")])
    assert close_lost_panels("here/77", AT) == 2
    states = dict(Panel.objects.values_list("id", "state"))
    assert states == {"gone": "interrupted", "namesake": "interrupted", "elsewhere": "running", "alive": "running"}
    assert list(Seat.objects.filter(panel="gone").values_list("status", "answer", "error")) == [
        ("ok", "Blue.", ""),
        ("error", "", INTERRUPTED),
    ]
    assert close_lost_panels("here/77", AT) == 0


def test_a_panel_that_runs_is_left_alone_until_it_is_older_than_any_can_be(sqlite: Path) -> None:
    write_records([opened(make_rows(), process=f"here/{os.getppid()}")])
    assert close_lost_panels("here/77", AT + timedelta(minutes=30)) == 0
    assert close_lost_panels("here/77", AT + timedelta(minutes=30, seconds=1)) == 1
    assert Panel.objects.get().finished_at == AT + timedelta(minutes=30, seconds=1)
