"""One offer: what is said of it, its ways, and taking it on; and what curators say of providers and connections."""

from __future__ import annotations

import pytest
from django.utils import timezone

from benchwarmers.tests.operations.discover.conftest import As, offer
from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.language_model import do_save_model
from collections_app.tests.world import World
from probes.catalog.names import MODELS_DEV
from probes.catalog.store_choices import own_app_only
from probes.catalog.store_feeds import keep_trouble
from probes.models import ConnectionFact, HubConnection, Job, Offer


def page_of(as_person: As, one: Offer, name: str = "alice") -> str:
    return as_person(name).get(f"/discover/{one.pk}/").content.decode()


def test_an_offer_says_what_is_known_of_it_and_who_else_has_it(as_person: As) -> None:
    page = page_of(as_person, offer("groq"))
    for words in ("131k", "8k", "image in", "tools", "2026-04-01", "2026-01", "open", "1,000 requests a day"):
        assert words in page
    assert "Also at 2 other providers" in page
    assert "models.dev, freellmapi" in page


def test_an_offer_with_a_way_is_queued_for_onboarding(as_person: As) -> None:
    one = offer("groq")
    assert "Add via this" in page_of(as_person, one)
    answer = as_person("alice").post(f"/discover/{one.pk}/add", {"endpoint": "groq"})
    job = Job.objects.get(kind="onboard")
    assert (job.key, job.lane, job.by) == ("groq:llama-9-70b", "groq", "alice")
    assert job.payload == {"endpoint": "groq", "served": "llama-9-70b", "mode": "full"}
    assert answer.status_code == 302
    again = as_person("alice").post(f"/discover/{one.pk}/add", {"endpoint": "groq"}, follow=True)
    assert Job.objects.filter(kind="onboard").count() == 1
    assert again.status_code == 200


@pytest.mark.parametrize("endpoint", ["north", "nobody", "", "club"])
def test_an_endpoint_that_does_not_lead_there_takes_nothing_on(as_person: As, endpoint: str) -> None:
    do_save_endpoint(actor=None, name="club", base="https://hub.example/v1", kind="hub", hub="litellm")
    one = offer("groq")
    page = as_person("alice").post(f"/discover/{one.pk}/add", {"endpoint": endpoint}, follow=True)
    assert "does not lead to groq any more" in page.content.decode()
    assert not Job.objects.exists()


def test_what_is_on_the_bench_says_so_and_is_not_added_again(world: World, as_person: As) -> None:
    do_save_model(actor=None, alias="llama", served="llama-9-70b", endpoint="groq")
    page = page_of(as_person, offer("groq"))
    assert "On the bench as" in page
    assert "Add via this" not in page


def test_an_offer_without_a_way_says_which_address_it_takes(as_person: As) -> None:
    page = page_of(as_person, offer("maker"))
    assert "https://api.maker.example/v1" in page
    assert "No endpoint of yours leads to maker" in page
    assert "/endpoints/new/?base=https%3A%2F%2Fapi.maker.example%2Fv1&amp;name=maker" in page
    known = page_of(as_person, offer("openrouter"))
    assert "/endpoints/new/?preset=openrouter&amp;base=https%3A%2F%2Fopenrouter.ai%2Fapi%2Fv1" in known
    assert "no address of an API that this server speaks" in page_of(as_person, offer("closed"))


def test_a_way_through_a_hub_leads_to_the_hubs_page(world: World, as_person: As) -> None:
    do_save_endpoint(actor=None, name="club", base="https://hub.example/v1", kind="hub", hub="litellm")
    HubConnection.objects.create(endpoint=world.endpoint("club"), connection="openrouter", seen_at=timezone.now())
    page = page_of(as_person, offer("openrouter"))
    assert "/endpoints/club/hub/?connection=openrouter&amp;model=meta%2Fllama-9-70b%3Afree" in page
    assert "connected" in page


def test_two_ways_to_one_provider_share_a_quota(world: World, as_person: As) -> None:
    do_save_endpoint(actor=None, name="second", base="https://api.groq.com/openai/v1/")
    assert "share one quota" in page_of(as_person, offer("groq"))


def test_who_only_looks_sees_no_buttons(as_person: As) -> None:
    page = page_of(as_person, offer("groq"), "bob")
    assert "Add via this" not in page
    assert as_person("bob").post(f"/discover/{offer('groq').pk}/add", {"endpoint": "groq"}).status_code == 404
    assert as_person("bob").post("/discover/refresh").status_code == 403


def test_an_offer_that_is_left_out_or_gone_is_404(as_person: As) -> None:
    client = as_person("alice")
    assert client.get(f"/discover/{offer('opencode', 'grok-free').pk}/").status_code == 404
    assert client.get("/discover/999999/").status_code == 404


def test_a_script_gets_the_panel_alone(as_person: As) -> None:
    panel = as_person("alice").get(f"/discover/{offer('groq').pk}/", headers={"HX-Request": "true"}).content.decode()
    assert panel.startswith("<article")
    assert "<h1" not in panel


@pytest.mark.parametrize(("do", "payload"), [("", {"fetch": "all"}), ("gather", {"fetch": "none", "describe": False})])
def test_a_press_queues_one_refresh(as_person: As, do: str, payload: dict[str, object]) -> None:
    client = as_person("alice")
    client.post("/discover/refresh", {"do": do})
    page = client.post("/discover/refresh", {"do": do}, follow=True).content.decode()
    assert [job.payload for job in Job.objects.filter(kind="catalog")] == [payload]
    assert "being refreshed already" in page
    assert "Refreshing" in page


def test_a_feed_in_trouble_says_why(as_person: As) -> None:
    keep_trouble(MODELS_DEV, "the reply was HTTP 503", timezone.now())
    page = as_person("bob").get("/discover/feeds").content.decode()
    assert "in trouble" in page
    assert "the reply was HTTP 503" in page


def test_curators_say_what_providers_and_connections_are(as_person: As) -> None:
    client = as_person("alice")
    page = client.get("/discover/sources/").content.decode()
    assert "opencode-go" in page
    assert "cellar" in page
    client.post("/discover/sources/own-app", {"provider": "opencode", "only": "no"})
    client.post("/discover/sources/connection", {"connection": "north", "paid": "1", "models_dev": "maker"})
    assert own_app_only() == {"opencode-go"}
    row = ConnectionFact.objects.get()
    assert (row.connection, row.paid, row.models_dev) == ("north", True, "maker")
    refused = client.post("/discover/sources/own-app", {"provider": "opencode", "only": "perhaps"}, follow=True)
    assert "only is true or false" in refused.content.decode()
