"""What every test of every app may rely on; the settings are in `benchwarmers.tests.settings`."""

from __future__ import annotations

from typing import Any

import hypothesis
import pytest

# Cases are the same on every machine, so that no test fails by chance; --hypothesis-profile=thorough looks for
# more.
hypothesis.settings.register_profile("usual", max_examples=30, deadline=None, derandomize=True)
hypothesis.settings.register_profile("thorough", max_examples=1_000, deadline=None)
hypothesis.settings.load_profile("usual")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Tests that share an installation run in one worker."""
    from benchwarmers.tests.scheduler import ByGroup

    return ByGroup(config, log) if config.getvalue("dist") == "loadgroup" else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What takes longest begins first, so that no worker is left alone with it in the end. What starts real processes
    has a second try, for a crowded machine may make a fool of its clocks; the summary counts such tests."""
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.flaky(reruns=1))
    if hasattr(config, "workerinput"):
        from benchwarmers.tests.scheduler import in_order

        items[:] = in_order(items, str(config.rootpath))


@pytest.fixture(autouse=True)
def _nothing_known() -> None:
    """The process remembers nothing of the last test's catalogue."""
    from gateway.api.known import KNOWN  # once Django is set up

    KNOWN.forget()
