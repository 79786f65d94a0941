"""Finding things from any page."""
