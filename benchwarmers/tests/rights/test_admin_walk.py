"""Every page of the admin, walked as a curator and as an admin: it answers, asks the database little, lets nobody write
what the system writes, and takes no way that a policy without exceptions would stop.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from benchwarmers.tests.rights.cast import Cast
from collections_app.admin_big import NEWEST, BigTableAdmin

STAFF = ("cora", "adam")
MOST_QUERIES = 25
BY_THE_SYSTEM = {
    *("status", "status_why", "retire_in", "retired_at", "retired_by", "retired_why", "went_paid_at", "evidence_since"),
    *(
        "created_at",
        "made_by",
        "last_used_at",
        "revoked_at",
        "previous_until",
        "digest",
        "hint",
        "cipher",
        "updated_at",
    ),
    *("state", "spent", "offloads", "judged", "useful", "requests", "calls", "cost", "at", "by", "answer", "prompt"),
    *("results", "payload", "lease_until", "holder", "attempts", "step", "found", "current", "password"),
    *("is_superuser", "is_staff", "user_permissions", "last_login", "date_joined", "last_run_at", "total_run_count"),
}
"""Counters, states, records and secrets: nobody types these, wherever they stand."""
GROWING = {
    *("gateway.call", "gateway.panel", "gateway.seat", "gateway.conversation", "gateway.shadow", "gateway.reading"),
    *("gateway.usageday", "collections_app.change", "collections_app.evidence", "collections_app.verdict"),
    *("probes.job", "probes.jobline", "probes.probesample", "suite.attempt", "suite.score"),
}
"""Tables without end."""
SMALL = {"BooleanField", "ForeignKey"}
"""Fields whose filter reads no table without end."""
INLINE = re.compile(r"<style|\sstyle=|<script(?![^>]*\bsrc=)[^>]*>\s*[^<\s]|\son[a-z]+=", re.IGNORECASE)


def name(model: type[Model], view: str) -> str:
    return f"admin:{model._meta.app_label}_{model._meta.model_name}_{view}"


def walk(cast: Cast, person: str, where: str) -> tuple[Any, int]:
    with CaptureQueriesContext(connection) as asked:
        answer = cast.clients[person].get(where)
    return answer, len(asked)


@pytest.mark.parametrize("person", STAFF)
def test_every_page_answers_with_few_queries_and_takes_nothing_the_system_writes(cast: Cast, person: str) -> None:
    wrong: list[tuple[str, object]] = []
    for model in admin.site._registry:
        row = model._default_manager.first()
        places = [name(model, "changelist"), name(model, "add"), *([name(model, "change")] if row else [])]
        for place in places:
            where = reverse(place, args=[row.pk] if row and place.endswith("_change") else [])
            answer, queries = walk(cast, person, where)
            if answer.status_code not in {200, 302, 403} or queries > MOST_QUERIES:
                wrong.append((place, (answer.status_code, queries)))
            if answer.status_code != 200:
                continue
            if INLINE.search(answer.content.decode()):
                wrong.append((place, INLINE.findall(answer.content.decode())))
            form = (answer.context or {}).get("adminform")
            typed = BY_THE_SYSTEM & set(form.form.fields) if form else set()
            if typed:
                wrong.append((place, typed))
    assert not wrong


def test_lists_of_tables_without_end_show_the_newest_rows_alone(cast: Cast) -> None:
    pages = {model._meta.label_lower: page for model, page in admin.site._registry.items()}
    assert {label for label in GROWING if not isinstance(pages[label], BigTableAdmin)} == set()
    for page in pages.values():
        if isinstance(page, BigTableAdmin):
            assert page.date_hierarchy is None  # it looks at every row for the years there are
            assert not page.show_full_result_count
            for one in page.list_filter:
                field = page.model._meta.get_field(one) if isinstance(one, str) else None
                assert field is None or field.choices or field.get_internal_type() in SMALL, (page, one)
    listing = cast.clients["adam"].get(reverse("admin:gateway_panel_changelist")).content.decode()
    assert f"The newest {NEWEST:,}" in listing


def test_a_row_that_is_no_longer_listed_is_reached_by_its_address(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collections_app.admin_big.NEWEST", 1)
    model = next(model for model in admin.site._registry if model._meta.label_lower == "collections_app.change")
    first, last = model._default_manager.order_by("pk").first(), model._default_manager.order_by("pk").last()
    assert first is not None
    assert last is not None
    listed = cast.clients["adam"].get(reverse(name(model, "changelist"))).context["cl"].result_list
    assert [row.pk for row in listed] == [last.pk]
    assert cast.clients["adam"].get(reverse(name(model, "change"), args=[first.pk])).status_code == 200


def test_every_list_names_what_it_follows_so_that_rows_cost_no_queries(cast: Cast) -> None:
    """A list of many costs as much as a list of one."""
    for label, make in (("collections_app_collection", "collection"), ("collections_app_endpoint", "endpoint")):
        where = reverse(f"admin:{label}_changelist")
        before = walk(cast, "adam", where)[1]
        for number in range(5):
            if make == "collection":
                from collections_app.actions.collection import do_save_collection

                do_save_collection(actor=None, name=f"more-{number}", members=["wren"])
            else:
                from collections_app.actions.endpoint import do_save_endpoint

                do_save_endpoint(actor=None, name=f"more-{number}", base=f"https://more-{number}.example/v1")
        assert walk(cast, "adam", where)[1] <= before


@pytest.mark.django_db
def test_the_form_of_a_periodic_task_has_no_script_that_the_policy_refuses(client: Client) -> None:
    client.force_login(User.objects.create_superuser("root"))  # the groups may not change what the schedule writes
    page = client.get("/admin/django_celery_beat/periodictask/add/").content.decode()
    assert 'name="crontab"' in page
    assert INLINE.findall(page) == []
