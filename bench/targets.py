"""What is measured: the upstream itself, minimal servers, and the gateway as it is installed afresh."""

from __future__ import annotations

import contextlib
import json
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

from bench.client import Request
from bench.processes import CORES, NotReady, free_port, python, resident, spawned, variables, wait_for, worked_s
from bench.setup import set_up

CHAT: Final = "/v1/chat/completions"
WHOLE_S: Final = 60.0


@dataclass(frozen=True)
class Target:
    """A server under load. `served` is the process that answers, with what is below it; `all` the whole of the
    installation. `naming` makes of a model's name how it is asked for here. A slow one is measured `patience` times as
    long, in no more than so many `rounds`."""

    name: str
    base: str
    served: psutil.Process | None = None
    all: psutil.Process | None = None
    naming: Callable[[str], str] = str
    patience: float = 1.0
    rounds: int = 99

    def served_s(self) -> float:
        return worked_s(self.served) if self.served else 0.0

    def all_s(self) -> float:
        return worked_s(self.all) if self.all else self.served_s()

    def resident(self) -> int:
        """Bytes of memory of what answers."""
        return resident(self.served) if self.served else 0

    def chat(self, model: str, *, stream: bool = False) -> Request:
        """A chat completion of this model."""
        messages = [{"role": "user", "content": "Say hello."}]
        body = {"model": self.naming(model), "messages": messages} | ({"stream": True} if stream else {})
        return Request(self.base + CHAT, json.dumps(body).encode(), b"data: " if stream else b"")


@contextlib.contextmanager
def upstream(folder: Path) -> Iterator[str]:
    """The fake upstream's base address, on the other cores."""
    port, log = free_port(), folder / "upstream.log"
    with spawned(python("-m", "bench.upstream", str(port)), log, variables(), CORES.others) as process:
        wait_for(f"http://127.0.0.1:{port}/v1/models", process, log)
        yield f"http://127.0.0.1:{port}/v1"


def direct(base: str) -> Target:
    """Nothing in between: the bound that the upstream and the client set."""
    return Target("no gateway", base.removesuffix("/v1"))


@contextlib.contextmanager
def minimal(name: str, app: str, base: str, folder: Path) -> Iterator[Target]:
    """One of the minimal servers, `app` its module, under uvicorn as the gateway runs it."""
    port, log = free_port(), folder / f"{app}.log"
    words = python("-m", "uvicorn", f"bench.{app}:app", "--port", str(port), "--loop", "uvloop", "--http", "httptools")
    words += ["--no-access-log", "--log-level", "warning", "--lifespan", "on"]
    with spawned(words, log, variables(UPSTREAM=base), CORES.measured) as process:
        wait_for(f"http://127.0.0.1:{port}/", process, log)
        yield Target(name, f"http://127.0.0.1:{port}", psutil.Process(process.pid))


@contextlib.contextmanager
def gateway(
    base: str, folder: Path, name: str = "Benchwarmers", fill: Sequence[str] = (), **own: str
) -> Iterator[Target]:
    """The product: a fresh installation with the bench's set-up file, filled by `bench.fill` with these words. Its web
    process is on the measured core, everything else of it on the others."""
    home, port = Path(tempfile.mkdtemp(prefix="home-", dir=folder)), free_port()
    log = home.with_suffix(".log")
    (home / "setup.toml").write_text(set_up(base), "utf-8")
    env = variables(
        BENCHWARMERS_HOME=str(home), BENCH_PORT=str(port), BENCH_DETECT_HOSTS="off", BENCH_FEEDS="off", **own
    )
    _do(python("-m", "benchwarmers.manage", "apply", str(home / "setup.toml")), env, log)
    if fill:
        _do(python("-m", "bench.fill", *fill), env, log)
    with spawned(python("-m", "benchwarmers.manage", "up"), log, env, CORES.others) as process:
        wait_for(f"http://127.0.0.1:{port}/health", process, log)
        up = psutil.Process(process.pid)
        web = _whole(up, log)
        if CORES.measured:
            for thread in web.threads():
                psutil.Process(thread.id).cpu_affinity(CORES.measured)
        yield Target(name, f"http://127.0.0.1:{port}", web, up, "bench/{}".format)


def _do(words: list[str], env: dict[str, str], log: Path) -> None:
    with log.open("ab") as said:
        done = subprocess.run(words, env=env, stdin=subprocess.DEVNULL, stdout=said, stderr=said, check=False)
    if done.returncode:
        raise NotReady(f"{' '.join(words)}:\n{log.read_text(errors='replace')[-3000:]}")


def _whole(up: psutil.Process, log: Path) -> psutil.Process:
    """The web process, once worker and beat are there too and have done with starting."""
    until = time.monotonic() + WHOLE_S
    while True:
        found = {mark: one for one in up.children(recursive=True) for mark in MARKS if mark in _words(one)}
        if len(found) == len(MARKS) and "celery.apps.worker" in log.read_text(errors="replace"):
            return found[MARKS[0]]
        if time.monotonic() > until:
            raise NotReady(f"only {sorted(found)} run:\n{log.read_text(errors='replace')[-3000:]}")
        time.sleep(0.1)


MARKS: Final = ("benchwarmers.serve", "background worker", "background beat", "valkey.sock")


def _words(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.Error):
        return " ".join(process.cmdline())
    return ""
