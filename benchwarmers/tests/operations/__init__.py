"""Tests of the operations pages."""
