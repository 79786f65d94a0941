"""The OpenAPI document of the routes under /api/, out of the fields and parameters that they take."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec
from django.urls import URLPattern
from rest_framework.response import Response

from benchwarmers.api.view import ApiView, Asked, asks
from benchwarmers.version import version

REF: Final = "#/components/schemas/{name}"
DONE: Final = {"type": "object", "required": ["ok"], "properties": {"ok": {"const": True}}}
FAILED: Final = {
    "type": "object",
    "required": ["ok", "errors"],
    "properties": {"ok": {"const": False}, "errors": {"type": "array", "items": {"type": "string"}}},
}
TOKEN: Final = {
    "type": "http",
    "scheme": "bearer",
    "description": "A personal token, bwp_…: it does what its person may do.",
}


class OpenApiView(ApiView):
    """GET /api/openapi.json."""

    @asks()
    def get(self, asked: Asked) -> Response:
        """The document, without `ok`."""
        from benchwarmers.api.urls import urlpatterns  # the routes know this view too

        return Response(document(urlpatterns, version().number))


def document(routes: Iterable[URLPattern], number: str) -> dict[str, Any]:
    """The document of these routes. Pure."""
    known = [(f"/{route.pattern}", getattr(route.callback, "view_class", None)) for route in routes]
    views = [(path, view) for path, view in known if view is not None]
    forms = {form for _, view in views if (form := getattr(getattr(view, "post", None), "form", None))}
    order = sorted(forms, key=lambda form: (form.__module__, form.__name__))
    schemas, shared = msgspec.json.schema_components(order, ref_template=REF)
    bodies = dict(zip(order, schemas, strict=True))
    paths = {path: {verb: _operation(view, verb, bodies) for verb in ("get", "post") if hasattr(view, verb)}
             for path, view in views}  # fmt: skip
    return {
        "openapi": "3.1.0",
        "info": {"title": "Benchwarmers, for programs of people", "version": number},
        "security": [{"personalToken": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"personalToken": TOKEN},
            "schemas": {**shared, "Done": DONE, "Failed": FAILED},
        },
    }


def _operation(view: Any, verb: str, bodies: dict[type, dict[str, Any]]) -> dict[str, Any]:
    method = getattr(view, verb)
    told: dict[str, Any] = {
        "summary": " ".join((method.__doc__ or "").split()),
        "responses": {"200": _answer("What was asked for, or done.", "Done"), "default": _answer("Why not.", "Failed")},
    }
    if known := getattr(method, "known", ()):
        text = {"type": "string"}
        told["parameters"] = [{"name": name, "in": "query", "required": False, "schema": text} for name in known]
    if form := getattr(method, "form", None):
        told["requestBody"] = {"required": True, "content": {"application/json": {"schema": bodies[form]}}}
    return told


def _answer(words: str, schema: str) -> dict[str, Any]:
    return {"description": words, "content": {"application/json": {"schema": {"$ref": REF.format(name=schema)}}}}
