"""Tests of the pages of the schedule."""
