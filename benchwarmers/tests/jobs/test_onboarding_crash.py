"""Worker, beat and Valkey are killed while ten models are taken on over two connections: each ends once, in its right
state, and only calls that were on their way are made again."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchwarmers.tests.up.prepared import prepare
from benchwarmers.tests.up.running import ROOT, Running, environment, free_port, wait_for
from probes.tests.onboarding.scripted import Scripted, scripted

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("crash")]
GOOD = {"tiny": 2, "large": 2, "instruct": 1, "tools": 1}
MODELS: dict[str, tuple[str, dict[str, int]]] = {
    "one/chats-1": ("done", GOOD),
    "one/gone-2": ("no answer", {"tiny": 1}),
    "one/weak-3": ("done", GOOD),
    "one/flux-4": ("done", {}),
    "one/chats-5:free": ("done", {"tiny": 1, "large": 1, "instruct": 1, "tools": 1}),
    "two/chats-6": ("done", GOOD),
    "two/busy-7": ("no answer", {"tiny": 2, "large": 2}),
    "two/absent-8": ("failed", {}),
    "two/chats-9": ("done", GOOD),
    "two/weak-10": ("done", GOOD),
}
"""How each ends, and what it is asked."""
ASK = """
import json
from django.utils import timezone
from collections_app.actions.endpoint import do_save_endpoint
from probes.onboarding.items import Item
from probes.onboarding.queue import do_onboard
for name in ("one", "two"):
    do_save_endpoint(actor=None, name=name, base={base!r}, kind="local")
items = [Item(served.partition("/")[0], served, "quick") for served in json.loads({served!r})]
do_onboard(actor=None, items=items, now=timezone.now())
"""


class Bench:
    """A running installation, and its rows."""

    def __init__(self, home: Path) -> None:
        self.home, port = home, free_port()
        prepare(home)
        self.environment = environment(home, port, measured=False)
        self.run = Running(home, port, measured=False)
        self.run.wait_until_whole()

    def ask(self, provider: Scripted) -> None:
        program = ASK.format(base=provider.base, served=json.dumps(list(MODELS)))
        words = [sys.executable, "manage.py", "shell", "-v", "0", "-c", program]
        done = subprocess.run(
            words, cwd=ROOT, env=self.environment, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr

    def rows(self, question: str) -> list[tuple[Any, ...]]:
        with sqlite3.connect(self.home / "benchwarmers.sqlite3", timeout=10) as database:
            return database.execute(question).fetchall()

    def states(self) -> dict[str, str]:
        rows = self.rows("SELECT key, state FROM probes_job WHERE kind = 'onboard'")
        return {key.partition(":")[2]: state for key, state in rows}

    def samples(self) -> Counter[tuple[str, str]]:
        joined = "probes_probesample JOIN collections_app_languagemodel m ON m.id = language_model_id"
        return Counter(self.rows(f"SELECT m.served, prompt FROM {joined}"))  # noqa: S608 our own tables

    def kill(self, name: str) -> None:
        """Without warning, and wait until another is there."""
        before = self.run.children()[name]
        before.kill()
        wait_for(lambda: self.run.children().get(name, before).pid != before.pid, 15, self.run)


def test_ten_models_end_once_each_whatever_is_killed(tmp_path_factory: pytest.TempPathFactory) -> None:
    planned = Counter({(served, name): times for served, (_, asked) in MODELS.items() for name, times in asked.items()})
    with scripted(*(served for served in MODELS if "absent" not in served), delay_s=0.25) as provider:
        bench = Bench(tmp_path_factory.mktemp("onboarding"))
        try:
            bench.ask(provider)
            wait_for(lambda: sum(provider.asked.values()) >= 8, 20, bench.run)
            bench.kill("worker")
            wait_for(lambda: sum(provider.asked.values()) >= 18, 30, bench.run)
            bench.kill("valkey")
            bench.kill("beat")
            assert set(bench.states().values()) & {"queued", "running"}  # it is the middle
            wait_for(lambda: not set(bench.states().values()) & {"queued", "running"}, 40, bench.run)
        finally:
            bench.run.end()
        assert bench.states() == {served: state for served, (state, _) in MODELS.items()}
        assert bench.samples() == planned
        again = provider.asked - planned
        assert not planned - provider.asked
        assert again.total() <= 2  # what each of the two connections had under way when the worker was killed
        registered = bench.rows("SELECT served FROM collections_app_languagemodel WHERE served LIKE '%/%'")
        assert sorted(registered) == sorted((served,) for served in MODELS if "absent" not in served)
        issues = bench.rows("SELECT failure FROM probes_onboardingissue ORDER BY failure")
        assert issues == [("capacity",), ("structural",)]
