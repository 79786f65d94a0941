"""What every Django view of the gateway's edge shares: who asks, JSON in and out, and failures in the error shape.

A view assumes that the guard has judged host, origin, type and size. Bodies without a Content-Type and bodies without a
length are read like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django.http import HttpRequest
from rest_framework.authentication import BaseAuthentication
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from gateway.api.authentication import KeyAuthentication
from gateway.api.failures import answer_failure
from gateway.api.json_body import JsonBody, JsonOnly
from gateway.api.speaker import form_of_request
from gateway.api.zones import Format
from gateway.engine.snapshot import Caller, Snapshot


class EdgeView(APIView):
    """The base of the edge's views. Handlers raise Faults; they come out as the format's error document."""

    authentication_classes: Sequence[type[BaseAuthentication]] = (KeyAuthentication,)
    permission_classes = ()
    parser_classes = (JsonBody,)
    renderer_classes = (JSONRenderer,)
    content_negotiation_class = JsonOnly

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        """A body sent in chunks declares no length, without which it would be taken for none."""
        if not request.META.get("CONTENT_LENGTH"):
            request.META["CONTENT_LENGTH"] = str(len(request.body))
        return super().initialize_request(request, *args, **kwargs)

    def get_exception_handler(self) -> Any:
        """The one below, for every view of the edge."""
        return answer_failure

    @property
    def caller(self) -> Caller:
        """Who asks."""
        return cast(Caller, self.request.user)

    @property
    def snapshot(self) -> Snapshot:
        """The catalogue at the time of asking."""
        return cast(Snapshot, self.request.auth)

    @property
    def form(self) -> Format:
        """The format that the request speaks."""
        return form_of_request(self.request)
