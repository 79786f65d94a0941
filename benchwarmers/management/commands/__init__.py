"""One command a file, each a thin wrapper."""
