"""Tests of taking results elsewhere, and of taking tests of another tool in."""
