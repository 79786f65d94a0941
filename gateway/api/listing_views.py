"""The listing routes. Decide nothing: `listing` does."""

from __future__ import annotations

from typing import Any

import msgspec
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from gateway.api import examples
from gateway.api import serializers as shapes
from gateway.api.edge import EdgeView
from gateway.api.listing import find_entry, list_entries
from gateway.canon.fault import NotFound

_SHOWN = 100


class LimitsShape(serializers.Serializer[Any]):
    """The tightest known limit of any member, for each axis."""

    rpm = serializers.IntegerField(allow_null=True, help_text="Requests a minute.")
    rpd = serializers.IntegerField(allow_null=True, help_text="Requests a day.")
    tpm = serializers.IntegerField(allow_null=True, help_text="Tokens a minute.")
    tpd = serializers.IntegerField(allow_null=True, help_text="Tokens a day.")


class TogetherShape(serializers.Serializer[Any]):
    """What the members can do together."""

    context_window = serializers.IntegerField(allow_null=True, help_text="The smallest known window, in tokens.")
    context_unknown = serializers.ListField(child=serializers.CharField())
    capabilities = serializers.ListField(child=serializers.CharField())
    connections = serializers.ListField(child=serializers.CharField())
    limits = LimitsShape()


class EntryShape(serializers.Serializer[Any]):
    """A collection, as a model that a client can name."""

    id = serializers.CharField()
    object = serializers.CharField()
    created = serializers.IntegerField(help_text="Epoch seconds.")
    owned_by = serializers.CharField()
    description = serializers.CharField()
    tags = serializers.ListField(child=serializers.CharField())
    members = serializers.ListField(child=serializers.CharField())
    shape = serializers.CharField()
    explorers = serializers.IntegerField()
    reply = serializers.CharField()
    merger = serializers.CharField()
    together = TogetherShape()


ListingShape = inline_serializer(
    "Listing", {"object": serializers.CharField(), "data": serializers.ListField(child=EntryShape())}
)


class ModelsView(EdgeView):
    """GET /v1/models, and /models."""

    @extend_schema(
        operation_id="list_models",
        summary="The collections that can be asked",
        responses={200: ListingShape, 401: shapes.ErrorAnswer},
        examples=[OpenApiExample("One entry", examples.LISTING, response_only=True, status_codes=["200"])],
    )
    def get(self, request: Request) -> Response:
        """A key with a scope sees its own collections only."""
        entries = list_entries(self.snapshot, self.caller)
        return Response({"object": "list", "data": msgspec.to_builtins(entries)})


class ModelView(EdgeView):
    """GET /v1/models/<id>, and /models/<id>."""

    @extend_schema(
        operation_id="show_model",
        summary="One collection",
        parameters=[OpenApiParameter("model", str, "path", description="`bench/<name>` or `bench/<name>:<mode>`.")],
        responses={200: EntryShape, 401: shapes.ErrorAnswer, 404: shapes.ErrorAnswer},
        examples=[OpenApiExample("An entry", examples.ENTRY, response_only=True, status_codes=["200"])],
    )
    def get(self, request: Request, model: str) -> Response:
        """The id may be encoded, and may leave out the prefix."""
        entry = find_entry(self.snapshot, self.caller, model.rstrip("/"))
        if entry is None:
            raise NotFound(
                f"There is no collection {model[:_SHOWN]!r} that you may call; GET /v1/models lists those you may."
            )
        return Response(msgspec.to_builtins(entry))
