"""LiteLLM, against documents of its form."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.canon.fault import Broken
from probes.hubs.base import HubTrouble
from probes.hubs.litellm import LiteLLM
from probes.hubs.litellm_documents import read_deployments
from probes.tests.hubs.scripted import Answer, deployment, litellm, no_sleep


@pytest.mark.parametrize(
    ("params", "connection", "upstream"),
    [
        ({"model": "openai/x", "api_base": "https://openrouter.ai/api/v1"}, "openrouter", "x"),
        ({"model": "openai/a/b", "api_base": "http://192.168.1.5/v1"}, "lan-proxy", "a/b"),
        ({"model": "groq/llama"}, "groq", "llama"),
        (
            {"model": "maker/x", "custom_llm_provider": "openai", "api_base": "https://x.example"},
            "x.example",
            "maker/x",
        ),
        ({"model": "openai/x", "custom_llm_provider": "openai"}, "openai", "x"),
        ({"model": "gpt-4o"}, "unknown", "gpt-4o"),
        ({"model": "openai/x", "api_base": "https://********"}, "openai", "x"),
        ({}, "unknown", ""),
    ],
)
def test_the_connection_is_where_it_leads_else_who_makes_it(
    params: dict[str, Any], connection: str, upstream: str
) -> None:
    (one,) = read_deployments({"data": [deployment("x", **params)]})

    assert (one.connection, one.upstream) == (connection, upstream)


async def test_connections_gather_the_names_that_callers_use() -> None:
    hub, _ = litellm()

    seen = await LiteLLM().overview(hub.ask)

    assert [(one.id, one.models) for one in seen.connections] == [
        ("openrouter", ("plain", "one")),
        ("anthropic", ("claude",)),
    ]
    assert (seen.release, seen.notes, seen.troubles) == ("1.108.7", (), ())


async def test_a_plan_copies_the_sibling_with_a_stored_credential_and_says_what_it_leaves_out() -> None:
    hub, _ = litellm()

    plan = await LiteLLM().plan(hub.ask, "openrouter", "maker/two")

    assert plan.steps == (
        "Tell LiteLLM of a new model maker/two, labelled openrouter, copied from one: "
        "api_base, litellm_credential_name, extra_headers, timeout.",
        "Wait until LiteLLM lists it, at most 20 seconds.",
    )
    assert plan.notes == (
        "Its key will be LiteLLM's stored credential or-key.",
        "Not copied, because LiteLLM hides it or it carries a credential: extra_headers.Authorization.",
        "2 of its models are kept in its database.",
    )
    assert hub.written() == []


async def test_without_a_stored_credential_the_plan_names_the_environment_variable() -> None:
    hub, _ = litellm(data=[deployment("a", False, model="groq/a", api_key="sk-***", organization="org-****")])

    plan = await LiteLLM().plan(hub.ask, "groq", "b")

    assert any("environment variable" in note for note in plan.notes)
    assert any("organization" in note for note in plan.notes)
    assert any("None of its models comes from its database yet" in note for note in plan.notes)


async def test_adding_sends_no_key_and_reports_the_entry() -> None:
    hub, _ = litellm()
    adapter = LiteLLM()

    added = await adapter.add(hub.ask, await adapter.plan(hub.ask, "openrouter", "maker/two"), no_sleep)

    assert hub.written() == [
        (
            "POST",
            "/model/new",
            {
                "model_name": "maker/two",
                "litellm_params": {
                    "api_base": "https://openrouter.ai/api/v1",
                    "litellm_credential_name": "or-key",
                    "extra_headers": {"X-Title": "bench"},
                    "timeout": 30.0,
                    "model": "openrouter/maker/two",
                },
                "model_info": {"tags": ["openrouter"]},
            },
        )
    ]
    assert (added.served, added.tag, added.steps) == (
        "maker/two",
        "openrouter",
        ("LiteLLM took maker/two as entry id-new.",),
    )
    assert "encrypted-secret" not in str(added)


@pytest.mark.parametrize("asked", ["one", "maker/one"])
async def test_a_second_add_of_what_a_connection_serves_does_nothing(asked: str) -> None:
    hub, _ = litellm()
    adapter = LiteLLM()
    plan = await adapter.plan(hub.ask, "openrouter", asked)

    added = await adapter.add(hub.ask, plan, no_sleep)

    assert plan.present
    assert (added.served, added.steps) == ("one", ())
    assert hub.written() == []


@pytest.mark.parametrize(
    ("db", "connection", "model", "reason"),
    [
        ("Not connected", "openrouter", "new", "runs without a database"),
        ("disconnected", "openrouter", "new", "says its database is “disconnected”"),
        ("stalled", "openrouter", "new", "says its database is “stalled”"),
        ("connected", "nowhere", "new", "There is no connection nowhere here. It has: openrouter, anthropic."),
        ("connected", "openrouter", "claude", "serves a model claude on anthropic already"),
        ("connected", "open router", "new", "A connection has at most 80"),
    ],
)
async def test_a_plan_is_refused_with_why(db: str, connection: str, model: str, reason: str) -> None:
    hub, _ = litellm(db)
    adapter = LiteLLM()

    plan = await adapter.plan(hub.ask, connection, model)

    assert reason in " ".join(plan.refusals)
    with pytest.raises(HubTrouble):
        await adapter.add(hub.ask, plan, no_sleep)
    assert hub.written() == []


@pytest.mark.parametrize(
    ("status", "error", "told"),
    [
        (401, {"message": "Authentication Error"}, "LiteLLM's master key"),
        (403, {"message": "not allowed"}, "LiteLLM's master key"),
        (400, {"message": "No connected db.", "type": "no_db_connection"}, "it knows one key alone"),
        (500, {"message": {"error": "No DB Connected. Here's how to do it"}}, "Start it with DATABASE_URL"),
        (500, {"message": "{'error': \"Set `'STORE_MODEL_IN_DB='True'` in your env\"}"}, "restart it"),
        (400, {"message": "bad model"}, "HTTP 400, bad model"),
    ],
)
async def test_refusals_become_instructions(status: int, error: dict[str, Any], told: str) -> None:
    hub, state = litellm()
    state["new"] = (status, {"error": error})
    adapter = LiteLLM()

    with pytest.raises(HubTrouble, match=told) as caught:
        await adapter.add(hub.ask, await adapter.plan(hub.ask, "openrouter", "maker/two"), no_sleep)

    assert caught.value.upstream_status == status
    assert caught.value.done == ()


async def test_a_model_that_never_appears_is_told_with_what_was_done() -> None:
    hub, state = litellm()
    state["new"] = (200, {"model_id": "id-1"})
    adapter = LiteLLM()

    with pytest.raises(HubTrouble, match="does not list it yet") as caught:
        await adapter.add(hub.ask, await adapter.plan(hub.ask, "openrouter", "maker/two"), no_sleep)

    assert caught.value.done == ("LiteLLM took maker/two as entry id-1.",)


async def test_a_hub_that_goes_away_after_it_took_the_model_is_told_with_what_was_done() -> None:
    hub, _ = litellm()
    adapter = LiteLLM()
    plan = await adapter.plan(hub.ask, "openrouter", "maker/two")

    def takes(body: Any) -> Answer:
        hub.script["GET /model/info"] = (500, {"error": "it restarts"})
        return 200, {"model_id": "id-1"}

    hub.script["POST /model/new"] = takes
    with pytest.raises(HubTrouble, match=r"as entry id-1\. Then: .*it restarts") as caught:
        await adapter.add(hub.ask, plan, no_sleep)

    assert caught.value.done == ("LiteLLM took maker/two as entry id-1.",)


async def test_older_releases_tell_how_they_are_in_the_short_form() -> None:
    hub, _ = litellm(details=False)

    seen = await LiteLLM().overview(hub.ask)

    assert seen.release == "1.108.7"


async def test_a_database_that_is_down_is_read_out_of_a_503() -> None:
    hub, _ = litellm()
    hub.script["GET /health/readiness/details"] = (503, {"status": "healthy", "db": "disconnected"})

    seen = await LiteLLM().overview(hub.ask)

    assert "“disconnected”" in seen.troubles[0]


async def test_a_503_that_says_nothing_of_a_database_is_an_error() -> None:
    hub, _ = litellm()
    hub.script["GET /health/readiness/details"] = (503, {"detail": "Service Unhealthy"})

    with pytest.raises(Broken, match="whether it has a database"):
        await LiteLLM().overview(hub.ask)


async def test_tags_name_the_connection_unless_a_name_is_served_by_two() -> None:
    hub, state = litellm()
    state["data"].append(deployment("claude", model="bedrock/claude-x"))

    tags = await LiteLLM().tags(hub.ask, {"one": {}, "claude": {}, "unheard": {}})

    assert tags == {"one": ("openrouter", "maker/one")}
