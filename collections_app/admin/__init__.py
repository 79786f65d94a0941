"""The catalogue's admin pages, one concept a file."""

from collections_app.admin import collection, endpoint, evidence, key, language_model, person, secret, setting

__all__ = ["collection", "endpoint", "evidence", "key", "language_model", "person", "secret", "setting"]
