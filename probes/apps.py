"""Registers the probes with Django. Decides nothing."""

from django.apps import AppConfig
from django.conf import settings


class ProbesConfig(AppConfig):
    """Jobs, onboarding and measurements."""

    name = "probes"
    verbose_name = "Probes"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Stops a start with a file of providers that makes no sense."""
        if settings.BENCH.sign_in_providers is not None:
            from probes.sign_ins.providers import providers  # models are there only now

            providers()
