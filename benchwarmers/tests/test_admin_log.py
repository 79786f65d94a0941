"""Writes on the admin pages of libraries are in the change log, as those on ours are."""

from __future__ import annotations

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.urls import get_resolver, reverse
from django_celery_beat.models import IntervalSchedule

from benchwarmers.admin_log import Noted
from collections_app.admin_base import ActionAdmin, ReadOnlyAdmin
from collections_app.models import Change
from collections_app.tests.world import make_world


@pytest.fixture
def page(client: Client, db: None) -> Client:
    dora = make_world().dora
    dora.is_superuser = True
    dora.save()
    client.force_login(dora)
    Change.objects.all().delete()
    return client


def changes() -> list[tuple[str, str, str, object, object]]:
    found = Change.objects.order_by("id")
    assert set(found.values_list("actor_name", flat=True)) <= {"dora"}
    return list(found.values_list("thing", "name", "field", "old", "new"))


def test_every_admin_page_writes_through_actions_or_not_at_all_or_is_noted() -> None:
    assert get_resolver().url_patterns  # the admin's pages are registered with the routes
    loose = [
        model for model, page in site._registry.items() if not isinstance(page, ActionAdmin | ReadOnlyAdmin | Noted)
    ]
    assert loose == []


def test_what_a_group_may_is_logged_before_and_after(page: Client) -> None:
    may = Permission.objects.get(codename="view_change")
    sent = {"name": "auditors", "permissions": [may.pk]}
    assert page.post(reverse("admin:auth_group_add"), sent).status_code == 302
    group = Group.objects.get(name="auditors")
    sent = {"name": "auditors", "permissions": []}
    assert page.post(reverse("admin:auth_group_change", args=[group.pk]), sent).status_code == 302
    (_, _, _, old, new), (_, _, field, before, after) = changes()
    assert (old, new) == (None, {"name": "auditors", "permissions": [str(may)]})
    assert (field, before, after) == ("permissions", [str(may)], [])


def test_a_schedule_that_goes_is_logged_alone_or_among_others(page: Client) -> None:
    one, two, three = (IntervalSchedule.objects.create(every=every, period="hours") for every in (1, 2, 3))
    address = reverse("admin:django_celery_beat_intervalschedule_delete", args=[one.pk])
    assert page.post(address, {"post": "yes"}).status_code == 302
    chosen = {"action": "delete_selected", "_selected_action": [two.pk, three.pk], "post": "yes"}
    assert page.post(reverse("admin:django_celery_beat_intervalschedule_changelist"), chosen).status_code == 302
    told = sorted((name, str(old), new) for _, name, _, old, new in changes())
    assert told == [(name, name, None) for name in ("every 2 hours", "every 3 hours", "every hour")]
    assert not IntervalSchedule.objects.filter(pk__in=[one.pk, two.pk, three.pk]).exists()
