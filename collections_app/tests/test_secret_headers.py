"""Headers that carry a credential name a secret and never hold it."""

from __future__ import annotations

import pytest

from collections_app.actions.endpoint import do_save_endpoint
from collections_app.models import Change, Endpoint
from collections_app.refusal import Refused
from collections_app.secret_headers import carries_credential, header_problem, opened_headers, shown_headers
from collections_app.setup_file.export import export_setup
from collections_app.tests.world import World

PLAIN = "tuppence-7f3a"


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("CF-Access-Client-Secret", PLAIN),
        ("X-Portkey-Api-Key", PLAIN),
        ("x-portkey-apikey", PLAIN),
        ("Helicone-Auth", PLAIN),
        ("X-Auth-Token", PLAIN),
        ("Private-Token", PLAIN),
        ("Set-Cookie", PLAIN),
        ("X-Amz-Security-Token", PLAIN),
        ("X-Signature", PLAIN),
        ("X-Title", "Bearer abcdef"),
        ("X-Title", "sk-abcdefgh"),
        ("X-Forward", "eyJhbGciOiJIUzI1NiJ9.e30.x"),
    ],
)
def test_a_credential_in_plain_is_refused_and_not_shown(header: str, value: str) -> None:
    assert "store it as a secret" in header_problem(header, value)
    assert value not in header_problem(header, value)
    assert shown_headers({header: value, "X-A": "b"}) == {header: "set", "X-A": "b"}


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("HTTP-Referer", "https://bench.example"),
        ("X-Title", "the bench of Ms. Keyes"),
        ("OpenAI-Organization", "org-1"),
        ("anthropic-beta", "tools-2024-04-04"),
        ("X-Keyboard", "qwerty"),
        ("X-Author", "bench"),
        ("CF-Access-Client-Secret", "secret:cf-access"),
        ("X-Title", "secret:title"),
    ],
)
def test_other_headers_and_references_pass(header: str, value: str) -> None:
    assert header_problem(header, value) == ""
    assert not carries_credential(header, value)


@pytest.mark.parametrize("value", ["secret:", "secret:Of Mine", "secret:-x", "secret:../x"])
def test_a_reference_names_a_secret(value: str) -> None:
    assert "names no secret" in header_problem("X-Auth-Token", value)


def test_opened_headers_hold_the_secret_and_say_which_values_are_secret() -> None:
    headers = {"X-Auth-Token": "secret:door", "X-Title": "bench", "Old-Key": "from-before"}
    assert opened_headers(headers, {"door": PLAIN}.__getitem__) == (
        {"X-Auth-Token": PLAIN, "X-Title": "bench", "Old-Key": "from-before"},
        [PLAIN, "from-before"],
    )


def test_a_reference_to_nothing_is_told_by_name() -> None:
    with pytest.raises(LookupError, match="door"):
        opened_headers({"X-Auth-Token": "secret:door"}, lambda _: "")


def test_an_endpoint_takes_a_reference_and_refuses_the_secret_itself(world: World) -> None:
    with pytest.raises(Refused, match="store it as a secret") as refused:
        do_save_endpoint(actor=world.dora, name="west", base="https://w.example", headers={"X-Auth-Token": PLAIN})
    assert PLAIN not in str(refused.value)
    row = do_save_endpoint(
        actor=world.dora, name="west", base="https://w.example", headers={"X-Auth-Token": "secret:door"}
    )
    assert row.headers == {"X-Auth-Token": "secret:door"}
    assert 'X-Auth-Token = "secret:door"' in export_setup()


def test_a_credential_from_before_the_rule_reaches_neither_the_log_nor_a_file(world: World) -> None:
    Endpoint.objects.filter(name="north").update(headers={"X-Auth-Token": PLAIN})
    assert PLAIN not in export_setup()
    do_save_endpoint(actor=world.dora, name="north", base="https://north.example/v1")
    row = Change.objects.get(thing="endpoint", name="north", field="headers")
    assert (row.old, row.new) == ({"X-Auth-Token": "set"}, {})
