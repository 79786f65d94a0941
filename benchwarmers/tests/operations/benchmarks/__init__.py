"""Tests of the pages of the suite."""
