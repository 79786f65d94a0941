"""CLI Proxy API, against documents of its form."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.canon.fault import Broken
from probes.hubs.base import HubTrouble
from probes.hubs.cliproxy import PATH, CliProxy
from probes.tests.hubs.scripted import KEYS, Answer, cliproxy, no_sleep


async def test_connections_are_the_providers_by_their_own_names() -> None:
    hub, _ = cliproxy()

    seen = await CliProxy().overview(hub.ask)

    assert [(one.id, one.prefix, one.models, bool(one.why_not)) for one in seen.connections] == [
        ("openrouter", "or", ("or/one",), False),
        ("My-Lab", "", (), False),
        ("off", "", (), True),
    ]
    assert (seen.release, seen.notes) == ("v8.0.3", ())
    assert not any(key in str(seen) for key in KEYS)


@pytest.mark.parametrize(("connection", "served"), [("openrouter", "or/maker/two"), ("My-Lab", "maker/two")])
async def test_adding_sends_the_whole_list_with_one_more_and_nothing_else(connection: str, served: str) -> None:
    hub, providers = cliproxy()
    adapter = CliProxy()

    added = await adapter.add(hub.ask, await adapter.plan(hub.ask, connection, "maker/two"), no_sleep)

    ((method, path, body),) = hub.written()
    assert (method, path) == ("PATCH", PATH)
    assert set(body) == {"name", "value"}
    assert set(body["value"]) == {"models"}
    assert body["value"]["models"][-1] == {"name": "maker/two", "alias": "maker/two"}
    assert added.served == served
    assert providers[0]["api-key-entries"] == [{"api-key": KEYS[0]}]
    kept = {"name": "maker/one", "alias": "one", "thinking": {"levels": ["low"]}}
    assert providers[0]["models"][0] == kept


@pytest.mark.parametrize("asked", ["one", "maker/one"])
async def test_a_model_that_is_listed_by_alias_or_name_is_there(asked: str) -> None:
    hub, _ = cliproxy()
    adapter = CliProxy()
    plan = await adapter.plan(hub.ask, "openrouter", asked)

    added = await adapter.add(hub.ask, plan, no_sleep)

    assert plan.present
    assert (added.served, added.steps) == ("or/one", ())
    assert hub.written() == []


@pytest.mark.parametrize(
    ("connection", "model", "reason"),
    [
        ("nowhere", "a", "There is no connection nowhere here. It has: openrouter, My-Lab, off."),
        ("off", "a", "It is switched off in CLI Proxy API."),
        ("My-Lab", "or/one", "serves or/one from openrouter already"),
        ("My-Lab", "", "A model's id has at most 200"),
    ],
)
async def test_a_plan_is_refused_with_why(connection: str, model: str, reason: str) -> None:
    hub, _ = cliproxy()

    plan = await CliProxy().plan(hub.ask, connection, model)

    assert reason in " ".join(plan.refusals)
    assert plan.steps == ()


async def test_a_list_that_comes_back_shorter_stops_and_names_what_is_missing() -> None:
    def cut(body: Any, providers: list[Any]) -> Answer:
        providers[0]["models"] = body["value"]["models"][1:]
        return 200, {"status": "ok"}

    hub, _ = cliproxy(cut)
    adapter = CliProxy()

    with pytest.raises(HubTrouble, match="does not have all of it: maker/one missing") as caught:
        await adapter.add(hub.ask, await adapter.plan(hub.ask, "openrouter", "maker/two"), no_sleep)

    assert caught.value.done == ("Sent openrouter a list of 2 models, maker/two among them.",)


async def test_a_proxy_that_goes_away_after_it_took_the_list_is_told_with_what_was_done() -> None:
    def takes(body: Any, providers: list[Any]) -> Answer:
        hub.script[f"GET {PATH}"] = (500, {"error": "it restarts"})
        return 200, {"status": "ok"}

    hub, _ = cliproxy(takes)
    adapter = CliProxy()

    with pytest.raises(HubTrouble, match=r"Then: .*it restarts") as caught:
        await adapter.add(hub.ask, await adapter.plan(hub.ask, "openrouter", "maker/two"), no_sleep)

    assert caught.value.done == ("Sent openrouter a list of 2 models, maker/two among them.",)


@pytest.mark.parametrize(
    ("status", "error", "told"),
    [
        (401, "invalid management key", "After five wrong keys it shuts this server out for 30 minutes"),
        (403, "remote management disabled", "remote-management.allow-remote"),
        (403, "IP banned due to too many failed attempts", "Check the key, and wait half an hour"),
        (404, "item not found", "The provider left CLI Proxy API meanwhile"),
        (404, "404 page not found", "has its management switched off"),
        (500, "failed to save config", "HTTP 500, failed to save config"),
    ],
)
async def test_refusals_become_instructions_and_nothing_is_sent_twice(status: int, error: str, told: str) -> None:
    hub, _ = cliproxy(lambda body, providers: (status, {"error": error}))
    adapter = CliProxy()
    plan = await adapter.plan(hub.ask, "openrouter", "maker/two")

    with pytest.raises(HubTrouble, match=told):
        await adapter.add(hub.ask, plan, no_sleep)

    assert len(hub.written()) == 1


async def test_a_wrong_key_is_tried_once() -> None:
    hub, _ = cliproxy()
    hub.script[f"GET {PATH}"] = (401, {"error": "invalid management key"})

    with pytest.raises(HubTrouble, match="refused the management key"):
        await CliProxy().plan(hub.ask, "openrouter", "maker/two")

    assert len(hub.asked) == 1


async def test_no_provider_is_no_error_and_no_list_is_one() -> None:
    hub, _ = cliproxy()
    hub.script[f"GET {PATH}"] = (200, {"openai-compatibility": None})
    assert (await CliProxy().overview(hub.ask)).connections == ()

    hub.script[f"GET {PATH}"] = (200, [])
    with pytest.raises(Broken, match="no list under"):
        await CliProxy().overview(hub.ask)


async def test_tags_name_the_provider_of_what_is_listed() -> None:
    hub, _ = cliproxy()

    tags = await CliProxy().tags(hub.ask, {"or/one": {}, "gemini-pro": {}})

    assert tags == {"or/one": ("openrouter", "maker/one")}
