"""Any exception of a view as the gateway's error document.

Statuses come from the Fault, Refusal or framework exception; nothing is parsed out of texts.
"""

from __future__ import annotations

import logging
from typing import Any, cast

import msgspec
from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import set_rollback

from collections_app.refusal import Refused
from gateway.api import errors
from gateway.api.problems import sentence_of
from gateway.api.speaker import form_of_request
from gateway.canon.fault import BadRequest, CallerFault, Fault, Forbidden, Internal, NotFound, WrongMedia, WrongMethod

log = logging.getLogger(__name__)


def answer_failure(error: Exception, context: dict[str, Any]) -> Response:
    """The error document for anything a view raised. A defect is logged; the caller sees nothing of its trace."""
    set_rollback()
    request = cast(Request, context["request"])
    fault = fault_of(error)
    if isinstance(fault, Internal):
        log.error("%s %s failed", request.method, request.path, exc_info=error)
    document = msgspec.json.decode(errors.error_body(form_of_request(request), fault))
    return Response(document, status=fault.status, headers=errors.fault_headers(fault))


def fault_of(error: Exception) -> Fault:
    """Any exception as a Fault whose message says what to change."""
    match error:
        case Fault():
            return error
        case Refused():
            return CallerFault(str(error), status=error.status)
        case exceptions.ValidationError():
            return BadRequest(sentence_of(error.detail))
        case exceptions.MethodNotAllowed():
            return WrongMethod("This route has no such method; the Allow header names the methods it has.")
        case exceptions.UnsupportedMediaType():
            return WrongMedia("The body is not declared as JSON; send Content-Type: application/json.")
        case exceptions.NotFound() | Http404():
            return NotFound("There is nothing at this path; GET /bench/openapi.json lists the routes.")
        case exceptions.PermissionDenied() | PermissionDenied():
            return Forbidden("This caller may not do that; ask the operator for the right.")
        case exceptions.APIException(status_code=status) if status < 500:
            return CallerFault(str(error.detail), status=status)
        case _:
            return Internal("The gateway failed at this request; its log has the reason.")
