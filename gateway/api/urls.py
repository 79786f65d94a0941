"""The edge's Django routes, for the root of the URLs: listings, evidence, the OpenAPI document, and what is left.

The paths that ask models are served before Django and are not here. A trailing slash is ignored; only the plain
spelling of each route, under /v1 where there are two, is in the OpenAPI document.
"""

from __future__ import annotations

from django.urls import URLPattern, path, re_path

from gateway.api.bench import PendingView, RecordView, VerdictView
from gateway.api.edge import EdgeView
from gateway.api.listing_views import ModelsView, ModelView
from gateway.api.schema import SchemaView
from gateway.api.unknown import UnknownView


def _served(view: type[EdgeView], *routes: str) -> list[URLPattern]:
    """The view under its first route, and undocumented under the others and with a slash."""
    others = [other for route in routes for other in (route, f"{route}/")][1:]
    return [path(routes[0], view.as_view()), *(path(other, view.as_view(schema=None)) for other in others)]


urlpatterns: list[URLPattern] = [
    *_served(ModelsView, "v1/models", "models"),
    *_served(ModelView, "v1/models/<path:model>", "models/<path:model>"),
    *_served(VerdictView, "bench/verdict"),
    *_served(PendingView, "bench/pending"),
    *_served(RecordView, "bench/record"),
    path("bench/openapi.json", SchemaView.as_view()),
    re_path(r"^(?:v1|v1beta|bench)(?s:/.*)?\Z", UnknownView.as_view(schema=None)),
    re_path(r"^(?:chat/completions|completions|responses)/?\Z", UnknownView.as_view(schema=None)),
]
