"""Registers the probes with Django. Decides nothing."""

from django.apps import AppConfig


class ProbesConfig(AppConfig):
    """Jobs, onboarding and measurements."""

    name = "probes"
    verbose_name = "Probes"
    default_auto_field = "django.db.models.BigAutoField"
