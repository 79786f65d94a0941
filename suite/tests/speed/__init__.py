"""The perf tier."""
