"""Every page asked as everybody: the table says who comes in, and this file, apart from it, whose things are whose.

A new route fails here until it has a row in the table and, where its address names something, a line in OBJECTS. What
may be open to whom is said again below, so that a row that is too open fails as well.
"""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import AnonymousUser, Permission, User

from benchwarmers.rights import table
from benchwarmers.rights.rule import ANYONE, KEY, SIGNED_IN, STAFF, Row, admits
from benchwarmers.rights.table import ROWS, find_row
from benchwarmers.tests.rights.cast import OUT, PEOPLE, Cast, bearer, is_led_to_sign_in
from benchwarmers.tests.rights.routes import VERBS, Found, walk
from collections_app.models import GatewayKey

ASKED_BY_OLGA = frozenset({"olga", "cora", "adam"})
KEY_OF_RED = frozenset({"olga", "tess", "adam"})
PANEL = ({"panel_id": "panel", "call": "call", "key": "claim"}, ASKED_BY_OLGA)
TALK = ({"conversation_id": "conversation", "call": "member", "turn": "shadow"}, ASKED_BY_OLGA)
OWN = frozenset({"olga"})
ADMINS = frozenset({"adam"})
CURATORS = frozenset({"cora", "adam"})
OBJECTS = {
    "operations:collection": ({"name": "yard"}, KEY_OF_RED | {"cora"}),
    "operations:collection-edit": ({"name": "yard"}, CURATORS),
    "operations:collection-remove": ({"name": "yard"}, CURATORS),
    "operations:collection-aliases": ({"name": "yard"}, CURATORS),
    "operations:schedule-times": ({"kind": "scheduled"}, CURATORS),
    "operations:schedule-switch": ({"kind": "scheduled"}, CURATORS),
    "operations:schedule-run": ({"kind": "scheduled"}, CURATORS),
    "operations:job": ({"job": "job"}, CURATORS),
    "operations:job-stop": ({"job": "job"}, CURATORS),
    "operations:logs-output": ({"job": "job"}, CURATORS),
    "operations:job-again": ({"job": "job"}, CURATORS),
    "operations:hub": ({"name": "hub"}, frozenset({"cora", "adam"})),
    "operations:sign-in-session": ({"number": "sign-in"}, frozenset({"cora"})),
    "operations:sign-in-look": ({"number": "sign-in"}, frozenset({"cora"})),
    "operations:sign-in-end": ({"name": "signed"}, frozenset({"cora", "adam"})),
    "people:end-session": ({"number": "session"}, OWN),
    "people:unlink": ({"number": "link"}, OWN),
    "people:token-revoke": ({"number": "token"}, OWN),
    "people:sign-out-program": ({"number": "signed-program"}, OWN),
    "mfa_edit_webauthn": ({"pk": "passkey"}, OWN),
    "mfa_remove_webauthn": ({"pk": "passkey"}, OWN),
    "people:person": ({"name": "person"}, ADMINS),
    "people:link": ({"name": "person"}, ADMINS),
    "people:end-sessions": ({"name": "person"}, ADMINS),
    "people:forget-factors": ({"name": "person"}, ADMINS),
    "people:team": ({"name": "team"}, ADMINS),
    "people:delete-team": ({"name": "team"}, ADMINS),
    "people:revoke-invitation": ({"number": "invitation"}, ADMINS),
    "people:program": ({"name": "program"}, ADMINS),
    "ask:board": PANEL,
    "ask:stop": ({"panel_id": "panel"}, OWN),
    "ask:verdict": PANEL,
    "dashboard:panel": PANEL,
    "dashboard:panel-file": PANEL,
    "dashboard:panel-live": PANEL,
    "dashboard:panel-mine": PANEL,
    "dashboard:panel-share": PANEL,
    "dashboard:seat": PANEL,
    "dashboard:verdict": PANEL,
    "dashboard:claim": PANEL,
    "dashboard:judge-seat": PANEL,
    "dashboard:contribution": ({"collection": "collection"}, ASKED_BY_OLGA),
    "dashboard:conversation": TALK,
    "dashboard:conversation-live": TALK,
    "dashboard:member-verdict": TALK,
    "dashboard:shadow": TALK,
    "dashboard:shadow-verdict": TALK,
    "dashboard:key": ({"key": "key"}, KEY_OF_RED),
    "dashboard:key-rotate": ({"key": "key"}, KEY_OF_RED),
    "dashboard:key-revoke": ({"key": "key"}, KEY_OF_RED),
}
"""Pages whose address names something of olga's: what the parameters are in the cast, and who sees it."""

