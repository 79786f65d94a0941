"""The catalogue's admin pages, one concept a file."""

from collections_app.admin import alias, collection, endpoint, evidence, key, language_model, person, secret, setting

__all__ = ["alias", "collection", "endpoint", "evidence", "key", "language_model", "person", "secret", "setting"]
