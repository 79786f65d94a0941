"""Tests of the page of settings."""
