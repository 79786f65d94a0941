"""The standings in the admin: each with its interval, in as many queries for one as for fifty."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from collections_app.models import Standing
from collections_app.tests.world import World

admin.autodiscover()


@pytest.fixture
def page(world: World, client: Client) -> Client:
    client.force_login(world.dora)
    return client


def shown(page: Client) -> str:
    answer = page.get(reverse("admin:collections_app_standing_changelist"))
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_share_is_shown_with_its_interval_and_what_is_believed_lately_with_its_own(
    page: Client, world: World
) -> None:
    Standing.objects.create(
        language_model=world.model("fast"),
        judged=10,
        useful=5,
        lately_useful=20,
        lately_judged=20,
        lately_at=timezone.now() - timedelta(days=120),
    )
    text = shown(page)
    assert "50% (24% to 76%)" in text
    assert "86% (54% to 100%)" in text  # two half-lives later, 5 useful verdicts of 5 are left


def test_whoever_was_never_judged_has_no_share(page: Client, world: World) -> None:
    Standing.objects.create(language_model=world.model("fast"), offloads=3)
    assert "%" not in shown(page).split("result_list")[-1].split("</table>")[0]


def test_the_list_costs_the_same_for_many(page: Client, world: World) -> None:
    counts = []
    for shapes in (1, 40):
        rows = [
            Standing(language_model=world.model("fast"), shape=f"s{shapes}-{n}", judged=1, lately_at=timezone.now())
            for n in range(shapes)
        ]
        Standing.objects.bulk_create(rows)
        with CaptureQueriesContext(connection) as made:
            shown(page)
        counts.append(len(made))
    assert counts[1] <= counts[0] + 1