OF_ALL: dict[str, dict[str, str]] = {
    "operations:offer": {"number": "offer"},
    "operations:offer-hubs": {"number": "offer"},
    "operations:offer-add": {"number": "offer"},
    "operations:endpoint": {"name": "spare"},
    "operations:endpoint-default": {"name": "spare"},
    "operations:endpoint-key-remove": {"name": "spare"},
    "operations:endpoint-remove": {"name": "spare"},
    "operations:alert-act": {"alert": "alert", "verb": "retry"},
    "operations:alert-restore": {"alias": "model"},
    "operations:model": {"alias": "model"},
    "operations:suite-task": {"slug": "task"},
    "operations:suite-task-edit": {"slug": "task"},
    "operations:suite-task-act": {"slug": "task", "verb": "restore"},
    "operations:suite-answer": {"attempt": "attempt"},
    "operations:model-act": {"alias": "model", "verb": "doing"},
}
"""Pages whose address names something that everybody sees who has the right to such pages at all."""

BY_SECRET = {
    "operations:connect-by-path": {"session_id": "no-such-session"},
    "sign-in": {"uidb64": "MQ", "token": "no-such-token"},
    "people:invited": {"token": "no-such-token"},
    "people:invited-by": {"token": "no-such-token", "provider_id": "house"},
    "openid_connect_login": {"provider_id": "house"},
    "openid_connect_callback": {"provider_id": "house"},
}
"""Pages whose address is itself the credential, or names a provider."""
TO_PROGRAMS = {
    ("oauth:resource", "GET"),
    ("oauth:resource-mcp", "GET"),
    ("oauth:resource-v1", "GET"),
    ("oauth:server", "GET"),
    ("oauth:token", "POST"),
    ("oauth:revoke", "POST"),
    ("oauth:register", "POST"),
}
"""By which programs are signed in; not there for anybody here, where no keys are asked for."""
OF_PROVIDERS = {"people:invited-by", "openid_connect_login", "openid_connect_callback"} | {
    "operations:connect",
    "operations:connect-by-path",
    "oauth:authorize",
    *(name for name, _ in TO_PROGRAMS),
}
"""Not there for anybody, as no provider is set up here, no sign-in under way, and no key asked for."""

TO_ANYONE = TO_PROGRAMS | {
    ("operations:connect", "GET"),
    ("operations:connect-by-path", "GET"),
    ("sign-in", "GET"),
    ("sign-in", "POST"),
    ("dashboard:login", "GET"),
    ("dashboard:login", "POST"),
    ("dashboard:sign-out", "POST"),
    ("dashboard:theme", "POST"),
    ("people:invited", "GET"),
    ("people:invited", "POST"),
    ("people:invited-by", "GET"),
    ("account_login", "GET"),
    ("account_login", "POST"),
    ("account_logout", "POST"),
    ("mfa_authenticate", "GET"),
    ("mfa_authenticate", "POST"),
    ("mfa_login_webauthn", "GET"),
    ("mfa_login_webauthn", "POST"),
    ("openid_connect_login", "GET"),
    ("openid_connect_callback", "GET"),
    ("socialaccount_login_cancelled", "GET"),
    ("gateway-version", "GET"),
    ("gateway-openapi", "GET"),
    ("gateway-unknown", "GET"),
    ("gateway-unknown", "POST"),
}
VIEWERS_WRITE = {name for name, verb in TO_ANYONE if verb == "POST"} | {
    "dashboard:password",
    "people:end-others",
    "people:tokens",
    "people:token-revoke",
    "people:sign-out-program",
    "oauth:authorize",
    "dashboard:panel-share",
    "people:end-session",
    "people:unlink",
    "account_reauthenticate",
    "mfa_reauthenticate",
    "mfa_reauthenticate_webauthn",
    "mfa_activate_totp",
    "mfa_deactivate_totp",
    "mfa_generate_recovery_codes",
    "mfa_add_webauthn",
    "mfa_edit_webauthn",
    "mfa_remove_webauthn",
    "api:theme",
    "api:client",  # says that there is none
    "api:own-client-free",  # likewise
}
"""What somebody with no right but to look may change: their own sign-in, and how pages look to them."""


