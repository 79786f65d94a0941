"""Gateway keys and provider secrets."""

from __future__ import annotations

import json

import pytest

from collections_app.actions.collection import do_remove_collection
from collections_app.actions.key import do_adopt_key, do_create_key, do_revoke_key, do_scope_key
from collections_app.actions.key_rules import digest_of
from collections_app.actions.secret import do_remove_secret, do_save_secret
from collections_app.models import Change, GatewayKey, Secret
from collections_app.refusal import NotAllowed, NotThere, Refused
from collections_app.tests.world import World
from collections_app.vault import secret_for

GIVEN = "bwk_" + "a1" * 20


def test_a_key_is_returned_once_and_stored_as_a_digest(world: World) -> None:
    row, plain = do_create_key(actor=world.dora, owner=world.bob, name="ci", collections=["bench/core"], rpm=60)
    assert plain.startswith("bwk_")
    assert len(plain) == 47
    assert (row.digest, row.hint, row.scoped) == (digest_of(plain), plain[-4:], True)
    assert plain not in json.dumps(list(Change.objects.values("old", "new")))


@pytest.mark.parametrize(
    ("name", "collections", "rpm", "field"),
    [
        ("local", [], None, "name"),
        ("X", [], None, "name"),
        ("ci", ["nowhere"], None, "collections"),
        ("ci", [], 0, "rpm"),
        ("ci", [], 10_001, "rpm"),
    ],
)
def test_a_broken_rule_names_its_field(
    world: World, name: str, collections: list[str], rpm: int | None, field: str
) -> None:
    with pytest.raises(Refused) as refused:
        do_create_key(actor=world.dora, owner=world.bob, name=name, collections=collections, rpm=rpm)
    assert [name for name, _ in refused.value.problems] == [field]
    assert not GatewayKey.objects.exists()


def test_callers_make_and_revoke_keys_of_their_own_only(world: World) -> None:
    do_create_key(actor=world.bob, owner=world.bob, name="mine")
    do_create_key(actor=world.dora, owner=world.alice, name="hers")
    with pytest.raises(NotAllowed):
        do_create_key(actor=world.bob, owner=world.alice, name="ci")
    with pytest.raises(NotAllowed):
        do_revoke_key(actor=world.bob, name="hers")
    with pytest.raises(NotAllowed):
        do_create_key(actor=world.charlie, owner=world.charlie, name="ci")
    assert do_revoke_key(actor=world.bob, name="mine").revoked_at is not None


def test_the_name_of_a_revoked_key_is_free_again(world: World) -> None:
    do_create_key(actor=None, owner=world.bob, name="ci")
    with pytest.raises(Refused, match="already"):
        do_create_key(actor=None, owner=world.bob, name="ci")
    do_revoke_key(actor=None, name="ci")
    do_create_key(actor=None, owner=world.bob, name="ci")
    assert GatewayKey.objects.filter(name="ci").count() == 2


def test_a_scope_whose_collection_is_gone_opens_nothing(world: World) -> None:
    do_create_key(actor=None, owner=world.bob, name="ci", collections=["core"])
    do_remove_collection(actor=None, name="core")
    row = GatewayKey.objects.get(name="ci")
    assert row.scoped
    assert not row.collections.exists()
    assert not do_scope_key(actor=None, name="ci").scoped


def test_an_adopted_key_is_recognised_by_its_digest_and_adopting_it_again_changes_nothing(world: World) -> None:
    row = do_adopt_key(actor=None, owner=world.bob, name="ci", plain=GIVEN, collections=["core"])
    Change.objects.all().delete()
    again = do_adopt_key(actor=None, owner=world.bob, name="ci", plain=GIVEN, collections=["core"])
    assert (row.pk, row.digest) == (again.pk, digest_of(GIVEN))
    assert not Change.objects.exists()
    moved = do_adopt_key(actor=None, owner=world.alice, name="ci", plain=GIVEN + "zz", rpm=5)
    assert (moved.owner, moved.hint, moved.rpm, moved.scoped) == (world.alice, "a1zz", 5, False)


def test_a_word_that_is_no_key_and_a_key_of_another_name_are_refused(world: World) -> None:
    for plain in ("", "bwk_short", "sk-" + "a" * 40):
        with pytest.raises(Refused, match="bwk_"):
            do_adopt_key(actor=None, owner=world.bob, name="ci", plain=plain)
    do_adopt_key(actor=None, owner=world.bob, name="one", plain=GIVEN)
    with pytest.raises(Refused, match="in use"):
        do_adopt_key(actor=None, owner=world.bob, name="two", plain=GIVEN)


def test_a_secret_is_stored_sealed_and_never_logged(world: World) -> None:
    do_save_secret(actor=world.alice, name="north", plain=" sk-north-secret-9876 ")
    row = Secret.objects.get()
    assert "secret" not in row.cipher
    assert row.hint == "9876"
    assert secret_for("north") == "sk-north-secret-9876"
    logged = json.dumps(list(Change.objects.filter(thing="secret").values("old", "new")))
    assert "sk-north" not in logged


def test_the_same_secret_again_writes_nothing_and_a_mask_is_refused(world: World) -> None:
    do_save_secret(actor=world.alice, name="north", plain="sk-north-secret-9876")
    cipher = Secret.objects.get().cipher
    do_save_secret(actor=world.alice, name="north", plain="sk-north-secret-9876")
    assert Secret.objects.get().cipher == cipher
    for plain in ("", "••••••", "****", "two words"):
        with pytest.raises(Refused):
            do_save_secret(actor=world.alice, name="north", plain=plain)
    assert secret_for("north") == "sk-north-secret-9876"


def test_a_short_secret_has_no_hint(world: World) -> None:
    assert do_save_secret(actor=world.alice, name="north", plain="abcd").hint == ""


def test_a_removed_secret_is_gone_and_callers_touch_none(world: World) -> None:
    do_save_secret(actor=world.alice, name="north", plain="sk-north-secret-9876")
    with pytest.raises(NotAllowed):
        do_remove_secret(actor=world.bob, name="north")
    with pytest.raises(NotAllowed):
        do_save_secret(actor=world.bob, name="north", plain="x")
    do_remove_secret(actor=world.alice, name="north")
    assert secret_for("north") == ""
    with pytest.raises(NotThere):
        do_remove_secret(actor=world.alice, name="north")
