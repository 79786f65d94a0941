"""The Celery application: where the broker is and how work is delivered. No tasks live here.

Settings with the prefix `CELERY_` configure it. Logging stays Django's, so every process writes the same lines.
"""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchwarmers.settings")

app = Celery("benchwarmers")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

from benchwarmers import queue_wait, seen  # noqa: E402,F401 their receivers; need the settings


@setup_logging.connect
def keep_django_logging(**_: Any) -> None:
    """Having a receiver is what keeps Celery from replacing the logging configuration."""
