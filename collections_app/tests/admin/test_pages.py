"""Every page of the admin answers, and what is sent there goes through the actions."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.sites import site
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from collections_app.actions.alert import Raised, raise_alert
from collections_app.actions.invitation import do_invite
from collections_app.actions.key import do_create_key
from collections_app.actions.limit import do_save_limit
from collections_app.actions.practice import do_practice_on
from collections_app.actions.program import do_make_program
from collections_app.actions.seats import members_of
from collections_app.actions.secret import do_save_secret
from collections_app.actions.team import do_save_team
from collections_app.actions.verdict import do_verdict
from collections_app.models import (
    AliasHistory,
    Change,
    Collection,
    DecisionModel,
    Endpoint,
    Evidence,
    Fact,
    GatewayKey,
    Secret,
    Setting,
)
from collections_app.tests.world import World
from collections_app.vault import secret_for
from gateway.canon.kinds import AlertKind

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
admin.autodiscover()  # as the address table does
APPS = {"collections_app", "auth"}
MODELS = [model for model in site._registry if model._meta.app_label in APPS]
WRITTEN_BY_THE_SYSTEM = ("alert", "change", "evidence", "verdict", "standing", "aliashistory")
WRITTEN_ON_OTHER_PAGES = ("invitation", "serviceaccount")
ROWS = {
    "seatings-TOTAL_FORMS": "0",
    "seatings-INITIAL_FORMS": "0",
    "facts-TOTAL_FORMS": "0",
    "facts-INITIAL_FORMS": "0",
}


@pytest.fixture
def page(world: World, client: Client) -> Client:
    """The admin is signed in; there is a row of everything."""
    do_practice_on(actor=None, base="http://127.0.0.1:8122/practice/v1")
    do_create_key(actor=None, owner=world.bob, name="ci", collections=["core"])
    do_save_limit(actor=None, name="north", rpm=60)
    do_save_secret(actor=None, name="north", plain="sk-north-secret-9876")
    Fact.objects.create(language_model=world.model("fast"), field="tools", value=True, source="probe")
    DecisionModel.objects.create(alias="decider", served="maker/decide-1", via=world.endpoint("north"))
    AliasHistory.objects.create(old="gone", new="fast")
    do_save_team(actor=None, name="red")
    do_invite(actor=None, now=NOW)
    do_make_program(actor=None, name="robot")
    Evidence.objects.create(language_model=world.model("fast"), kind="seat", call="p1.member", at=NOW)
    do_verdict(actor=None, judge_name="local", call="p1.member", useful=True, blank_keeps=True, now=NOW)
    raise_alert("served", Raised("model:fast", AlertKind.REGISTRATION, "fast is not listed", alias="fast"), NOW)
    client.force_login(world.dora)
    return client


def url(model: Any, view: str, *args: Any) -> str:
    meta = model._meta if hasattr(model, "_meta") else None
    name = f"{meta.app_label}_{meta.model_name}" if meta else f"collections_app_{model}"
    return reverse(f"admin:{name}_{view}", args=args)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.model_name)
def test_the_list_the_search_and_an_object_can_be_seen(page: Client, model: Any) -> None:
    assert page.get(url(model, "changelist")).status_code == 200
    if site._registry[model].search_fields:
        assert page.get(url(model, "changelist"), {"q": "a"}).status_code == 200
    row = model._default_manager.first() or Setting.load()
    assert page.get(url(model, "change", row.pk)).status_code == 200


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.model_name)
def test_the_page_to_add_is_there_unless_only_the_system_writes(page: Client, model: Any) -> None:
    closed = model._meta.model_name in (*WRITTEN_BY_THE_SYSTEM, *WRITTEN_ON_OTHER_PAGES, "setting")
    assert page.get(url(model, "add")).status_code == (403 if closed else 200)


@pytest.mark.parametrize("name", [*WRITTEN_BY_THE_SYSTEM, *WRITTEN_ON_OTHER_PAGES])
def test_what_the_system_wrote_cannot_be_changed_or_deleted(page: Client, name: str) -> None:
    model = next(model for model in MODELS if model._meta.model_name == name)
    pk = model._default_manager.values_list("pk", flat=True)[0]
    assert page.post(url(name, "change", pk), {}).status_code == 403
    assert page.post(url(name, "delete", pk), {"post": "yes"}).status_code == 403


def test_the_admin_is_closed_to_callers(world: World, client: Client) -> None:
    client.force_login(world.bob)
    assert client.get(reverse("admin:index")).status_code == 403


def test_an_endpoint_is_added_with_its_secret_and_the_log_names_who(page: Client) -> None:
    sent = {"name": "west", "base": "https://west.example/v1/", "api": "chat", "new_secret": "sk-west-secret-1111"}
    sent |= {"headers": "{}", "quirks": "{}", "unlisted_models": "[]"}
    assert page.post(url("endpoint", "add"), sent).status_code == 302
    row = Endpoint.objects.get(name="west")
    assert (row.base, row.kind) == ("https://west.example/v1", "provider")
    assert secret_for("west") == "sk-west-secret-1111"
    assert Change.objects.get(thing="endpoint", name="west").actor_name == "dora"


@pytest.mark.parametrize("typed", ["", "••••••••", "********"])
def test_an_empty_secret_or_its_mask_leaves_the_stored_one(page: Client, typed: str) -> None:
    row = Endpoint.objects.get(name="north")
    sent = {"base": "https://moved.example/v1", "kind": "provider", "api": "chat", "new_secret": typed}
    sent |= {"headers": "{}", "quirks": "{}", "unlisted_models": "[]", "default": "on"}
    assert page.post(url("endpoint", "change", row.pk), sent).status_code == 302
    assert Endpoint.objects.get(name="north").base == "https://moved.example/v1"
    assert secret_for("north") == "sk-north-secret-9876"
    secret = Secret.objects.get(name="north")
    assert page.post(url("secret", "change", secret.pk), {"new_secret": typed}).status_code == 302
    assert secret_for("north") == "sk-north-secret-9876"


def test_a_stored_secret_is_never_shown(page: Client) -> None:
    pages = [
        url("endpoint", "changelist"),
        url("endpoint", "change", Endpoint.objects.get(name="north").pk),
        url("secret", "changelist"),
        url("secret", "change", Secret.objects.get().pk),
        url("change", "changelist"),
    ]
    for address in pages:
        text = page.get(address).content.decode()
        assert "sk-north" not in text
        assert Secret.objects.get().cipher not in text


def test_a_refusal_becomes_an_error_at_its_field(page: Client) -> None:
    sent = {"name": "west", "base": "http://169.254.169.254/v1", "api": "chat", "headers": "{}", "quirks": "{}"}
    answer = page.post(url("endpoint", "add"), {**sent, "unlisted_models": "[]"})
    assert answer.status_code == 200
    assert "link-local" in answer.context["adminform"].form.errors["base"][0]
    assert not Endpoint.objects.filter(name="west").exists()


def test_an_endpoint_with_models_is_not_deleted_and_one_without_is(page: Client, world: World) -> None:
    row = world.endpoint("south")
    page.post(url("endpoint", "delete", row.pk), {"post": "yes"})
    assert Endpoint.objects.filter(name="south").exists()
    bare = Endpoint.objects.create(name="bare", base="https://bare.example")
    assert page.post(url("endpoint", "delete", bare.pk), {"post": "yes"}).status_code == 302
    assert not Endpoint.objects.filter(name="bare").exists()


def run(page: Client, name: str, action: str, *rows: Any) -> Any:
    sent = {"action": action, "_selected_action": [row.pk for row in rows], "sure": "yes"}
    return page.post(url(name, "changelist"), sent, follow=True)


@pytest.mark.parametrize(
    ("name", "action", "words"),
    [("languagemodel", "retire", "Retire these models?"), ("gatewaykey", "revoke", "Revoke")],
)
def test_what_cannot_be_taken_back_at_once_is_asked_first(page: Client, name: str, action: str, words: str) -> None:
    model = next(model for model in MODELS if model._meta.model_name == name)
    row = model._default_manager.first()
    assert row is not None
    sent = {"action": action, "_selected_action": [row.pk]}
    asked = page.post(url(name, "changelist"), sent).content.decode()
    assert words in asked
    assert str(row) in asked
    assert 'name="sure" value="yes"' in asked
    assert not Change.objects.filter(actor_name="dora", thing__in=("model", "key")).exists()


def test_what_was_done_to_an_object_stands_below_it(page: Client, world: World) -> None:
    run(page, "languagemodel", "mark_ad_hoc", world.model("fast"))
    row = world.model("fast")
    text = page.get(url("languagemodel", "change", row.pk)).content.decode()
    assert "What was changed" in text
    assert "<td>dora</td><td>ad_hoc</td>" in text
    assert page.get(url("languagemodel", "history", row.pk))["Location"] == "/changes/?thing=model&q=fast"
    page.force_login(world.alice)
    assert "What was changed" in page.get(url("languagemodel", "change", row.pk)).content.decode()


def test_the_actions_on_endpoints(page: Client, world: World) -> None:
    run(page, "endpoint", "make_default", world.endpoint("south"))
    assert Endpoint.objects.get(default=True).name == "south"
    answer = run(page, "endpoint", "make_default", world.endpoint("south"), world.endpoint("north"))
    assert "only one" in answer.content.decode()
    run(page, "endpoint", "practice_off", world.endpoint("practice"))
    assert not Endpoint.objects.filter(kind="practice").exists()


def test_the_actions_on_models(page: Client, world: World) -> None:
    run(page, "languagemodel", "mark_ad_hoc", world.model("fast"), world.model("slow"))
    assert world.model("slow").ad_hoc
    run(page, "languagemodel", "unmark_ad_hoc", world.model("slow"))
    assert not world.model("slow").ad_hoc
    run(page, "languagemodel", "retire", world.model("fast"))
    assert world.model("fast").retired_by == "dora"
    answer = run(page, "languagemodel", "restore", world.model("fast"), world.model("slow"))
    assert not world.model("fast").retired
    assert "slow is not retired" in answer.content.decode()


def test_a_curator_may_not_run_what_only_admins_may(page: Client, world: World) -> None:
    page.force_login(world.alice)
    assert page.get(url("gatewaykey", "changelist")).status_code == 403
    assert page.get(url("endpoint", "changelist")).status_code == 200


def test_scripted_endpoints_and_models_are_marked_and_cannot_be_edited(page: Client, world: World) -> None:
    assert "scripted" in page.get(url("languagemodel", "changelist")).content.decode()
    row = world.endpoint("practice")
    assert page.post(url("endpoint", "change", row.pk), {"base": "https://x.example"}).status_code == 403


def model_form(**values: str) -> dict[str, str]:
    sent = {"alias": "fast", "served": "vendor/fast-1", "role": "general", "options": "{}", **ROWS}
    return {**sent, **values}


def test_a_model_is_registered_with_what_the_operator_states(page: Client, world: World) -> None:
    north = str(world.endpoint("north").pk)
    sent = model_form(alias="", served="new/one-2", endpoint=north, tools="true", vision="false", context_window="9000")
    sent |= {"limits": '{"rpm": 6}', "prices": '{"input": 0}'}
    assert page.post(url("languagemodel", "add"), sent).status_code == 302
    stated = dict(world.model("one-2").facts.values_list("field", "value"))
    assert stated.pop("prices") == {"input": 0}
    assert stated == {"tools": True, "vision": False, "context_window": 9000, "limits": {"rpm": 6}}


def test_a_model_is_renamed_on_its_page_and_a_refusal_leaves_it(page: Client, world: World) -> None:
    row, north = world.model("fast"), str(world.endpoint("north").pk)
    address = url("languagemodel", "change", row.pk)
    answer = page.post(address, model_form(alias="faster", endpoint=north, options='{"max_tokens": 0}'))
    assert "options" in answer.context["adminform"].form.errors
    assert world.model("fast") == row
    assert page.post(address, model_form(alias="faster", endpoint=north)).status_code == 302
    assert world.model("faster") == row
    assert AliasHistory.objects.filter(old="fast", new="faster").exists()


def members(*aliases: str, world: World) -> dict[str, str]:
    sent = {"seatings-TOTAL_FORMS": str(len(aliases)), "seatings-INITIAL_FORMS": "0"}
    for number, alias in enumerate(aliases):
        sent |= {
            f"seatings-{number}-language_model": str(world.model(alias).pk),
            f"seatings-{number}-place": str(len(aliases) - number),
        }
    return sent


def test_a_collection_is_made_with_its_members_in_the_order_of_their_places(page: Client, world: World) -> None:
    sent = {"name": "new", "reply": "all", "ranking": "record", "cooldown": "substitute", "on_disconnect": "finish"}
    sent |= {"tags": "b, A", "shadow": "{}", **members("fast", "slow", "home", world=world)}
    assert page.post(url("collection", "add"), sent).status_code == 302
    row = Collection.objects.get(name="new")
    assert members_of(row) == ["home", "slow", "fast"]
    assert row.tags == ["b", "a"]
    assert Change.objects.get(thing="collection", name="new").actor_name == "dora"


def test_a_collection_changes_its_members_in_place(page: Client, world: World) -> None:
    row = world.collection("pair")
    first, second = row.seatings.order_by("place")
    sent = {"reply": "route", "ranking": "record", "cooldown": "ask", "on_disconnect": "finish", "shadow": "{}"}
    sent |= {"shape": "review", "tags": ""}
    sent |= {
        "seatings-TOTAL_FORMS": "3",
        "seatings-INITIAL_FORMS": "2",
        "seatings-0-id": str(first.pk),
        "seatings-0-place": "1",
        "seatings-0-language_model": str(first.language_model_id),
        "seatings-0-DELETE": "on",
        "seatings-1-id": str(second.pk),
        "seatings-1-place": "2",
        "seatings-1-language_model": str(second.language_model_id),
        "seatings-2-language_model": str(world.model("tiny").pk),
    }
    assert page.post(url("collection", "change", row.pk), sent).status_code == 302
    row = world.collection("pair")
    assert members_of(row) == ["home", "tiny"]
    assert row.cooldown == "ask"


def test_a_collection_without_members_is_refused_on_the_form(page: Client, world: World) -> None:
    sent = {"name": "new", "reply": "all", "ranking": "record", "cooldown": "substitute", "on_disconnect": "finish"}
    answer = page.post(url("collection", "add"), {**sent, "shadow": "{}", **members(world=world)})
    assert answer.status_code == 200
    assert "at least one member" in answer.content.decode()
    assert not Collection.objects.filter(name="new").exists()


def test_a_collection_is_deleted_alone_and_in_numbers(page: Client, world: World) -> None:
    assert page.post(url("collection", "delete", world.collection("pair").pk), {"post": "yes"}).status_code == 302
    sent = {"action": "delete_selected", "post": "yes", "_selected_action": [world.collection("core").pk]}
    page.post(url("collection", "changelist"), sent)
    assert not Collection.objects.filter(name__in=["pair", "core"]).exists()
    assert Change.objects.filter(thing="collection", new__isnull=True, field="", actor_name="dora").count() == 2


def test_a_new_key_is_shown_once(page: Client, world: World) -> None:
    sent = {"name": "new", "owner": str(world.bob.pk), "collections": [world.collection("core").pk], "rpm": "9"}
    answer = page.post(url("gatewaykey", "add"), sent, follow=True)
    row = GatewayKey.objects.get(name="new")
    text = answer.content.decode()
    assert text.count("bwk_") == 1
    assert (row.scoped, row.rpm, row.owner) == (True, 9, world.bob)
    assert "bwk_" not in page.get(url("gatewaykey", "changelist")).content.decode()


def test_a_key_is_scoped_and_revoked(page: Client, world: World) -> None:
    row = GatewayKey.objects.get(name="ci")
    sent = {"owner": str(world.alice.pk), "collections": [], "rpm": ""}
    assert page.post(url("gatewaykey", "change", row.pk), sent).status_code == 302
    row.refresh_from_db()
    assert (row.scoped, row.owner) == (False, world.alice)
    run(page, "gatewaykey", "revoke", row)
    row.refresh_from_db()
    assert row.revoked_at is not None
    assert page.post(url("gatewaykey", "change", row.pk), sent).status_code == 403


def test_settings_out_of_bounds_are_an_error_at_the_field(page: Client) -> None:
    sent = {
        "max_calls": "2",
        "max_explorers": "1",
        "scheduler": "off",
        "half_life_days": "60",
        "ledger_days": "0",
        "work_days": "0",
        "sample_days": "0",
        "log_days": "0",
    }
    answer = page.post(url("setting", "change", 1), sent)
    assert "bench/core" in answer.context["adminform"].form.errors["max_calls"][0]
    assert page.post(url("setting", "change", 1), {**sent, "max_calls": "6"}).status_code == 302
    assert Setting.load().max_calls == 6


def test_people_are_added_moved_and_given_a_password_but_nobody_becomes_a_superuser(page: Client, world: World) -> None:
    curators = str(world.alice.groups.get().pk)
    sent = {"username": "eve", "groups": [curators], "is_active": "on", "is_superuser": "on"}
    assert page.post(url(User, "add"), sent).status_code == 302
    eve = User.objects.get(username="eve")
    assert (eve.is_staff, eve.is_superuser, eve.has_usable_password()) == (True, False, False)
    assert page.post(url(User, "change", eve.pk), {"groups": [], "email": "", "is_active": "on"}).status_code == 302
    assert not User.objects.get(username="eve").is_staff
    word = {"password1": "a-long-pass-word-1", "password2": "a-long-pass-word-1", "usable_password": "true"}
    assert page.post(reverse("admin:auth_user_password_change", args=[eve.pk]), word).status_code == 302
    root = User.objects.create_superuser("root")
    assert page.post(reverse("admin:auth_user_password_change", args=[root.pk]), word).status_code == 403
