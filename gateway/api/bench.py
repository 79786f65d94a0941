"""The evidence routes: record a verdict, ask which answers still wait for one, see how a collection's models did.

Serializer, then action or query, then the answer. Nothing here costs a model call or counts against a key's rate.
"""

from __future__ import annotations

from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from msgspec import structs
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from collections_app.actions.verdict import do_verdict, do_withdraw_verdict
from gateway.api import examples, judging
from gateway.api import serializers as shapes
from gateway.api.edge import EdgeView
from gateway.api.judging import Tally
from gateway.canon.fault import BadRequest, Forbidden
from gateway.canon.names import PREFIX, read_collection
from gateway.engine.snapshot import Caller

_Shape = TypeVar("_Shape", bound=Serializer[Any])
_FAILURES = {status: shapes.ErrorAnswer for status in (400, 401, 415)}


def checked(shape: type[_Shape], data: Any) -> dict[str, Any]:
    """The data as the shape has it. Raises the framework's ValidationError, which comes out as a 400."""
    serializer = shape(data=data)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


class VerdictView(EdgeView):
    """POST /bench/verdict."""

    @extend_schema(
        operation_id="record_verdict",
        summary="Say whether an answer helped",
        description="One verdict a person and call; a later one replaces it, and it can be withdrawn. Only answers "
        "that you asked for yourself. "
        "In route mode a model's work in a conversation is one call, and a verdict on it is never asked for; "
        "the shadow of a turn is a call of its own.",
        request=shapes.VerdictBody,
        responses={200: shapes.VerdictAnswer, **_FAILURES, 403: shapes.ErrorAnswer, 404: shapes.ErrorAnswer},
        examples=[
            OpenApiExample("A useful answer", examples.VERDICT, request_only=True),
            OpenApiExample("A conversation's model", examples.ROUTE_VERDICT, request_only=True),
            OpenApiExample("A verdict taken back", examples.WITHDRAW, request_only=True),
            OpenApiExample("Recorded", examples.RECORDED, response_only=True, status_codes=["200"]),
            OpenApiExample("Withdrawn", examples.WITHDRAWN, response_only=True, status_codes=["200"]),
            OpenApiExample("Not yours, or unknown", examples.NO_CALL, response_only=True, status_codes=["404"]),
        ],
    )
    def post(self, request: Request) -> Response:
        """Record it; the same verdict twice writes once, and so does the same withdrawal."""
        body = checked(shapes.VerdictBody, request.data)
        judging.check_own(self.caller, body["call"])
        actor, name = judge_of(self.caller)
        if body["withdraw"]:
            gone = do_withdraw_verdict(actor=actor, judge_name=name, call=body["call"], now=timezone.now())
            return Response({"ok": True, "withdrawn": gone})
        verdict = do_verdict(
            actor=actor,
            judge_name=name,
            call=body["call"],
            useful=body["useful"],
            note=body["note"] or "",
            real=body["real"] or [],
            false=body["false"] or [],
            blank_keeps=True,
            now=timezone.now(),
        )
        return Response({"ok": True, "recorded": structs.asdict(judging.load_entry(verdict))})


class PendingView(EdgeView):
    """POST /bench/pending."""

    @extend_schema(
        operation_id="list_pending",
        summary="Which of these calls still wait for a verdict",
        description="Unknown ids, those of other people and those of members in route mode are simply not pending. "
        "Shadows are.",
        request=shapes.PendingBody,
        responses={200: shapes.PendingAnswer, **_FAILURES},
        examples=[
            OpenApiExample("Two calls", examples.CALLS, request_only=True),
            OpenApiExample("One waits", examples.PENDING, response_only=True, status_codes=["200"]),
        ],
    )
    def post(self, request: Request) -> Response:
        """Ids in the order they were sent."""
        body = checked(shapes.PendingBody, request.data)
        return Response({"pending": judging.load_pending(self.caller, body["calls"])})


class RecordView(EdgeView):
    """GET /bench/record."""

    @extend_schema(
        operation_id="show_record",
        summary="How a collection's models did, in judged answers",
        description="Counts only, over everybody's verdicts. An unknown collection has an empty record.",
        parameters=[shapes.RecordQuery],
        responses={
            200: shapes.RecordAnswer,
            400: shapes.ErrorAnswer,
            401: shapes.ErrorAnswer,
            403: shapes.ErrorAnswer,
        },
        examples=[OpenApiExample("Two models", examples.RECORD, response_only=True, status_codes=["200"])],
    )
    def get(self, request: Request) -> Response:
        """The counts by alias."""
        query = checked(shapes.RecordQuery, request.query_params)
        collection, _ = read_collection(query["collection"])
        if not collection:
            raise BadRequest("collection: Name one, as in ?collection=bench/core.")
        check_scope(self.caller, collection)
        tallies = judging.load_tallies(self.caller, collection, query["task"])
        return Response(
            {
                "collection": f"{PREFIX}{collection}",
                "task": query["task"],
                "aliases": {alias: counts_of(tally) for alias, tally in tallies.items()},
            }
        )


def judge_of(caller: Caller) -> tuple[User | None, str]:
    """Who judges: the key's owner, or nobody in particular where no key is required."""
    if caller.owner_id is None:
        return None, caller.name
    owner = User.objects.get(pk=caller.owner_id)
    return owner, owner.get_username()


def check_scope(caller: Caller, collection: str) -> None:
    """Raises Forbidden when the collection is out of the key's scope; the message names what is in it, and no more."""
    if caller.scope is not None and collection not in caller.scope:
        allowed = ", ".join(f"{PREFIX}{name}" for name in sorted(caller.scope)) or "no collection"
        raise Forbidden(f"The key {caller.name!r} may not see {PREFIX}{collection}; it may see {allowed}.")


def counts_of(tally: Tally) -> dict[str, Any]:
    """A tally by the interface's field names; the time in ISO 8601, UTC."""
    return {
        "useful": tally.useful,
        "notUseful": tally.not_useful,
        "judged": tally.judged,
        "lastAt": tally.last_at.isoformat() if tally.last_at else None,
    }
