"""Registers the suite with Django. Decides nothing."""

from django.apps import AppConfig


class SuiteConfig(AppConfig):
    """Tasks, answers and scores."""

    name = "suite"
    verbose_name = "Suite"
    default_auto_field = "django.db.models.BigAutoField"
