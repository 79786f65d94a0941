"""The web processes that a supervisor keeps, played by small programs that take a seat and wait."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchwarmers import webs
from benchwarmers.child import Child
from benchwarmers.handed import VARIABLE, Handed, take_handed
from benchwarmers.tally import make_tally
from benchwarmers.webs import Webs

PLAYED = """
import os, signal, sys, time
from benchwarmers.handed import take_handed
from benchwarmers.tally import NOBODY, Tally
handed = take_handed()
tally = Tally(handed.tally)
if os.environ.get("FAILS") == "1":
    sys.exit(3)
def leave(*_):
    tally.note(handed.seat, NOBODY)
    sys.exit(0)
signal.signal(signal.SIGTERM, leave)
assert handed.open_sockets()[0].getsockname()[1] > 0
tally.note(handed.seat, 0)
time.sleep(60)
"""
WITHIN_S = 60.0


class Kept:
    """`processes` of them, started, with what was said."""

    def __init__(self, home: Path, processes: int) -> None:
        self.said: list[str] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.lifeline = os.pipe()
        self.started: list[Child] = []
        self.webs = Webs(home, [self.listener], processes, 30.0, self._start, self.said.append)
        for web in self.webs.serving:
            self._start(web)
        self.until(lambda: all(map(self.webs.is_open, self.webs.serving)))

    def _start(self, child: Child) -> Child:
        child.start(time.monotonic(), self.lifeline[0], str(webs.__file__).rsplit("/", 2)[0])
        self.started.append(child)
        return child

    def until(self, ready: Callable[[], bool]) -> None:
        end = time.monotonic() + WITHIN_S
        while not ready():
            assert time.monotonic() < end, self.said
            time.sleep(0.01)

    def step_until(self, ready: Callable[[], bool]) -> list[bool]:
        """What each step answered until it was so."""
        told: list[bool] = []

        def stepped() -> bool:
            told.append(self.webs.step(time.monotonic()))
            return ready()

        self.until(stepped)
        return told

    def pids(self) -> list[int]:
        return [web.process.pid for web in self.webs.serving if web.process is not None]

    def end(self) -> None:
        for child in self.started:
            if child.process is not None:
                child.process.kill()
                child.process.communicate()
        self.listener.close()


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kept]:
    monkeypatch.setattr(webs, "COMMAND", ("-c", PLAYED))
    two = Kept(tmp_path, 2)
    yield two
    two.end()


def test_all_are_relieved_one_after_another_and_the_former_go(kept: Kept) -> None:
    before = kept.pids()
    kept.webs.relieve_all()
    told = kept.step_until(lambda: not kept.webs.busy)
    assert told.count(True) == 1
    assert not set(before) & set(kept.pids())
    assert len(kept.pids()) == 2
    assert [line.partition(" ")[0] for line in kept.said] == ["relieving", "web1", "web2"]
    assert all(map(kept.webs.is_open, kept.webs.serving))


def test_one_that_does_not_come_up_changes_nothing(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    before = kept.pids()
    monkeypatch.setenv("FAILS", "1")
    kept.webs.relieve_all()
    told = kept.step_until(lambda: not kept.webs.busy)
    assert not any(told)
    assert kept.pids() == before
    assert kept.said[-1] == "the new web1 did not come up (exit code 3); those that run go on"
    assert all(map(kept.webs.is_open, kept.webs.serving))


def test_asked_for_again_in_the_middle_all_are_replaced_once_more(kept: Kept) -> None:
    kept.webs.relieve_all()
    kept.step_until(lambda: len(kept.started) == 3)
    kept.webs.relieve_all()
    kept.step_until(lambda: not kept.webs.busy)
    assert kept.pids() == [child.process.pid for child in kept.started[-2:] if child.process is not None]
    assert len(kept.started) == 5


def test_what_one_that_is_over_has_now_is_forgotten_and_its_counts_stay(kept: Kept, tmp_path: Path) -> None:
    pid = kept.pids()[0]
    folder = tmp_path / "metrics"
    folder.mkdir()
    host = socket.gethostname()[:50].replace("_", "-")
    files = [f"gauge_livesum_{host}-{pid}.db", f"counter_{host}-{pid}.db", f"gauge_livesum_other-{pid}.db"]
    for name in files:
        (folder / name).touch()
    kept.webs.forget(kept.webs.serving[0])
    assert sorted(path.name for path in folder.iterdir()) == sorted(files[1:])
    assert not kept.webs.is_open(kept.webs.serving[0])


def test_what_is_handed_is_taken_once(monkeypatch: pytest.MonkeyPatch) -> None:
    descriptor = make_tally(1)
    handed = Handed(2, descriptor, (7, 9))
    for name, text in handed.to_environment().items():
        monkeypatch.setenv(name, text)
    assert take_handed() == handed
    assert VARIABLE not in os.environ
    assert take_handed() is None
    os.close(descriptor)


def test_the_supervisor_says_what_it_may_be_told() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchwarmers.up", "webs"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "Say nothing, or `web`" in done.stderr
