"""Tests of legacy completions, for callers."""
