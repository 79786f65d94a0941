"""Tests of the pages of models."""
