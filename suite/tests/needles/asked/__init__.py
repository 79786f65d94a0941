"""Needles as calls."""
