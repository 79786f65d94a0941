"""Tasks from a repository's own past: its fixes are found, tried with its tests, and become drafts."""
