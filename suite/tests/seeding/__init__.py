"""Planting changes in code."""
