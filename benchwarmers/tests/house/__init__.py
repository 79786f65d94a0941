"""House rules that a program can check."""
