"""Tests of the catalogue and of what providers offer."""
