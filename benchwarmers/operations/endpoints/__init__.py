"""Endpoints: the list, what can be found without typing, one that is new, and one with its key, models and end."""
