"""The routes of one panel: as it stands, and its seats as they finish. They serve whoever asked it, to follow a panel
that runs in the background or to take up one whose reply was lost."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from gateway.api import panel_serializers as shapes
from gateway.api.edge import EdgeView
from gateway.api.judging import own_panels
from gateway.api.panels import load_panel
from gateway.api.serializers import ErrorAnswer
from gateway.canon.fault import NotFound

LOOK_S: Final = 0.3
BEAT_S: Final = 10.0
DIGITS: Final = 9
"""So many digits at most has the number of an event."""
_FAILURES = {status: ErrorAnswer for status in (401, 404)}


class PanelView(EdgeView):
    """GET /bench/panels/<id>."""

    @extend_schema(
        operation_id="show_panel",
        summary="A panel as it stands, with why each seat sits there",
        description="Only panels that you asked for yourself. `state` is running, done or interrupted.",
        responses={200: shapes.PanelAnswer, **_FAILURES},
    )
    def get(self, request: Request, panel: str) -> Response:
        """The bench object of the panel, and its plan."""
        return Response(_found(load_panel(own_panels(self.caller), panel), panel))


class PanelEventsView(EdgeView):
    """GET /bench/panels/<id>/events."""

    @extend_schema(
        operation_id="follow_panel",
        summary="The seats of a panel as they finish, as server-sent events",
        description="One `seat` event for each seat in the order in which they finish, numbered from 1, and a `panel` "
        "event at the end. Send `Last-Event-ID`, or `?after=`, to go on from there.",
        responses={(200, "text/event-stream"): OpenApiResponse(description="The stream."), **_FAILURES},
    )
    def get(self, request: Request, panel: str) -> HttpResponseBase:
        """The stream; a beat for every ten seconds of silence."""
        rows = own_panels(self.caller)
        _found(load_panel(rows, panel), panel)
        after = request.headers.get("Last-Event-ID") or request.query_params.get("after", "")
        look = sync_to_async(lambda: load_panel(rows.all(), panel))
        seen = int(after) if after.isdecimal() and len(after) <= DIGITS else 0
        stream = StreamingHttpResponse(follow(look, seen), content_type="text/event-stream")
        stream["Cache-Control"] = "no-cache"
        return stream


async def follow(look: Any, after: int) -> AsyncIterator[bytes]:
    """The events of a panel from the one after `after` on; `look` gives the panel as it stands, None when it is
    gone."""
    told, spoke = after, asyncio.get_running_loop().time()
    while (panel := await look()) is not None:
        done = [seat for seat in panel["seats"] if seat["finished_at"]]
        done.sort(key=lambda seat: (seat["finished_at"], seat["call"]))
        for number, seat in enumerate(done[told:], told + 1):
            yield _event("seat", seat, number)
            told, spoke = number, asyncio.get_running_loop().time()
        if panel["state"] != "running":
            yield _event("panel", panel, len(done) + 1)
            return
        if asyncio.get_running_loop().time() - spoke >= BEAT_S:
            yield b": still at work\n\n"
            spoke = asyncio.get_running_loop().time()
        await asyncio.sleep(LOOK_S)


def _event(name: str, value: Any, number: int) -> bytes:
    return f"id: {number}\nevent: {name}\ndata: {json.dumps(value, ensure_ascii=False)}\n\n".encode()


def _found(panel: dict[str, Any] | None, name: str) -> dict[str, Any]:
    if panel is None:
        raise NotFound(
            f"There is no panel {name[:60]!r} that you asked for; take the id from the reply's bench object."
        )
    return panel
