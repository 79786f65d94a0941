"""Adding through a hub: what is noted and what is queued."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from collections_app.actions.endpoint import do_save_endpoint
from collections_app.models import Change, Endpoint
from collections_app.refusal import NotAllowed
from collections_app.tests.world import World
from probes.hubs.adding import add_and_onboard
from probes.hubs.base import Added, HubTrouble, Overview, Plan
from probes.listing import Listed
from probes.models import Job

NOW = datetime(2026, 11, 30, tzinfo=UTC)
PLAN = Plan("openrouter", "maker/two", "or.maker/two")


class Told:
    """Hubs that answer so."""

    def __init__(self, answer: Added | HubTrouble) -> None:
        self.answer = answer

    def overview(self, endpoint: Endpoint) -> Overview:
        raise AssertionError

    def plan(self, endpoint: Endpoint, connection: str, model: str) -> Plan:
        raise AssertionError

    def add(self, endpoint: Endpoint, plan: Plan) -> Added:
        if isinstance(self.answer, HubTrouble):
            raise self.answer
        return self.answer


@pytest.fixture
def chat(world: World) -> Endpoint:
    return do_save_endpoint(actor=None, name="chat", base="https://chat.example/api")


def listing(endpoint: Endpoint) -> list[Listed]:
    return [Listed(served="or.maker/two", connection="openrouter/maker")]


ADDED = Added("or.maker/two", "openrouter", ("Added it.",))


def test_what_was_added_is_noted_and_its_onboarding_queued_on_the_connection(world: World, chat: Endpoint) -> None:
    done = add_and_onboard(chat, PLAN, actor=world.alice, now=NOW, lister=listing, hubs=Told(ADDED))

    change = Change.objects.latest("id")
    assert (change.thing, change.name, change.actor_name) == ("openwebui-add", "or.maker/two", "alice")
    assert change.new == {
        "connection": "openrouter",
        "model": "maker/two",
        "endpoint": "chat",
        "steps": ["Added it."],
    }
    assert done.job is not None
    assert (done.job.kind, done.job.key, done.job.lane) == ("onboard", "chat:or.maker/two", "openrouter")
    assert done.job.payload == {"endpoint": "chat", "served": "or.maker/two", "mode": "full"}


def test_one_that_is_being_onboarded_is_not_queued_twice(world: World, chat: Endpoint) -> None:
    add_and_onboard(chat, PLAN, actor=world.alice, now=NOW, lister=listing, hubs=Told(ADDED))

    again = add_and_onboard(chat, PLAN, actor=world.alice, now=NOW, lister=listing, hubs=Told(ADDED))

    assert (again.job, again.why) == (None, "or.maker/two on chat is under way already.")
    assert Job.objects.count() == 1


def test_what_was_there_already_is_onboarded_and_changes_nothing_to_note(world: World, chat: Endpoint) -> None:
    before = Change.objects.count()

    done = add_and_onboard(
        chat, PLAN, actor=world.alice, now=NOW, lister=listing, hubs=Told(Added("or.maker/two", "openrouter"))
    )

    assert done.job is not None
    assert Change.objects.count() == before


def test_steps_before_a_trouble_are_noted_and_nothing_is_queued(world: World, chat: Endpoint) -> None:
    trouble = HubTrouble("It stopped.", done=["Half of it."])

    with pytest.raises(HubTrouble):
        add_and_onboard(chat, PLAN, actor=world.alice, now=NOW, lister=listing, hubs=Told(trouble))

    change = Change.objects.latest("id")
    said = change.new or {}
    assert (change.thing, said["steps"], said["trouble"]) == ("openwebui-add", ["Half of it."], "It stopped.")
    assert Job.objects.count() == 0


def test_who_may_not_start_work_changes_no_hub(world: World, chat: Endpoint) -> None:
    with pytest.raises(NotAllowed, match="may not add models to hubs"):
        add_and_onboard(chat, PLAN, actor=world.bob, now=NOW, hubs=Told(HubTrouble("asked after all")))
