"""Registers the top layer with Django, and does what every process of ours needs once."""

from importlib import import_module

from django.apps import AppConfig

from benchwarmers import lifeline


class BenchwarmersConfig(AppConfig):
    """Pages, processes and commands."""

    name = "benchwarmers"
    verbose_name = "Benchwarmers"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make the Celery app current, so that `shared_task` finds our broker; log sign-ins and follow sessions; end
        with the supervisor."""
        import_module("benchwarmers.celery")
        import_module("benchwarmers.sign_in_log").listen()
        lifeline.hold()
        import_module("benchwarmers.people.sessions").follow_signals()
        import_module("benchwarmers.people.preferences").follow_signals()
