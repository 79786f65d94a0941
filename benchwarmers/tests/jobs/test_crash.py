"""Worker, beat and Valkey are killed while jobs run: each job ends exactly once, and no finished step is repeated."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchwarmers.tests.up.prepared import prepare
from benchwarmers.tests.up.running import ROOT, Running, environment, free_port, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("crash")]
SETTINGS = {"DJANGO_SETTINGS_MODULE": "benchwarmers.tests.jobs.crash_settings"}
ASK = """
import json, sys
from django.utils import timezone
from probes.jobs.store import enqueue
for key, lane in json.loads({keys!r}):
    assert enqueue("crash", key, now=timezone.now(), lane=lane, payload={{"folder": {folder!r}}})
"""


class Bench:
    """A running installation with the kind of work that tests hold."""

    def __init__(self, home: Path) -> None:
        self.home, port = home, free_port()
        prepare(home)
        self.environment = environment(home, port, measured=False) | SETTINGS
        self.run = Running(home, port, measured=False, extra=SETTINGS)
        self.run.wait_until_whole()

    def ask(self, folder: Path, *jobs: tuple[str, str]) -> None:
        """Jobs in the queue: (key, lane)."""
        self.do(ASK.format(keys=json.dumps(jobs), folder=str(folder)))

    def do(self, program: str) -> None:
        """Run a program in this installation."""
        done = subprocess.run(
            [sys.executable, "manage.py", "shell", "-v", "0", "-c", program],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr

    def rows(self, question: str, *values: str) -> list[tuple[Any, ...]]:
        with sqlite3.connect(self.home / "benchwarmers.sqlite3", timeout=10) as database:
            return database.execute(question, values).fetchall()

    def ends(self, folder: Path) -> dict[str, str]:
        """State by key, of the jobs of a test."""
        return dict(self.rows("SELECT key, state FROM probes_job WHERE payload LIKE ?", f"%{folder}%"))

    def kill(self, name: str) -> None:
        """Without warning, and wait until another is there."""
        before = self.run.children()[name]
        before.kill()
        wait_for(lambda: self.run.children().get(name, before).pid != before.pid, 15, self.run)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    running = Bench(tmp_path_factory.mktemp("jobs"))
    yield running
    running.run.end()


MISSED = """
from datetime import timedelta
from django.utils import timezone
from collections_app.models import Setting
from probes.models import Slot
Setting.objects.filter(id=1).update(scheduler="log-only")
Slot.objects.update_or_create(kind="catalog", defaults={"counted_to": timezone.now() - timedelta(days=3)})
"""


def began(folder: Path) -> list[str]:
    file = folder / "began"
    return file.read_text().splitlines() if file.exists() else []


def test_a_killed_worker_s_jobs_are_taken_up_at_once_where_they_stood(bench: Bench, tmp_path: Path) -> None:
    jobs = [("a", "hive"), ("b", "quay"), ("c", "hive")]
    bench.ask(tmp_path, *jobs)
    wait_for(lambda: {"a two", "b two"} <= set(began(tmp_path)), 15, bench.run)
    assert bench.ends(tmp_path) == {"a": "running", "b": "running", "c": "queued"}
    bench.kill("worker")
    wait_for(lambda: began(tmp_path).count("a two") == 2 and began(tmp_path).count("b two") == 2, 8, bench.run)
    (tmp_path / "go").touch()
    wait_for(lambda: set(bench.ends(tmp_path).values()) == {"done"}, 15, bench.run)
    once = [f"{key} {step}" for key in "abc" for step in ("one", "two", "three")]
    assert sorted(began(tmp_path)) == sorted([*once, "a two", "b two"])
    assert bench.rows("SELECT attempts FROM probes_job WHERE payload LIKE ?", f"%{tmp_path}%") == [(1,)] * 3


def test_jobs_go_on_while_beat_and_valkey_are_killed_and_none_is_done_twice(bench: Bench, tmp_path: Path) -> None:
    bench.ask(tmp_path, ("d", "hive"), ("e", "hive"), ("f", ""))
    wait_for(lambda: {"d two", "f two"} <= set(began(tmp_path)), 15, bench.run)
    bench.kill("beat")
    bench.kill("valkey")
    bench.ask(tmp_path, ("g", "quay"))
    (tmp_path / "go").touch()
    wait_for(lambda: set(bench.ends(tmp_path).values()) == {"done"}, 30, bench.run)
    assert sorted(began(tmp_path)) == sorted(f"{key} {step}" for key in "defg" for step in ("one", "two", "three"))


def test_a_worker_that_is_told_to_end_puts_its_jobs_back(bench: Bench, tmp_path: Path) -> None:
    bench.ask(tmp_path, ("h", "hive"))
    wait_for(lambda: "h two" in began(tmp_path), 15, bench.run)
    worker = bench.run.children()["worker"]
    worker.terminate()
    wait_for(lambda: began(tmp_path).count("h two") == 2, 15, bench.run)
    (tmp_path / "go").touch()
    wait_for(lambda: bench.ends(tmp_path) == {"h": "done"}, 15, bench.run)
    assert began(tmp_path) == ["h one", "h two", "h two", "h three"]
    assert "did not stop in time" not in bench.run.output


def test_what_was_missed_is_made_up_once_when_a_worker_starts(bench: Bench, tmp_path: Path) -> None:
    scheduled = "SELECT kind, state, note FROM probes_job WHERE slot IS NOT NULL"
    assert bench.rows(scheduled) == []
    bench.do(MISSED)
    bench.kill("worker")
    wait_for(lambda: bool(bench.rows(scheduled)), 12, bench.run)
    bench.kill("worker")
    bench.ask(tmp_path, ("i", ""))
    (tmp_path / "go").touch()
    wait_for(lambda: bench.ends(tmp_path) == {"i": "done"}, 15, bench.run)
    ((kind, state, note),) = bench.rows(scheduled)
    assert (kind, state) == ("catalog", "skipped")
    assert note.startswith("would run Catalog, due ")
    assert note.endswith(", catching up")
