"""Where people may be sent back to."""

from __future__ import annotations

import pytest

from benchwarmers.oauth.redirects import LONGEST, is_on_own_machine, is_registered_as, may_lead_back, source_for_policy

CURSOR = "cursor://anysphere.cursor-mcp/oauth/callback"


@pytest.mark.parametrize(
    ("address", "may"),
    [
        ("https://claude.ai/api/mcp/auth_callback", True),
        ("https://app.example:8443/back?to=1", True),
        ("http://127.0.0.1/callback", True),
        ("http://localhost:33418/", True),
        ("http://[::1]:9000/callback", True),
        ("http://example.org/callback", False),
        ("http://127.0.0.2/callback", False),
        ("http://localhost.example.org/callback", False),
        ("http://127.0.0.1@evil.example/callback", False),
        ("https://me@evil.example/callback", False),
        ("https:///callback", False),
        ("https://[broken/callback", False),
        ("https://example.org:99999/callback", False),
        ("https://example.org/callback#part", False),
        ("https://example.org/call back", False),
        ("https://example.org/\r\nSet-Cookie:x", False),
        ("https://example.org\\@evil.example/", False),
        ("https://exämple.org/callback", False),
        ("https://example.org/" + "x" * LONGEST, False),
        ("javascript:alert(1)", False),
        ("data:text/html,hello", False),
        (CURSOR, False),
        ("", False),
    ],
)
def test_only_https_and_ones_own_machine(address: str, may: bool) -> None:
    assert may_lead_back(address) == may


def test_what_the_settings_name_is_taken_letter_by_letter() -> None:
    assert may_lead_back(CURSOR, (CURSOR,))
    assert not may_lead_back(f"{CURSOR}/", (CURSOR,))


@pytest.mark.parametrize(
    ("asked", "registered", "same"),
    [
        ("https://a.example/back", "https://a.example/back", True),
        ("https://a.example:444/back", "https://a.example/back", False),
        ("https://a.example/back?x=1", "https://a.example/back", False),
        ("https://a.example/Back", "https://a.example/back", False),
        ("http://localhost:8080/callback", "http://localhost/callback", True),
        ("http://127.0.0.1:1/callback", "http://127.0.0.1:2/callback", True),
        ("http://[::1]:1/callback", "http://[::1]/callback", True),
        ("http://localhost:1/callback", "http://127.0.0.1/callback", False),
        ("http://localhost:1/callback?x=1", "http://localhost/callback", False),
        ("http://localhost:1/other", "http://localhost/callback", False),
        ("https://localhost:1/callback", "https://localhost/callback", False),
        ("http://me@localhost:1/callback", "http://localhost/callback", False),
        ("http://localhost:99999/callback", "http://localhost/callback", False),
    ],
)
def test_an_address_is_as_it_was_registered_but_for_the_port_on_ones_own_machine(
    asked: str, registered: str, same: bool
) -> None:
    assert is_registered_as(asked, registered) == same


def test_the_policy_names_the_place_and_nothing_wider() -> None:
    assert source_for_policy("https://a.example:8443/back?x=1") == "https://a.example:8443"
    assert source_for_policy("http://localhost:4711/callback") == "http://localhost:4711"
    assert source_for_policy("http://[::1]:4711/callback") == "http:"
    assert source_for_policy(CURSOR) == "cursor:"
    assert not is_on_own_machine(CURSOR)
