"""Commands of the suite."""
