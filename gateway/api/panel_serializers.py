"""The shape of a panel in the interface, for the OpenAPI document."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class SeatShape(serializers.Serializer[Any]):
    """One seat. `status` is asked while it is at work; `finished_at` is null until then."""

    call = serializers.CharField()
    seat = serializers.CharField()
    alias = serializers.CharField()
    status = serializers.CharField()
    seconds = serializers.FloatField()
    answer = serializers.CharField()
    error = serializers.CharField()
    finished_at = serializers.DateTimeField(allow_null=True)


class ReasonShape(serializers.Serializer[Any]):
    """Why a model sits where it sits, and when it would no longer."""

    call = serializers.CharField()
    alias = serializers.CharField()
    why = serializers.CharField()
    until = serializers.CharField()


class PanelAnswer(serializers.Serializer[Any]):
    """A panel as it stands. `skipped` lists {seat, alias, why}; `stamp` names the catalogue that it was planned by."""

    panel = serializers.CharField()
    collection = serializers.CharField()
    state = serializers.ChoiceField(choices=("running", "done", "interrupted"))
    reply = serializers.CharField()
    shape = serializers.CharField()
    shape_by = serializers.CharField()
    started_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    seats = SeatShape(many=True)
    plan = ReasonShape(many=True)
    skipped = serializers.ListField(child=serializers.DictField())
    stamp = serializers.CharField()
    verdict = serializers.CharField()
