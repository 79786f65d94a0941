"""Installed from the wheel into an environment elsewhere, it runs without the checkout."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import sysconfig
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchwarmers.tests.packaging.test_wheel import NUMBER
from benchwarmers.tests.up.running import ROOT, Running, environment

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of a new environment with the wheel; what the wheel needs is this environment's."""
    made = tmp_path_factory.mktemp("elsewhere") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(made)], check=True)
    (libraries,) = made.glob("lib/python3.*/site-packages")
    (libraries / "needed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    install = ["pip", "--python", str(made / "bin/python"), "install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    done = subprocess.run([sys.executable, "-m", *install], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return made / "bin"


@pytest.fixture(scope="module")
def run(programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    home = tmp_path_factory.mktemp("installed")
    left = home / "metrics" / "gauge_livesum_gone-1.db"
    left.parent.mkdir()
    left.write_bytes(b"of the run before")
    running = Running(home, measured=False, command=[str(programs / "benchwarmers")], folder=home)
    try:
        running.wait_until_whole()
        yield running
    finally:
        running.end()


def fetch(run: Running, path: str, body: bytes | None = None) -> bytes:
    request = urllib.request.Request(f"http://127.0.0.1:{run.port}{path}", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return bytes(answer.read())


def out(run: Running, *words: str) -> str:
    """What a command beside that installation says."""
    variables = environment(run.home, run.port, measured=False)
    done = subprocess.run(words, cwd=run.home, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_installed_copy_answers_shows_pages_has_its_tasks_and_ends_on_ctrl_c(run: Running, programs: Path) -> None:
    ask = {"model": "bench/practice", "messages": [{"role": "user", "content": "Hello, bench"}]}
    reply = json.loads(fetch(run, "/v1/chat/completions", json.dumps(ask).encode()))
    assert reply["choices"][0]["message"]["content"]
    assert len(reply["bench"]["seats"]) > 1
    assert b'name="username"' in fetch(run, "/login/")
    assert b"--" in fetch(run, "/static/benchwarmers/css/tokens.css")
    python, tasks = str(programs / "python"), len(list((ROOT / "suite/starter").glob("*/task.json")))
    running = {words for process in run.children().values() for words in process.cmdline()}
    assert python in running
    assert not [words for words in running if words.startswith(f"{ROOT}/benchwarmers")]
    assert not (run.home / "metrics" / "gauge_livesum_gone-1.db").exists()
    assert NUMBER in out(run, str(programs / "bench"), "--version")
    told = out(run, python, "-m", "benchwarmers.manage", "load_suite")
    assert f"{tasks} tasks, 0 of them new" in told, "the first start took them in"
    run.process.send_signal(signal.SIGINT)
    assert run.wait() == 0
    assert run.survivors() == []
