"""Fixtures of the catalogue's tests. No Redis: the stamp is counted in a list."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from collections_app.stamp import use_stamp
from collections_app.tests.world import World, make_world


@pytest.fixture(autouse=True)
def bumps() -> Iterator[list[int]]:
    """Grows by one each time the stamp moves."""
    seen: list[int] = []

    def bump() -> bool:
        seen.append(len(seen) + 1)
        return True

    put_back = use_stamp(bump)
    yield seen
    put_back()


@pytest.fixture
def world(db: None) -> World:
    """A fresh world."""
    return make_world()
