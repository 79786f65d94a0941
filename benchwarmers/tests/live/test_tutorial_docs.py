"""The commands of the tutorial and of the page about MCP, run one after the other as they are printed."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchwarmers.tests.commands.printed import commands
from benchwarmers.tests.live.product import Product
from benchwarmers.tests.up.running import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]


def blocks(page: str, word: str) -> str:
    """The commands of a page in which this word stands, as one script."""
    found = re.findall(r"^```sh\n(.*?)^```", Path(ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
    kept = [block for block in found if word in block]
    assert kept, page
    return "".join(kept)


TAKEN = (("docs/tutorial.md", "127.0.0.1:8122"), ("docs/mcp.md", "tools/list"))
"""Pages, and the word of the blocks that are run."""
RUNS = {(page, command) for page, word in TAKEN for command in commands(blocks(page, word))}


def run(script: str, folder: Path, product: Product, **variables: str) -> str:
    here = script.replace("127.0.0.1:8122", f"127.0.0.1:{product.port}").replace("curl -s", "curl -sS --fail-with-body")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["/bin/sh", "-e", "-c", here],
        cwd=folder,
        env={"PATH": path, **variables},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_tutorial_leads_to_a_judged_panel(product: Product, tmp_path: Path) -> None:
    told = run(blocks(*TAKEN[0]), tmp_path, product)
    assert re.search(r"^p\d{8}-\d{6}-\w+\.member2 practice-wrong ok ", told, re.MULTILINE)
    assert '"useful":false' in told
    assert '"practice-wrong":{"useful":0,"notUseful":' in told


def test_the_tools_can_be_asked_for_without_a_client(product: Product, tmp_path: Path) -> None:
    told = run(
        blocks(*TAKEN[1]),
        tmp_path,
        product,
        BENCHWARMERS_URL="http://127.0.0.1:8122".replace("8122", str(product.port)),
        BENCHWARMERS_KEY="local",
    )
    table = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/mcp.md").read_text(), re.MULTILINE)
    assert table == re.findall(r'"name":"(\w+)","title"', told)
