"""A scripted provider, and a side over a database of the test's own."""

from __future__ import annotations

from probes.tests.onboarding.conftest import aside, migrated, provider

__all__ = ["aside", "migrated", "provider"]
