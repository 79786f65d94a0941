"""The page of quotas: its four panels, what is told when they are empty, and who may look."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from benchwarmers.dashboard import quotas_views
from benchwarmers.tests.dashboard.test_usage import text_of
from benchwarmers.tests.dashboard.usage_world import add_key, add_usage
from collections_app.models import ConnectionLimit, Endpoint, Fact, LanguageModel
from gateway.engine.pace_told import AtOnce
from gateway.models import Call, Cooldown, Quota

As = Callable[[str], Client]
PAGE = "/quotas/"


def add_quota(**facts: object) -> Quota:
    now = timezone.now()
    given = {
        "connection": "harbour",
        "metric": "requests",
        "window": "day",
        "limit": 1_000,
        "remaining": 40,
        "reset_at": now + timedelta(hours=2),
        "source": "x-ratelimit-remaining-requests",
        "observed_at": now - timedelta(minutes=3),
    }
    return Quota.objects.create(**(given | facts))


def add_call(hours: float = 1, **facts: object) -> Call:
    given = {
        "at": timezone.now() - timedelta(hours=hours),
        "alias": "osprey",
        "endpoint_name": "harbour",
        "connection": "harbour",
        "caller": "ci",
        "status": "ok",
        "attempts": 2,
        "tokens_in": 100,
        "tokens_out": 10,
    }
    return Call.objects.create(**(given | facts))


@pytest.mark.parametrize(("name", "status"), [("maya", 200), ("boss", 200), ("ben", 403), ("zoe", 403)])
def test_only_those_who_may_see_quotas_do_and_are_led_there(as_person: As, name: str, status: int) -> None:
    client = as_person(name)
    assert client.get(PAGE).status_code == status
    assert (b'href="/quotas/"' in client.get("/panels/").content) == (status == 200)


def test_every_panel_says_when_it_is_empty(as_person: As) -> None:
    told = text_of(as_person("maya"), PAGE)
    for words in (
        "No provider has said what is left",
        "No call was made this month.",
        "Nobody rests.",
        "No limit is known.",
        "Nobody can tell: Redis does not answer.",
    ):
        assert words in told


def test_a_request_that_was_refused_before_a_model_was_chosen_makes_no_connection_without_a_name(as_person: As) -> None:
    add_call(alias="", connection="", status="refused", attempts=0)
    add_usage(alias="", connection="", attempts=0)
    page = as_person("maya").get(PAGE)
    assert "" not in [card.connection for card in page.context["cards"].rows]
    assert "No call was made this month." in text_of(as_person("maya"), PAGE)


def test_what_is_left_is_told_while_it_counts(as_person: As) -> None:
    add_quota()
    add_quota(alias="osprey", metric="tokens", window="retry-after", limit=None, remaining=0)
    add_quota(connection="quay", reset_at=timezone.now() - timedelta(seconds=1))
    add_quota(connection="pier", reset_at=None)
    told = text_of(as_person("maya"), PAGE)
    assert "harbour all requests a day 40 1 000" in told
    assert "3 min ago x-ratelimit-remaining-requests" in told
    assert "harbour osprey tokens after a wait 0 –" in told
    assert "quay" not in told
    assert "pier" not in told


def test_what_was_sent_is_told_with_those_who_sent_most(as_person: As) -> None:
    for number in range(5):
        add_call(caller=f"key-{number}", attempts=number + 1)
    add_call(hours=25, caller="old")
    add_call(connection="quay", attempts=1, tokens_in=None, tokens_out=None)
    add_usage("ben", day=timezone.localdate().replace(day=1), attempts=700)
    told = text_of(as_person("maya"), PAGE)
    assert "harbour 15 550 700 1 100 key-4 5 key-3 4 key-2 3 quay" in told
    assert "quay 1 0 0 0 ci 1" in told


def test_those_who_rest_are_told_with_how_long_but_never_in_the_providers_words(as_person: As) -> None:
    now = timezone.now()
    rests = (("osprey", 11.5, True), ("wren", 0.2, False), ("quill-2", -1, True))
    for alias, minutes, stated in rests:
        model = LanguageModel.objects.get(alias=alias)
        Cooldown.objects.create(
            language_model=model, until=now + timedelta(minutes=minutes), stated=stated, why="org-4711 is over"
        )
    told = text_of(as_person("maya"), PAGE)
    assert "osprey harbour in 12 min stated by the provider" in told
    assert "wren harbour in 1 min default" in told
    assert "quill-2" not in told
    assert "4711" not in told


def test_known_limits_are_told_with_where_they_come_from(as_person: As) -> None:
    ConnectionLimit.objects.create(connection="harbour", rpm=60, parallel=4)
    hub = Endpoint.objects.create(name="hub", base="https://hub.example/api", kind="hub")
    LanguageModel.objects.create(alias="behind", served="x", endpoint=hub, tag="groq/meta")
    for alias, source, value in (
        ("osprey", "learned", {"rpm": 20, "tpd": 5_000}),
        ("behind", "operator", {"tpm": 900}),
        ("wren", "feed", {"rpm": 1}),
    ):
        model = LanguageModel.objects.get(alias=alias)
        Fact.objects.create(language_model=model, field="limits", source=source, value=value, evidence="org-4711")
    told = text_of(as_person("maya"), PAGE)
    seen = timezone.localtime(Fact.objects.filter(source="learned").values_list("seen_at", flat=True).get())
    today = f"{seen:%-d %b %Y}"
    assert "harbour all of it 60 – – – – 4 set" in told
    assert f"osprey harbour 20 – – 5 000 – – learned {today}" in told
    assert f"behind groq – 900 – – – – operator {today}" in told
    assert "wren" not in told
    assert "4711" not in told


def test_connections_that_are_held_back_are_told(as_person: As, monkeypatch: pytest.MonkeyPatch) -> None:
    until = timezone.now() + timedelta(hours=1)
    for told, words in (
        ([AtOnce("harbour", 4, 3, until)], f"harbour 4 3 {timezone.localtime(until):%H:%M}"),
        ([], "No connection is held back."),
    ):
        monkeypatch.setattr(quotas_views, "load_adapted", lambda url, now, told=told: told)
        assert words in text_of(as_person("maya"), PAGE)


def test_the_page_takes_the_same_few_queries_however_much_there_is(
    as_person: As, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    key = add_key("ben", "ci")
    for number in range(10):
        add_quota(connection=f"c{number}")
        add_call(connection=f"c{number}")
        add_usage("ben", key, connection=f"c{number}", day=timezone.localdate())
        ConnectionLimit.objects.create(connection=f"c{number}", rpm=1)
    for model in LanguageModel.objects.all():
        Cooldown.objects.create(language_model=model, until=timezone.now() + timedelta(hours=1))
        Fact.objects.create(language_model=model, field="limits", source="learned", value={"rpm": 1})
    client = as_person("boss")
    with django_assert_num_queries(11):
        client.get(PAGE)
