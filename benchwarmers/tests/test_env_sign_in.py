"""The settings of signing in: what they mean, and one sentence for everything that cannot be meant."""

from __future__ import annotations

import pytest

from benchwarmers.env_sign_in import Provider, SignIn, read_sign_in
from benchwarmers.env_values import BadSetting

ISSUER = "BENCHWARMERS_OIDC_KEYCLOAK_ISSUER"
CLIENT = "BENCHWARMERS_OIDC_KEYCLOAK_CLIENT_ID"
GOOD = {ISSUER: "https://login.example.org/realms/all", CLIENT: "bench"}


def test_nothing_said_means_passwords_and_nobody_unknown() -> None:
    assert read_sign_in({}) == SignIn(providers=(), match_email=True, sign_up="", domains=())


def test_a_provider_needs_an_issuer_and_a_client_and_hides_its_secret() -> None:
    (found,) = read_sign_in(GOOD | {"BENCHWARMERS_OIDC_KEYCLOAK_CLIENT_SECRET": "hush"}).providers
    assert found == Provider("keycloak", "Keycloak", "https://login.example.org/realms/all", "bench", "hush")
    assert "hush" not in repr(found)


def test_any_number_of_providers_each_with_its_own_words() -> None:
    more = {
        "BENCHWARMERS_OIDC_A1_ISSUER": "http://127.0.0.1:9400/",
        "BENCHWARMERS_OIDC_A1_CLIENT_ID": "x",
        "BENCHWARMERS_OIDC_A1_LABEL": "the lab",
    }
    found = read_sign_in(GOOD | more).providers
    assert [(one.name, one.label, one.issuer) for one in found] == [
        ("a1", "the lab", "http://127.0.0.1:9400"),
        ("keycloak", "Keycloak", "https://login.example.org/realms/all"),
    ]


def test_the_address_of_the_discovery_document_stands_for_its_issuer() -> None:
    given = {**GOOD, ISSUER: "https://login.example.org/.well-known/openid-configuration"}
    assert read_sign_in(given).providers[0].issuer == "https://login.example.org"


def test_who_may_come_unknown_is_said_by_group_and_domains() -> None:
    found = read_sign_in(
        {
            "BENCHWARMERS_SIGN_UP": "Viewer",
            "BENCHWARMERS_SIGN_UP_DOMAINS": "example.org, @Lab.example.org",
            "BENCHWARMERS_MATCH_EMAIL": "0",
        }
    )
    assert found == SignIn((), False, "viewer", ("example.org", "lab.example.org"))
    assert read_sign_in({"BENCHWARMERS_SIGN_UP": "off"}).sign_up == ""


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({ISSUER: "https://login.example.org"}, f"{CLIENT} is missing"),
        ({CLIENT: "bench"}, f"{ISSUER} is missing"),
        ({**GOOD, ISSUER: "login.example.org"}, "https address"),
        ({**GOOD, ISSUER: "http://login.example.org"}, "https address"),
        ({**GOOD, ISSUER: "https://me:pw@login.example.org"}, "https address"),
        ({**GOOD, ISSUER: "https://login.example.org?x=1"}, "https address"),
        ({**GOOD, ISSUER: "https://[login"}, "https address"),
        ({"BENCHWARMERS_OIDC_ISSUER": "https://login.example.org"}, "is no setting"),
        ({"BENCHWARMERS_OIDC_KEY_CLOAK_ISSUER": "https://login.example.org"}, "letters and digits"),
        ({"BENCHWARMERS_SIGN_UP": "admin"}, "viewer, caller, curator"),
        ({"BENCHWARMERS_SIGN_UP": "yes"}, "viewer, caller, curator"),
        ({"BENCHWARMERS_SIGN_UP_DOMAINS": "*.example.org"}, "write domains"),
        ({"BENCHWARMERS_SIGN_UP_DOMAINS": "localhost"}, "write domains"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_a_sentence(given: dict[str, str], told: str) -> None:
    with pytest.raises(BadSetting, match=r"\.$") as refused:
        read_sign_in(given)
    assert told in str(refused.value)
