"""Management commands of the top layer."""
