"""Sums of the ledger, written in one transaction with its rows, so that they never differ from it."""

from __future__ import annotations

from django.db import models

from collections_app.models import GatewayKey

USAGE_KEY = ("day", "owner_id", "key_id", "team_id", "caller", "collection_name", "alias", "connection", "purpose")


class UsageSums(models.Model):
    """What calls used, added up."""

    requests = models.PositiveBigIntegerField(default=0)
    calls = models.PositiveBigIntegerField(default=0)
    attempts = models.PositiveBigIntegerField(default=0)
    failed = models.PositiveBigIntegerField(default=0)
    unpriced = models.PositiveBigIntegerField(default=0)
    tokens_in = models.PositiveBigIntegerField(default=0)
    tokens_out = models.PositiveBigIntegerField(default=0)
    cached = models.PositiveBigIntegerField(default=0)
    cache_write = models.PositiveBigIntegerField(default=0)
    reasoning = models.PositiveBigIntegerField(default=0)
    cost = models.BigIntegerField(default=0)
    seconds = models.FloatField(default=0)

    class Meta:
        abstract = True


class UsageDay(UsageSums):
    """What was used in a day of the server's time zone, by who asked and who answered. Ids are 0 and texts empty where
    there is none: nulls would not be unique. `unpriced` counts calls whose cost is unknown; `seconds` is upstream time;
    `cost` is in nano-dollars (1e-9 USD)."""

    day = models.DateField()
    owner_id = models.BigIntegerField(default=0)
    key_id = models.BigIntegerField(default=0)
    team_id = models.BigIntegerField(default=0)
    caller = models.CharField(max_length=150)
    collection_name = models.CharField(max_length=32, blank=True)
    alias = models.CharField(max_length=64)
    connection = models.CharField(max_length=100)
    purpose = models.CharField(max_length=16, blank=True)

    class Meta:
        ordering = ("-day",)
        constraints = (models.UniqueConstraint(fields=USAGE_KEY, name="one_sum_a_day_and_use"),)
        indexes = (
            # The key above is so wide that Postgres would rather read all days than some of them by it.
            models.Index(fields=["day"], name="sums_of_days"),
            models.Index(fields=["owner_id", "day"], name="sums_of_people"),
            models.Index(fields=["team_id", "day"], name="sums_of_teams"),
            models.Index(fields=["key_id", "day"], name="sums_of_keys"),
        )

    def __str__(self) -> str:
        return f"{self.day} {self.caller}: {self.alias}"


class UsageShare(UsageSums):
    """The sums of a day that is over, of everybody together: by one column of UsageDay, whose name is `by` and whose
    value, as text, is `value`; or over all of it, where both are empty. A day has all of its shares or none.

    Disposable: whoever changes the sums of a day removes its shares, and they are made anew
    (gateway.engine.usage_shares)."""

    day = models.DateField()
    by = models.CharField(max_length=16, blank=True)
    value = models.CharField(max_length=150, blank=True)

    class Meta:
        default_permissions = ()
        ordering = ("-day",)
        constraints = (models.UniqueConstraint(fields=["by", "day", "value"], name="one_share_a_day_and_value"),)

    def __str__(self) -> str:
        return f"{self.day} {self.by} {self.value}".rstrip()


class KeySpend(models.Model):
    """What a key has used of a budget's unit in the period that starts on `start`; units as in KeyBudget. It only
    grows."""

    key = models.ForeignKey(GatewayKey, on_delete=models.CASCADE, related_name="spends")
    unit = models.CharField(max_length=16, choices=(("requests", "requests"), ("tokens", "tokens"), ("money", "money")))
    period = models.CharField(max_length=16, choices=(("day", "day"), ("month", "month")))
    start = models.DateField()
    spent = models.BigIntegerField(default=0)

    class Meta:
        ordering = ("-start", "key")
        constraints = (
            models.UniqueConstraint(fields=["key", "unit", "period", "start"], name="one_spend_a_unit_and_period"),
        )

    def __str__(self) -> str:
        return f"{self.key}: {self.spent} {self.unit} in the {self.period} from {self.start}"
