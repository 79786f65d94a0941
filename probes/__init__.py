"""Asks the outside world about endpoints and models, through the engine, and reports back as evidence."""
