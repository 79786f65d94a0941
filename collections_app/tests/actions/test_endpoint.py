"""Endpoints: what is accepted, what is filled in, and which one is the default."""

from __future__ import annotations

from typing import Any

import pytest

from collections_app.actions.endpoint import do_make_default, do_remove_endpoint, do_save_endpoint
from collections_app.models import Change, Endpoint, LanguageModel
from collections_app.refusal import NotAllowed, NotThere, Refused
from collections_app.tests.world import World


@pytest.mark.parametrize(
    ("base", "kind", "hub"),
    [
        ("https://api.example.org/v1", "provider", ""),
        ("http://localhost:11434/v1", "local", ""),
        ("http://127.0.0.1:9100", "local", ""),
        ("http://[::1]:9100/v1", "local", ""),
        ("https://chat.example.org/api", "hub", "openwebui"),
        ("http://localhost:3000/api/", "hub", "openwebui"),
        ("https://api.example.org/api/v1", "provider", ""),
    ],
)
def test_the_kind_is_told_from_the_address(db: None, base: str, kind: str, hub: str) -> None:
    row = do_save_endpoint(actor=None, name="one", base=base)
    assert (row.kind, row.hub) == (kind, hub)
    assert not row.base.endswith("/")


def test_the_first_endpoint_is_the_default_and_there_is_always_exactly_one(world: World) -> None:
    assert Endpoint.objects.get(default=True).name == "north"
    do_make_default(actor=world.alice, name="south")
    assert Endpoint.objects.get(default=True).name == "south"
    do_save_endpoint(actor=world.alice, name="west", base="https://west.example", default=True)
    assert Endpoint.objects.get(default=True).name == "west"


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"name": "A"}, "name"),
        ({"name": "-a"}, "name"),
        ({"base": "http://169.254.169.254/v1"}, "base"),
        ({"base": "http://metadata.google.internal"}, "base"),
        ({"base": "nowhere"}, "base"),
        ({"kind": "cloud"}, "kind"),
        ({"kind": "practice"}, "kind"),
        ({"kind": "hub"}, "hub"),
        ({"hub": "litellm", "kind": "local"}, "hub"),
        ({"api": "soap"}, "api"),
        ({"headers": {"Authorization": "Bearer x"}}, "headers"),
        ({"headers": {"X-A": "a\r\nb"}}, "headers"),
        ({"headers": {"X A": "a"}}, "headers"),
        ({"key_env": "BENCHWARMERS_ADMIN_TOKEN"}, "key_env"),
        ({"key_env": "DATABASE_URL"}, "key_env"),
        ({"key_env": "9X"}, "key_env"),
        ({"key_name": "sk-ABC"}, "key_name"),
        ({"admin_key_name": "SK", "kind": "hub", "hub": "litellm"}, "admin_key_name"),
        ({"admin_key_name": "one-admin", "kind": "local"}, "admin_key_name"),
        ({"models_url": "file:///etc/passwd"}, "models_url"),
        ({"quirks": {"x": "y"}}, "quirks"),
    ],
)
def test_a_broken_rule_names_its_field_and_nothing_is_written(db: None, values: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as refused:
        do_save_endpoint(actor=None, **{"name": "one", "base": "https://api.example.org/v1", **values})
    assert field in {name for name, _ in refused.value.problems}
    assert not Endpoint.objects.exists()
    assert not Change.objects.exists()


def test_all_broken_rules_are_told_together(db: None) -> None:
    with pytest.raises(Refused) as refused:
        do_save_endpoint(actor=None, name="A", base="x", api="soap")
    assert {name for name, _ in refused.value.problems} == {"name", "base", "api"}


def test_an_endpoint_with_models_stays_unless_they_go_too(world: World) -> None:
    do_make_default(actor=world.alice, name="south")
    with pytest.raises(Refused, match="fast, slow"):
        do_remove_endpoint(actor=world.alice, name="north")
    do_remove_endpoint(actor=world.alice, name="north", with_models=True)
    assert set(LanguageModel.objects.values_list("alias", flat=True)) == {"coder", "tiny", "home"}
    places = world.collection("core").seatings.values_list("language_model__alias", "place")
    assert list(places) == [("coder", 1)]


def test_the_default_goes_last(world: World) -> None:
    with pytest.raises(Refused, match="make another endpoint the default first"):
        do_remove_endpoint(actor=world.alice, name="north", with_models=True)
    for name in ("south", "cellar", "north"):
        do_remove_endpoint(actor=world.alice, name=name, with_models=True)
    assert not Endpoint.objects.exists()


def test_removing_what_is_not_there_is_told(world: World) -> None:
    with pytest.raises(NotThere):
        do_remove_endpoint(actor=world.alice, name="east")


def test_a_caller_may_not_touch_endpoints(world: World) -> None:
    for act in (
        lambda: do_save_endpoint(actor=world.bob, name="west", base="https://west.example"),
        lambda: do_make_default(actor=world.bob, name="south"),
        lambda: do_remove_endpoint(actor=world.bob, name="south", with_models=True),
    ):
        with pytest.raises(NotAllowed):
            act()


def test_each_changed_field_is_in_the_log_with_who_did_it(world: World) -> None:
    Change.objects.all().delete()
    do_save_endpoint(
        actor=world.alice, name="south", base="https://new.example/v1", kind="aggregator", headers={"X-Title": "b"}
    )
    rows = {row.field: (row.actor_name, row.old, row.new) for row in Change.objects.all()}
    assert rows == {
        "base": ("alice", "https://south.example/v1", "https://new.example/v1"),
        "headers": ("alice", {}, {"X-Title": "b"}),
    }
