"""A wheel of this checkout, made without a network."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchwarmers.tests.house.tree import ROOT


def make_wheel(source: Path, folder: Path) -> Path:
    """The wheel of this source, in that folder; nothing is fetched."""
    words = ["pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", str(folder)]
    done = subprocess.run([sys.executable, "-m", *words, str(source)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_wheel(ROOT, tmp_path_factory.mktemp("wheel"))
