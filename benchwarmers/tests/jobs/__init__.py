"""Background work on real stores and in real processes, which are killed."""
