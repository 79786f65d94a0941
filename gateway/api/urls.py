"""The edge's Django routes, for the root of the URLs: listings, evidence, the OpenAPI document, and what is left.

The paths that ask models are served before Django and are not here. A trailing slash is ignored; only the plain
spelling of each route, under /v1 where there are two, is in the OpenAPI document. All spellings of a route have one
name, under which the table of rights says who may ask it.
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


def _served(view: type[EdgeView], name: str, *routes: str) -> list[URLPattern]:
    """The view under its first route, and undocumented under the others and with a slash."""
    others = [other for route in routes for other in (route, f"{route}/")][1:]
    first = path(routes[0], view.as_view(), name=name)
    return [first, *(path(other, view.as_view(schema=None), name=name) for other in others)]


def _alike(view: type[EdgeView], name: str, *routes: str) -> list[URLPattern]:
    """Routes of other vendors' APIs, which have documents of their own."""
    both = [other for route in routes for other in (route, f"{route}/")]
    return [path(other, view.as_view(schema=None), name=name) for other in both]


def _unknown(pattern: str) -> URLPattern:
    return re_path(rf"^(?:{pattern})(?s:/.*)?\Z", UnknownView.as_view(schema=None), name="gateway-unknown")


urlpatterns: list[URLPattern] = [
    *_served(ModelsView, "gateway-models", "v1/models", "models"),
    *_served(ModelView, "gateway-model", "v1/models/<path:model>", "models/<path:model>"),
    *_alike(ModelsView, "gateway-models", "v1beta/models", "v1alpha/models"),
    *_alike(ModelView, "gateway-model", "v1beta/models/<path:model>", "v1alpha/models/<path:model>"),
    *_alike(TagsView, "gateway-tags", "api/tags"),
    *_alike(RunningView, "gateway-running", "api/ps"),
    *_alike(VersionView, "gateway-version", "api/version"),
    *_alike(ShowView, "gateway-show", "api/show"),
    *_served(VerdictView, "gateway-verdict", "bench/verdict"),
    *_served(PendingView, "gateway-pending", "bench/pending"),
    *_served(RecordView, "gateway-record", "bench/record"),
    *_served(PanelView, "gateway-panel", "bench/panels/<str:panel>"),
    *_served(PanelEventsView, "gateway-panel-events", "bench/panels/<str:panel>/events"),
    path("bench/openapi.json", SchemaView.as_view(), name="gateway-openapi"),
    _unknown("v1|v1beta|v1alpha|bench"),
    _unknown("chat/completions|completions|embeddings|responses|messages"),
    _unknown("|".join(sorted(UNSERVED))),
    _unknown("|".join(f"api/{name}" for name in sorted(OLLAMA_NAMES))),
]
