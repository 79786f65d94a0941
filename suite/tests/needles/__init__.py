"""Needles in much code."""
