"""A sign-in from its start to its end: the page where people agree, the callback, the poll, the exchange, the saving.

Whatever a provider does wrong ends the session with a sentence for people; nothing is raised at whoever brings a
callback. Sync.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from typing import Final
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from msgspec import Struct

from collections_app.actions.sign_in import CLIENT_ID
from collections_app.models import Endpoint, OwnApp, SignIn, SignInSession
from collections_app.refusal import Refused
from collections_app.vault import VaultLocked
from probes.sign_ins import store, store_tokens, wire
from probes.sign_ins.again import again_problem
from probes.sign_ins.desk import Desk
from probes.sign_ins.pkce import VERIFIER_BYTES, verifier_of
from probes.sign_ins.providers import Provider
from probes.sign_ins.wire import SignInFailed, Waiting

ID_BYTES: Final = 24
CALLBACK: Final = "/connect/callback"
NO_APP: Final = "It needs an application that you register there; give its client id under “Use your own app”."
REMOTE: Final = (
    "Its page can only lead back to a browser on the machine that the server runs on; open this page there by "
    "http://127.0.0.1 or http://localhost, or give the endpoint a key."
)


class Where(Struct, frozen=True):
    """Where the browser is: the `origin` of our page as it sees it, the `port`, and whether it is on this machine."""

    origin: str
    port: int
    local: bool


class _Overtaken(Exception):
    """Another process has ended the session; what was written is undone."""


def client_id_of(provider: Provider) -> str:
    """The installation's own application, else the one shipped; empty when there is none."""
    own = OwnApp.objects.filter(provider=provider.id).values_list("client_id", flat=True).first()
    return own or provider.client_id


def callback_of(provider: Provider, where: Where) -> str:
    """The address that its page leads back to."""
    return f"http://{provider.loopback}:{where.port}{CALLBACK}"


def missing(provider: Provider, *, local: bool, client_id: str) -> str:
    """Why this provider cannot be signed in to from this browser, as a sentence; empty when it can."""
    if provider.needs_app and not client_id:
        return NO_APP
    if provider.flow in ("key", "oauth") and not local and not provider.by_code:
        return REMOTE
    return ""


def start(
    desk: Desk, provider_id: str, *, by: User, where: Where, again: str = "", code: bool = False
) -> SignInSession | Endpoint:
    """A session to follow, or the endpoint itself where there is nothing to sign in to. `again` names an endpoint that
    signs in again, `code` asks for a code to type. Raises Refused."""
    provider = desk.providers.get(provider_id)
    if provider is None:
        raise Refused([("provider", f"There is no provider “{provider_id[:40]}” to sign in to.")])
    if not by.has_perm("collections_app.add_endpoint"):
        raise Refused([("", f"{by.get_username()} may not sign in to providers; ask an admin for the right group.")])
    client_id = client_id_of(provider)
    problem = missing(provider, local=where.local, client_id=client_id) or again_problem(provider, again)
    if problem:
        raise Refused([("provider", f"{provider.label}: {problem}")])
    if provider.flow == "local":
        return _save_local(desk, provider, by)
    if provider.flow == "device" or (provider.by_code and (code or not where.local)):
        return _start_by_code(desk, provider, by, where, client_id, again)
    session_id = urlsafe_b64encode(desk.random(ID_BYTES)).decode()
    verifier = verifier_of(desk.random(VERIFIER_BYTES))
    redirect = callback_of(provider, where)
    if provider.flow == "key":
        redirect = f"{redirect}/{session_id}"  # such a provider may forget the state
    url = wire.authorize_url(
        provider,
        state=session_id,
        verifier=verifier,
        redirect=redirect,
        client_id=client_id,
        more=_asked_of_us(desk, provider, client_id),
    )
    sealed = store.Sealed(id=session_id, verifier=verifier, url=url, origin=where.origin)
    return store.open_session(
        provider=provider.id,
        flow=provider.flow,
        by=by,
        now=desk.clock(),
        sealed=sealed,
        client_id=client_id,
        redirect=redirect,
        endpoint_name=again,
    )


def come_back(desk: Desk, session_id: str, query: dict[str, str]) -> SignInSession | None:
    """What a callback brings. None for an id that there is not; else the session as it stands then. Whoever comes
    second changes nothing."""
    session = store.find(session_id) if session_id else None
    if session is None or session.flow == "device" or not store.take(session, desk.clock()):
        return session
    try:
        _exchange(desk, session, query)
    except SignInFailed as why:
        store.fail(session, _sentence(why))
    except VaultLocked:
        store.fail(session, store.LOST)
    return session


