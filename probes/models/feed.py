"""What public feeds say of models, and what this installation says of the connections it has."""

from __future__ import annotations

from django.db import models

from collections_app.models import Endpoint


class Feed(models.Model):
    """The last good copy of a feed: `body` is its JSON, compressed with zlib. `trouble` says why the last try failed,
    empty after one that worked. `shipped` marks the copy that came with the program."""

    name = models.CharField(max_length=32, unique=True)
    body = models.BinaryField(default=bytes, editable=False)
    fetched_at = models.DateTimeField(null=True, blank=True)
    tried_at = models.DateTimeField(null=True, blank=True)
    trouble = models.CharField(max_length=300, blank=True)
    shipped = models.BooleanField(default=False)

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class Offer(models.Model):
    """A model that a provider offers, by the feeds. `name` is normalised, `served` the id that the provider knows it
    by. Prices are USD per million tokens. `first_seen` is null for what was there when offers were first gathered."""

    provider = models.CharField(max_length=64)
    name = models.CharField(max_length=200)
    served = models.CharField(max_length=200)
    label = models.CharField(max_length=200, blank=True)
    base = models.CharField(max_length=500, blank=True, help_text="The provider's API, where it speaks a known one.")
    free = models.BooleanField(default=False)
    price_in = models.FloatField(null=True, blank=True)
    price_out = models.FloatField(null=True, blank=True)
    context_window = models.PositiveIntegerField(null=True, blank=True)
    max_output = models.PositiveIntegerField(null=True, blank=True)
    tools = models.BooleanField(null=True, blank=True)
    reasoning = models.BooleanField(null=True, blank=True)
    structured_output = models.BooleanField(null=True, blank=True)
    inputs = models.JSONField(default=list, blank=True)
    outputs = models.JSONField(default=list, blank=True)
    limits = models.JSONField(default=dict, blank=True)
    released = models.CharField(max_length=20, blank=True)
    knowledge = models.CharField(max_length=20, blank=True)
    open_weights = models.BooleanField(null=True, blank=True)
    sources = models.JSONField(default=list, blank=True)
    first_seen = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField()

    class Meta:
        ordering = ("-free", "provider", "name")
        constraints = (models.UniqueConstraint(fields=["provider", "name"], name="one_offer_a_provider_and_name"),)
        indexes = (models.Index(fields=["name"]),)

    def __str__(self) -> str:
        return f"{self.provider}/{self.served}"


class ConnectionFact(models.Model):
    """What this installation says of a connection: that it is `paid` anyway, so that prices raise no alert, and which
    provider of models.dev it is."""

    connection = models.CharField(max_length=100, unique=True)
    paid = models.BooleanField(default=False)
    models_dev = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ("connection",)

    def __str__(self) -> str:
        return self.connection


class HubConnection(models.Model):
    """A connection behind a hub, as the hub named it last: through it more of its models can be had. `base` is where it
    leads, empty where the hub does not say."""

    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="hub_connections")
    connection = models.CharField(max_length=100)
    base = models.CharField(max_length=500, blank=True)
    seen_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        ordering = ("endpoint", "connection")
        constraints = (models.UniqueConstraint(fields=["endpoint", "connection"], name="one_row_a_hub_connection"),)

    def __str__(self) -> str:
        return f"{self.connection} behind {self.endpoint}"


class OwnAppProvider(models.Model):
    """A provider whose free models work (`only` false) or do not work (true) outside its own application, where that is
    not as the table of providers has it."""

    provider = models.CharField(max_length=64, unique=True)
    only = models.BooleanField()

    class Meta:
        ordering = ("provider",)

    def __str__(self) -> str:
        return self.provider
