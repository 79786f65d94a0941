"""What the views under /api/ share: JSON in and out, and one shape of failure."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, cast

from django.contrib.auth.models import User
from rest_framework.authentication import BaseAuthentication
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView, set_rollback

from benchwarmers.api.body import Form, check_query, read_body
from collections_app.journal import journal
from collections_app.refusal import Refused
from gateway.api.failures import fault_of
from gateway.api.json_body import JsonBody, JsonOnly
from gateway.canon.fault import BadRequest, Internal

log = logging.getLogger(__name__)
Asked = Mapping[str, str]
"""The parameters of an address."""


class KnownAlready(BaseAuthentication):
    """The middleware knows the person, and the table of rights has let them in."""

    def authenticate(self, request: Request) -> tuple[Any, None]:
        """As the middleware said."""
        return request._request.user, None


class ApiView(APIView):
    """A route under /api/. Answers `{"ok": true, ...}`; a failure is `{"ok": false, "errors": [sentences]}`."""

    authentication_classes: Sequence[type[BaseAuthentication]] = (KnownAlready,)
    permission_classes = ()
    parser_classes = (JsonBody,)
    renderer_classes = (JSONRenderer,)
    content_negotiation_class = JsonOnly

    def get_exception_handler(self) -> Any:
        """The one below."""
        return answer_failure

    @property
    def person(self) -> User:
        """Whom the program acts for."""
        return cast(User, self.request.user)

    @property
    def said(self) -> dict[str, Any]:
        """The body, which is an object. Raises a 400."""
        body = self.request.data
        if not isinstance(body, dict):
            raise BadRequest("The body is one JSON object.")
        return body

    @contextmanager
    def changes(self, topic: str) -> Iterator[list[dict[str, Any]]]:
        """Everything inside is one write, all of it or nothing. The list is what was written, once it is left: thing,
        name, field (empty for all of it), old and new, as the change log has it."""
        told: list[dict[str, Any]] = []
        with journal(self.person, topic) as log:
            yield told
            told += [
                {"thing": row.thing, "name": row.name, "field": row.field, "old": row.old, "new": row.new}
                for row in log.rows
            ]

    def done(self, **told: Any) -> Response:
        """An answer."""
        return Response({"ok": True, **told})


def takes(form: type[Form]) -> Callable[[Callable[[Any, Form], Response]], Callable[[Any, Request], Response]]:
    """A method that is given its body by the fields of `form`; a body that does not fit is a 400 before it runs."""

    def over(method: Callable[[Any, Form], Response]) -> Callable[[Any, Request], Response]:
        @wraps(method)
        def read(self: ApiView, request: Request) -> Response:
            return method(self, read_body(self.said, form))

        read.form = form  # type: ignore[attr-defined]
        return read

    return over


def asks(*known: str) -> Callable[[Callable[[Any, Asked], Response]], Callable[[Any, Request], Response]]:
    """A method that is given the parameters of its address, the last of each name; one that is not `known` is a 400."""

    def over(method: Callable[[Any, Asked], Response]) -> Callable[[Any, Request], Response]:
        @wraps(method)
        def read(self: ApiView, request: Request) -> Response:
            check_query(request.query_params, known)
            return method(self, request.query_params.dict())

        read.known = known  # type: ignore[attr-defined]
        return read

    return over


def answer_failure(error: Exception, context: dict[str, Any]) -> Response:
    """The failure of a view, as sentences; a broken rule of an action names its field."""
    set_rollback()
    if isinstance(error, Refused):
        told = [f"{field}: {why}" if field else why for field, why in error.problems]
        return Response({"ok": False, "errors": told}, status=error.status)
    fault = fault_of(error)
    if isinstance(fault, Internal):
        request = context["request"]
        log.error("%s %s failed", request.method, request.path, exc_info=error)
    return Response({"ok": False, "errors": [fault.message]}, status=fault.status)
