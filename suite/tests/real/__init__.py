"""Tests of tasks from real bugs."""
