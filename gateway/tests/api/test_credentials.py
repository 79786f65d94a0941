"""Which key a request carries, and what a wrong one is told."""

from __future__ import annotations

from hashlib import sha256

import pytest
from msgspec.structs import replace

from gateway.api.credentials import LOCAL, Credential, identify, read_credential
from gateway.canon.fault import Forbidden, Unauthenticated
from gateway.engine.snapshot import Budget, Caller, KeyView

SECRET = "bwk_" + "a" * 43
NOW = 1_790_000_000.0
CHAT = "/v1/chat/completions"
GEMINI = "/v1beta/models/core:generateContent"


def key(expires_at: float | None = None, scope: frozenset[str] | None = None) -> dict[str, KeyView]:
    digest = sha256(SECRET.encode()).hexdigest()
    return {digest: KeyView(7, "laptop", digest, 3, "alice", scope, 30, expires_at)}


@pytest.mark.parametrize(
    ("path", "headers", "query", "expected"),
    [
        (CHAT, {"authorization": f"Bearer {SECRET}"}, b"", Credential(SECRET)),
        (CHAT, {"authorization": f"bearer  {SECRET} "}, b"", Credential(SECRET)),
        (CHAT, {"x-api-key": SECRET}, b"", Credential(SECRET)),
        (CHAT, {"x-goog-api-key": SECRET}, b"", Credential(SECRET)),
        (GEMINI, {}, f"alt=sse&key={SECRET}".encode(), Credential(SECRET)),
        ("/v1/models/core:generateContent", {}, f"key={SECRET}".encode(), Credential(SECRET)),
        ("/v1/models", {}, f"key={SECRET}".encode(), Credential(SECRET)),
        (GEMINI, {}, b"key=bwk%5Fx", Credential("bwk_x")),
        (CHAT, {}, f"key={SECRET}".encode(), Credential(problem="none")),
        ("/bench/verdict", {}, f"key={SECRET}".encode(), Credential(problem="none")),
        (CHAT, {}, b"", Credential(problem="none")),
        (CHAT, {"authorization": "Basic YTpi"}, b"", Credential(problem="not bearer")),
        (CHAT, {"authorization": SECRET}, b"", Credential(problem="not bearer")),
        (CHAT, {"authorization": "Bearer"}, b"", Credential(problem="empty")),
        (CHAT, {"authorization": "Bearer  "}, b"", Credential(problem="empty")),
        (CHAT, {"authorization": ""}, b"", Credential(problem="empty")),
        (CHAT, {"x-api-key": " "}, b"", Credential(problem="empty")),
        (GEMINI, {}, b"key=", Credential(problem="empty")),
        (CHAT, {"authorization": "Basic x", "x-api-key": SECRET}, b"", Credential(problem="not bearer")),
        (CHAT, {"x-api-key": "", "x-goog-api-key": SECRET}, b"", Credential(problem="empty")),
        (CHAT, {"x-goog-api-key": "b", "x-api-key": "a"}, b"", Credential("a")),
        (GEMINI, {"x-goog-api-key": "b"}, b"key=c", Credential("b")),
    ],
)
def test_the_first_credential_that_is_present_is_judged_alone(
    path: str, headers: dict[str, str], query: bytes, expected: Credential
) -> None:
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    assert read_credential(path, pairs, query) == expected


def test_a_known_key_names_its_caller() -> None:
    caller = identify(Credential(SECRET), key(scope=frozenset({"core"})), NOW, require_keys=True)
    assert caller == Caller("laptop", 7, 3, frozenset({"core"}), 30)


@pytest.mark.parametrize(
    ("credential", "words"),
    [
        (Credential(problem="none"), "No gateway key"),
        (Credential(problem="not bearer"), "not a Bearer"),
        (Credential(problem="empty"), "empty"),
        (Credential("bwk_" + "b" * 43), "unknown or revoked"),
        (Credential("sk-ant-1234"), "some other service's key"),
        (Credential("schl\u00fcssel"), "some other service's key"),
    ],
)
def test_a_refusal_says_which_of_the_faults_it_is(credential: Credential, words: str) -> None:
    fault = identify(credential, key(), NOW, require_keys=True)
    assert isinstance(fault, Unauthenticated)
    assert words in fault.message
    assert not credential.secret or credential.secret not in fault.message


def test_an_unknown_key_of_ours_is_not_called_foreign() -> None:
    fault = identify(Credential("bwk_x"), key(), NOW, require_keys=True)
    assert isinstance(fault, Unauthenticated)
    assert "some other" not in fault.message


@pytest.mark.parametrize(("expires_at", "good"), [(NOW + 1, True), (NOW, False), (NOW - 1, False), (None, True)])
def test_a_key_ends_at_its_expiry(expires_at: float | None, good: bool) -> None:
    who = identify(Credential(SECRET), key(expires_at), NOW, require_keys=True)
    assert isinstance(who, Caller) is good
    if isinstance(who, Unauthenticated):
        assert "expired" in who.message


ROTATED = "bwk_" + "o" * 43


@pytest.mark.parametrize(
    ("previous_until", "expires_at", "words"),
    [
        (NOW + 1, None, ""),
        (NOW + 1, NOW + 1, ""),
        (NOW, None, "was rotated"),
        (NOW - 1, None, "was rotated"),
        (None, None, "was rotated"),
        (NOW + 1, NOW, "has expired"),
    ],
)
def test_the_secret_before_a_rotation_opens_the_same_key_for_a_while(
    previous_until: float | None, expires_at: float | None, words: str
) -> None:
    budgets = (Budget("requests", "day", 10),)
    (view,) = key(expires_at).values()
    old = sha256(ROTATED.encode()).hexdigest()
    view = replace(view, tpm=900, team_id=4, budgets=budgets, previous_digest=old, previous_until=previous_until)
    keys = {view.digest: view, old: view}
    before = identify(Credential(ROTATED), keys, NOW, require_keys=True)
    if words:
        assert isinstance(before, Unauthenticated)
        assert words in before.message
        assert ROTATED not in before.message
    else:
        assert before == Caller("laptop", 7, 3, None, 30, 900, 4, budgets)
    after = identify(Credential(SECRET), keys, NOW, require_keys=True)
    assert isinstance(after, Caller) is (expires_at is None or expires_at > NOW)


def test_without_keys_everybody_is_local_whatever_was_sent() -> None:
    for credential in (Credential(problem="none"), Credential("wrong"), Credential(SECRET)):
        assert identify(credential, key(), NOW, require_keys=False) == LOCAL


def test_a_credential_does_not_show_its_secret() -> None:
    assert SECRET not in repr(Credential(SECRET))


def test_a_key_whose_owner_may_not_ask_is_forbidden_and_says_who_can_change_that() -> None:
    keys = {digest: replace(view, may_ask=False) for digest, view in key().items()}
    found = identify(Credential(SECRET), keys, NOW, require_keys=True)
    assert isinstance(found, Forbidden)
    assert (found.status, found.code) == (403, "owner_may_not_ask")
    assert "alice, who may not ask" in found.message
