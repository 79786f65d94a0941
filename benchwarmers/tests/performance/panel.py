"""Measures a panel of five over a 50 ms upstream beside a minimal panel, interleaved, both pinned to the first core.

    python -m benchwarmers.tests.performance.panel [--rounds 3] [--seconds 4] [--harness ../shared/bench]

Needs the load harness (a fast fake upstream, a cheap client, the minimal panel) in `--harness`. Loopback only. Prints a
table of medians: what is added over the slowest seat with one caller, panels a second with 16, and the processor time
of a panel.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import socket
import statistics
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
SEATS = [f"fake-d50-n1-g0-{letter}" for letter in "abcde"]
UPSTREAM_MS = 50.0


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--seconds", type=float, default=4.0)
    arguments.add_argument("--harness", type=Path, default=ROOT.parent / "shared" / "bench")
    chosen = arguments.parse_args()
    sys.path.insert(0, str(chosen.harness))
    with contextlib.ExitStack() as stack:
        upstream = stack.enter_context(running_upstream(chosen.harness))
        targets = {
            "minimal panel, aiohttp": stack.enter_context(running_minimal(chosen.harness, upstream, "aiohttp")),
            "minimal panel, httpx-aiohttp": stack.enter_context(
                running_minimal(chosen.harness, upstream, "httpx-aiohttp")
            ),
            "benchwarmers": stack.enter_context(running_product(upstream)),
        }
        report(measure(targets, chosen.rounds, chosen.seconds))


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
def running_minimal(harness: Path, upstream: str, client: str) -> Iterator[Target]:
    port = free_port()
    environment = {**os.environ, "BENCH_CLIENT_LIB": client, "BENCH_UPSTREAM": f"{upstream}/chat/completions"}
    command = [
        sys.executable,
        "-m",
        "uvicorn",
        "panel_asgi:app",
        "--port",
        port,
        "--loop",
        "uvloop",
        "--http",
        "httptools",
    ]
    options = {"env": environment, "cwd": harness / "gateways"}
    with spawned([*command, "--no-access-log", "--log-level", "warning"], core=0, **options) as process:
        target = Target(f"http://127.0.0.1:{port}/v1/chat/completions", "panel5", process.pid)
        end = time.monotonic() + 20
        while asyncio.run(load(target, 1, 0.1))["errors"] and time.monotonic() < end:
            time.sleep(0.2)
        yield target


@contextlib.contextmanager
def running_product(upstream: str) -> Iterator[Target]:
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="bench-") as home:
        environment = {**os.environ, "BENCHWARMERS_HOME": home, "BENCH_PORT": str(port)}
        setup = Path(home) / "setup.toml"
        setup.write_text(set_up(upstream))
        manage = [sys.executable, str(ROOT / "manage.py")]
        subprocess.run([*manage, "apply", str(setup)], env=environment, check=True, stdout=subprocess.DEVNULL)
        quiet = {"env": environment, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with spawned([*manage, "up"], core=1, **quiet) as process:
            wait_for(f"http://127.0.0.1:{port}/health")
            children = psutil.Process(process.pid).children(recursive=True)
            web = next(child for child in children if "benchwarmers.serve" in " ".join(child.cmdline()))
            web.cpu_affinity([0])
            yield Target(f"http://127.0.0.1:{port}/v1/chat/completions", "bench/five", web.pid)


def set_up(upstream: str) -> str:
    """A collection of five seats, each a model of the fake upstream."""
    models = "".join(f'[[model]]\nalias = "{seat}"\nserved = "{seat}"\nendpoint = "fake"\n\n' for seat in SEATS)
    return (
        f'[[endpoint]]\nname = "fake"\nbase = "{upstream}"\nkind = "local"\napi = "chat"\ndefault = true\n\n{models}'
        f'[[collection]]\nname = "five"\nmembers = {json.dumps(SEATS)}\nshape = "general"\nmax_explorers = 0\n'
    )


async def load(target: Target, callers: int, seconds: float) -> dict[str, Any]:
    import load_client  # type: ignore[import-not-found]  # the harness is found at run time

    body = json.dumps({"model": target.model, "messages": [{"role": "user", "content": "Say hello."}]}).encode()
    run = load_client.Run(target.url, body, callers, seconds, warmup=0.5)
    result: dict[str, Any] = await run.go(grace=20)
    return result


def measure(targets: dict[str, Target], rounds: int, seconds: float) -> dict[str, dict[str, list[float]]]:
    """Figures of every round by target: added ms at one caller, panels a second at 16, CPU ms of a panel."""
    found: dict[str, dict[str, list[float]]] = {name: {"added": [], "rate": [], "cpu": []} for name in targets}
    for _ in range(rounds):
        for name, target in targets.items():
            alone = asyncio.run(load(target, 1, seconds))
            before = target.used_s()
            together = asyncio.run(load(target, 16, seconds))
            used = target.used_s() - before
            bad = {status: n for status, n in {**alone["status"], **together["status"]}.items() if status != 200}
            if bad or alone["errors"] or together["errors"]:
                raise SystemExit(f"{name} answered {bad or 'with broken connections'}")
            found[name]["added"].append(alone["latency_ms"]["p50"] - UPSTREAM_MS)
            found[name]["rate"].append(together["rps"])
            found[name]["cpu"].append(used * 1000 / sum(together["status"].values()))
    return found


def report(found: dict[str, dict[str, list[float]]]) -> None:
    """Prints the medians and the ratio to the first target."""
    base = statistics.median(next(iter(found.values()))["rate"])
    print("| target | added at 1 caller, ms | panels/s at 16 callers | of the minimal | CPU ms a panel |")
    print("|---|---|---|---|---|")
    for name, figures in found.items():
        added, rate, cpu = (statistics.median(figures[key]) for key in ("added", "rate", "cpu"))
        print(f"| {name} | {added:.1f} | {rate:.0f} | {rate / base:.2f} | {cpu:.2f} |")


if __name__ == "__main__":
    main()
