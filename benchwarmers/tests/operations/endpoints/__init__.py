"""The pages of endpoints."""
