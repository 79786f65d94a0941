"""Tests of the sweeps over all models: real calls to scripted providers, kept by real jobs."""
