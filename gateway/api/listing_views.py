"""The listing routes of OpenAI, Anthropic and Gemini, which share their paths. Decide nothing: `listing` says what is
shown, `speaker` who asks and `listing_forms` how it is told."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.request import Request
from rest_framework.response import Response

from gateway.api import examples
from gateway.api import serializers as shapes
from gateway.api.edge import EdgeView
from gateway.api.listing import find_entry, list_entries
from gateway.api.listing_codex import codex_models
from gateway.api.listing_forms import list_document, one_document
from gateway.api.zones import GEMINI_METHODS
from gateway.canon.fault import NotFound

_SHOWN = 100
_CODEX = "client_version"


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
        """A key with a scope sees its own collections only. Clients of Anthropic (`anthropic-version`) and of Gemini
        (`x-goog-api-key`) get the listing of their own API."""
        entries = list_entries(self.snapshot, self.caller)
        document = list_document(self.form, entries)
        if _CODEX in request.query_params:
            document["models"] = codex_models(entries)
        return Response(document)


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
        entry = find_entry(self.snapshot, self.caller, model.rstrip("/").removeprefix("models/"))
        if entry is None:
            raise NotFound(
                f"There is no collection {model[:_SHOWN]!r} that you may call; GET /v1/models lists those you may."
            )
        return Response(one_document(self.form, entry))

    def http_method_not_allowed(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:
        """A POST here is one of Gemini's methods that is not served."""
        _, colon, method = request.path.rstrip("/").rpartition(":")
        if request.method == "POST" and colon:
            raise NotFound(
                f"There is no method {method[:_SHOWN]!r} of models here; there are {', '.join(GEMINI_METHODS)}."
            )
        raise MethodNotAllowed(str(request.method))
