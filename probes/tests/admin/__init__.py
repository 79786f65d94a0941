"""Tests of the admin pages of background work."""
