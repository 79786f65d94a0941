"""The Celery task of this package: it hands over to the code that decides."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone


@shared_task(name="benchwarmers.back_up", ignore_result=True)
def back_up() -> bool:
    """Asks for a backup where the environment names a folder for them and a day has passed; whether it did."""
    from benchwarmers.backup.nightly import ask_for_backup

    return ask_for_backup(timezone.now())
