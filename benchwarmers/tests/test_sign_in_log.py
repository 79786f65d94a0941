"""Sign-ins, refusals and passwords in the change log."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from benchwarmers import sign_in_log
from benchwarmers.sign_in_log import LAST_REFUSED, MOST_OF_ADDRESS, MOST_OF_ALL, REFUSED
from collections_app.models import Change
from collections_app.tests.world import make_world

PASSWORD = "three-warm-benches"


@pytest.fixture(autouse=True)
def bob(db: None) -> User:
    cache.clear()
    person = make_world().bob
    person.set_password(PASSWORD)
    person.save()
    Change.objects.all().delete()
    return person


def rows() -> list[tuple[str, str, str, object, str]]:
    return list(Change.objects.order_by("id").values_list("actor_name", "thing", "name", "new", "address"))


def guess(client: Client, name: str, password: str = "wrong") -> None:
    cache.clear()  # the throttle, which comes first
    client.post("/login/", {"username": name, "password": password})


def test_who_comes_and_goes_is_written_down_with_the_address() -> None:
    client = Client(REMOTE_ADDR="203.0.113.9")
    client.post("/login/", {"username": "bob", "password": PASSWORD})
    client.post("/sign-out/")
    assert rows() == [
        ("bob", "session", "bob", "signed in", "203.0.113.9"),
        ("bob", "session", "bob", "signed out", "203.0.113.9"),
    ]


def test_a_wrong_guess_is_written_down_and_what_was_typed_is_not() -> None:
    client = Client(REMOTE_ADDR="203.0.113.9")
    guess(client, "bob")
    guess(client, PASSWORD, "bob")
    assert rows() == [
        ("nobody", "session", "bob", REFUSED, "203.0.113.9"),
        ("nobody", "session", sign_in_log.NOBODY, REFUSED, "203.0.113.9"),
    ]
    assert PASSWORD not in str(list(Change.objects.values()))


def test_one_address_leaves_a_bounded_number_of_lines_and_the_last_says_so() -> None:
    for _ in range(MOST_OF_ADDRESS + 5):
        guess(Client(REMOTE_ADDR="203.0.113.9"), "bob")
    guess(Client(REMOTE_ADDR="203.0.113.10"), "bob")
    told = [new for *_, new, address in rows() if address == "203.0.113.9"]
    assert told == [REFUSED] * (MOST_OF_ADDRESS - 1) + [LAST_REFUSED]
    assert [new for *_, new, address in rows() if address == "203.0.113.10"] == [REFUSED]


@pytest.mark.parametrize(("hours", "lines"), [(0, MOST_OF_ALL), (2, MOST_OF_ALL + 1)])
def test_all_addresses_together_are_bounded_for_an_hour(hours: int, lines: int) -> None:
    past = Change(actor_name="nobody", thing="session", name="bob", field=REFUSED, new=REFUSED, address="10.0.0.1")
    Change.objects.bulk_create([past] + [Change(**fields_of(past)) for _ in range(MOST_OF_ALL - 1)])
    Change.objects.update(at=timezone.now() - timedelta(hours=hours))
    guess(Client(REMOTE_ADDR="203.0.113.9"), "bob")
    assert Change.objects.count() == lines


def fields_of(row: Change) -> dict[str, object]:
    names = ("actor_name", "thing", "name", "field", "new", "address")
    return {name: getattr(row, name) for name in names}


def test_a_password_that_somebody_chooses_is_written_down_without_it() -> None:
    client = Client()
    client.post("/login/", {"username": "bob", "password": PASSWORD})
    chosen = "five-cold-benches"
    sent = {"old_password": PASSWORD, "new_password1": chosen, "new_password2": chosen}
    assert client.post("/password/", sent).status_code == 302
    row = Change.objects.get(thing="person", name="bob", field="password")
    assert (row.actor_name, row.address, row.old, row.new) == ("bob", "127.0.0.1", None, "set")


def test_a_password_that_an_admin_sets_is_written_down_without_it() -> None:
    client = Client()
    client.force_login(User.objects.get(username="dora"))
    bob = User.objects.get(username="bob")
    sent = {"password1": "five-cold-benches", "password2": "five-cold-benches", "usable_password": "true"}
    assert client.post(f"/admin/auth/user/{bob.pk}/password/", sent).status_code == 302
    row = Change.objects.get(thing="person", name="bob", field="password")
    assert (row.actor_name, row.old, row.new) == ("dora", None, "set")
