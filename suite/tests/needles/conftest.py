"""A package of invented code that is installed for one test."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from suite.tests.needles.given import package


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Its folder. Named after the test's own, so that no other test sees it."""
    name = "hay_" + "".join(letter for letter in tmp_path.name if letter.isalnum())
    root = tmp_path / name
    root.mkdir()
    (root / "__init__.py").write_text("")
    for source in package(40):
        (root / Path(source.name).name).write_text(source.text)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return root
