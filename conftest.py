"""What every test of every app may rely on; the settings are in `benchwarmers.tests.settings`."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Tests that share an installation run in one worker."""
    from benchwarmers.tests.scheduler import ByGroup

    return ByGroup(config, log) if config.getvalue("dist") == "loadgroup" else None


@pytest.fixture(autouse=True)
def _nothing_known() -> None:
    """The process remembers nothing of the last test's catalogue."""
    from gateway.api.known import KNOWN  # once Django is set up

    KNOWN.forget()
