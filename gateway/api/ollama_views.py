"""Ollama's routes beside those that ask: its listing, its version and what it says of one model."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from gateway.api.edge import EdgeView
from gateway.api.listing import find_entry, list_entries
from gateway.api.listing_forms import OLLAMA_VERSION, ollama_ps, ollama_show, ollama_tags
from gateway.canon.fault import NotFound
from gateway.wire.ollama import read_show

_SHOWN = 100


class TagsView(EdgeView):
    """GET /api/tags."""

    def get(self, request: Request) -> Response:
        """A key with a scope sees its own collections only."""
        return Response(ollama_tags(list_entries(self.snapshot, self.caller)))


class RunningView(EdgeView):
    """GET /api/ps."""

    def get(self, request: Request) -> Response:
        """Nothing is loaded here and everything answers at once, so the same models are listed as by GET /api/tags."""
        return Response(ollama_ps(list_entries(self.snapshot, self.caller), timezone.now()))


class VersionView(EdgeView):
    """GET /api/version. Needs no key: it says nothing of this installation."""

    authentication_classes = ()

    def get(self, request: Request) -> Response:
        return Response({"version": OLLAMA_VERSION})


class ShowView(EdgeView):
    """POST /api/show."""

    def post(self, request: Request) -> Response:
        """The name may leave out the prefix, and may have the tag that Ollama's clients add."""
        model = read_show(request.body)
        entry = find_entry(self.snapshot, self.caller, model)
        if entry is None:
            raise NotFound(f"There is no model {model[:_SHOWN]!r} that you may ask; GET /api/tags lists those you may.")
        return Response(ollama_show(entry))