def pages() -> list[Found]:
    return [one for one in walk() if not one.of_admin and not one.of_api]


def test_every_route_has_a_row_and_every_row_a_route() -> None:
    names = {one.name for one in walk()}
    assert {name for name in names if find_row(name) is None} == set()
    assert set(ROWS) - names == set()


def test_every_page_that_names_something_says_whose_it_is() -> None:
    naming = {one.name for one in pages() if one.parameters}
    assert naming == {*OBJECTS, *OF_ALL, *BY_SECRET}


@pytest.mark.django_db
def test_every_rule_is_one_that_there_is() -> None:
    known = {
        f"{one.content_type.app_label}.{one.codename}" for one in Permission.objects.select_related("content_type")
    }
    rules = {rule for row in ROWS.values() for rule in (row.read, row.write) if rule}
    assert rules <= known | {ANYONE, SIGNED_IN, STAFF, KEY}


def test_nobody_comes_in_unknown_but_where_this_list_says_so() -> None:
    opened = {(name, verb) for name, row in ROWS.items() for verb in VERBS if row.rule_for(verb) == ANYONE}
    assert opened == TO_ANYONE
    assert Row(read=STAFF, write=STAFF) == table.ANY_ADMIN
    assert not any(admits(rule, AnonymousUser()) for rule in (SIGNED_IN, STAFF, KEY, "gateway.ask"))


def test_who_may_only_look_writes_nothing_but_what_this_list_says(cast: Cast) -> None:
    viewer = User.objects.get(username="vera")
    assert {name for name, row in ROWS.items() if row.write and admits(row.write, viewer)} == VIEWERS_WRITE


CLOSED_TO_CALLERS = {"dashboard:changes", "dashboard:quotas"}
ABOUT_PEOPLE = {name for name in table.PEOPLE if name not in VIEWERS_WRITE} - {"people:account", "people:invited-by"}
CLOSED_TO_CURATORS = {"dashboard:readings", "dashboard:judge-import", *ABOUT_PEOPLE}


def test_what_is_for_those_who_run_the_place_is_closed_to_others(cast: Cast) -> None:
    """Said again, so that nobody opens these by a slip in the table."""
    for name, closed in (("olga", CLOSED_TO_CALLERS | CLOSED_TO_CURATORS), ("cora", CLOSED_TO_CURATORS)):
        person = User.objects.get(username=name)
        for row in map(ROWS.__getitem__, closed):
            assert not any(admits(rule, person) for rule in (row.read, row.write) if rule)
            assert not any(rule in (ANYONE, SIGNED_IN) for rule in (row.read, row.write))


def test_keys_open_what_programs_ask_and_nothing_else() -> None:
    keyed = {name for name, row in ROWS.items() if KEY in (row.read, row.write)}
    assert keyed == {name for name in ROWS if name.startswith("gateway-")} - {name for name, _ in TO_ANYONE}


def expect(found: Found, verb: str, person: str, user: User | AnonymousUser) -> set[int]:
    """The statuses that may come. An empty set: led to the sign-in page."""
    rule = ROWS[found.name].rule_for(verb)
    if rule is None:
        return {405}
    if rule == ANYONE:
        return {404} if found.name in OF_PROVIDERS else {200, 302, 400, 410}
    if not user.is_authenticated:
        return set()
    if found.name in OF_PROVIDERS:
        return {404}
    if not admits(rule, user):
        return {404} if found.parameters else {403}
    if found.name in OBJECTS and person not in OBJECTS[found.name][1]:
        return {404}
    return {200, 302, 422} if verb == "POST" else {200, 302}


@pytest.mark.parametrize("person", PEOPLE)
def test_each_page_lets_in_whom_it_should_and_nobody_else(cast: Cast, person: str) -> None:
    user = AnonymousUser() if person in OUT else User.objects.get(username=person)
    wrong = []
    for found in pages():
        for verb in VERBS:
            answer = ask(cast, found, verb, person)
            wanted = expect(found, verb, person, user)
            right = answer.status_code in wanted if wanted else is_led_to_sign_in(answer)
            if not right or (wanted and is_led_to_sign_in(answer)):
                wrong.append((verb, found.name, answer.status_code, answer.headers.get("Location"), wanted))
    assert not wrong


