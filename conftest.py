"""What every test of every app may rely on; the settings are in `benchwarmers.tests.settings`."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _nothing_known() -> None:
    """The process remembers nothing of the last test's catalogue."""
    from gateway.api.known import KNOWN  # once Django is set up

    KNOWN.forget()
