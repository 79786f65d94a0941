"""A database in a file, as every thread sees it, and a side whose bench uses it."""

from __future__ import annotations

from probes.tests.sweeps.conftest import aside, migrated

__all__ = ["aside", "migrated"]
