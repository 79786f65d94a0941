"""The way of a program from its first refusal to its last."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from urllib.parse import quote

import pytest
from allauth.idp.oidc.models import Client as Registered
from allauth.idp.oidc.models import Token
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from benchwarmers.tests.oauth.program import BASE, Program, opened_by
from collections_app.actions.key import do_adopt_key, do_rotate_key, do_scope_key
from collections_app.models import Change, GatewayKey, SignedProgram
from collections_app.refusal import Refused
from collections_app.setup_file.export import export_setup


def test_the_documents_lead_to_every_route() -> None:
    resource = Client().get("/.well-known/oauth-protected-resource/mcp").json()
    assert resource["resource"] == f"{BASE}/mcp"
    assert resource["authorization_servers"] == [BASE]
    server = Client().get("/.well-known/oauth-authorization-server").json()
    assert server["issuer"] == BASE
    assert server["code_challenge_methods_supported"] == ["S256"]
    for name in ("authorization", "token", "revocation", "registration"):
        assert server[f"{name}_endpoint"].startswith(f"{BASE}/oauth/")
        assert Client().get(server[f"{name}_endpoint"]).status_code != 404


def test_a_program_registers_is_let_in_and_opens_what_its_person_may(program: Program) -> None:
    tokens = program.sign_in()
    assert (tokens["token_type"], tokens["expires_in"], tokens["scope"]) == ("Bearer", 3600, "bench")
    row = SignedProgram.objects.get()
    assert (row.name, row.key.owner.username, row.key.name) == ("Scribe", "ben", "scribe-ben")
    assert opened_by(tokens["access_token"]) == "scribe-ben"


def test_a_token_opens_nothing_but_the_context_protocol(program: Program) -> None:
    token = program.sign_in()["access_token"]
    assert "unknown or revoked" in opened_by(token, inside=False)
    for path in ("/api/status", "/v1/models"):
        assert Client().get(path, headers={"Authorization": f"Bearer {token}"}).status_code == 401
    assert "unknown or revoked" in opened_by("bwk_nobody-has-this")


def test_tokens_and_codes_are_kept_as_digests(program: Program) -> None:
    program.register()
    code = program.consent()["code"]
    tokens = program.exchange(code).json()
    kept = [str(row) for row in Token.objects.values()]
    for plain in (code, tokens["access_token"], tokens["refresh_token"]):
        assert sum(sha256(plain.encode()).hexdigest() in row for row in kept) == 1
        assert not any(plain in row for row in kept)


def test_who_is_not_signed_in_is_led_to_the_sign_in_page_and_back(program: Program) -> None:
    program.register()
    answer = Client().get(program.link())
    assert answer.status_code == 302
    assert answer["Location"].startswith("/login/?next=%2Foauth%2Fauthorize%3F")
    assert "code_challenge" in answer["Location"]


def test_the_answer_names_the_server_and_brings_the_state_back(program: Program) -> None:
    program.register()
    agreed, denied = program.consent(), program.consent("deny")
    assert (agreed["state"], agreed["iss"]) == ("s-1", BASE)
    assert (denied["error"], denied["state"], denied["iss"]) == ("access_denied", "s-1", BASE)
    assert "code" not in denied
    assert not SignedProgram.objects.exists()


def test_renewing_gives_new_tokens_and_spends_the_old_one(program: Program) -> None:
    first = program.sign_in()
    second = program.renew(first["refresh_token"]).json()
    assert second["refresh_token"] != first["refresh_token"]
    assert opened_by(second["access_token"]) == "scribe-ben"
    assert SignedProgram.objects.count() == GatewayKey.objects.count() == 1
    again = program.renew(first["refresh_token"])
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")
    assert program.renew(second["refresh_token"]).status_code == 200


def test_a_program_that_gives_its_token_back_is_signed_out(program: Program) -> None:
    tokens = program.sign_in()
    answer = Client().post("/oauth/revoke", {"token": tokens["refresh_token"], "client_id": program.id})
    assert answer.status_code == 200
    assert "unknown or revoked" in opened_by(tokens["access_token"])
    assert GatewayKey.objects.get().revoked_at is not None


def test_signing_in_again_takes_the_place_of_the_sign_in_before(program: Program) -> None:
    first, second = program.sign_in(), program.sign_in()
    assert "unknown or revoked" in opened_by(first["access_token"])
    assert opened_by(second["access_token"]) == "scribe-ben"
    assert program.renew(first["refresh_token"]).json()["error"] == "invalid_grant"


def test_letting_in_and_signing_out_are_in_the_change_log(program: Program) -> None:
    program.sign_in()
    number = SignedProgram.objects.get().pk
    assert program.person.post(f"/account/programs/{number}/sign-out/").status_code == 302
    came, went = Change.objects.filter(thing="signed-in program").order_by("pk")
    assert came.new
    assert went.old
    assert (came.actor_name, came.name, came.new["key"]) == ("ben", "ben: Scribe", "scribe-ben")
    assert (went.actor_name, went.name, went.old["why"]) == ("ben", "ben: Scribe", "signed out")


def test_what_nobody_uses_is_forgotten(program: Program) -> None:
    tokens = program.sign_in()
    Program(program.person).register(client_name="Nobody's")
    before = timezone.now() - timedelta(days=2)
    Registered.objects.update(created_at=before)
    SignedProgram.objects.update(until=before)
    Token.objects.update(expires_at=before)
    other = Program(program.person)
    other.register(client_name="Newcomer")
    assert set(Registered.objects.values_list("name", flat=True)) == {"Newcomer"}
    assert not Token.objects.exists()
    assert GatewayKey.objects.get().revoked_at is not None
    assert program.renew(tokens["refresh_token"]).status_code in (400, 401)


def test_a_person_who_is_switched_off_has_no_programs(program: Program) -> None:
    tokens = program.sign_in()
    User.objects.filter(username="ben").update(is_active=False)
    assert "unknown or revoked" in opened_by(tokens["access_token"])
    assert program.renew(tokens["refresh_token"]).json()["error"] == "invalid_grant"


def test_its_key_is_bound_like_any_other_and_has_no_secret_to_give_away(program: Program) -> None:
    token = program.sign_in()["access_token"]
    key = GatewayKey.objects.get()
    for change in (
        lambda: do_rotate_key(actor=None, name=key.name),
        lambda: do_scope_key(actor=None, name=key.name, owner=User.objects.get(username="maya")),
        lambda: do_adopt_key(actor=None, owner=key.owner, name=key.name, plain="bwk_" + "x" * 40),
    ):
        with pytest.raises(Refused, match=r"a program that ben signed in: Scribe\."):
            change()
    page = program.person.get(f"/keys/{key.pk}/").content.decode()
    assert "Scribe, signed in by its owner" in page
    assert "/rotate" not in page
    assert "for Scribe, signed in" in program.person.get("/keys/").content.decode()
    do_scope_key(actor=None, name=key.name, expires_at=timezone.now() - timedelta(seconds=1))
    assert "has expired" in opened_by(token)
    assert key.name not in export_setup()


@pytest.mark.parametrize("way", ["client_secret_basic", "client_secret_post"])
def test_a_program_with_a_secret_must_show_it(program: Program, way: str) -> None:
    answer = program.register(token_endpoint_auth_method=way).json()
    assert answer["token_endpoint_auth_method"] == way
    assert quote(program.secret, safe="") == program.secret
    code = program.consent()["code"]
    assert program.exchange(code).json()["error"] == "invalid_client"
    assert program.exchange(code, client_secret="guess").json()["error"] == "invalid_client"
    assert program.exchange(code, client_secret=program.secret).status_code == 200
