"""Alerts go out by e-mail and by webhook."""
