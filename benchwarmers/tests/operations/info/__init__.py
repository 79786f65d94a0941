"""Tests of the page about the installation."""
