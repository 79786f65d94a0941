"""Programs make themselves known: by registering, which is bounded, and by a document about themselves."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from aiohttp.resolver import DefaultResolver
from allauth.idp.oidc.models import Client as Registered
from django.test import Client

from benchwarmers.oauth import documents, registering
from benchwarmers.oauth.clients import FRESH_S, READS
from benchwarmers.oauth.documents import CAP
from benchwarmers.tests.oauth.conftest import Rules
from benchwarmers.tests.oauth.program import BACK, Program, opened_by
from collections_app.models import SignedProgram

AT = "https://scribe.example/oauth/client.json"
DOCUMENT = {"client_id": AT, "client_name": "Scribe", "redirect_uris": ["http://127.0.0.1/callback", "ftp://x/y"]}
CURSOR = "cursor://anysphere.cursor-mcp/oauth/callback"


class Web:
    """Stands for the way out: what is at which address, and how often it was asked."""

    def __init__(self) -> None:
        self.body: bytes = json.dumps(DOCUMENT).encode()
        self.status = 200
        self.asked: list[str] = []

    def with_transport(self, work: Callable[[Any], Awaitable[Any]]) -> Any:
        async def run() -> Any:
            return await work(self)

        return asyncio.run(run())

    @asynccontextmanager
    async def send(self, method: str, url: str, headers: dict[str, str]) -> Any:
        self.asked.append(url)

        async def chunks() -> Any:
            for at in range(0, len(self.body), 1_000):
                yield self.body[at : at + 1_000]

        yield SimpleNamespace(status=self.status, chunks=chunks)


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Web:
    web = Web()
    monkeypatch.setattr(documents, "side", lambda: web)
    return web


def test_a_program_with_a_document_is_let_in_without_registering(program: Program, web: Web) -> None:
    program.id = AT
    page = program.person.get(program.link()).content.decode()
    assert "scribe.example" in page
    tokens = program.sign_in()
    assert opened_by(tokens["access_token"]) == "scribe-ben"
    assert program.renew(tokens["refresh_token"]).status_code == 200
    assert web.asked == [AT]
    assert Registered.objects.get().get_redirect_uris() == ["http://127.0.0.1/callback"]


def test_two_machines_with_one_document_are_two_sign_ins(program: Program, web: Web) -> None:
    program.id = AT
    tokens = [program.sign_in() for _ in range(2)]
    assert [opened_by(one["access_token"]) for one in tokens] == ["scribe-ben", "scribe-ben-2"]


def test_a_document_is_read_again_after_an_hour(program: Program, web: Web) -> None:
    program.id = AT
    program.sign_in()
    known = Registered.objects.get()
    Registered.objects.update(data={"updated_at": known.data["updated_at"] - FRESH_S})
    web.body = json.dumps({**DOCUMENT, "redirect_uris": ["https://elsewhere.example/back"]}).encode()
    assert program.person.get(program.link()).status_code == 400
    assert web.asked == [AT, AT]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"client_id": "https://other.example/client.json"}, "does not match"),
        ({"redirect_uris": []}, "non-empty list"),
        ({"redirect_uris": ["http://evil.example/back"]}, "No redirect address"),
        ({"client_name": 5}, "must be a string"),
        (b"<html>", "no JSON"),
        (b"[" * 5_000, "no JSON"),
        (b"[]", "must be a JSON object"),
        (b" " * (CAP + 1), "larger than"),
        (301, "status 301"),
        (404, "status 404"),
    ],
)
def test_a_document_that_cannot_be_used_lets_nobody_in(program: Program, web: Web, changes: Any, told: str) -> None:
    match changes:
        case bytes():
            web.body = changes
        case int():
            web.status = changes
        case _:
            web.body = json.dumps(DOCUMENT | changes).encode()
    program.id = AT
    answer = program.person.get(program.link())
    assert answer.status_code == 400
    assert told in answer.content.decode()
    assert not Registered.objects.exists()


@pytest.mark.parametrize(
    "address",
    [
        "https://127.0.0.1/client.json",
        "https://[::1]/client.json",
        "https://10.0.0.7/client.json",
        "https://169.254.169.254/latest",
        "https://localhost/client.json",
        "https://localhost./client.json",
        "https://0x7f.1/client.json",
        "https://2130706433/client.json",
        "https://intranet/client.json",
        "https://scribe.example",
        "https://scribe.example/a/../b",
        "https://me:pw@scribe.example/client.json",
        "https://scribe.example/client.json?x=1",
        "https://scribe.example/" + "x" * 100,
    ],
)
def test_no_address_inside_and_none_that_is_not_one_is_asked(program: Program, web: Web, address: str) -> None:
    program.id = address
    answer = program.person.get(program.link())
    assert answer.status_code == 400
    assert "cannot be used" in answer.content.decode()
    assert web.asked == []


def test_a_name_that_leads_inside_is_not_asked(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    async def inside(*_where: Any) -> Any:
        return [{"host": "10.0.0.7", "hostname": "scribe.example", "port": 443, "family": 2, "proto": 6, "flags": 0}]

    monkeypatch.setattr(DefaultResolver, "resolve", inside)
    program.id = AT
    assert "private" in program.person.get(program.link()).content.decode()


def test_documents_are_fetched_for_people_alone_and_not_without_end(program: Program, web: Web, rules: Rules) -> None:
    program.id = AT
    web.status = 404
    assert Client().get(program.link()).status_code == 302
    assert program.exchange("nonsense").json()["error"] == "invalid_client"
    assert web.asked == []
    for _ in range(READS + 2):
        program.person.get(program.link())
    assert len(web.asked) == READS
    rules(documents=False)
    assert "Here programs register" in program.person.get(program.link()).content.decode()
    assert (
        Client().get("/.well-known/oauth-authorization-server").json()["client_id_metadata_document_supported"] is False
    )


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"redirect_uris": ["http://evil.example/back"]}, "invalid_client_metadata"),
        ({"redirect_uris": [CURSOR]}, "invalid_client_metadata"),
        ({"redirect_uris": []}, "invalid_redirect_uri"),
        ({"redirect_uris": BACK}, "invalid_redirect_uri"),
        ({"redirect_uris": None}, "invalid_redirect_uri"),
        ({"client_name": "x" * 101}, "invalid_client_metadata"),
        ({"client_name": "<b>Scribe</b>"}, "invalid_client_metadata"),
        ({"grant_types": ["password"]}, "invalid_client_metadata"),
        ({"token_endpoint_auth_method": "private_key_jwt"}, "invalid_client_metadata"),
        ({"padding": "x" * 20_000}, "invalid_client_metadata"),
    ],
)
def test_a_registration_that_cannot_be_used_is_refused(program: Program, changes: Any, error: str) -> None:
    answer = program.register(**changes)
    assert (answer.status_code, answer.json()["error"]) == (400, error)
    assert not Registered.objects.exists()


def test_of_what_a_program_wants_it_is_told_what_it_gets(program: Program, rules: Rules) -> None:
    wanted = {
        "redirect_uris": [CURSOR, "https://www.cursor.com/back", BACK],
        "grant_types": ["authorization_code", "client_credentials"],
        "response_types": ["code", "token"],
        "scope": "openid admin",
        "client_name": "Scr\u202eibe",
    }
    told = program.register(**wanted).json()
    assert told["redirect_uris"] == ["https://www.cursor.com/back", BACK]
    assert told["grant_types"] == ["authorization_code", "refresh_token"]
    assert (told["response_types"], told["scope"]) == (["code"], "bench")
    assert told["client_name"] == "Scribe"
    assert "client_secret" not in told
    rules(redirects=(CURSOR,))
    assert program.register(redirect_uris=[CURSOR]).json()["redirect_uris"] == [CURSOR]


def test_registering_is_bounded_and_can_be_turned_off(
    program: Program, rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registering, "A_QUARTER", 3)
    assert [program.register().status_code for _ in range(5)] == [201, 201, 201, 429, 429]
    monkeypatch.setattr(registering, "A_QUARTER", 99)
    monkeypatch.setattr(registering, "MOST_UNUSED", 3)
    assert program.register().status_code == 429
    rules(register=False)
    assert Client().post("/oauth/register").status_code == 404
    assert "registration_endpoint" not in Client().get("/.well-known/oauth-authorization-server").json()
    assert not SignedProgram.objects.exists()
