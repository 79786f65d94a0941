"""Tests that mirror the folder of the same name."""
