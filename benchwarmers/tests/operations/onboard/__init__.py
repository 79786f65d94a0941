"""Tests of the page on which models are taken on."""
