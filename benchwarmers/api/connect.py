"""Sign-ins of endpoints to providers: which there are, beginning one, seeing how it goes, and one's own applications.

The person agrees in a browser on the provider's page. Where that page leads back here, the browser must be on the
machine of the server, which the program says by asking it as localhost; else it is a code to type.
"""

from __future__ import annotations

from typing import Any, Final

from django.utils import timezone
from msgspec import Struct
from rest_framework.response import Response

from benchwarmers.api.endpoints import connect_of
from benchwarmers.api.view import ApiView, Asked, asks, takes
from benchwarmers.operations.sign_ins.selectors import Offer, offers, shown, signed, where_of
from collections_app.actions.sign_in import do_save_own_app
from collections_app.models import Endpoint, SignInSession
from collections_app.refusal import NotThere, Problems
from probes.sign_ins import flow, store
from probes.sign_ins.desk import desk

TOPIC: Final = "endpoints"
NO_CLIENT: Final = "No provider is free in a client of its own only: this server calls every API itself."


class Start(Struct):
    """`endpoint` names one that signs in again; `code` asks for a code to type instead of a page that leads back."""

    provider: str
    endpoint: str = ""
    code: bool = False


class Poll(Struct):
    """A sign-in that this person has begun."""

    id: int


class App(Struct):
    """The public client id of an application of one's own; empty for the one that comes with the server."""

    provider: str
    client_id: str = ""


class ConnectView(ApiView):
    """GET /api/connect."""

    @asks()
    def get(self, asked: Asked) -> Response:
        """What can be signed in to, and what is."""
        rows = signed(timezone.now())
        return self.done(
            providers=[_provider(offer) for offer in offers(where_of(self.request._request))],
            connected=[{"endpoint": one.row.endpoint.name, **connect_of(one)} for one in rows],
        )


class StartView(ApiView):
    """POST /api/connect/start."""

    @takes(Start)
    def post(self, said: Start) -> Response:
        """Begin a sign-in; where there is nothing to sign in to, the endpoint is there at once."""
        where = where_of(self.request._request)
        begun = flow.start(desk(), said.provider, by=self.person, where=where, again=said.endpoint, code=said.code)
        if isinstance(begun, Endpoint):
            return self.done(id=None, state="done", endpoint=begun.name)
        return self.done(**_session(begun))


class PollView(ApiView):
    """POST /api/connect/poll."""

    @takes(Poll)
    def post(self, said: Poll) -> Response:
        """How a sign-in goes; the provider is asked where it is time to."""
        row = SignInSession.objects.select_related("by").filter(pk=said.id, by=self.person).first()
        if row is None:
            raise NotThere([("id", f"There is no sign-in {said.id} that you began.")])
        if row.state == "pending" and row.expires_at <= timezone.now():
            store.fail(row, store.EXPIRED)
        flow.poll(desk(), row)
        row.refresh_from_db()
        return self.done(**_session(row))


class AppView(ApiView):
    """POST /api/connect/app."""

    @takes(App)
    def post(self, said: App) -> Response:
        """Keep the client id of an application, or go back to the shipped one."""
        problems = Problems()
        known = said.provider in desk().providers
        problems.check(known, "provider", f"There is no provider “{said.provider[:40]}” to sign in to.")
        problems.refuse()
        with self.changes(TOPIC) as changed:
            do_save_own_app(actor=self.person, provider=said.provider, client_id=said.client_id)
        return self.done(provider=said.provider, changed=changed)


class OwnClientView(ApiView):
    """/api/own-client-free, which other servers of this kind have."""

    @asks()
    def get(self, asked: Asked) -> Response:
        """Says why there is none."""
        raise NotThere([("", NO_CLIENT)])

    post = get


def _provider(offer: Offer) -> dict[str, Any]:
    one = offer.provider
    return {
        **{"id": one.id, "label": one.label, "flow": one.flow, "base": one.base, "problem": offer.problem or None},
        **{"by_code": offer.by_code, "takes_app": offer.takes_app, "client_id": offer.own or None},
        "callback": offer.callback or None,
    }


def _session(row: SignInSession) -> dict[str, Any]:
    """`url` is the page to open, where a `user_code` is typed. `trouble` is why it failed."""
    page = shown(row)
    row.refresh_from_db()
    told: dict[str, Any] = {
        **{"id": row.pk, "provider": row.provider, "flow": row.flow, "state": row.state},
        **{"url": row.verify_url or page["url"] or None, "user_code": row.user_code or None},
        **{"interval": row.interval_s, "expires": row.expires_at},
    }
    if row.state == "done":
        told |= {name: row.result.get(name) for name in ("endpoint", "served", "note")}
    if row.state == "failed":
        told["trouble"] = list(row.result.get("errors") or [])
    return told
