"""Generated requests against the edge's own OpenAPI document: none makes it fail or answer otherwise than it says."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, given, settings
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from gateway.tests.api.world import keys_required, make_collection, make_key, make_model, make_panel, make_user


@pytest.mark.django_db
def test_generated_requests_get_documented_answers() -> None:
    alice = make_user("alice")
    core = make_collection("core", make_model("alpha"))
    make_panel("p1", alice, core, "ok")
    key = make_key(alice, "alice-laptop")
    headers = {"authorization": f"Bearer {key.secret}"}
    # The key goes with every request, and JSON schema has no word for "no null characters".
    excluded = [ignored_auth, positive_data_acceptance]
    with keys_required():
        schema = schemathesis.openapi.from_wsgi("/bench/openapi.json", get_wsgi_application())
        asked = 0
        for found in schema.get_all_operations():
            assert isinstance(found, Ok)

            @settings(
                max_examples=12, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
            )
            @given(case=found.ok().as_strategy())
            def ask(case: Any) -> None:
                nonlocal asked
                asked += 1
                case.call_and_validate(headers=headers, excluded_checks=excluded)

            ask()
    assert asked > 30
