"""What measurements share: servers pinned to a core, the load harness's upstream and client, the product itself.

Loopback only. The harness (a fast fake upstream, a cheap client, minimal servers) is found at run time.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parents[3]
HARNESS = ROOT.parent / "shared" / "bench"


class Target:
    """A server under load: where it is asked, for which model, and the process whose time counts."""

    def __init__(self, url: str, model: str, pid: int) -> None:
        self.url = url
        self.model = model
        self.process = psutil.Process(pid)

    def used_s(self) -> float:
        times = self.process.cpu_times()
        return float(times.user + times.system)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(url: str, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


@contextlib.contextmanager
def spawned(command: list[Any], core: int, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(["taskset", "-c", str(core), *map(str, command)], start_new_session=True, **options)
    try:
        yield process
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(15)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, 9)


@contextlib.contextmanager
def running_upstream(harness: Path) -> Iterator[str]:
    port = free_port()
    with spawned([sys.executable, harness / "fake_upstream.py", "--port", port], core=1):
        wait_for(f"http://127.0.0.1:{port}/v1/models")
        yield f"http://127.0.0.1:{port}/v1"


@contextlib.contextmanager
def running_minimal(harness: Path, app: str, upstream: str, client: str, model: str) -> Iterator[Target]:
    """One of the harness's minimal servers, `app` being its module."""
    port = free_port()
    environment = {**os.environ, "BENCH_CLIENT_LIB": client, "BENCH_UPSTREAM": f"{upstream}/chat/completions"}
    command = [sys.executable, "-m", "uvicorn", f"{app}:app", "--port", port, "--loop", "uvloop", "--http", "httptools"]
    options = {"env": environment, "cwd": harness / "gateways"}
    with spawned([*command, "--no-access-log", "--log-level", "warning"], core=0, **options) as process:
        target = Target(f"http://127.0.0.1:{port}/v1/chat/completions", model, process.pid)
        end = time.monotonic() + 20
        while asyncio.run(load(target, 1, 0.1))["errors"] and time.monotonic() < end:
            time.sleep(0.2)
        yield target


@contextlib.contextmanager
def running_product(set_up: str, model: str, evidence: int = 0) -> Iterator[Target]:
    """The product with this set-up file applied and so many pieces of evidence; its web process on the first core."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="bench-") as home:
        environment = {**os.environ, "BENCHWARMERS_HOME": home, "BENCH_PORT": str(port)}
        setup = Path(home) / "setup.toml"
        setup.write_text(set_up)
        manage = [sys.executable, str(ROOT / "manage.py")]
        subprocess.run([*manage, "apply", str(setup)], env=environment, check=True, stdout=subprocess.DEVNULL)
        fill(Path(home) / "benchwarmers.sqlite3", evidence)
        quiet = {"env": environment, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with spawned([*manage, "up"], core=1, **quiet) as process:
            wait_for(f"http://127.0.0.1:{port}/health")
            children = psutil.Process(process.pid).children(recursive=True)
            web = next(child for child in children if "benchwarmers.serve" in " ".join(child.cmdline()))
            web.cpu_affinity([0])
            yield Target(f"http://127.0.0.1:{port}/v1/chat/completions", model, web.pid)


def fill(database: Path, evidence: int) -> None:
    """Evidence of earlier work, spread over all models."""
    with contextlib.closing(sqlite3.connect(database)) as connection, connection:
        models = [pk for (pk,) in connection.execute("SELECT id FROM collections_app_languagemodel")]
        connection.executemany(
            "INSERT INTO collections_app_evidence (language_model_id, collection_name, kind, shape, call, task, status,"
            " judges, real_claims, false_claims, current, at) VALUES (?, '', 'route', '', ?, 'Earlier work', 'ok',"
            " 0, 0, 0, 1, '2026-01-01 00:00:00')",
            ((models[n % len(models)], f"r{n}.1") for n in range(evidence)),
        )


async def load(
    target: Target, callers: int, seconds: float, *, stream: bool = False, model: str = ""
) -> dict[str, Any]:
    import load_client  # type: ignore[import-not-found]  # the harness is found at run time

    asked = {"model": model or target.model, "messages": [{"role": "user", "content": "Say hello."}], "stream": stream}
    body = json.dumps(asked).encode()
    run = load_client.Run(target.url, body, callers, seconds, stream, warmup=0.5)
    result: dict[str, Any] = await run.go(grace=20)
    return result
