"""WebSockets on the gateway's paths: there are none, and a client that tries one first must learn so at once."""

from __future__ import annotations

from gateway.api import errors
from gateway.api.guarded import Receive, Scope, Send
from gateway.api.speaker import form_of
from gateway.canon.fault import CallerFault

_DENIAL = "websocket.http.response"


async def refuse_upgrade(scope: Scope, receive: Receive, send: Send) -> None:
    """426 in the format of the path; a server that cannot answer so closes the connection, which callers see as 403."""
    await receive()
    if _DENIAL not in (scope.get("extensions") or {}):
        await send({"type": "websocket.close", "code": 1008})
        return
    fault = CallerFault("There is no WebSocket here; send the request as a POST.", status=426)
    answer = errors.refusal(fault, form_of(scope["path"], scope["headers"], scope.get("query_string", b"")))
    await send({"type": f"{_DENIAL}.start", "status": answer.status, "headers": answer.headers})
    await send({"type": f"{_DENIAL}.body", "body": answer.body})
