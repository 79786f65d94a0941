"""Registers the catalogue with Django. Decides nothing."""

from django.apps import AppConfig


class CollectionsAppConfig(AppConfig):
    """Endpoints, models, collections, keys, evidence."""

    name = "collections_app"
    verbose_name = "Catalogue"
    default_auto_field = "django.db.models.BigAutoField"
