"""The backup that is made by itself: once a day, a few are kept, and a failure is told."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from benchwarmers.backup.nightly import ask_for_backup
from benchwarmers.backup.refused import Refused
from benchwarmers.backup.restore import check, restore
from benchwarmers.backup.upgrade import keep_before_upgrade
from benchwarmers.env import Environment
from benchwarmers.env_backup import Backups, read_backups
from benchwarmers.env_values import BadSetting
from benchwarmers.tests.backup.conftest import Made
from benchwarmers.tests.upgrade.little import NOW
from collections_app.models import Alert
from gateway.canon.kinds import JobState
from probes.jobs.run import run_job
from probes.models import Job
from probes.tests.jobs.given import Clock

pytestmark = pytest.mark.xdist_group("postgres")


@pytest.fixture
def folder(made: Made, on_sqlite: Path, bench: Environment, quickly: None, settings: Any, tmp_path: Path) -> Path:
    """Where backups go, of an installation that has everything."""
    restore(made.archive, bench, NOW)
    Job.objects.all().delete()
    Alert.objects.all().delete()
    settings.BENCH = replace(bench, backups=Backups(folder=tmp_path / "kept", keep=2))
    return tmp_path / "kept"


def run(clock: Clock) -> Job:
    """Ask, and work on what was asked for."""
    assert ask_for_backup(clock())
    job = Job.objects.latest("pk")
    run_job(job.pk, clock=clock)
    job.refresh_from_db()
    return job


def test_there_is_one_a_day_and_as_many_are_kept_as_wanted(folder: Path) -> None:
    clock = Clock(NOW)
    first = run(clock)
    assert (first.kind, first.state, first.note) == ("backup", JobState.DONE, "benchwarmers-20261130-120000.zip")
    assert not ask_for_backup(clock.pass_by(hours=1))
    for _ in range(2):
        clock.pass_by(hours=24)
        last = run(clock)
    assert last.note == "benchwarmers-20261202-130000.zip, and 1 old ones removed"
    kept = sorted(path.name for path in folder.iterdir())
    assert kept == ["benchwarmers-20261201-130000.zip", "benchwarmers-20261202-130000.zip"]
    assert check(folder / kept[-1]).rows > 2_000


def test_one_that_fails_is_told_tried_again_after_an_hour_and_then_settled(folder: Path) -> None:
    clock = Clock(NOW)
    folder.write_text("this is no folder")
    job = run(clock)
    assert job.state == JobState.FAILED
    assert "cannot be used: File exists" in job.note
    (alert,) = Alert.objects.all()
    assert (alert.kind, alert.raiser) == ("backup", "backup")
    assert alert.message.startswith(f"There is no backup of today: The folder {folder} cannot be used")
    folder.unlink()
    clock.pass_by(hours=1)
    assert run(clock).state == JobState.DONE
    assert not Alert.objects.exists()


def test_without_a_folder_there_is_none_and_nobody_is_told(folder: Path, settings: Any) -> None:
    folder.write_text("this is no folder")
    run(Clock(NOW))
    settings.BENCH = replace(settings.BENCH, backups=Backups())
    assert not ask_for_backup(NOW + timedelta(days=2))
    assert not Alert.objects.exists()


def test_everything_is_kept_before_an_upgrade_and_three_of_those(folder: Path, bench: Environment) -> None:
    for hour in range(4):
        path = keep_before_upgrade(bench, NOW + timedelta(hours=hour))
    assert path is not None
    assert check(path).rows > 2_000
    assert path.parent == bench.home / "backups"
    assert len(list(path.parent.iterdir())) == 3
    off = replace(bench, backups=Backups(before_upgrade=False))
    assert keep_before_upgrade(off, NOW) is None


def test_an_upgrade_without_a_backup_is_refused_with_the_way_around(folder: Path, bench: Environment) -> None:
    (bench.home / "backups").write_text("this is no folder")
    with pytest.raises(Refused, match="BENCHWARMERS_UPGRADE_BACKUP=off upgrades without one"):
        keep_before_upgrade(bench, NOW)


def test_nothing_is_kept_of_a_new_installation(on_sqlite: Path, bench: Environment) -> None:
    assert keep_before_upgrade(bench, NOW) is None
    assert not on_sqlite.exists()


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({}, Backups(None, 7, True)),
        ({"BENCHWARMERS_BACKUP_FOLDER": "/srv/kept"}, Backups(Path("/srv/kept"), 7, True)),
        ({"BENCHWARMERS_BACKUP_KEEP": "30"}, Backups(None, 30, True)),
        ({"BENCHWARMERS_UPGRADE_BACKUP": "off"}, Backups(None, 7, False)),
    ],
)
def test_the_environment_says_where_and_how_many(given: dict[str, str], wanted: Backups) -> None:
    assert read_backups(given) == wanted


@pytest.mark.parametrize(
    "given",
    [
        {"BENCHWARMERS_BACKUP_FOLDER": "kept"},
        {"BENCHWARMERS_BACKUP_KEEP": "0"},
        {"BENCHWARMERS_BACKUP_KEEP": "many"},
        {"BENCHWARMERS_BACKUP_KEEP": "-3"},
    ],
)
def test_what_cannot_be_meant_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(BadSetting, match=next(iter(given))):
        read_backups(given)
