"""A judge at work."""
