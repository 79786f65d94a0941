"""Listings of models, in every form."""
