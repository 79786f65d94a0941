"""The vendors' own JavaScript libraries ask a running installation: one script a library, judged by its lines."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from benchwarmers.tests.live.js.packages import HERE, Unavailable, installed
from benchwarmers.tests.live.product import Product
from benchwarmers.tests.up.running import ROOT

# The first test waits for the packages and for the installation.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live"), pytest.mark.timeout(400)]
SCRIPTS = [
    "openai_chat.mjs",
    "openai_responses.mjs",
    "openai_tools.mjs",
    "anthropic_messages.mjs",
    "anthropic_tools.mjs",
    "gemini.mjs",
    "mcp.mjs",
]
PIPE = "mcp_stdio.mjs"
"""Starts a server of its own, which lists its tools whatever is behind it."""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the scripts and what they import beside them, since Node looks from the script upwards."""
    try:
        modules = installed()
    except Unavailable as lack:
        pytest.skip(f"JavaScript libraries are not tested: {lack}")
    folder = tmp_path_factory.mktemp("js")
    for script in HERE.glob("*.mjs"):
        (folder / script.name).write_text(script.read_text())
    (folder / "node_modules").symlink_to(modules, target_is_directory=True)
    return folder


@pytest.fixture(scope="module")
def seeing(product: Product, tmp_path_factory: pytest.TempPathFactory) -> Product:
    """The installation with a collection whose one member takes images."""
    file = tmp_path_factory.mktemp("seeing") / "seeing.toml"
    file.write_text(
        f'[[endpoint]]\nname = "sight"\nbase = "{product.provider.base}"\nkind = "local"\n'
        '[[model]]\nalias = "seeing"\nserved = "says-seeing"\nendpoint = "sight"\nvision = true\nad_hoc = true\n'
        '[[collection]]\nname = "seeing"\nmembers = ["seeing"]\nmax_explorers = 0\n'
    )
    product.manage("apply", str(file))
    return product


@pytest.fixture
def babbler() -> Iterator[str]:
    """A server that answers everything with 200 and an empty object."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Babbling)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def run(folder: Path, script: str, base: str, node: str = "node") -> tuple[int, str]:
    """(exit code, everything printed)."""
    done = subprocess.run(
        [node, script, base],
        cwd=folder,
        env=os.environ | {"BENCH_PYTHON": sys.executable, "BENCH_FOLDER": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=150,
    )
    return done.returncode, done.stdout


def steps(script: str) -> list[str]:
    """The names of its steps, those of a file of steps that it walks included."""
    text = (HERE / script).read_text()
    if walked := re.search(r'import \{ walk \} from "\./(\w+\.mjs)"', text):
        text += (HERE / walked[1]).read_text()
    return re.findall(r'^ *await step\("([^"]+)"', text, re.MULTILINE)


@pytest.mark.parametrize("script", [*SCRIPTS, PIPE])
def test_every_step_passes(scripts: Path, seeing: Product, script: str) -> None:
    code, told = run(scripts, script, f"http://127.0.0.1:{seeing.port}")
    told += "\n".join(seeing.run.lines[-40:])

    assert re.findall(r"^FAIL .*$", told, re.MULTILINE) == [], told
    assert re.findall(r"^PASS (.*)$", told, re.MULTILINE) == steps(script), told
    assert code == 0, told


@pytest.mark.parametrize("script", SCRIPTS)
def test_no_step_passes_with_a_server_that_says_nothing(scripts: Path, babbler: str, script: str) -> None:
    code, told = run(scripts, script, babbler)

    assert re.findall(r"^PASS .*$", told, re.MULTILINE) == [], told
    assert len(re.findall(r"^FAIL ", told, re.MULTILINE)) == len(steps(script)), told
    assert code == 1, told


class _Babbling(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.do_GET()

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_: Any) -> None:
        """Nothing on the terminal."""
