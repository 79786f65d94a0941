"""A few rows in every table there is, without naming the tables: a new one is filled like the others."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any, Final

from django.apps import apps
from django.db import models

from benchwarmers.tests.performance.big.amounts import Amounts
from benchwarmers.tests.performance.big.seed import seed
from collections_app.models import Endpoint, Secret
from collections_app.vault import seal

NOW: Final = datetime(2026, 11, 30, 12, 0, 0, 250_000, tzinfo=UTC)
AMOUNTS: Final = Amounts(
    days=4,
    people=6,
    keys=6,
    endpoints=4,
    models=14,
    collections=4,
    calls=300,
    panels=24,
    conversations=6,
    turns=40,
    listed=20,
    probed_days=2,
    probes_a_day=1,
    tasks=6,
    passes=2,
    asked_tasks=3,
    offers=10,
    changes=20,
    readings=10,
    jobs=5,
    lines_a_job=2,
    alerts=4,
)
PLAIN: Final = "sk-little-secret-of-a-test"
"""What the secret `little` is, sealed."""


def fill() -> None:
    """Fill the default database, which is migrated and empty."""
    seed(AMOUNTS, NOW)
    Secret.objects.create(name="little", cipher=seal(PLAIN), hint="test")
    Endpoint.objects.filter(pk=Endpoint.objects.order_by("pk")[0].pk).update(key_name="little")
    _add_factor()
    for model in empty():
        _add_one(model)


def empty() -> Iterator[Any]:
    """Models without a row."""
    for model in apps.get_models(include_auto_created=True):
        if model._meta.managed and not model._meta.proxy and not model._base_manager.exists():
            yield model


def _add_factor() -> None:
    """A sealed second factor of somebody."""
    person = apps.get_model("auth", "User").objects.order_by("pk")[0]
    factors: Any = apps.get_model("mfa", "Authenticator")
    factors.objects.create(user=person, type="totp", data={"secret": seal("JBSWY3DPEHPK3PXP")})


def _add_one(model: Any) -> None:
    values = {}
    for field in model._meta.local_concrete_fields:
        if isinstance(field, models.AutoField):
            continue
        if field.remote_field is not None:
            values[field.attname] = field.related_model._base_manager.values_list("pk", flat=True).first()
        else:
            values[field.attname] = _value(field)
    model._base_manager.bulk_create([model(**values)])


def _value(field: Any) -> Any:
    if field.choices:
        return next(iter(field.flatchoices))[0]
    if field.has_default() and field.get_default() not in (None, ""):
        return field.get_default()
    match field:
        case models.DateTimeField():
            return NOW
        case models.DateField():
            return date(2026, 11, 30)
        case models.JSONField():
            return {"what": ["is", "kept", 1.5, None, "Grüße \U0001f642"]}
        case models.BinaryField():
            return b"\x00\x01\xff"
        case models.BooleanField():
            return True
        case models.DecimalField() | models.FloatField():
            return 1
        case models.IntegerField():
            return 1
        case models.GenericIPAddressField():
            return "2001:db8::1"
        case _:
            return f"some {field.name}"[: field.max_length or 100]
