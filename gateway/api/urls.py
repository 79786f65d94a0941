"""The edge's Django routes, for the root of the URLs: listings, evidence, the OpenAPI document, and what is left.

The paths that ask models are served before Django and are not here. A trailing slash is ignored; only the plain
spelling of each route, under /v1 where there are two, is in the OpenAPI document.
"""

from __future__ import annotations

from django.urls import URLPattern, path, re_path

from gateway.api.bench import PendingView, RecordView, VerdictView
from gateway.api.edge import EdgeView
from gateway.api.listing_views import ModelsView, ModelView
from gateway.api.ollama_views import RunningView, ShowView, TagsView, VersionView
from gateway.api.panel_views import PanelEventsView, PanelView
from gateway.api.schema import SchemaView
from gateway.api.unknown import UnknownView
from gateway.api.zones import OLLAMA_NAMES, UNSERVED


def _served(view: type[EdgeView], *routes: str) -> list[URLPattern]:
    """The view under its first route, and undocumented under the others and with a slash."""
    others = [other for route in routes for other in (route, f"{route}/")][1:]
    return [path(routes[0], view.as_view()), *(path(other, view.as_view(schema=None)) for other in others)]


def _alike(view: type[EdgeView], *routes: str) -> list[URLPattern]:
    """Routes of other vendors' APIs, which have documents of their own."""
    return [path(other, view.as_view(schema=None)) for route in routes for other in (route, f"{route}/")]


def _unknown(pattern: str) -> URLPattern:
    return re_path(rf"^(?:{pattern})(?s:/.*)?\Z", UnknownView.as_view(schema=None))


urlpatterns: list[URLPattern] = [
    *_served(ModelsView, "v1/models", "models"),
    *_served(ModelView, "v1/models/<path:model>", "models/<path:model>"),
    *_alike(ModelsView, "v1beta/models", "v1alpha/models"),
    *_alike(ModelView, "v1beta/models/<path:model>", "v1alpha/models/<path:model>"),
    *_alike(TagsView, "api/tags"),
    *_alike(RunningView, "api/ps"),
    *_alike(VersionView, "api/version"),
    *_alike(ShowView, "api/show"),
    *_served(VerdictView, "bench/verdict"),
    *_served(PendingView, "bench/pending"),
    *_served(RecordView, "bench/record"),
    *_served(PanelView, "bench/panels/<str:panel>"),
    *_served(PanelEventsView, "bench/panels/<str:panel>/events"),
    path("bench/openapi.json", SchemaView.as_view()),
    _unknown("v1|v1beta|v1alpha|bench"),
    _unknown("chat/completions|completions|embeddings|responses|messages"),
    _unknown("|".join(sorted(UNSERVED))),
    _unknown("|".join(f"api/{name}" for name in sorted(OLLAMA_NAMES))),
]
