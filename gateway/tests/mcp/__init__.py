"""The context protocol without a network."""