@pytest.mark.parametrize("person", ["stan", "vera", "nora"])
def test_what_is_somebody_elses_is_not_there_in_any_way(cast: Cast, person: str) -> None:
    """Said without the table: whatever one asks of it, with scripts or without, the answer is that of a wild guess."""
    for found in pages():
        if found.name not in OBJECTS:
            continue
        names = OBJECTS[found.name][0]
        for headers in ({}, {"HX-Request": "true"}):
            real = cast.clients[person].get(found.address(values(cast, found, names)), headers=headers)
            guess = cast.clients[person].get(found.address(wild(found)), headers=headers)
            assert real.status_code == guess.status_code
            assert real.status_code in {404, 405}
            answer = cast.clients[person].post(found.address(values(cast, found, names)), headers=headers)
            assert answer.status_code in {404, 405}


@pytest.mark.parametrize("person", ["stan", "vera", "nora"])
def test_no_list_no_sum_and_no_export_tells_a_stranger_of_olga(cast: Cast, person: str) -> None:
    GatewayKey.objects.filter(name="stan-blue-scoped").delete()  # its scope names bench/den, and is stan's to read
    told = {}
    for found in pages():
        if not found.parameters and ROWS[found.name].read:
            answer = cast.clients[person].get(found.address({}))
            told[found.name] = body_of(answer)
    words = ("olga", "bench/den", cast.things["panel"], cast.things["conversation"])
    assert {name: word for name, text in told.items() for word in words if word in text} == {}
    seen = cast.clients["olga"].get("/panels/").content.decode()
    assert cast.things["panel"] in seen


def test_a_team_sees_its_keys_and_its_usage_and_not_what_its_members_asked(cast: Cast) -> None:
    tess = cast.clients["tess"]
    assert "olga-red" in tess.get("/keys/").content.decode()
    assert "olga-open" not in tess.get("/keys/").content.decode()
    for where in ("/panels/", "/conversations/", "/judge/"):
        assert cast.things["panel"] not in tess.get(where).content.decode()


def test_a_key_opens_no_page(cast: Cast) -> None:
    for found in pages():
        if ROWS[found.name].read not in (None, ANYONE):
            answer = cast.clients["anonymous"].get(address(cast, found), headers=bearer(cast.secrets["open"]))
            assert is_led_to_sign_in(answer), found.name


def test_what_only_some_may_see_is_kept_out_of_every_cache(cast: Cast) -> None:
    for person, status in (("olga", 200), ("stan", 404), ("anonymous", 302)):
        answer = cast.clients[person].get(f"/panels/{cast.things['panel']}/")
        assert answer.status_code == status
        assert "no-store" in answer.headers["Cache-Control"]


def body_of(answer: Any) -> str:
    """The text of an answer, also of one that comes in pieces as they are made."""

    async def gather() -> bytes:
        return b"".join([piece async for piece in answer.streaming_content])

    return (async_to_sync(gather)() if getattr(answer, "is_async", False) else answer.getvalue()).decode()


def ask(cast: Cast, found: Found, verb: str, person: str) -> Any:
    client = cast.clients[person]
    where = address(cast, found)
    answer = client.get(where) if verb == "GET" else client.post(where)
    if found.name in {"dashboard:sign-out", "account_logout"} and verb == "POST" and person not in OUT:
        client.force_login(cast.people[person])
    return answer


def address(cast: Cast, found: Found) -> str:
    if found.name in BY_SECRET:
        return found.address(BY_SECRET[found.name])
    names = OBJECTS[found.name][0] if found.name in OBJECTS else OF_ALL.get(found.name, {})
    return found.address(values(cast, found, names))


def values(cast: Cast, found: Found, names: dict[str, str]) -> dict[str, Any]:
    return {parameter: cast.things[names[parameter]] for parameter in found.parameters}


def wild(found: Found) -> dict[str, Any]:
    return {
        parameter: 987_654 if f"<int:{parameter}>" in found.pattern else "nothing-like-it"
        for parameter in found.parameters
    }
