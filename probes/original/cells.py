"""Reads single values of the original's records; what makes no sense counts as nothing. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from datetime import datetime, time
from itertools import islice
from typing import Any, Final, TypeVar

from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime

from probes.original.folder import Record

BY: Final = "original"
BATCH: Final = 1000
Row = TypeVar("Row")


def batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    iterator = iter(rows)
    while batch := list(islice(iterator, BATCH)):
        yield batch


def digest(record: Record) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()[:32]


def text_of(record: Record, name: str) -> str:
    value = record.get(name)
    return value.replace("\0", "\ufffd") if isinstance(value, str) else ""


def number_of(value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return 0.0
    return number if 0 <= number < 1e9 else 0.0


def count_of(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value < 2**31 else None


def moment_of(value: Any) -> datetime | None:
    try:
        moment = parse_datetime(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return timezone.make_aware(moment) if moment is not None and timezone.is_naive(moment) else moment


def day_of(value: Any) -> datetime | None:
    """The noon of a day, in the server's time zone."""
    try:
        day = parse_date(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return datetime.combine(day, time(12), timezone.get_default_timezone()) if day else None
