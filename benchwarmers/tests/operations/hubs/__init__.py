"""Tests of the page of a hub."""
