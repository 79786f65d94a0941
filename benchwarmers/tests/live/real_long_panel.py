"""A panel that takes seven minutes reaches every official client of the context protocol over either way to be
connected, with the limits that the client has of itself. All of them ask at once, so it takes eight minutes."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from benchwarmers.tests.live.js.packages import HERE, installed
from benchwarmers.tests.live.product import Product
from benchwarmers.tests.up.running import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
TAKES_S = 415
"""Just below what a seat may take."""
LONG = f"""
[[model]]
alias = "patient"
served = "waits-{TAKES_S}000-patient"
endpoint = "provider"
ad_hoc = true

[[collection]]
name = "long"
members = ["patient"]
max_explorers = 0
"""


def by_python(product: Product, way: str) -> dict[str, Any]:
    """What `mcp_long.mjs` prints, by the library for Python."""
    url = f"http://127.0.0.1:{product.port}"
    variables = product.environment | {"BENCHWARMERS_URL": url}
    pipe = StdioServerParameters(
        command=sys.executable, args=["-m", "benchwarmers.cli", "mcp"], env=variables, cwd=str(ROOT)
    )
    heard: list[float] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(progress)

    async def go() -> dict[str, Any]:
        door: Any = pipe if way == "pipe" else f"{url}/mcp"
        async with Client(door, mode="legacy" if way == "legacy" else "auto") as connected:
            client: Any = connected
            began = time.monotonic()
            said = await client.call_tool("ask", {"collection": "long", "prompt": "Well?"}, progress_callback=hear)
            seconds = time.monotonic() - began
        return {"seconds": seconds, "heard": heard, "failed": said.is_error, "text": said.content[0].text}

    return asyncio.run(go())


def by_javascript(product: Product, folder: Path, library: str, way: str) -> dict[str, Any]:
    for script in HERE.glob("*.mjs"):
        shutil.copy(script, folder)
    modules = installed(HERE / "inspector") if library == "mcp_two" else installed()
    (folder / "node_modules").symlink_to(modules, target_is_directory=True)
    words = ["node", "mcp_long.mjs", f"http://127.0.0.1:{product.port}", library, way, "long"]
    done = subprocess.run(
        words,
        cwd=folder,
        env=os.environ | {"BENCH_PYTHON": sys.executable, "BENCH_FOLDER": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=TAKES_S + 120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_seven_minutes_are_not_too_long_for_anybody(product: Product, tmp_path: Path) -> None:
    file = tmp_path / "long.toml"
    file.write_text(LONG)
    product.manage("apply", str(file))
    asking = {f"Python, {way}": partial(by_python, product, way) for way in ("auto", "legacy", "pipe")}
    for library in ("mcp_one", "mcp_two"):
        for way in ("overHttp", "overPipe"):
            folder = tmp_path / f"{library}-{way}"
            folder.mkdir()
            asking[f"JavaScript, {library}, {way}"] = partial(by_javascript, product, folder, library, way)
    with ThreadPoolExecutor(len(asking)) as pool:
        told = dict(zip(asking, pool.map(lambda ask: ask(), asking.values()), strict=True))
    for who, said in told.items():
        print(f"{who}: {said['seconds']:.0f} s, {len(said['heard'])} signs of life")
        assert said["failed"] is False, (who, said)
        assert "patient" in said["text"], (who, said)
        assert said["seconds"] >= TAKES_S, (who, said)
        assert len(said["heard"]) >= TAKES_S // 15, (who, said)
        assert said["heard"] == sorted(said["heard"]), (who, said)
