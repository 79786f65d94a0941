"""Tests of the pages of what providers offer."""
