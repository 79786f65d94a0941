"""The page of a hub, over a scripted Open WebUI on loopback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client

from benchwarmers.tests.dashboard.conftest import NOON, as_person, world
from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.secret import do_save_secret
from collections_app.models import Change, Endpoint
from probes.models import Job, Offer
from probes.tests.hubs.front import ADMIN, fronting
from probes.tests.hubs.scripted import KEYS, Hub, openwebui

__all__ = ["as_person", "world"]
As = Callable[[str], Client]
PAGE = "/endpoints/chat/hub/"


@pytest.fixture
def chat() -> Iterator[Hub]:
    hub, _ = openwebui()
    with fronting(hub) as root:
        do_save_endpoint(actor=None, name="chat", base=f"{root}/api")
        do_save_secret(actor=None, name="chat-admin", plain=ADMIN)
        yield hub


def text(answer: Any) -> str:
    page: str = answer.content.decode()
    return page


def test_the_page_shows_connections_and_no_key(as_person: As, chat: Hub) -> None:
    page = text(as_person("boss").get(PAGE))

    assert "openrouter" in page
    assert "or.maker/one" in page
    assert "It is switched off in Open WebUI." in page
    assert not any(secret in page for secret in (ADMIN, *KEYS))


def test_a_plan_is_shown_by_address_and_writes_nothing(as_person: As, chat: Hub) -> None:
    page = text(as_person("boss").get(f"{PAGE}?connection=openrouter&model=maker/two"))

    assert "Add maker/two to the list of models of openrouter in Open WebUI." in page
    assert "Add it and take it on" in page
    assert chat.written() == []


def test_a_refused_plan_has_no_button(as_person: As, chat: Hub) -> None:
    page = text(as_person("boss").get(f"{PAGE}?connection=lan-proxy-1&model=unheard-of"))

    assert "unheard-of is not among that now" in page
    assert "Add it and take it on" not in page


def test_adding_writes_notes_and_queues(as_person: As, chat: Hub) -> None:
    boss = as_person("boss")

    answer = boss.post(PAGE, {"connection": "openrouter", "model": "maker/two", "served": "or.maker/two"}, follow=True)

    assert answer.redirect_chain == [(PAGE, 302)]
    assert "It serves or.maker/two; taking it on is queued." in text(answer)
    assert [path for _, path, _ in chat.written()] == ["/openai/config/update", "/api/v1/models/create"]
    assert Change.objects.filter(thing="openwebui-add", name="or.maker/two", actor_name="boss").exists()
    assert Job.objects.get().key == "chat:or.maker/two"


def test_a_hub_that_fails_half_way_is_told_with_what_was_done(as_person: As, chat: Hub) -> None:
    chat.script["POST /api/v1/models/create"] = (500, {"detail": "database is locked"})

    answer = as_person("boss").post(PAGE, {"connection": "openrouter", "model": "maker/two"})

    assert answer.status_code == 422
    assert "This was done before, and stays:" in text(answer)
    assert "database is locked" in text(answer)
    assert Job.objects.count() == 0


def test_what_was_typed_badly_is_refused_before_anything_is_sent(as_person: As, chat: Hub) -> None:
    answer = as_person("boss").post(PAGE, {"connection": "open router", "model": ""})

    assert answer.status_code == 422
    assert chat.written() == []


def test_a_hub_without_its_key_says_which_to_store(as_person: As) -> None:
    do_save_endpoint(actor=None, name="cli", base="http://127.0.0.1:1/v1", kind="hub", hub="cliproxy")

    page = text(as_person("boss").get("/endpoints/cli/hub/"))

    assert "The hub cannot be asked" in page
    assert "its management key" in page
    assert "cli-admin" in page


def test_only_who_may_start_work_sees_it_and_only_hubs_have_it(as_person: As, chat: Hub) -> None:
    do_save_endpoint(actor=None, name="plain", base="https://plain.example/v1")

    assert as_person("zoe").get(PAGE).status_code == 404
    assert as_person("zoe").post(PAGE, {"connection": "openrouter", "model": "maker/two"}).status_code == 404
    assert as_person("boss").get("/endpoints/plain/hub/").status_code == 404
    assert Endpoint.objects.filter(name="plain").exists()
    assert chat.asked == []


@pytest.fixture
def offer(world: None) -> Offer:
    base = "https://openrouter.ai/api/v1"
    return Offer.objects.create(provider="openrouter", name="two", served="maker/two", base=base, seen_at=NOON)


def test_an_offer_tells_what_each_hub_would_do(as_person: As, chat: Hub, offer: Offer) -> None:
    address = f"/discover/{offer.pk}/hubs"

    page = text(as_person("boss").get(address, headers={"HX-Request": "true"}))

    assert "Add maker/two to the list of models of openrouter in Open WebUI." in page
    assert f"{PAGE}?connection=openrouter&amp;model=maker%2Ftwo" in page
    assert "<html" not in page
    assert "<html" in text(as_person("boss").get(address))
    assert chat.written() == []


def test_without_hubs_an_offer_s_hubs_are_nothing(as_person: As, offer: Offer) -> None:
    address = f"/discover/{offer.pk}/hubs"

    assert "What the hubs say" not in text(as_person("boss").get(address, headers={"HX-Request": "true"}))
    assert "No hub leads there" in text(as_person("boss").get(address))
    assert as_person("zoe").get(address).status_code == 404
