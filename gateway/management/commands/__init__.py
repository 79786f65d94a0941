"""Commands of the gateway."""
