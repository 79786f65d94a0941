"""Every page of the admin asked as everybody: it is there for the staff alone, and each model for those who may see
it."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.urls import reverse

from benchwarmers.tests.rights.cast import OUT, Cast, is_led_to_sign_in
from benchwarmers.tests.rights.routes import VERBS, Found, walk

STAFF = ("cora", "adam")
CLOSED_TO_CURATORS = {
    "auth.group",
    "auth.user",
    "collections_app.gatewaykey",
    "gateway.reading",
}
"""Said without the permissions: people, keys and who reads what are no business of curators."""
NEVER_WRITTEN = {"gateway.call", "gateway.panel", "gateway.seat", "collections_app.change", "gateway.reading"}
"""Records: nobody adds to them by hand."""


def pages() -> list[Found]:
    return [one for one in walk() if one.of_admin and not one.regular]


@pytest.mark.parametrize("person", [*OUT, "olga"])
def test_the_admin_is_not_there_for_others(cast: Cast, person: str) -> None:
    """Whatever stands at an address of the admin, who is not of the staff learns nothing of it."""
    wrong = []
    for found in pages():
        where = found.address(dict.fromkeys(found.parameters, "1"))
        for verb in VERBS:
            answer = cast.clients[person].generic(verb, where)
            if found.name == "admin:login" and verb == "POST":
                right = answer.status_code == 405
            elif person in OUT:
                right = is_led_to_sign_in(answer)
            else:
                right = answer.status_code == (404 if found.parameters else 403)
            if not right:
                wrong.append((verb, found.name, answer.status_code))
    assert not wrong


@pytest.mark.parametrize("person", STAFF)
def test_each_model_is_there_for_those_who_may_see_it(cast: Cast, person: str) -> None:
    user = User.objects.get(username=person)
    wrong = []
    for model in admin.site._registry:
        label = model._meta
        rights = [f"{label.app_label}.{verb}_{label.model_name}" for verb in ("view", "change")]
        may = any(user.has_perm(right) for right in rights)
        answer = cast.clients[person].get(reverse(f"admin:{label.app_label}_{label.model_name}_changelist"))
        allowed = {200, 302, 403} if may else {403}  # a page may be closed to more people, never to fewer
        if answer.status_code not in allowed or is_led_to_sign_in(answer):
            wrong.append((label.label_lower, answer.status_code))
        if person == "cora" and label.label_lower in CLOSED_TO_CURATORS and answer.status_code != 403:
            wrong.append((label.label_lower, answer.status_code))
    assert not wrong


@pytest.mark.parametrize("person", STAFF)
def test_records_are_added_by_nobody(cast: Cast, person: str) -> None:
    known = {model._meta.label_lower for model in admin.site._registry}
    assert known >= NEVER_WRITTEN
    for label in NEVER_WRITTEN:
        where = reverse(f"admin:{label.replace('.', '_')}_add")
        assert cast.clients[person].post(where).status_code == 403, label


def test_who_may_not_write_a_model_writes_it_at_no_address(cast: Cast) -> None:
    """cora looks at much that she may not change."""
    user, wrong = User.objects.get(username="cora"), []
    for found in pages():
        name, _, verb = found.name.removeprefix("admin:").rpartition("_")
        if verb not in ("add", "change", "delete") or found.name == "admin:password_change":
            continue
        app, _, model = name.rpartition("_")
        if user.has_perm(f"{app}.{verb}_{model}"):
            continue
        where = found.address(dict.fromkeys(found.parameters, "1"))
        answer = cast.clients["cora"].post(where, {"post": "yes"})
        if answer.status_code != 403:
            wrong.append((found.name, answer.status_code))
    assert not wrong
