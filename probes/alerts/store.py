"""Writes down that alerts went out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from collections_app.models import Alert


def mark_told(alerts: Sequence[int], field: str, now: datetime) -> None:
    """`field` is mailed_at or hooked_at."""
    Alert.objects.filter(pk__in=alerts).update(**{field: now})
