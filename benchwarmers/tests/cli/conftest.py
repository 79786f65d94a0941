"""A scripted server, and the command line pointed at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from click.testing import CliRunner, Result

from benchwarmers.cli.main import bench
from benchwarmers.tests.cli.scripted import Scripted, scripted

Run = Callable[..., Result]


@pytest.fixture
def server() -> Iterator[Scripted]:
    with scripted() as running:
        yield running


@pytest.fixture
def run(server: Scripted, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`run("models", "--all")`; `says` is what stdin holds, other names are variables."""
    for name in ("KEY", "TOKEN", "ADMIN_TOKEN", "TIMEOUT"):
        monkeypatch.delenv(f"BENCHWARMERS_{name}", raising=False)
    monkeypatch.setenv("BENCHWARMERS_URL", server.url)

    def go(*words: str, says: str = "", **variables: str) -> Result:
        return CliRunner().invoke(bench, list(words), input=says, env=variables, prog_name="bench")

    return go
