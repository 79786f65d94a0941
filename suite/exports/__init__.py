"""Results in the forms of other tools, and tests of another tool as tasks."""
