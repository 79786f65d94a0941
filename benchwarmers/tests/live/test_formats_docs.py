"""Every command in the pages about the routes works as it is printed."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from benchwarmers.tests.live.product import Product
from benchwarmers.tests.up.running import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]
PAGES = ("docs/formats.md", "docs/api.md")
# These need ids of panels that were asked, a collection that only the page has, or a token: see tests/api/test_docs.py.
ELSEWHERE = ("/bench/verdict", "/bench/pending", "bench/agents", "$TOKEN")


def commands(page: str) -> list[str]:
    """Each curl of a page, its lines joined."""
    blocks = re.findall(r"^```sh\n(.*?)^```", Path(ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
    joined = "".join(blocks).replace("\\\n", " ")
    return [line for line in joined.splitlines() if line.startswith("curl") and not any(w in line for w in ELSEWHERE)]


ALL = [command for page in PAGES for command in commands(page)]
RUNS = {(page, command) for page in PAGES for command in commands(page)}


def test_the_pages_have_commands() -> None:
    assert len(ALL) >= 20


@pytest.mark.parametrize("command", ALL)
def test_a_command_of_the_pages_is_answered(product: Product, command: str) -> None:
    here = command.replace("127.0.0.1:8122", f"127.0.0.1:{product.port}").replace(
        "curl -s", "curl -sS --fail-with-body"
    )
    done = subprocess.run(
        ["/bin/sh", "-c", here],
        env={"PATH": os.environ["PATH"], "KEY": "local"},
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout[:1] in "{[d"
    if "17 + 25" in here and "okens" not in here:
        assert "42" in done.stdout
