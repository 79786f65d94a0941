"""Seating put to the test: synthetic models of known quality, noisy judges, and the product's own decisions."""
