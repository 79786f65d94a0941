"""The Celery tasks of this app: each hands over to the code that decides."""

from __future__ import annotations

import os
import socket

from celery import shared_task
from django.utils import timezone

from gateway.engine.recovery import close_lost_panels


@shared_task(name="probes.sweep_panels", queue="quick", ignore_result=True)
def sweep_panels() -> int:
    """Closes panels that a web process left open when it died; how many."""
    return close_lost_panels(f"{socket.gethostname()}/{os.getpid()}", timezone.now())
