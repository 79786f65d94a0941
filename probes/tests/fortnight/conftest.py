"""A stamp that is counted instead of Redis."""

from __future__ import annotations

from collections_app.tests.conftest import bumps

__all__ = ["bumps"]
