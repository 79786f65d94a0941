"""People, models and a client signed in as one of them, as the dashboard's tests have them."""

from __future__ import annotations

from benchwarmers.tests.dashboard.conftest import as_person, bens_panel, world

__all__ = ["as_person", "bens_panel", "world"]
