"""`manage.py up`: it comes up, heals, refuses in sentences, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from benchwarmers import valkey
from benchwarmers.tests.up.prepared import prepare
from benchwarmers.tests.up.running import ROOT, Running, environment, free_port, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("up")]
SECOND_START_WITHIN_S = 8.0 * float(os.environ.get("BENCH_TEST_PATIENCE", "2"))


def ask_practice(run: Running) -> str:
    """What the printed curl line asks, and the whole answer's text."""
    body = b'{"model": "bench/practice", "messages": [{"role": "user", "content": "Hello, bench"}]}'
    address = f"http://127.0.0.1:{run.port}/v1/chat/completions"
    request = urllib.request.Request(address, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return str(answer.read().decode())


def test_the_first_start_answers_and_tells_how_to_sign_in(run: Running) -> None:
    assert run.is_healthy()
    assert f"ready at http://127.0.0.1:{run.port}" in run.output
    link = re.search(r"http://\S+/sign-in/\S+", run.output)
    assert link is not None
    assert "bench/practice" in run.output
    with urllib.request.urlopen(link[0], timeout=10) as page:
        assert page.status == 200
        assert b"owner" in page.read()


def test_nothing_of_it_listens_beyond_this_machine(run: Running) -> None:
    addresses = {
        connection.laddr
        for process in run.children().values()
        for connection in process.net_connections(kind="inet")
        if connection.status == "LISTEN"
    }
    assert {(address.ip, address.port) for address in addresses} == {("127.0.0.1", run.port)}


def test_a_second_up_on_the_same_home_names_the_first(run: Running) -> None:
    second = subprocess.run(
        [sys.executable, "manage.py", "up"],
        cwd=ROOT,
        env=environment(run.home, free_port()),
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert second.returncode == 1
    assert f"process {run.process.pid}" in second.stdout
    assert "Traceback" not in second.stdout + second.stderr
    assert run.is_healthy()


def test_a_killed_worker_comes_back(run: Running) -> None:
    worker = run.children()["worker"]
    worker.kill()
    wait_for(lambda: run.children().get("worker", worker).pid != worker.pid, 10, run)
    assert "worker ended (killed by SIGKILL)" in run.output


def test_a_killed_valkey_comes_back_and_the_web_process_stays(run: Running) -> None:
    before = run.children()
    before["valkey"].kill()
    wait_for(lambda: run.children().get("valkey", before["valkey"]).pid != before["valkey"].pid, 10, run)
    wait_for(lambda: valkey.ask(run.home / "valkey.sock", "PING") == "+PONG" and run.is_healthy(), 10, run)
    assert run.children()["web"].pid == before["web"].pid


def test_a_doctor_finds_a_running_installation_well(run: Running) -> None:
    doctor = subprocess.run(
        [sys.executable, "manage.py", "doctor"],
        cwd=ROOT,
        env=environment(run.home, run.port),
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert doctor.returncode == 0, doctor.stdout + doctor.stderr
    assert "All is well." in doctor.stdout


def test_sigterm_ends_everything_with_zero_and_the_next_start_is_quick(tmp_path: Path) -> None:
    prepare(tmp_path)
    run = Running(tmp_path)
    run.wait_until_whole()
    assert "practice" in ask_practice(run)
    assert run.end() == 0
    assert "ERROR" not in run.output
    assert run.survivors() == []
    assert not (tmp_path / "valkey.sock").exists()
    again = Running(tmp_path, run.port, measured=False)
    try:
        assert again.wait_until_whole() < SECOND_START_WITHIN_S
        assert "/sign-in/" in again.output  # nobody has signed in yet
        assert "Applying" not in again.output
    finally:
        again.children()
        again.process.send_signal(signal.SIGINT)
        assert again.wait() == 0
    assert again.survivors() == []


def test_a_killed_supervisor_takes_everything_along(tmp_path: Path) -> None:
    prepare(tmp_path)
    run = Running(tmp_path, measured=False)
    run.wait_until_whole()
    assert len(run.children()) == 4
    run.process.kill()
    run.process.wait(5)
    wait_for(lambda: run.survivors() == [], 12)
    run.reader.join(5)


def test_a_taken_port_is_told_in_a_sentence_and_nothing_is_left(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        run = Running(tmp_path, other.getsockname()[1])
        assert run.wait() == 1
    assert f"Port {run.port} on 127.0.0.1 is taken" in run.output
    assert "Traceback" not in run.output
    assert not (tmp_path / "valkey.sock").exists()


def test_a_wish_for_the_end_during_the_start_is_heard(tmp_path: Path) -> None:
    run = Running(tmp_path)
    wait_for(lambda: (tmp_path / "valkey.sock").exists(), 20, run)
    run.children()
    assert run.end() == 0
    assert run.survivors() == []
