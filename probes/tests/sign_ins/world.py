"""A desk whose providers all lead to the authority, a clock that tests move, and the way through its pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import httpx
from django.contrib.auth.models import User
from msgspec.structs import replace

from collections_app.models import Endpoint, Secret, SignInSession
from collections_app.vault import secret_for
from gateway.canon.kinds import Api, EndpointKind
from probes.sign_ins import flow, store
from probes.sign_ins.desk import Desk, check, fetch
from probes.sign_ins.flow import Where
from probes.sign_ins.providers import Provider
from probes.tests.sign_ins.authority import Authority

NOON = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
HERE = Where("http://127.0.0.1:8122", 8122, local=True)
AWAY = Where("https://bench.example.org", 443, local=False)


def table(us: Authority) -> dict[str, Provider]:
    """One provider of each flow, at this authority."""
    root = us.root
    plain = Provider(id="", label="", flow="key", name="", base=f"{root}/v1", token=f"{root}/token")
    oauth = replace(plain, flow="oauth", authorize=f"{root}/authorize", client_id="shipped")
    found = (
        replace(
            plain,
            id="keyed",
            label="Keyed",
            name="keyed",
            kind=EndpointKind.AGGREGATOR,
            authorize=f"{root}/auth",
            token=f"{root}/keys",
            scope="all",
            extras={"key_label": "bench"},
            headers={"X-Title": "Benchwarmers"},
        ),
        replace(oauth, id="open", label="Open", name="open", scope="models", device=f"{root}/device"),
        replace(oauth, id="own", label="Own app", name="own", client_id="", needs_app=True, register="Over there."),
        replace(
            oauth,
            id="issuing",
            label="Issuing",
            name="issuing",
            api=Api.RESPONSES,
            client_id="placeholder",
            issues_id=True,
            host_field="host_id",
            nonce=True,
            first_extras={"hint": "bench"},
            token_extras={"resource": "models"},
        ),
        replace(
            plain,
            id="coded",
            label="Coded",
            flow="device",
            name="coded",
            client_id="shipped",
            device=f"{root}/device-json",
            device_json=True,
        ),
        replace(plain, id="local", label="Local", flow="local", name="local", kind=EndpointKind.LOCAL, key="local"),
    )
    return {one.id: one for one in found}


@dataclass
class Clock:
    """The time stands still until a test moves it."""

    now: datetime = NOON

    def __call__(self) -> datetime:
        return self.now

    def pass_s(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@dataclass
class Town:
    """All that a test of sign-ins needs. `cora` curates."""

    us: Authority
    cora: User
    clock: Clock = field(default_factory=Clock)

    @property
    def desk(self) -> Desk:
        return Desk(table(self.us), fetch, check, self.clock)

    def begin(self, provider: str, where: Where = HERE, *, again: str = "", code: bool = False) -> SignInSession:
        """A session of cora's."""
        found = flow.start(self.desk, provider, by=self.cora, where=where, again=again, code=code)
        assert isinstance(found, SignInSession)
        return found

    def agree(self, session: SignInSession, answer: str = "yes") -> tuple[str, dict[str, str]]:
        """(path, query) of the callback, after somebody answered on the provider's page."""
        url = store.opened(session).url
        reply = httpx.get(f"{url}&answer={answer}", follow_redirects=False)
        assert reply.status_code == 302, reply.text
        back = urlsplit(reply.headers["location"])
        assert f"{back.scheme}://{back.netloc}" == "http://127.0.0.1:8122"
        return back.path, {name: values[0] for name, values in parse_qs(back.query).items()}

    def come_back(self, query: Mapping[str, str], session_id: str = "") -> SignInSession:
        """What the callback leads to."""
        session = flow.come_back(self.desk, session_id or query.get("state", ""), dict(query))
        assert session is not None
        session.refresh_from_db()
        return session

    def sign_in(self, provider: str = "open", *, again: str = "") -> Endpoint:
        """All the way by the provider's page."""
        session = self.come_back(self.agree(self.begin(provider, again=again))[1])
        assert session.state == "done", session.result
        return Endpoint.objects.get(name=session.result["endpoint"])

    def tokens(self, name: str) -> tuple[str, str]:
        """(token, refresh token) as they are stored."""
        stored = Secret.objects.filter(name=f"{name}.refresh").exists()
        return secret_for(name), secret_for(f"{name}.refresh") if stored else ""
