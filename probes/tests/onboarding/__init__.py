"""Tests of taking models on: real calls to a scripted provider, kept by real jobs."""
