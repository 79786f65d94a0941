"""One supervised process: its restarts, its lines, its end."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator

import pytest

from benchwarmers.child import Child


@pytest.fixture
def lifeline() -> Iterator[int]:
    """The read end of a pipe that stays open."""
    read_end, write_end = os.pipe()
    yield read_end
    os.close(read_end)
    os.close(write_end)


def run_to_end(child: Child, lifeline: int) -> list[str]:
    lines: list[str] = []
    for descriptor in child.start(0.0, lifeline, os.getcwd()):
        while (read := child.read(descriptor)) is not None:
            lines += read
    while child.ended() is None:
        time.sleep(0.01)
    return lines


def test_waits_double_to_ten_seconds_and_a_steady_life_resets_them() -> None:
    child = Child("web", ["true"], stop_within_s=1)
    assert [child.plan_restart(now=1.0) for _ in range(7)] == [0.5, 1, 2, 4, 8, 10, 10]
    child.started_at = 100.0
    assert child.plan_restart(now=129.0) == 10
    assert child.plan_restart(now=130.0) == 0.5
    assert child.start_at == 130.5


def test_output_of_both_kinds_comes_in_whole_lines(lifeline: int) -> None:
    program = "import sys; print('one'); print('two', file=sys.stderr); sys.stdout.buffer.write(b'\\xff\\n')"
    lines = run_to_end(Child("web", [sys.executable, "-c", program], stop_within_s=1), lifeline)
    assert sorted(lines) == ["one", "two", "\ufffd"]


def test_kept_output_is_not_passed_on(lifeline: int) -> None:
    child = Child("init", [sys.executable, "-c", "print('kept')"], stop_within_s=1, keeps_stdout=True)
    assert run_to_end(child, lifeline) == []
    assert child.stdout == b"kept\n"


def test_an_end_is_told_in_words(lifeline: int) -> None:
    child = Child("web", [sys.executable, "-c", "raise SystemExit(3)"], stop_within_s=1)
    run_to_end(child, lifeline)
    assert child.ended() == "exit code 3"
    child = Child("web", [sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"], stop_within_s=1)
    run_to_end(child, lifeline)
    assert child.ended() == "killed by SIGKILL"


def test_what_a_grandchild_writes_after_the_end_is_read_and_does_not_disturb_the_restart(lifeline: int) -> None:
    child = Child("web", ["sh", "-c", "(sleep 0.2; echo late) & exit 3"], stop_within_s=1)
    out, err = child.start(0.0, lifeline, os.getcwd())
    while child.ended() is None:
        time.sleep(0.01)
    child.plan_restart(now=1.0)
    assert child.read(out) == ["late"]
    assert (child.read(out), child.read(err)) == (None, None)
    assert run_to_end(child, lifeline) == ["late"]
