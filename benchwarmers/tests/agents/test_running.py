"""Running programs: little shell scripts stand for the agents."""

from __future__ import annotations

import json
from pathlib import Path

import psutil
import pytest

from benchwarmers.tests.agents import room
from benchwarmers.tests.agents.__main__ import main
from benchwarmers.tests.agents.flavour import Flavour, Program
from benchwarmers.tests.agents.table import Row, table, tally

PROGRAM = Program("one", "one", "1", "one")
APPENDS = "#!/bin/sh\necho 'appended line' >> notes.txt\n"


def run(tmp_path: Path, script: str, *, within_s: float = 20, **more: object) -> room.Outcome:
    home, work = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    work.mkdir()
    flavour = Flavour(PROGRAM, "only", ("sh", "-c", script), **more)  # type: ignore[arg-type]
    return room.run(flavour, home, work, None, within_s)


def test_a_program_sees_its_configuration_and_nothing_of_this_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_SECRET_OF_MINE", "hush")
    done = run(tmp_path, "env; cat $HOME/.one/config", env={"ONE_KEY": "k"}, files={".one/config": "base = here"})
    assert (done.code, done.late) == (0, False)
    assert "ONE_KEY=k" in done.told
    assert "base = here" in done.told
    assert "hush" not in done.told


def test_a_first_command_that_fails_ends_it(tmp_path: Path) -> None:
    done = run(tmp_path, "echo second", first=("sh", "-c", "echo refused; exit 3"))
    assert (done.code, done.told) == (3, "refused\n")


def test_a_program_is_ended_after_its_time(tmp_path: Path) -> None:
    done = run(tmp_path, "echo begun; sleep 60", within_s=0.5)
    assert done.late
    assert done.seconds < 10
    assert done.told == "begun\n"


def test_what_a_program_leaves_running_is_ended(tmp_path: Path) -> None:
    done = run(tmp_path, "setsid sleep 61 & echo $!")
    assert not psutil.pid_exists(int(done.told)) or psutil.Process(int(done.told)).status() == psutil.STATUS_ZOMBIE


def put_codex(clients: Path, script: str) -> None:
    modules = clients / "npm/codex/node_modules"
    (modules / "@openai/codex").mkdir(parents=True)
    (modules / "@openai/codex/package.json").write_text(json.dumps({"version": "9.9.9"}))
    binary = modules / ".bin/codex"
    binary.parent.mkdir()
    binary.write_text(script)
    binary.chmod(0o755)


@pytest.mark.parametrize(
    ("script", "code", "told"),
    [
        (APPENDS, 0, "passed"),
        ("#!/bin/sh\necho 'All done!'\n", 1, "FAILED: the file is as it was (exit 0)\n    All done!"),
        (f"{APPENDS}exit 1\n", 0, "passed"),
    ],
)
def test_a_program_is_judged_by_the_file_alone(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    script: str,
    code: int,
    told: str,
) -> None:
    put_codex(tmp_path, script)
    monkeypatch.setenv("BENCH_CLIENTS_DIR", str(tmp_path))
    assert main(["--direct", "codex/gpt-5.5", "aider/openai"]) == code
    printed = capsys.readouterr().out
    assert told in printed
    assert "9.9.9" in printed
    assert "skipped: not installed" in printed


def test_nothing_to_run_is_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BENCH_CLIENTS_DIR", str(tmp_path))
    assert main(["--direct"]) == 2
    assert main(["nobody"]) == 2
    assert "There is no nobody; there are claude-code/messages," in capsys.readouterr().err


def test_the_table_tells_what_failed_and_what_was_skipped() -> None:
    rows = [
        Row("codex", "gpt-5.5", "0.171.0", "", 1.25),
        Row("aider", "openai", "0.86.2", "the file is gone", 3.0),
        Row("cline", "openai"),
    ]
    assert table(rows) == (
        "client | version | flavour | seconds | result\n"
        "codex  | 0.171.0 | gpt-5.5 | 1.2     | passed\n"
        "aider  | 0.86.2  | openai  | 3.0     | FAILED: the file is gone\n"
        "cline  | -       | openai  |         | skipped: not installed"
    )
    assert tally(rows) == "1 of 2 passed, 1 failed; skipped: 1"
