"""What a provider said is left of a limit. One row a connection, model, metric and window; an old one is past."""

from __future__ import annotations

from django.db import models


class Quota(models.Model):
    """`alias` is empty where the limit is the whole connection's. `metric` is requests, tokens, input-tokens or
    output-tokens; `window` minute, hour, day, month, retry-after or unknown. `remaining` and `limit` are null where
    they were not told; `source` is the header or field that told; `quota` a provider's own name for it."""

    connection = models.CharField(max_length=100)
    alias = models.CharField(max_length=64, blank=True)
    metric = models.CharField(max_length=16)
    window = models.CharField(max_length=16)
    limit = models.BigIntegerField(null=True, blank=True)
    remaining = models.BigIntegerField(null=True, blank=True)
    reset_at = models.DateTimeField(null=True, blank=True)
    source = models.CharField(max_length=64, blank=True)
    quota = models.CharField(max_length=200, blank=True)
    observed_at = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ("connection", "alias", "metric", "window")
        constraints = (
            models.UniqueConstraint(
                fields=["connection", "alias", "metric", "window"], name="one_quota_a_metric_and_window"
            ),
        )

    def __str__(self) -> str:
        return f"{self.connection} {self.alias}: {self.remaining} of {self.limit} {self.metric} a {self.window}"
