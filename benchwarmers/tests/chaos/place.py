"""The installation under test: two web processes, a worker and beat over a Postgres and a Valkey, and two upstreams,
each a process of its own."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from benchwarmers.tests.chaos.parts import Part
from benchwarmers.tests.chaos.stores import dsn, postgres_part, valkey_part
from benchwarmers.tests.up.running import ROOT, environment, free_port

FACES: Final = ("fast", "slow", "talks", "fails", "breaks", "vectors", "floods")
ROUTES: Final = {
    "steady": ("fast-a", "fast-b"),
    "talk": ("talks-a", "talks-b"),
    "late": ("slow-a", "slow-b"),
    "rough": ("fails-a", "fast-b"),
    "cut": ("breaks-a",),
    "flood": ("floods-a",),
    "only-a": ("fast-a",),
    "only-b": ("fast-b",),
}
"""Collections in route mode. All but the last four can do with one of the upstreams."""
BOARD: Final = ("fast-a", "slow-b", "talks-a")
VECTORS: Final = ("vectors-a", "vectors-b")
WEBS: Final = ("web-1", "web-2")
PREPARE: Final = """
from django.utils import timezone
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from collections_app.actions.token import do_create_token
owner = User.objects.get(username="owner")
_, token = do_create_token(user=owner, name="chaos", now=timezone.now())
session = SessionStore()
backend = "benchwarmers.people.backend.People"
session[SESSION_KEY], session[BACKEND_SESSION_KEY] = str(owner.pk), backend
session[HASH_SESSION_KEY] = owner.get_session_auth_hash()
session.create()
print("TOLD", token, session.session_key)
"""


def setup_file(bases: dict[str, str]) -> str:
    """Endpoints `a` and `b`, a model of every face on both, and the collections."""
    lines = []
    for name, base in bases.items():
        default = "true" if name == "a" else "false"
        lines.append(f'[[endpoint]]\nname = "up-{name}"\nbase = "{base}"\nkind = "local"\ndefault = {default}\n')
        for face in FACES:
            alias = f"{face}-{name}"
            lines.append(f'[[model]]\nalias = "{alias}"\nserved = "{alias}"\nendpoint = "up-{name}"\ntools = true\n')
    for name, members in ROUTES.items():
        lines.append(f'[[collection]]\nname = "{name}"\nmembers = {json.dumps(members)}\nreply = "route"\n')
    for name, members in {"board": BOARD, "vectors": VECTORS}.items():
        listed = json.dumps(members)
        lines.append(f'[[collection]]\nname = "{name}"\nmembers = {listed}\nshape = "general"\nmax_explorers = 0\n')
    return "\n".join(lines)


class Place:
    """Everything runs in `folder`. `ports` are those of the web processes by name; `slack` is how many times longer
    than on an idle machine things may take."""

    def __init__(self, folder: Path, **more: str) -> None:
        self.folder = folder
        self.seen = folder / "seen.jsonl"
        self.postgres_port, self.valkey_port = free_port(), free_port()
        self.ports = {name: free_port() for name in WEBS}
        self.home = folder / "home"
        self.home.mkdir()
        self.environment = environment(self.home, self.ports["web-1"]) | {
            "DATABASE_URL": f"postgres://postgres@127.0.0.1:{self.postgres_port}/postgres",
            "REDIS_URL": f"redis://127.0.0.1:{self.valkey_port}/0",
            "BENCH_FEEDS": "off",
            **more,
        }
        self.parts: dict[str, Part] = {
            "postgres": postgres_part(folder, self.postgres_port),
            "valkey": valkey_part(folder, self.valkey_port),
        }
        bases = {}
        for name in ("a", "b"):
            port = free_port()
            bases[name] = f"http://127.0.0.1:{port}/v1"
            words = ["-m", "benchwarmers.tests.chaos.upstream", str(port), str(self.seen)]
            self._add(f"upstream-{name}", words, lambda port=port: answers(port, "/v1/models"))
        for name, port in self.ports.items():
            ready = lambda port=port: answers(port, "/health/ready")  # noqa: E731
            self._add(name, ["-m", "benchwarmers.serve"], ready, BENCH_PORT=str(port))
        for name in ("worker", "beat"):
            self._add(name, ["-m", "benchwarmers.background", name])
        self.setup = folder / "setup.toml"
        self.setup.write_text(setup_file(bases))
        self.token = self.session = ""

    def _add(self, name: str, words: list[str], ready: Any = lambda: True, **more: str) -> None:
        self.parts[name] = Part(name, [sys.executable, *words], self.folder, self.environment | more, ready)

    def start(self) -> None:
        """Stores and upstreams, the database's tables, then the product."""
        for name in ("postgres", "valkey", "upstream-a", "upstream-b"):
            self.parts[name].start_and_wait()
        for words in (("init",), ("apply", str(self.setup))):
            self.manage(*words)
        told = self.manage("shell", "-v", "0", "-c", PREPARE)
        self.token, self.session = next(line.split()[1:] for line in told.splitlines() if line.startswith("TOLD "))
        for name in (*WEBS, "worker", "beat"):
            self.parts[name].start()
        for name in WEBS:
            self.parts[name].start_and_wait(90)

    def manage(self, *words: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def url(self, web: str) -> str:
        return f"http://127.0.0.1:{self.ports[web]}"

    @property
    def dsn(self) -> str:
        return dsn(self.postgres_port)

    def end(self) -> None:
        for name in reversed(list(self.parts)):
            self.parts[name].end()


@contextlib.contextmanager
def running(folder: Path, **more: str) -> Iterator[Place]:
    """The installation in this folder, started."""
    place = Place(folder, **more)
    try:
        place.start()
        yield place
    finally:
        place.end()


def answers(port: int, path: str) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
