"""Tests of asking from the browser."""
