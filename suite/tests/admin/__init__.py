"""Tests of the suite's pages in the admin."""
