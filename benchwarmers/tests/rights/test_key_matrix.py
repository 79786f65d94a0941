"""Every route of the gateway's that Django serves, asked with every kind of key and with none."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from benchwarmers.rights.rule import ANYONE, KEY
from benchwarmers.rights.table import ROWS
from benchwarmers.tests.rights.asked import ALIVE, DEAD, OWN, WISHES, ask
from benchwarmers.tests.rights.cast import Cast, bearer
from benchwarmers.tests.rights.routes import Found, walk
from collections_app.models import Team, Verdict
from gateway.api.known import KNOWN
from gateway.models import Panel

LISTED = {
    "open": {"core", "den"},
    "scoped": {"den"},
    "elsewhere": {"core"},
    "red": {"core", "den"},
    "blue": {"core"},
    "blue-scoped": {"core"},
}
MOMENT = re.compile(rb'"\d{4}-\d\d-\d\dT[^"]*"')
LISTS = {"gateway-models", "gateway-tags", "gateway-running"}


@pytest.fixture(autouse=True)
def _keys() -> Iterator[None]:
    with override_settings(BENCH=dataclasses.replace(settings.BENCH, require_keys=True)):
        yield


def routes() -> list[Found]:
    return [one for one in walk() if one.of_api and KEY in (ROWS[one.name].read, ROWS[one.name].write)]


def test_every_route_for_keys_has_a_wish() -> None:
    assert {one.name for one in routes()} == set(WISHES)


@pytest.mark.parametrize("key", [*ALIVE, *DEAD])
def test_each_key_is_answered_what_it_should_be_in_every_spelling(cast: Cast, key: str) -> None:
    wrong = []
    for found in routes():
        Verdict.objects.all().delete()
        wish = WISHES[found.name]
        answer = ask(cast, found, key, wish)
        if answer.status_code != wish.status(key):
            wrong.append((found.pattern, answer.status_code, wish.status(key)))
        answer.close()
    assert not wrong


@pytest.mark.parametrize("key", LISTED)
def test_the_lists_name_what_the_key_may_call_and_nothing_else(cast: Cast, key: str) -> None:
    hidden = {"core", "den"} - LISTED[key]
    for found in routes():
        if found.name in LISTS:
            told = ask(cast, found, key, WISHES[found.name]).content.decode()
            assert all(f"bench/{name}" in told for name in LISTED[key]), found.pattern
            assert not any(f"bench/{name}" in told for name in hidden), found.pattern


@pytest.mark.parametrize("key", ["blue", "blue-scoped"])
def test_what_is_withheld_is_answered_like_what_nobody_has(cast: Cast, key: str) -> None:
    cast.things |= {"panel": "p1", "call": "c1"}
    for found in routes():
        wish = WISHES[found.name]
        told = [ask(cast, found, key, other) for other in (wish, _renamed(wish, "den", "xyz"))]
        assert told[0].status_code == told[1].status_code, found.pattern
        assert timeless(told[0].content).replace(b"den", b"xyz") == timeless(told[1].content), found.pattern


def timeless(content: bytes) -> bytes:
    """The answer without moments: two requests may fall into two seconds."""
    return MOMENT.sub(b'"a moment"', content)


@pytest.mark.parametrize("key", ["elsewhere", "red", "blue"])
def test_others_things_are_answered_like_what_is_not_there(cast: Cast, key: str) -> None:
    real = {"panel": cast.things["panel"], "call": cast.things["call"]}
    for name in ("gateway-verdict", "gateway-panel", "gateway-panel-events"):
        found = next(one for one in routes() if one.name == name)
        cast.things |= real
        before = ask(cast, found, key, WISHES[name])
        cast.things |= {"panel": "p-nothing", "call": "c-nothing"}
        after = ask(cast, found, key, WISHES[name])
        assert (before.status_code, after.status_code) == (404, 404)
        told = before.content.decode()
        for kind in ("call", "panel"):  # a call's id begins with its panel's
            told = told.replace(real[kind], cast.things[kind])
        assert told == after.content.decode()
    assert Verdict.objects.count() == 1


def test_pending_and_record_tell_a_stranger_nothing(cast: Cast) -> None:
    by_name = {one.name: one for one in reversed(routes())}
    for key in ("blue", "elsewhere", "red"):
        assert ask(cast, by_name["gateway-pending"], key, WISHES["gateway-pending"]).json() == {"pending": []}
    for key in OWN:
        assert ask(cast, by_name["gateway-pending"], key, WISHES["gateway-pending"]).json()["pending"]
        assert ask(cast, by_name["gateway-record"], key, WISHES["gateway-record"]).json()["aliases"]
    assert ask(cast, by_name["gateway-record"], "blue", WISHES["gateway-record"]).json()["aliases"] == {}


def test_a_key_of_a_team_reaches_what_was_asked_with_it_and_not_all_that_its_owner_asked(cast: Cast) -> None:
    """All members of the team manage it, and may have its secret."""
    found = next(one for one in routes() if one.name == "gateway-panel")
    assert ask(cast, found, "red", WISHES["gateway-panel"]).status_code == 404
    Panel.objects.update(key=cast.things["key"])
    assert ask(cast, found, "red", WISHES["gateway-panel"]).status_code == 200


def test_what_was_asked_stays_the_askers_when_its_collection_goes_to_another_team(cast: Cast) -> None:
    Team.objects.get(name="red").members.remove(cast.people["olga"])
    KNOWN.forget()
    found = {one.name: one for one in routes()}
    assert ask(cast, found["gateway-panel"], "open", WISHES["gateway-panel"]).status_code == 200
    assert ask(cast, found["gateway-model"], "open", WISHES["gateway-model"]).status_code == 404


@pytest.mark.parametrize("person", ["anonymous", "ivan", "vera", "olga", "cora", "adam"])
def test_a_session_opens_no_route_for_keys(cast: Cast, person: str) -> None:
    for found in routes():
        where = found.address(dict.fromkeys(found.parameters, cast.things["panel"]))
        for verb in ("GET", "POST"):
            answer = cast.clients[person].generic(verb, where, "{}", content_type="application/json")
            assert answer.status_code == 401, (verb, found.pattern)


def test_without_keys_everybody_is_the_local_caller_and_sees_every_collection(cast: Cast) -> None:
    with override_settings(BENCH=dataclasses.replace(settings.BENCH, require_keys=False)):
        client = cast.clients["anonymous"]
        assert client.get("/v1/models/bench/den").status_code == 200
        assert client.get(f"/bench/panels/{cast.things['panel']}").status_code == 404
        assert client.get("/v1/models/bench/den", headers=bearer("bwk_blue")).status_code == 200


def test_what_is_open_to_anyone_says_nothing_of_this_installation(cast: Cast) -> None:
    opened = [one for one in walk() if one.of_api and ROWS[one.name].read == ANYONE and not one.regular]
    assert opened
    for found in opened:
        told = cast.clients["anonymous"].get(found.address({})).content.decode()
        assert not any(word in told for word in ("bench/den", "olga", cast.things["panel"], "granite")), found.pattern


def _renamed(wish: Any, old: str, new: str) -> Any:
    def put(value: Any) -> Any:
        if isinstance(value, str):
            return value.replace(f"bench/{old}", f"bench/{new}")
        return {name: put(one) for name, one in value.items()} if isinstance(value, dict) else value

    return dataclasses.replace(wish, parameters=put(wish.parameters), body=put(wish.body), query=put(wish.query))
