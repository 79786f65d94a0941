"""Which hubs could bring a provider's model."""

from __future__ import annotations

import pytest

from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.language_model import do_save_model
from collections_app.actions.secret import do_save_secret
from probes.hubs.base import HubConnection
from probes.hubs.routes import hub_routes, leads_to
from probes.models import ConnectionFact
from probes.tests.hubs.front import ADMIN, fronting
from probes.tests.hubs.scripted import cliproxy, litellm, openwebui

BASE = "https://openrouter.ai/api/v1"


@pytest.mark.parametrize(
    ("name", "base", "facts", "leads"),
    [
        ("openrouter", "", {}, True),
        ("mine", f"{BASE}/", {}, True),
        ("mine", "", {}, False),
        ("mine", "", {"mine": "openrouter"}, True),
        ("openrouter", BASE, {"openrouter": "other"}, False),
    ],
)
def test_a_connection_leads_to_a_provider_by_what_is_said_of_it_its_name_or_its_address(
    name: str, base: str, facts: dict[str, str], leads: bool
) -> None:
    assert leads_to(HubConnection(name, name, base), "openrouter", BASE, facts) is leads


@pytest.mark.django_db
def test_every_hub_with_such_a_connection_is_a_route_and_one_that_fails_is_a_line() -> None:
    (web, _), (lite, _), (cli, _) = openwebui(), litellm(), cliproxy()
    with fronting(web) as one, fronting(lite) as two, fronting(cli) as three:
        for name, base, kind in (
            ("chat", f"{one}/api", "openwebui"),
            ("lite", f"{two}/v1", "litellm"),
            ("cli", f"{three}/v1", "cliproxy"),
            ("keyless", f"{three}/v1", "cliproxy"),
        ):
            do_save_endpoint(actor=None, name=name, base=base, kind="hub", hub=kind)
            if name != "keyless":
                do_save_secret(actor=None, name=f"{name}-admin", plain=ADMIN if name != "lite" else "wrong")
        do_save_model(actor=None, alias="two", served="or.maker/two", endpoint="chat")

        found = hub_routes("openrouter", BASE, "maker/two")

    routes = {route.endpoint: route for route in found.routes}
    assert set(routes) == {"chat", "cli"}
    assert (routes["chat"].hub, routes["chat"].connection, routes["chat"].on_bench_as) == (
        "Open WebUI",
        "openrouter",
        "two",
    )
    plan = routes["cli"].plan
    assert plan is not None
    assert plan.served == "or/maker/two"
    assert (
        plan.steps[0] == "Add maker/two to the models of the provider openrouter in CLI Proxy API; its 1 others stay."
    )
    assert [line.split(":")[0] for line in sorted(found.troubles)] == ["keyless", "lite"]


@pytest.mark.django_db
def test_without_a_model_the_routes_have_no_plan_and_the_facts_of_this_installation_count() -> None:
    web, _ = openwebui()
    ConnectionFact.objects.create(connection="lan-proxy", models_dev="homelab")
    with fronting(web) as root:
        do_save_endpoint(actor=None, name="chat", base=f"{root}/api")
        do_save_secret(actor=None, name="chat", plain=ADMIN)

        found = hub_routes("homelab", "")

    assert [(route.connection, route.plan) for route in found.routes] == [("lan-proxy-1", None), ("lan-proxy-2", None)]


@pytest.mark.django_db
def test_without_hubs_nobody_is_asked() -> None:
    assert hub_routes("openrouter", BASE) == hub_routes("", "")
