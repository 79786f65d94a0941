"""Registers the gateway's rows (panels, seats, calls, quotas) with Django. Decides nothing."""

from django.apps import AppConfig


class GatewayConfig(AppConfig):
    """Panels, seats, turns, calls and quotas."""

    name = "gateway"
    verbose_name = "Gateway"
    default_auto_field = "django.db.models.BigAutoField"
