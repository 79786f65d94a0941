"""Generated requests against the edge's own OpenAPI document, by everybody: none makes it fail or answer otherwise than
it says, and nobody without a key gets in."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from django.conf import settings as product
from django.core.wsgi import get_wsgi_application
from django.test import Client, override_settings
from hypothesis import HealthCheck, given, settings
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from collections_app.models import Team
from gateway.tests.api.world import keys_required, make_collection, make_key, make_model, make_panel, make_user

KEYS = {"caller key": 24, "scoped key": 12, "key of nobody's team": 8}
"""Examples for each operation."""
KEYLESS = {"anonymous": 4, "viewer": 3, "curator": 3, "admin": 3}


def headers_of(role: str) -> dict[str, str]:
    """What somebody in this role sends; alice has two collections, of which her team owns one, and panels in both."""
    alice, team = make_user("alice"), Team.objects.create(name="red")
    core, den = make_collection("core", make_model("alpha")), make_collection("den", make_model("beta"))
    team.members.add(alice)
    den.team = team
    den.save()
    make_panel("p1", alice, core, "ok")
    make_panel("p2", alice, den, "ok", "error")
    match role:
        case "anonymous":
            return {}
        case "caller key":
            secret = make_key(alice, "alice-laptop").secret
        case "scoped key":
            secret = make_key(alice, "alice-laptop", core).secret
        case "key of nobody's team":
            secret = make_key(make_user("stan"), "stans").secret
        case group:
            client = Client()
            client.force_login(make_user("zoe", group))
            return {"cookie": f"{product.SESSION_COOKIE_NAME}={client.cookies[product.SESSION_COOKIE_NAME].value}"}
    return {"authorization": f"Bearer {secret}"}


@pytest.mark.django_db
@pytest.mark.parametrize("role", [*KEYS, *KEYLESS])
def test_generated_requests_get_documented_answers(role: str) -> None:
    headers = headers_of(role)
    # The key goes with every request, and JSON schema has no word for "no null characters".
    excluded = [ignored_auth, positive_data_acceptance]
    with keys_required(), override_settings(ROOT_URLCONF="benchwarmers.urls"):
        schema = schemathesis.openapi.from_wsgi("/bench/openapi.json", get_wsgi_application())
        statuses: list[int] = []
        for found in schema.get_all_operations():
            assert isinstance(found, Ok)

            @settings(
                max_examples=(KEYS | KEYLESS)[role],
                deadline=None,
                derandomize=True,
                database=None,
                suppress_health_check=list(HealthCheck),
            )
            @given(case=found.ok().as_strategy())
            def ask(case: Any) -> None:
                statuses.append(case.call_and_validate(headers=headers, excluded_checks=excluded).status_code)

            ask()
    assert len(statuses) > 15
    assert {200, 400} <= set(statuses) if role in KEYS else set(statuses) == {401}
