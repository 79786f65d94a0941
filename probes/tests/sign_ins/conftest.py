"""An authority for each test, and the town around it. No Redis is asked for a stamp."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from collections_app.actions.person import do_save_person
from collections_app.stamp import use_stamp
from probes.tests.sign_ins.authority import Authority, running_authority
from probes.tests.sign_ins.world import Town


@pytest.fixture
def bumps() -> Iterator[list[int]]:
    """Grows by one each time the stamp moves."""
    seen: list[int] = []

    def bump() -> bool:
        seen.append(len(seen) + 1)
        return False  # pages are not told: there is no Redis here

    put_back = use_stamp(bump)
    yield seen
    put_back()


@pytest.fixture
def us() -> Iterator[Authority]:
    with running_authority() as authority:
        yield authority


@pytest.fixture
def town(db: None, us: Authority, bumps: list[int]) -> Town:
    return Town(us, do_save_person(actor=None, username="cora", groups=["curator"]))
