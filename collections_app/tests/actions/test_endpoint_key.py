"""The secrets of endpoints: entered, removed, and gone with the endpoint that used them."""

from __future__ import annotations

import pytest
from django.utils import timezone

from collections_app.actions.endpoint import do_make_default, do_remove_endpoint, do_save_endpoint
from collections_app.actions.endpoint_key import do_remove_key, do_set_key, free_name
from collections_app.actions.secret import do_save_secret
from collections_app.models import Change, Secret, SignIn
from collections_app.refusal import NotAllowed, NotThere, Refused
from collections_app.tests.world import World
from collections_app.vault import secret_for

KEY = "sk-typed-by-a-person"


def names() -> set[str]:
    return set(Secret.objects.values_list("name", flat=True))


def test_a_key_is_stored_under_the_name_the_endpoint_gives_it(world: World) -> None:
    do_set_key(actor=world.alice, name="north", plain=KEY)
    do_save_endpoint(actor=None, name="hub", base="https://hub.example/api", key_name="shared")
    do_set_key(actor=world.alice, name="hub", plain=KEY)
    do_set_key(actor=world.alice, name="hub", plain="the-owner-s-own", administration=True)
    assert names() == {"north", "shared", "shared-admin"}
    assert secret_for("shared-admin") == "the-owner-s-own"
    assert KEY not in str(list(Change.objects.values_list("old", "new")))


def test_a_typed_key_ends_a_sign_in_and_its_renewal(world: World) -> None:
    for name in ("north", "north.refresh"):
        do_save_secret(actor=None, name=name, plain="token-from-signing-in")
    row = world.endpoint("north")
    SignIn.objects.create(endpoint=row, provider="house", at=timezone.now(), refreshes=True)
    do_set_key(actor=world.alice, name="north", plain=KEY)
    assert not SignIn.objects.exists()
    assert names() == {"north"}
    assert secret_for("north") == KEY


def test_a_removed_key_is_gone_and_so_is_the_sign_in(world: World) -> None:
    do_set_key(actor=world.alice, name="north", plain=KEY)
    do_save_secret(actor=None, name="north.refresh", plain=KEY)
    SignIn.objects.create(endpoint=world.endpoint("north"), provider="house", at=timezone.now(), refreshes=True)
    do_remove_key(actor=world.alice, name="north")
    assert names() == set()
    assert not SignIn.objects.exists()
    with pytest.raises(NotThere):
        do_remove_key(actor=world.alice, name="north")


def test_a_key_that_opens_another_endpoint_too_stays(world: World) -> None:
    do_save_endpoint(actor=None, name="west", base="https://west.example", key_name="north")
    do_set_key(actor=world.alice, name="north", plain=KEY)
    with pytest.raises(Refused, match="also opens west"):
        do_remove_key(actor=world.alice, name="north")
    do_make_default(actor=world.alice, name="south")
    do_remove_endpoint(actor=world.alice, name="north", with_models=True)
    assert names() == {"north"}


def test_an_endpoint_takes_its_keys_with_it_so_that_no_other_of_its_name_gets_them(world: World) -> None:
    do_save_endpoint(actor=None, name="hub", base="https://hub.example/api", headers={"X-Door": "secret:door"})
    do_save_endpoint(actor=None, name="west", base="https://west.example", headers={"X-Own": "secret:hub-admin"})
    for name in ("hub", "hub.refresh", "hub-admin", "door"):
        do_save_secret(actor=None, name=name, plain=KEY)
    do_remove_endpoint(actor=world.alice, name="hub")
    assert names() == {"door", "hub-admin"}


def test_a_free_name_is_no_endpoint_s_and_finds_no_key(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    assert free_name("west") == "west"
    do_save_secret(actor=None, name="west", plain=KEY)
    monkeypatch.setenv("BENCHWARMERS_KEY_WEST_2", KEY)
    assert free_name("west") == "west-3"
    assert free_name("north") == "north-2"
    assert len(free_name("n" * 32)) <= 32


def test_a_caller_may_not_touch_keys(world: World) -> None:
    with pytest.raises(NotAllowed):
        do_set_key(actor=world.bob, name="north", plain=KEY)
    with pytest.raises(NotAllowed):
        do_remove_key(actor=world.bob, name="north")
    assert names() == set()
