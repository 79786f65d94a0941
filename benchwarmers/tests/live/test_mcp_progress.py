"""A panel that takes its time, by the official client of Python: signs of life come until the answer does, over either
way to be connected. `real_long_panel.py` does the same for seven minutes."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import httpx
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from benchwarmers.tests.live.keyed import NEWS_S, Keyed
from benchwarmers.tests.up.running import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("keys")]


@pytest.mark.parametrize("way", ["auto", "legacy", "pipe"])
def test_progress_comes_until_the_answer(keyed: Keyed, leaver: str, way: str) -> None:
    """Of the second process, which is told to be silent for no longer than a moment."""
    address = f"http://127.0.0.1:{keyed.ports[1]}"
    variables = {"BENCHWARMERS_URL": address, "BENCHWARMERS_KEY": leaver, "BENCH_KEEPALIVE_S": str(NEWS_S)}
    pipe = StdioServerParameters(
        command=sys.executable,
        args=["-m", "benchwarmers.cli", "mcp"],
        env=keyed.environment | variables,
        cwd=str(ROOT),
    )
    heard: list[float] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(progress)
        assert message is not None
        assert message.startswith("The panel is running")

    async def go() -> None:
        async with httpx.AsyncClient(headers={"authorization": f"Bearer {leaver}"}) as known:
            line: Any = known
            door: Any = pipe if way == "pipe" else streamable_http_client(f"{address}/mcp", http_client=line)
            async with Client(door, mode="auto" if way == "pipe" else way) as connected:
                client: Any = connected
                said = await client.call_tool(
                    "ask", {"collection": "finishing", "prompt": "Well?"}, progress_callback=hear
                )
                assert "awake" in said.content[0].text

    asyncio.run(go())
    assert len(heard) >= 3
    assert heard == sorted(heard)
