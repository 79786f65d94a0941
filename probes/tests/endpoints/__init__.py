"""Endpoints: tried before they are saved, and found without typing."""
