"""The one-command start, with real processes."""
