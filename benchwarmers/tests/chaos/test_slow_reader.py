"""Callers who read nothing of an answer of 200 MB: this server keeps little of it, and the provider has to wait."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from benchwarmers.tests.chaos.parts import Part
from benchwarmers.tests.chaos.place import answers
from benchwarmers.tests.chaos.readers import Reader
from benchwarmers.tests.chaos.upstream import FLOOD_MB
from benchwarmers.tests.up.running import ROOT, Running, environment, free_port, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("slow-reader"), pytest.mark.timeout(600)]
STREAMS = 8
KEPT_KB = 1_500
"""What a stream may keep: what was read ahead, events that wait, and what the system would not take. Measured over some
streams, beside all that the process needs anyway."""
SET_UP = """[[endpoint]]
name = "here"
base = "http://127.0.0.1:{port}/v1"
kind = "local"
default = true
[[model]]
alias = "floods-a"
served = "floods-a"
endpoint = "here"
[[collection]]
name = "flood"
members = ["floods-a"]
reply = "route"
"""


class Flooded:
    """The product before an upstream that floods."""

    def __init__(self, folder: Path) -> None:
        upstream, self.seen = free_port(), folder / "seen.jsonl"
        home = folder / "home"
        home.mkdir()
        variables = environment(home, free_port())
        words = [sys.executable, "-m", "benchwarmers.tests.chaos.upstream", str(upstream), str(self.seen)]
        self.upstream = Part("upstream", words, folder, variables, lambda: answers(upstream, "/v1/models"))
        self.upstream.start_and_wait()
        file = home / "setup.toml"
        file.write_text(SET_UP.format(port=upstream))
        apply = [sys.executable, "manage.py", "apply", str(file)]
        subprocess.run(apply, cwd=ROOT, env=variables, check=True, capture_output=True, timeout=180)
        self.run = Running(home, int(variables["BENCH_PORT"]))
        self.run.wait_until_whole()
        self.web = self.run.children()["web"]

    def end(self) -> None:
        self.run.end()
        self.upstream.end()

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.seen.read_text().splitlines()]

    def sent_mb(self) -> int:
        """What the upstream could send in all."""
        return sum(line["path"] == "flood" for line in self.lines())

    def kept(self) -> int:
        """Bytes of the web process's own memory."""
        return int(psutil.Process(self.web.pid).memory_full_info().uss)


@pytest.fixture(scope="module")
def flooded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flooded]:
    one = Flooded(tmp_path_factory.mktemp("flooded"))
    yield one
    one.end()


async def stalled_mb(flooded: Flooded) -> int:
    """What the upstream could send until it had to wait."""
    seen, since = -1, time.monotonic()
    while time.monotonic() - since < 1.5:
        await asyncio.sleep(0.2)
        if (now := flooded.sent_mb()) != seen:
            seen, since = now, time.monotonic()
    return seen


def test_nothing_piles_up_and_the_provider_waits(flooded: Flooded) -> None:
    async def stall(many: int) -> tuple[int, int, list[Reader]]:
        before = flooded.sent_mb()
        readers = [await Reader.open(flooded.run.port, "flood", f"Nothing of this, {n}") for n in range(many)]
        for reader in readers:
            assert await reader.take(100)
        return await stalled_mb(flooded) - before, flooded.kept(), readers

    async def both() -> tuple[int, float]:
        _, first, some = await stall(STREAMS // 2)  # what the first ones need is not the streams' alone
        sent, kept, more = await stall(STREAMS)
        for reader in (*some, *more):
            reader.leave(rudely=True)
        return sent, (kept - first) / 1024 / STREAMS

    sent, kept_kb = asyncio.run(both())
    print(f"a stream that nobody reads: {sent / STREAMS:.1f} MB sent by the provider, {kept_kb:.0f} KB kept")
    assert sent < STREAMS * FLOOD_MB / 5
    assert kept_kb < KEPT_KB
    wait_for(lambda: not connections_to_upstream(flooded), 10)


def connections_to_upstream(flooded: Flooded) -> list[Any]:
    """Calls that still run: those of callers who left must not."""
    ports = {int(flooded.upstream.command[-2])}
    web = psutil.Process(flooded.web.pid)
    return [one for one in web.net_connections("tcp") if one.raddr and one.raddr.port in ports]