def poll(desk: Desk, session: SignInSession) -> None:
    """Ask whether somebody has typed the code, if it is time to ask."""
    provider = desk.providers.get(session.provider)
    if session.flow != "device" or provider is None or not store.begin_poll(session, desk.clock()):
        return
    try:
        code = store.opened(session).device_code
        wanted = wire.poll_request(provider, device_code=code, client_id=session.client_id)
        found = wire.read_poll(wanted, desk.fetch(wanted))
    except SignInFailed as why:
        if why.final:
            store.fail(session, _sentence(why))
        else:
            store.end_poll(session, desk.clock())
        return
    except VaultLocked:
        store.fail(session, store.LOST)
        return
    if isinstance(found, Waiting):
        store.end_poll(session, desk.clock(), slower_s=wire.SLOWER_S if found.slower else 0)
    elif store.keep_granted(session, found, desk.clock()):
        finish(desk, session)


def finish(desk: Desk, session: SignInSession) -> None:
    """Try the token that a session holds and save the endpoint; whatever does not fit ends the session."""
    provider = desk.providers.get(session.provider)
    try:
        granted = store.opened(session).granted
        if provider is None or granted is None:
            raise SignInFailed(store.LOST)
        again = _endpoint_again(provider, session.endpoint_name)
        row = again or Endpoint(name=provider.name, **store_tokens.fields_of(provider))
        checked = desk.check(row, granted.token)
        with transaction.atomic():
            row = store_tokens.save_grant(
                provider, granted, again, actor=session.by, client_id=session.client_id, now=desk.clock()
            )
            said = {"endpoint": row.name, "served": checked.served, "note": checked.note}
            if not store.end(session, "done", said):
                raise _Overtaken
    except SignInFailed as why:
        store.fail(session, _sentence(why))
    except Refused as refusal:
        store.end(session, "failed", {"errors": [sentence for _, sentence in refusal.problems]})
    except VaultLocked:
        store.fail(session, store.LOST)
    except _Overtaken:
        session.refresh_from_db()


def resume(desk: Desk, session: SignInSession) -> None:
    """Go on with a session whose process died in the exchange: save what the provider gave, or say that it is lost."""
    if not store.take_up(session, desk.clock()):
        return
    finish(desk, session)


def _exchange(desk: Desk, session: SignInSession, query: dict[str, str]) -> None:
    provider = desk.providers.get(session.provider)
    if provider is None:
        raise SignInFailed(f"{session.provider} is no provider any more")
    if error := query.get("error", ""):
        raise SignInFailed(wire.read_refusal(error, query.get("error_description", "")))
    code, issued = query.get("code", ""), query.get("client_id", "")
    if not code:
        raise SignInFailed("the provider's page came back without a code")
    if provider.issues_id and issued:
        if not CLIENT_ID.fullmatch(issued):
            raise SignInFailed("the provider's page came back with a client id that is none")
        store_tokens.keep_issued_id(provider, issued)
        store.note_client_id(session, issued)
    wanted = wire.code_request(
        provider,
        code=code,
        verifier=store.opened(session).verifier,
        redirect=session.redirect,
        client_id=session.client_id,
    )
    granted = wire.read_granted(wanted, desk.fetch(wanted))
    if store.keep_granted(session, granted, desk.clock()):
        finish(desk, session)


def _start_by_code(desk: Desk, provider: Provider, by: User, where: Where, client_id: str, again: str) -> SignInSession:
    wanted = wire.device_request(provider, client_id=client_id)
    try:
        device = wire.read_device(wanted, desk.fetch(wanted))
    except SignInFailed as why:
        raise Refused([("provider", f"{provider.label}: {_sentence(why)}")]) from None
    sealed = store.Sealed(
        id=urlsafe_b64encode(desk.random(ID_BYTES)).decode(), device_code=device.device_code, origin=where.origin
    )
    return store.open_session(
        provider=provider.id,
        flow="device",
        by=by,
        now=desk.clock(),
        sealed=sealed,
        client_id=client_id,
        endpoint_name=again,
        device=device,
    )


def _save_local(desk: Desk, provider: Provider, by: User) -> Endpoint:
    granted = wire.Granted(provider.key or provider.id)
    try:
        desk.check(Endpoint(name=provider.name, **store_tokens.fields_of(provider)), granted.token)
    except SignInFailed as why:
        raise Refused([("provider", _sentence(why))]) from None
    return store_tokens.save_grant(provider, granted, None, actor=by, client_id="", now=desk.clock())


def _asked_of_us(desk: Desk, provider: Provider, client_id: str) -> dict[str, str]:
    more: dict[str, str] = {}
    if provider.host_field:
        more[provider.host_field] = store_tokens.host_id(UUID(bytes=desk.random(16), version=4))
    if provider.nonce:
        more["nonce"] = urlsafe_b64encode(desk.random(ID_BYTES)).decode()
    if client_id == provider.client_id:
        more |= provider.first_extras
    return more


def _endpoint_again(provider: Provider, name: str) -> Endpoint | None:
    """The endpoint that signs in again; None for a new one. Raises SignInFailed when it is no longer one that may."""
    if not name:
        return None
    if problem := again_problem(provider, name):
        raise SignInFailed(problem)
    return SignIn.objects.select_related("endpoint").get(endpoint__name=name).endpoint


def _sentence(why: SignInFailed) -> str:
    text = str(why)
    return text[:1].upper() + text[1:]
