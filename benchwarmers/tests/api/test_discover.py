"""One offer for programs, and taking it on by an endpoint or a hub."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import timezone

from benchwarmers.tests.api.given import Program
from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.secret import do_save_secret
from collections_app.models import Change, Endpoint
from probes.models import Job, Offer
from probes.tests.hubs.front import ADMIN, fronting
from probes.tests.hubs.scripted import KEYS, Hub, openwebui
from probes.tests.onboarding.scripted import scripted

ROUTE = {"via", "connection", "endpoint", "label", "note", "on_bench_as", "provider", "model", "free", "cost", "limits"}


@pytest.fixture
def offer(world: None) -> Offer:
    return Offer.objects.create(
        provider="harbour", name="osprey2", served="lab/osprey-2", price_in=0.5, seen_at=timezone.now()
    )


@pytest.fixture
def chat(world: None) -> Iterator[Hub]:
    hub, _ = openwebui()
    with fronting(hub) as root:
        do_save_endpoint(actor=None, name="chat", base=f"{root}/api")
        do_save_secret(actor=None, name="chat-admin", plain=ADMIN)
        yield hub


def test_an_offer_is_told_with_its_ways(maya: Program, offer: Offer) -> None:
    told = maya.get("/api/discover-model?provider=harbour&model=lab/osprey-2")
    assert (told["model"]["served"], told["model"]["price_in"], told["model"]["new"]) == ("lab/osprey-2", 0.5, False)
    (route,) = told["routes"]
    assert route.keys() == ROUTE
    assert (route["via"], route["endpoint"], route["cost"]) == ("direct", "harbour", {"input": 0.5, "output": None})
    assert maya.get("/api/discover-model?provider=harbour&model=osprey2")["model"] == told["model"]


@pytest.mark.parametrize(("query", "status"), [
    ("provider=harbour", 400),
    ("model=x", 400),
    ("provider=harbour&model=nothing", 404),
    ("provider=a&model=b&x=", 400),
])  # fmt: skip
def test_what_nobody_offers_is_not_there(maya: Program, offer: Offer, query: str, status: int) -> None:
    assert maya.get(f"/api/discover-model?{query}", status)["errors"]


def test_the_hubs_are_asked_for_those_who_take_models_on(chat: Hub) -> None:
    Offer.objects.create(provider="openrouter", name="two", served="maker/two", seen_at=timezone.now())
    path = "/api/discover-model?provider=openrouter&model=maker/two&hubs=1"
    routes = [one for one in Program("maya").get(path)["routes"] if "steps" in one]
    assert routes[0].keys() == ROUTE | {"hub", "steps"}
    assert routes[0]["steps"]
    assert chat.written() == []
    Program("zoe").get(path, 403)


def test_an_offer_is_taken_on_by_an_endpoint(maya: Program) -> None:
    with scripted("maker/chats-1") as running:
        Endpoint.objects.create(name="den", base=running.base, kind="local")
        told = maya.post("/api/discover/add", {"model": "maker/chats-1", "endpoint": "den"})
    assert Job.objects.get(pk=told["log"]).key == "den:maker/chats-1"
    assert "no hub" in maya.refused("/api/discover/add", {"model": "m", "endpoint": "den", "connection": "x"})
    assert "endpoint: There is no" in maya.refused("/api/discover/add", {"model": "m", "endpoint": "nowhere"})


def test_a_hub_gets_it_first_and_says_what_it_did(chat: Hub) -> None:
    boss = Program("boss")
    told = boss.post("/api/discover/add", {"connection": "openrouter", "model": "maker/two", "endpoint": "chat"})
    assert told["steps"]
    assert Job.objects.get(pk=told["log"]).key == f"chat:{told['served']}"
    assert Change.objects.filter(thing="openwebui-add", actor_name="boss").exists()
    assert not any(secret in str(told) for secret in (ADMIN, *KEYS))


def test_a_hub_that_fails_says_so(chat: Hub) -> None:
    chat.script["POST /api/v1/models/create"] = (500, {"detail": "database is locked"})
    body = {"connection": "openrouter", "model": "maker/two", "endpoint": "chat"}
    told = Program("boss").refused("/api/discover/add", body)
    assert "database is locked" in told
    assert "This was done before, and stays" in told
    assert not Job.objects.exists()
