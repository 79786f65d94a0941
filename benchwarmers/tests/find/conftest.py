"""The people and models of the dashboard's tests."""

from benchwarmers.tests.dashboard.conftest import as_person, bens_panel, world

__all__ = ["as_person", "bens_panel", "world"]
