"""Registers the top layer with Django, and makes the Celery app current in every process that loads Django."""

from importlib import import_module

from django.apps import AppConfig


class BenchwarmersConfig(AppConfig):
    """Pages, processes and commands."""

    name = "benchwarmers"
    verbose_name = "Benchwarmers"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Load the Celery app, so that `shared_task` binds to our broker and not to an unconfigured default."""
        import_module("benchwarmers.celery")
