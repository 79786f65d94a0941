"""Asking a collection from the browser."""
