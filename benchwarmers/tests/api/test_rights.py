"""Every route under /api/, asked by everybody with a token of theirs: the table of rights says who comes in."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from benchwarmers.rights.api import API
from benchwarmers.rights.rule import admits
from benchwarmers.tests.rights.routes import VERBS, Found, walk
from collections_app.actions.token import do_create_token
from collections_app.models import Endpoint

ROUTES = [one for one in walk() if one.name.startswith("api:")]
WILD = "no-such-thing"


def address(found: Found) -> str:
    return found.address({name: "0" if f"<int:{name}>" in found.pattern else WILD for name in found.parameters})


def test_every_route_has_its_row() -> None:
    assert {one.name for one in ROUTES} == set(API)


@pytest.mark.parametrize("person", ["zoe", "ben", "maya", "boss"])
def test_only_whom_the_table_admits_comes_in(person: str) -> None:
    user = User.objects.get(username=person)
    Endpoint.objects.update(kind="practice")  # nobody is asked what they list
    plain = do_create_token(user=user, name="laptop", now=timezone.now())[1]
    wrong: list[tuple[object, ...]] = []
    for found in ROUTES:
        for verb in VERBS:
            rule = API[found.name].rule_for(verb)
            sent = {"content_type": "application/json"} if verb == "POST" else {}
            ask = getattr(Client(), verb.lower())
            unknown = ask(address(found), **sent)
            known = ask(address(found), headers={"Authorization": f"Bearer {plain}"}, **sent)
            if unknown.status_code != 401:
                wrong.append((verb, found.name, "without a token", unknown.status_code))
            if rule is None:
                right = known.status_code == 405
            elif admits(rule, user):
                right = known.status_code not in {401, 403, 405} and known.status_code < 500
            else:
                right = known.status_code in {403, 404}
            if not right or known.json().get("ok", True) is not (known.status_code < 300):
                wrong.append((verb, found.name, rule, known.status_code))
    assert wrong == []
