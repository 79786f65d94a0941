"""The people and models of the dashboard's tests, and a curator's program."""

import pytest

from benchwarmers.tests.api.given import Program
from benchwarmers.tests.dashboard.conftest import as_person, bens_panel, world

__all__ = ["as_person", "bens_panel", "maya", "world"]


@pytest.fixture
def maya(world: None) -> Program:
    return Program("maya")
