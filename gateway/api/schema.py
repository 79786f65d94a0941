"""The OpenAPI document of the edge's own routes, served as JSON. No viewer, so nothing is fetched from elsewhere."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.views import SpectacularJSONAPIView
from rest_framework.renderers import JSONRenderer

from gateway.api.failures import answer_failure
from gateway.api.json_body import JsonOnly

SETTINGS = {
    "TITLE": "Benchwarmers gateway",
    "DESCRIPTION": (
        "Listings and evidence. Answers are asked for with the usual clients of the usual APIs, for instance "
        "`POST /v1/chat/completions` with a collection as the model; those requests follow their vendors' documents."
    ),
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": r"/(v1|bench)",
}


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Tells the document how a gateway key is sent."""

    target_class = "gateway.api.authentication.KeyAuthentication"
    name = "gatewayKey"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """A Bearer token; `x-api-key` and `x-goog-api-key` are taken as well."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A gateway key, bwk_…; also taken from x-api-key and x-goog-api-key. Not needed where the "
            "server asks for no keys.",
        }


class SchemaView(SpectacularJSONAPIView):
    """GET /bench/openapi.json. Open to everybody: it says nothing of this installation."""

    authentication_classes = ()
    permission_classes = ()
    renderer_classes = [JSONRenderer]
    content_negotiation_class = JsonOnly
    urlconf = "gateway.api.urls"
    custom_settings = SETTINGS

    def get_exception_handler(self) -> Any:
        """Failures look as on every other route of the edge."""
        return answer_failure
