"""What the pages show of providers, of endpoints that are signed in, and of a sign-in under way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest
from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

from collections_app.models import OwnApp, SignIn, SignInSession
from collections_app.vault import VaultLocked
from probes.sign_ins import store
from probes.sign_ins.flow import Where, callback_of, missing
from probes.sign_ins.providers import Provider, providers

OWN_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]"})
WORDS = {
    "key": _("Brings a key that does not end"),
    "oauth": _("Brings a token that is renewed by itself"),
    "device": _("By a code that you type there"),
    "local": _("Nothing to sign in to"),
}


@dataclass(frozen=True, slots=True)
class Offer:
    """A provider, and why it cannot be signed in to from this browser, if so. `own` is the client id of the
    installation's own application, `callback` the address that such an application must allow."""

    provider: Provider
    words: str
    problem: str
    by_code: bool
    own: str
    takes_app: bool
    callback: str


@dataclass(frozen=True, slots=True)
class Signed:
    """An endpoint that is signed in. `tone` and `state` are its chip."""

    row: SignIn
    label: str
    tone: str
    state: str

    @property
    def path(self) -> str:
        return endpoint_path(self.row.endpoint.name)


def where_of(request: HttpRequest) -> Where:
    """Where the browser is, as its own address of this page tells."""
    host = request.get_host()
    bare = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
    local = bare.lower() in OWN_HOSTS and not request.is_secure()
    return Where(f"{request.scheme}://{host}", int(request.get_port()), local)


def offers(where: Where, among: Mapping[str, Provider] | None = None) -> list[Offer]:
    """All providers, those first that can be signed in to."""
    own = dict(OwnApp.objects.values_list("provider", "client_id"))
    found = []
    for one in (providers() if among is None else among).values():
        client_id = own.get(one.id, "")
        found.append(
            Offer(
                provider=one,
                words=str(WORDS[one.flow]),
                problem=missing(one, local=where.local, client_id=client_id or one.client_id),
                by_code=one.by_code and one.flow != "device" and where.local,
                own=client_id,
                takes_app=one.flow in ("oauth", "device"),
                callback=callback_of(one, where) if one.flow == "oauth" and where.local else "",
            )
        )
    return sorted(found, key=lambda offer: bool(offer.problem))


def signed(now: datetime) -> list[Signed]:
    """All endpoints that are signed in, by name."""
    rows = SignIn.objects.select_related("endpoint").order_by("endpoint__name")
    return [chip_of(row, now) for row in rows]


def chip_of(row: SignIn, now: datetime) -> Signed:
    """How one sign-in stands."""
    provider = providers().get(row.provider)
    label = provider.label if provider else row.provider
    over = row.expires_at is not None and row.expires_at <= now
    if row.trouble or (over and not row.refreshes):
        return Signed(row, label, "err", "sign in again")
    if row.expires_at is None or row.refreshes:
        return Signed(row, label, "ok", "signed in")
    return Signed(row, label, "ok", f"signed in until {localtime(row.expires_at):%-d %b %H:%M}")


def endpoint_path(name: str) -> str:
    """The page of an endpoint."""
    return reverse("operations:endpoint", args=[name])


def shown(session: SignInSession) -> dict[str, object]:
    """What the page of a sign-in needs. One that can no longer be opened has failed."""
    provider = providers().get(session.provider)
    url = ""
    if session.state == "pending":
        try:
            url = store.opened(session).url
        except VaultLocked:
            store.fail(session, store.LOST)
    return {
        "session": session,
        "label": provider.label if provider else session.provider,
        "by_code": bool(provider and provider.by_code and session.flow != "device"),
        "url": url,
        "endpoint_path": endpoint_path(session.result["endpoint"]) if session.state == "done" else "",
    }
