"""One running installation, shared by the tests of a file: starting it is most of their time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchwarmers.tests.up.running import Running


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A first start that answers."""
    home: Path = tmp_path_factory.mktemp("home")
    running = Running(home)
    try:
        running.wait_until_whole()
        yield running
    finally:
        running.end()
