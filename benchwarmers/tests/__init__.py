"""Tests of the top layer: settings, processes, pages and the house rules."""
