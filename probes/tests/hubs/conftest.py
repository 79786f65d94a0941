"""The shared world, and a stamp that is counted."""

from __future__ import annotations

from collections_app.tests.conftest import bumps, world

__all__ = ["bumps", "world"]
