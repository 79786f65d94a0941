"""Tests of tasks from a repository's past."""
