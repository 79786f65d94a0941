"""What a program must not get: by a wrong request, a stolen code, a copied token, or for a person who may not."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.idp.oidc.models import Token
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from benchwarmers.oauth import tokens
from benchwarmers.oauth.tokens import GRACE
from benchwarmers.tests.oauth.conftest import Rules, browser_of
from benchwarmers.tests.oauth.program import BACK, CHALLENGE, Program, opened_by, told_by
from collections_app.actions.signed_program import MOST
from collections_app.models import Change, GatewayKey, SignedProgram

TOLD_THE_PERSON: list[dict[str, Any]] = [
    {"client_id": None},
    {"client_id": "nobody"},
    {"redirect_uri": None},
    {"redirect_uri": "http://127.0.0.1:4711/callback/"},
    {"redirect_uri": "http://127.0.0.1:4711/callback?more=1"},
    {"redirect_uri": "http://127.0.0.1.evil.example/callback"},
    {"redirect_uri": "http://ben@127.0.0.1:4711/callback"},
    {"redirect_uri": "http://localhost:4711/callback"},
    {"redirect_uri": "https://evil.example/callback"},
    {"redirect_uri": [BACK, "https://evil.example/callback"]},
    {"client_id": ["", "nobody"]},
    {"state": ["one", "two"]},
]
TOLD_THE_PROGRAM: list[tuple[dict[str, Any], str]] = [
    ({"response_type": "token"}, "unsupported_response_type"),
    ({"response_type": None}, "unsupported_response_type"),
    ({"code_challenge": None}, "invalid_request"),
    ({"code_challenge": "short"}, "invalid_request"),
    ({"code_challenge_method": "plain"}, "invalid_request"),
    ({"code_challenge_method": None}, "invalid_request"),
    ({"scope": "openid"}, "invalid_scope"),
    ({"scope": "bench admin"}, "invalid_scope"),
    ({"resource": "https://other.example/mcp"}, "invalid_target"),
    ({"resource": "http://testserver/v1"}, "invalid_target"),
    ({"resource": "mcp"}, "invalid_target"),
    ({"resource": ["http://testserver/mcp", "https://other.example/mcp"]}, "invalid_target"),
]


@pytest.mark.parametrize("changes", TOLD_THE_PERSON)
def test_nobody_is_sent_to_an_address_that_is_not_registered(program: Program, changes: dict[str, Any]) -> None:
    program.register()
    answer = program.person.get(program.link(**changes))
    assert (answer.status_code, "Location" in answer.headers) in {(400, False), (200, False)}
    assert b"No program is let in" in answer.content
    assert b'name="request"' not in answer.content


@pytest.mark.parametrize(("changes", "error"), TOLD_THE_PROGRAM)
def test_a_wrong_request_is_told_to_the_program(program: Program, changes: dict[str, Any], error: str) -> None:
    program.register()
    answer = program.person.get(program.link(**changes))
    assert answer.status_code == 302
    assert answer["Location"].startswith(f"{BACK}?")
    told = told_by(answer["Location"])
    assert (told["error"], told["state"], told["iss"]) == (error, "s-1", "http://testserver")


@pytest.mark.parametrize("port", ["", ":1", ":65535"])
def test_a_program_on_ones_own_machine_may_listen_at_any_port(program: Program, port: str) -> None:
    program.register()
    elsewhere = f"http://127.0.0.1{port}/callback"
    code = program.consent(redirect_uri=elsewhere)["code"]
    assert program.exchange(code).json()["error"] == "invalid_request"
    code = program.consent(redirect_uri=elsewhere)["code"]
    assert program.exchange(code, redirect_uri=elsewhere).status_code == 200


@pytest.mark.parametrize(
    ("changes", "status", "error"),
    [
        ({"code": "nonsense"}, 400, "invalid_grant"),
        ({"code_verifier": "w" * 64}, 400, "invalid_grant"),
        ({"code_verifier": None}, 400, "invalid_request"),
        ({"redirect_uri": "http://127.0.0.1:4712/callback"}, 400, "invalid_request"),
        ({"client_id": "nobody"}, 401, "invalid_client"),
        ({"client_id": None}, 401, "invalid_client"),
        ({"resource": "https://other.example/mcp"}, 400, "invalid_target"),
        ({"resource": "mcp"}, 400, "invalid_target"),
        ({"grant_type": "password"}, 400, "unsupported_grant_type"),
        ({"grant_type": "client_credentials"}, 400, "unsupported_grant_type"),
        ({"grant_type": None}, 400, "unsupported_grant_type"),
    ],
)
def test_a_code_is_good_for_what_was_agreed_alone(
    program: Program, changes: dict[str, Any], status: int, error: str
) -> None:
    program.register()
    code = program.consent()["code"]
    answer = program.exchange(**{"code": code, **changes})
    assert (answer.status_code, answer.json()["error"]) == (status, error)
    assert not SignedProgram.objects.exists()


def test_a_code_that_is_over_is_worth_nothing(program: Program) -> None:
    program.register()
    code = program.consent()["code"]
    Token.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert program.exchange(code).json()["error"] == "invalid_grant"


def test_a_code_used_twice_ends_what_it_gave(
    program: Program, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    program.register()
    code = program.consent()["code"]
    tokens = program.exchange(code).json()
    with django_capture_on_commit_callbacks(execute=True):
        assert program.exchange(code).json()["error"] == "invalid_grant"
    assert "unknown or revoked" in opened_by(tokens["access_token"])
    assert program.renew(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert Change.objects.filter(old__why="its code was used twice").count() == 1


def test_another_program_can_use_neither_a_code_nor_a_token(program: Program) -> None:
    tokens = program.sign_in()
    other = Program(browser_of("maya"))
    other.register(client_name="Other")
    assert other.renew(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert other.exchange(program.consent()["code"]).json()["error"] == "invalid_grant"
    Client().post("/oauth/revoke", {"token": tokens["refresh_token"], "client_id": other.id})
    assert opened_by(tokens["access_token"]) == "scribe-ben"


def test_a_spent_token_that_comes_back_late_ends_the_sign_in(program: Program) -> None:
    first = program.sign_in()
    second = program.renew(first["refresh_token"]).json()
    SignedProgram.objects.update(spent_at=timezone.now() - 2 * GRACE)
    assert program.renew(first["refresh_token"]).json()["error"] == "invalid_grant"
    assert "unknown or revoked" in opened_by(second["access_token"])
    assert program.renew(second["refresh_token"]).json()["error"] == "invalid_grant"


def test_a_token_that_is_over_opens_nothing(program: Program) -> None:
    token = program.sign_in()["access_token"]
    Token.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert "unknown or revoked" in opened_by(token)


@pytest.mark.parametrize("how", ["program's page", "key's page", "admin"])
def test_whoever_signs_it_out_it_is_out_at_once(program: Program, how: str) -> None:
    tokens = program.sign_in()
    row = SignedProgram.objects.get()
    match how:
        case "program's page":
            program.person.post(f"/account/programs/{row.pk}/sign-out/")
        case "key's page":
            program.person.post(reverse("dashboard:key-revoke", args=[row.key_id]))
        case _:
            browser_of("boss").post(reverse("dashboard:key-revoke", args=[row.key_id]))
    assert "unknown or revoked" in opened_by(tokens["access_token"])
    assert program.renew(tokens["refresh_token"]).json()["error"] == "invalid_grant"


def test_nobody_signs_out_the_programs_of_others(program: Program) -> None:
    program.sign_in()
    number = SignedProgram.objects.get().pk
    assert browser_of("maya").post(f"/account/programs/{number}/sign-out/").status_code == 404
    assert GatewayKey.objects.get().revoked_at is None


def test_who_may_not_ask_lets_nobody_in(program: Program) -> None:
    viewer = Program(browser_of("zoe"))
    viewer.register()
    page = viewer.person.get(viewer.link()).content.decode()
    assert "You may not ask models" in page
    assert 'value="grant"' not in page
    assert viewer.consent()["error"] == "access_denied"
    code = program_after_losing_the_right(program)
    assert program.exchange(code).json()["error"] == "invalid_grant"
    assert not Token.objects.filter(type=Token.Type.ACCESS_TOKEN).exists()


def program_after_losing_the_right(program: Program) -> str:
    program.register()
    code = program.consent()["code"]
    User.objects.get(username="ben").groups.clear()
    return code


def test_who_loses_the_right_to_ask_later_is_told_so(program: Program) -> None:
    token = program.sign_in()["access_token"]
    User.objects.get(username="ben").groups.clear()
    assert "belongs to ben, who may not ask" in opened_by(token)


def test_there_is_an_end_to_the_programs_of_one_person(program: Program) -> None:
    program.register()
    ben = User.objects.get(username="ben")
    keys = [GatewayKey(owner=ben, name=f"k-{n}", digest=f"{n:064}", hint="") for n in range(MOST)]
    made = GatewayKey.objects.bulk_create(keys)
    SignedProgram.objects.bulk_create(
        [SignedProgram(key=key, grant=f"{key.pk}", client="x", name="x", until=timezone.now()) for key in made]
    )
    SignedProgram.objects.update(until=timezone.now() + timedelta(days=1))
    answer = program.exchange(program.consent()["code"])
    assert answer.json()["error"] == "invalid_grant"
    assert f"{MOST} programs" in answer.json()["error_description"]


def test_a_form_from_elsewhere_lets_nobody_in(program: Program) -> None:
    program.register()
    page = program.person.get(program.link()).content.decode()
    (signed,) = re.findall(r'name="request" value="([^"]+)"', page)
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = program.person.cookies
    fields = {"request": signed, "scopes": "bench", "action": "grant"}
    assert strict.post(program.link(), fields).status_code == 403
    assert program.person.post(program.link(), {**fields, "request": f"{signed}x"}).status_code == 403
    assert program.person.post(program.link(), {"action": "grant"}).status_code == 400
    assert not Token.objects.exists()


def test_the_page_lets_its_form_lead_to_the_program_alone(program: Program) -> None:
    program.register()
    policy = program.person.get(program.link())["Content-Security-Policy"]
    assert "form-action 'self' http://127.0.0.1:4711;" in policy
    assert "frame-ancestors 'none'" in policy
    assert program.person.get("/account/tokens/")["Content-Security-Policy"].count("127.0.0.1") == 0


@pytest.mark.parametrize("fields", [{"register": False, "documents": False}, {"require_keys": False}])
def test_where_programs_are_not_signed_in_there_is_nothing(program: Program, rules: Rules, fields: Any) -> None:
    tokens = program.sign_in()
    rules(**fields)
    for path in ("/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server"):
        assert Client().get(path).status_code == 404
    for path in ("/oauth/token", "/oauth/register", "/oauth/revoke"):
        assert Client().post(path).status_code == 404
    assert program.person.get(program.link()).status_code == 404
    assert program.renew(tokens["refresh_token"]).status_code == 404


def test_a_plain_challenge_is_never_taken_for_a_hashed_one(program: Program) -> None:
    program.register()
    code = program.consent()["code"]
    assert program.exchange(code, code_verifier=CHALLENGE).json()["error"] == "invalid_grant"


def test_tokens_are_not_tried_without_end(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    program.register()
    monkeypatch.setattr(tokens, "A_QUARTER", 3)
    assert [program.renew("guess").status_code for _ in range(4)] == [400, 400, 400, 429]
    assert Client().post("/oauth/revoke", {"token": "guess", "client_id": program.id}).status_code == 429
