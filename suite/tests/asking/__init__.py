"""Passes over a scripted provider, as the jobs do them."""
