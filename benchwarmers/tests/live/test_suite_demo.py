"""`make suite-demo` in small: an installation of its own, a planted change, the practice squad, a table, a picture."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchwarmers.tests.up.running import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]


def test_the_demonstration_measures_what_each_of_the_squad_can_and_draws_it(tmp_path: Path) -> None:
    picture = tmp_path / "made" / "demo.svg"
    done = subprocess.run(
        [sys.executable, "-m", "suite.demo", "--pairs", "1", "--picture", str(picture)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = {" ".join(line.split()) for line in done.stdout.splitlines()}
    assert "thinker 1 0 0 1 0 +1.00 0% (0-79%) of 1" in lines
    assert "wrong 0 1 0 0 1 -1.00 100% (21-100%) of 1" in lines
    drawn = ElementTree.fromstring(picture.read_text())  # noqa: S314 our own drawing
    assert "thinker answered 2 of 2 tasks, 100% on average." in "".join(drawn.itertext())
