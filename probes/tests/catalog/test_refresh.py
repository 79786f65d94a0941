"""The refresh: which facts it writes, of whose word, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import TestCase
from django.test.utils import CaptureQueriesContext

from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.language_model import do_save_model
from collections_app.actions.retirement import do_retire_model
from collections_app.facts import merge
from collections_app.models import Change, Fact, LanguageModel
from collections_app.stamp import use_stamp
from collections_app.tests.world import World, make_world
from gateway.canon.kinds import EndpointKind
from probes.catalog.describe import describe_model
from probes.hubs.base import HubConnection as Behind
from probes.hubs.base import Overview
from probes.listing_forms import Listed
from probes.models import ConnectionFact, HubConnection
from probes.tests.catalog import feeds
from probes.tests.catalog.given import Lists, at_hand, fact_of, model, refreshed, told
from probes.tests.jobs.given import NOW, Clock

pytestmark = pytest.mark.django_db
LLAMA = "llama-9-70b"


@pytest.fixture
def world() -> World:
    world = make_world()
    do_save_endpoint(actor=None, name="groq", base="https://api.groq.com/openai/v1")
    do_save_model(actor=None, alias="llama", served=LLAMA, endpoint="groq")
    at_hand()
    return world


@pytest.fixture
def stamps() -> Iterator[list[int]]:
    """One entry each time the stamp of the catalogue moves."""
    moved: list[int] = []

    def bump() -> bool:
        moved.append(1)
        return True

    undo = use_stamp(bump)
    yield moved
    undo()


def test_every_field_has_the_word_of_its_strongest_source(world: World) -> None:
    job = refreshed(Clock(), Lists(groq=[Listed(LLAMA, context_window=64_000)]))
    assert job.state == "done"
    assert fact_of("llama", "context_window") == (64_000, "listing of groq; freellmapi: groq says 8,000")
    assert fact_of("llama", "max_output") == (8_192, "models.dev: groq")
    assert fact_of("llama", "prices") == ({"input": 0, "output": 0}, "models.dev: groq")
    assert fact_of("llama", "limits") == ({"rpm": 30, "rpd": 1_000}, "freellmapi: groq")
    assert fact_of("llama", "quirk_notes") == (["No system prompts"], "freellmapi: groq")
    assert fact_of("llama", "release_date") == ("2026-04-01", "models.dev: groq")
    assert fact_of("llama", "input_modalities") == (["text", "image"], "models.dev: groq")


def test_a_model_is_read_from_the_listing_of_its_own_endpoint_alone(world: World) -> None:
    do_save_model(actor=None, alias="twin", served=LLAMA, endpoint="north")
    lists = Lists(groq=[Listed(LLAMA, max_output=1_000)], north=[Listed(LLAMA, max_output=2_000)])
    refreshed(Clock(), lists)
    assert fact_of("llama", "max_output") == (1_000, "listing of groq")
    assert fact_of("twin", "max_output") == (2_000, "listing of north")
    assert fact_of("twin", "prices") is None
    assert sorted(lists.asked) == ["cellar", "groq", "north", "south"]


def test_a_refresh_that_finds_everything_as_it_was_leaves_no_trace(world: World, stamps: list[int]) -> None:
    lists = Lists(groq=[Listed(LLAMA, context_window=64_000)])
    with TestCase.captureOnCommitCallbacks(execute=True):
        refreshed(Clock(), lists)
    assert stamps
    seen = list(Fact.objects.order_by("pk").values_list("pk", "value", "seen_at"))
    rows = Change.objects.count()
    stamps.clear()
    with TestCase.captureOnCommitCallbacks(execute=True):
        refreshed(Clock(NOW + timedelta(days=1)), lists)
    assert list(Fact.objects.order_by("pk").values_list("pk", "value", "seen_at")) == seen
    assert (stamps, Change.objects.count()) == ([], rows)


def test_what_no_call_is_decided_by_moves_no_stamp(world: World, stamps: list[int]) -> None:
    refreshed(Clock())
    document = {**feeds.MODELS_DEV, "groq": {"models": {LLAMA: feeds.MODELS_DEV["groq"]["models"][LLAMA] | {}}}}
    document["groq"]["models"][LLAMA]["knowledge"] = "2026-02"
    at_hand(models_dev=document)
    with TestCase.captureOnCommitCallbacks(execute=True):
        refreshed(Clock())
    assert fact_of("llama", "knowledge_cutoff") == ("2026-02", "models.dev: groq")
    assert stamps == []


def test_an_endpoint_that_cannot_be_reached_keeps_what_it_said_and_stops_nobody(world: World) -> None:
    refreshed(Clock(), Lists(groq=[Listed(LLAMA, context_window=64_000)]))
    job = refreshed(Clock(), Lists(north=[]))
    assert job.state == "done"
    assert fact_of("llama", "context_window") == (64_000, "listing of groq; freellmapi: groq says 8,000")
    assert "groq: no listing (no connection); what it said last stays" in told(job)
    refreshed(Clock(), Lists(groq=[Listed(LLAMA)]))
    assert fact_of("llama", "context_window") == (131_072, "models.dev: groq; freellmapi: groq says 8,000")


def test_what_a_feed_no_longer_says_stays_but_limits_that_are_gone_go(world: World) -> None:
    refreshed(Clock())
    others: dict[str, Any] = {"x": {"models": {"y": {}}}}
    at_hand(models_dev=others, freellmapi={"models": [{"platform": "x", "modelId": "y", "limits": {}}]})
    refreshed(Clock())
    assert fact_of("llama", "max_output") is not None
    assert fact_of("llama", "limits") is None
    assert fact_of("llama", "quirk_notes") is None


def test_operators_win_and_their_facts_stay(world: World) -> None:
    do_save_model(actor=None, alias="llama", served=LLAMA, endpoint="groq", stated={"context_window": 5_000})
    refreshed(Clock())
    values, sources = merge(model("llama").facts.all())
    assert (values["context_window"], sources["context_window"]) == (5_000, "operator")
    assert (values["release_date"], values["quirk_notes"]) == ("2026-04-01", ["No system prompts"])


def test_retired_scripted_and_decision_models_are_left_alone(world: World) -> None:
    do_retire_model(actor=None, alias="llama")
    do_save_model(actor=None, alias="judge", served=LLAMA, endpoint="north", role="decision")
    do_save_endpoint(actor=None, name="practice-squad", base="http://127.0.0.1:9/v1")
    world.endpoint("practice-squad").__class__.objects.filter(name="practice-squad").update(kind=EndpointKind.PRACTICE)
    LanguageModel.objects.create(alias="script", served=LLAMA, endpoint=world.endpoint("practice-squad"))
    lists = Lists()
    refreshed(Clock(), lists)
    assert not Fact.objects.filter(language_model__alias__in=("llama", "judge", "script"), source="feed").exists()
    assert "practice-squad" not in lists.asked


def test_a_second_claim_asks_no_endpoint_again(world: World) -> None:
    class Killed(BaseException):
        """The process is gone."""

    class Dies(Lists):
        def __call__(self, endpoint: object) -> list[Listed]:
            if len(self.asked) == 2:
                raise Killed
            return super().__call__(endpoint)  # type: ignore[arg-type]

    clock, first = Clock(), Dies()
    with pytest.raises(Killed):
        refreshed(clock, first)
    clock.pass_by(minutes=1)
    second = Lists()
    job = refreshed(clock, second)
    assert job.state == "done"
    assert sorted(first.asked + second.asked) == ["cellar", "groq", "north", "south"]


def test_statements_do_not_grow_with_the_models(world: World) -> None:
    def cost(models: int) -> int:
        fresh = [
            LanguageModel(alias=f"m{models}-{at}", served=f"{models}-{at}", endpoint=world.endpoint("groq"))
            for at in range(models)
        ]
        LanguageModel.objects.bulk_create(fresh)
        lists = Lists(groq=[Listed(one.served, context_window=1_000, tools=True) for one in fresh])
        with CaptureQueriesContext(connection) as asked:
            refreshed(Clock(), lists)
        return len(asked)

    cost(1)
    assert cost(120) - cost(40) <= 4


def test_hubs_say_which_connections_they_have(world: World) -> None:
    do_save_endpoint(actor=None, name="club", base="https://hub.example/v1", kind="hub", hub="litellm")
    found = [Behind("groq", "groq", "https://api.groq.com/openai/v1"), Behind("off", "off", why_not="It is off.")]
    refreshed(Clock(), overview=lambda endpoint: Overview(tuple(found)))
    assert list(HubConnection.objects.values_list("endpoint__name", "connection")) == [("club", "groq")]
    refreshed(Clock())
    assert HubConnection.objects.count() == 1
    refreshed(Clock(), overview=lambda endpoint: Overview(()))
    assert HubConnection.objects.count() == 0


def test_what_an_installation_says_of_a_connection_wins(world: World) -> None:
    ConnectionFact.objects.create(connection="north", models_dev="groq")
    do_save_model(actor=None, alias="twin", served=LLAMA, endpoint="north")
    refreshed(Clock())
    assert fact_of("twin", "prices") == ({"input": 0, "output": 0}, "models.dev: groq")


def test_one_model_is_described_by_asking_its_endpoint_alone(world: World) -> None:
    lists = Lists(groq=[Listed(LLAMA, tools=True)])
    words = describe_model(model("llama"), lists, Clock())
    assert lists.asked == ["groq"]
    assert words.startswith("context window 131,072 (models.dev: groq; freellmapi: groq says 8,000); max output 8,192")
    assert "can tools, vision" in words
    unknown = describe_model(model("slow"), Lists(), Clock())
    assert unknown == "no feed knows it; north: no listing (no connection); what it said last stays"
