"""Open WebUI, against documents of its form."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.canon.fault import Broken
from probes.hubs.base import TRIES, HubTrouble, Plan
from probes.hubs.openwebui import OpenWebUI
from probes.tests.hubs.scripted import KEYS, Answer, model, no_sleep, openwebui, record


async def test_connections_are_named_by_address_and_told_apart_by_index() -> None:
    hub, _ = openwebui()

    seen = await OpenWebUI().overview(hub.ask)

    assert [(one.id, one.name, one.prefix, one.models, bool(one.why_not)) for one in seen.connections] == [
        ("openrouter", "openrouter", "or", ("or.maker/one",), False),
        ("lan-proxy-1", "lan-proxy", "", ("home-7b",), False),
        ("lan-proxy-2", "lan-proxy", "lan2", (), True),
    ]
    assert seen.release == "0.12.4"
    assert seen.notes == ()


async def test_a_plan_says_what_would_be_written_and_writes_nothing() -> None:
    hub, _ = openwebui()

    plan = await OpenWebUI().plan(hub.ask, "openrouter", "maker/two")

    assert plan.served == "or.maker/two"
    assert plan.refusals == ()
    assert plan.steps == (
        "Add maker/two to the list of models of openrouter in Open WebUI.",
        "Create the model's record or.maker/two: everybody may use it, tagged openrouter.",
        "Copy logo, capability switches from or.maker/one.",
        "Wait until Open WebUI lists it, at most 20 seconds.",
    )
    assert hub.written() == []


def _config(**changes: Any) -> dict[str, Any]:
    _, state = openwebui()
    return {**state["config"], **changes}


@pytest.mark.parametrize(
    ("changes", "connection", "id", "reason"),
    [
        ({}, "nowhere", "a", "There is no connection nowhere here. It has: openrouter, lan-proxy-1, lan-proxy-2."),
        ({}, "lan-proxy-2", "a", "It is switched off in Open WebUI."),
        ({"config": _config(ENABLE_OPENAI_API=False)}, "openrouter", "a", "switched off in Open WebUI"),
        (
            {"config": _config(OPENAI_API_KEYS=["sk-1", "********", "b"])},
            "openrouter",
            "a",
            "hides the providers' keys",
        ),
        ({"config": _config(OPENAI_API_KEYS=["sk-1", "••••", "b"])}, "openrouter", "a", "hides the providers' keys"),
        ({"models": [model("or.a", 1)]}, "openrouter", "a", "serves or.a from lan-proxy-1 already"),
        ({"models": [model("old", 7, tags=("gone",))]}, "gone", "old", "no longer have this connection"),
        ({}, "lan-proxy-1", "unheard-of", "unheard-of is not among that now"),
        ({}, "open router", "a", "A connection has at most 80"),
        ({}, "openrouter", "a b", "A model's id has at most 200"),
    ],
)
async def test_a_plan_is_refused_with_why(changes: dict[str, Any], connection: str, id: str, reason: str) -> None:
    hub, _ = openwebui(**changes)

    plan = await OpenWebUI().plan(hub.ask, connection, id)

    assert reason in " ".join(plan.refusals)
    assert plan.steps == ()
    with pytest.raises(HubTrouble, match=r"."):
        await OpenWebUI().add(hub.ask, plan, no_sleep)
    assert hub.written() == []


async def test_adding_writes_the_whole_config_with_one_id_more_and_a_record_like_its_siblings() -> None:
    hub, _ = openwebui()
    before = _config()
    adapter = OpenWebUI()

    added = await adapter.add(hub.ask, await adapter.plan(hub.ask, "openrouter", "maker/two"), no_sleep)

    assert added.served == "or.maker/two"
    assert added.tag == "openrouter"
    (_, update, config), (_, create, written) = hub.written()
    assert update == "/openai/config/update"
    before["OPENAI_API_CONFIGS"]["0"]["model_ids"] = ["maker/one", "maker/two"]
    assert config == before
    assert config["OPENAI_API_KEYS"] == KEYS
    assert create == "/api/v1/models/create"
    assert written == {
        "id": "or.maker/two",
        "name": "or.maker/two",
        "base_model_id": None,
        "meta": {"profile_image_url": "data:logo", "capabilities": {"vision": True}, "tags": [{"name": "openrouter"}]},
        "params": {},
        "access_grants": [{"principal_type": "user", "principal_id": "*", "permission": "read"}],
        "is_active": True,
    }
    assert not any(key in f"{added} {hub.script}" for key in KEYS)

    again = await adapter.add(hub.ask, await adapter.plan(hub.ask, "openrouter", "maker/two"), no_sleep)
    assert again.steps == ()
    assert len(hub.written()) == 2


async def test_a_record_that_is_there_keeps_what_it_says() -> None:
    own = record("home-7b", "mine", {"capabilities": {"vision": False}}, name="Home", params={"temperature": 0.1})
    own["access_grants"] = [{"principal_type": "group", "principal_id": "staff", "permission": "write"}]
    hub, _ = openwebui(records=[own])
    adapter = OpenWebUI()

    await adapter.add(hub.ask, await adapter.plan(hub.ask, "lan-proxy-1", "home-7b"), no_sleep)

    ((_, path, written),) = hub.written()
    assert path == "/api/v1/models/model/update"
    assert (written["name"], written["params"]) == ("Home", {"temperature": 0.1})
    assert written["meta"] == {"capabilities": {"vision": False}, "tags": [{"name": "mine"}, {"name": "lan-proxy"}]}
    assert [grant["principal_type"] for grant in written["access_grants"]] == ["group", "user"]


async def test_a_list_that_was_emptied_after_the_plan_is_left_empty() -> None:
    hub, state = openwebui()
    adapter = OpenWebUI()
    plan = await adapter.plan(hub.ask, "openrouter", "maker/two")
    state["config"]["OPENAI_API_CONFIGS"]["0"]["model_ids"] = []
    state["models"].append(model("or.maker/two", 0))

    await adapter.add(hub.ask, plan, no_sleep)

    assert [path for _, path, _ in hub.written()] == ["/api/v1/models/create"]


async def test_a_prefix_that_changed_after_the_plan_stops_it() -> None:
    hub, state = openwebui()
    adapter = OpenWebUI()
    plan = await adapter.plan(hub.ask, "openrouter", "maker/two")
    state["config"]["OPENAI_API_CONFIGS"]["0"]["prefix_id"] = "router"

    with pytest.raises(HubTrouble, match=r"would be router\.maker/two now, not or\.maker/two"):
        await adapter.add(hub.ask, plan, no_sleep)

    assert hub.written() == []


async def test_a_record_that_fails_after_the_list_says_what_is_done_and_how_to_finish() -> None:
    hub, _ = openwebui()
    hub.script["POST /api/v1/models/create"] = (500, {"detail": "database is locked"})
    adapter = OpenWebUI()
    plan = await adapter.plan(hub.ask, "openrouter", "maker/two")

    with pytest.raises(HubTrouble) as caught:
        await adapter.add(hub.ask, plan, no_sleep)

    assert caught.value.done == ("Added maker/two to the list of models of openrouter.",)
    assert "HTTP 500, database is locked" in caught.value.message
    assert "make it public and tag it openrouter" in caught.value.message


async def test_a_refused_config_that_repeats_a_providers_key_is_told_without_it() -> None:
    hub, _ = openwebui()
    hub.script["POST /openai/config/update"] = (400, {"detail": f"bad key {KEYS[1]}"})
    adapter = OpenWebUI()
    plan = await adapter.plan(hub.ask, "openrouter", "maker/two")

    with pytest.raises(HubTrouble, match="bad key") as caught:
        await adapter.add(hub.ask, plan, no_sleep)

    assert KEYS[1] not in caught.value.message


async def test_a_model_that_is_never_listed_is_told_after_all_tries() -> None:
    hub, _ = openwebui()
    hub.script["POST /openai/config/update"] = (200, {})
    adapter, slept = OpenWebUI(), []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    with pytest.raises(HubTrouble, match="does not list it yet") as caught:
        await adapter.add(hub.ask, await adapter.plan(hub.ask, "openrouter", "maker/two"), sleep)

    assert len(caught.value.done) == 2
    assert slept == [2.0] * (TRIES - 1)


@pytest.mark.parametrize("status", [401, 403])
async def test_a_key_that_may_not_administer_is_told_which_one_may(status: int) -> None:
    hub, _ = openwebui()
    hub.script["GET /openai/config"] = (status, {"detail": "401 Unauthorized"})

    with pytest.raises(HubTrouble, match="an API key of one of its administrators"):
        await OpenWebUI().overview(hub.ask)


@pytest.mark.parametrize("document", [{}, {"OPENAI_API_BASE_URLS": ["x"], "OPENAI_API_CONFIGS": {}}, [], None])
async def test_settings_of_another_form_are_an_error(document: Any) -> None:
    hub, _ = openwebui(config=document)

    with pytest.raises(Broken, match="another form"):
        await OpenWebUI().overview(hub.ask)


async def test_another_release_is_a_note_and_no_refusal() -> None:
    hub, _ = openwebui(version="0.13.0")

    plan = await OpenWebUI().plan(hub.ask, "openrouter", "maker/two")

    assert "Open WebUI is release 0.13.0; this was checked with 0.12." in plan.notes
    assert plan.refusals == ()


async def test_tags_say_where_models_come_from_and_their_ids_without_the_prefix() -> None:
    hub, state = openwebui()
    state["models"].append(model("or.maker/two", 0, owner="maker"))
    state["models"].append(model("or.odd", 1))
    entries = {entry["id"]: entry for entry in state["models"]}

    assert await OpenWebUI().tags(hub.ask, entries) == {
        "or.maker/one": ("openrouter", "maker/one"),
        "or.maker/two": ("openrouter/maker", "maker/two"),
        "or.odd": ("lan-proxy", "or.odd"),
        "home-7b": ("lan-proxy/library", "home-7b"),
        "llama3:8b": ("local", "llama3:8b"),
    }


async def test_without_the_settings_tags_come_from_what_is_tagged_here_or_there() -> None:
    hub, _ = openwebui()
    hub.script["GET /openai/config"] = (401, {"detail": "no"})
    entries = {
        one["id"]: one
        for one in (
            model("or.a", 0, upstream="a"),
            model("or.b", 0),
            model("c", 1, tags=("groq",)),
            model("d", 1),
            model("e", 2),
        )
    }

    tags = await OpenWebUI({"or.a": "openrouter/maker"}).tags(hub.ask, entries)

    assert tags == {"or.a": ("openrouter", "a"), "or.b": ("openrouter", "or.b"), "c": ("groq", "c"), "d": ("groq", "d")}


async def test_connections_that_are_kept_by_address_are_read_and_written_too() -> None:
    """Releases before 0.5 kept them so, and their settings live on."""
    hub, state = openwebui()
    base = "https://openrouter.ai/api/v1"
    state["config"]["OPENAI_API_CONFIGS"] = {base: {"prefix_id": "or", "model_ids": ["maker/one"]}}

    def update(body: Any) -> Answer:
        state["models"].append(model("or.maker/two", 0))
        return 200, body

    hub.script["POST /openai/config/update"] = update
    adapter = OpenWebUI()
    await adapter.add(hub.ask, await adapter.plan(hub.ask, "openrouter", "maker/two"), no_sleep)

    config = hub.written()[0][2]
    assert config["OPENAI_API_CONFIGS"][base]["model_ids"] == ["maker/one", "maker/two"]


async def test_a_plan_alone_can_be_added_without_a_served_id_to_compare() -> None:
    hub, _ = openwebui()

    added = await OpenWebUI().add(hub.ask, Plan("openrouter", "maker/two"), no_sleep)

    assert added.served == "or.maker/two"
