"""Where providers lead people back to. The session's id is the credential: nobody else knows it, and it works once.

A GET that saves, for a provider can send nothing else; the page is kept by no cache, and tells no other page its
address.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from benchwarmers.operations.sign_ins.selectors import endpoint_path
from collections_app.models import SignInSession
from collections_app.vault import VaultLocked
from probes.sign_ins import flow, store
from probes.sign_ins.desk import desk

STATUSES = {"done": 200, "pending": 200, "exchanging": 200, "failed": 400}


@require_GET
def came_back(request: HttpRequest, session_id: str = "") -> HttpResponse:
    """Exchange what the provider sent along, and say how it went."""
    query = {name: request.GET[name] for name in request.GET}
    state = query.get("state", "") or session_id
    session = store.find(state)
    origin = _origin(session)
    session = flow.come_back(desk(), state, query)
    context: dict[str, object] = {"session": session, "origin": origin}
    status = 404
    if session is not None:
        status = STATUSES[session.state]
        provider = desk().providers.get(session.provider)
        context["label"] = provider.label if provider else session.provider
        if session.state == "done":
            context["endpoint_path"] = endpoint_path(session.result["endpoint"])
    response = render(request, "sign_ins/came_back.html", context, status=status)
    response["Cache-Control"] = "no-store"
    response["Referrer-Policy"] = "no-referrer"
    return response


def _origin(session: SignInSession | None) -> str:
    """Where the browser was when it set out: there it is signed in to us. Empty once the session has ended."""
    if session is None:
        return ""
    try:
        return store.opened(session).origin
    except VaultLocked:
        return ""
