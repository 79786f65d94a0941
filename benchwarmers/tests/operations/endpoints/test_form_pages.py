"""Endpoints typed into the form: tested, saved, changed, moved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.test import Client

from benchwarmers.tests.operations.endpoints.conftest import KEY, MODELS
from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.endpoint_key import do_set_key
from collections_app.actions.language_model import do_save_model
from collections_app.actions.secret import do_save_secret
from collections_app.models import Change, Endpoint, Secret
from collections_app.vault import secret_for
from probes.tests.listing.servers import Served, key_needed, serving

As = Callable[[str], Client]
SCRIPT = {"HX-Request": "true"}


def fields(server: Served, **more: Any) -> dict[str, Any]:
    return {"name": "fresh", "base": f"{server.base}/v1", "key": KEY, **more}


def text(client: Client, address: str) -> str:
    return client.get(address).content.decode()


@pytest.fixture
def saved(provider: Served) -> Endpoint:
    row = do_save_endpoint(actor=None, name="fresh", base=f"{provider.base}/v1", headers={"X-Title": "bench"})
    do_set_key(actor=None, name="fresh", plain=KEY)
    return row


def test_testing_tells_what_was_found_and_stores_nothing(maya: Client, provider: Served) -> None:
    answer = maya.post("/endpoints/new/", fields(provider, do="test"), headers=SCRIPT)
    page = answer.content.decode()
    assert "It lists 2 models." in page
    assert "The key was needed, and taken." in page
    assert "maker/one-1" in page
    assert "<html" not in page
    assert KEY not in page
    assert not Endpoint.objects.exists()
    assert not Secret.objects.exists()


def test_a_trial_sends_no_variable_that_is_nobodys_key(
    maya: Client, provider: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPASSWORD", KEY)
    answer = maya.post("/endpoints/new/", fields(provider, do="test", key="", key_env="PGPASSWORD"), headers=SCRIPT)
    assert "PGPASSWORD is not among the variables" in answer.content.decode()
    assert provider.asked == []


def test_testing_without_a_script_shows_the_form_again_without_the_key(maya: Client, provider: Served) -> None:
    page = maya.post("/endpoints/new/", fields(provider, do="test")).content.decode()
    assert "It lists 2 models." in page
    assert f'value="{provider.base}/v1"' in page
    assert KEY not in page


def test_saving_stores_the_endpoint_and_its_key_and_leads_to_its_page(maya: Client, provider: Served) -> None:
    answer = maya.post("/endpoints/new/", fields(provider, do="save", headers="X-Title: bench", unlisted_models="a\nb"))
    assert answer["Location"] == "/endpoints/fresh/?listed=4"
    row = Endpoint.objects.get()
    assert (row.name, row.kind, row.api, row.default) == ("fresh", "local", "chat", True)
    assert (row.headers, row.unlisted_models) == ({"X-Title": "bench"}, ["a", "b"])
    assert secret_for("fresh") == KEY
    page = text(maya, answer["Location"])
    assert "4 models here" in page
    assert KEY not in page
    assert KEY not in str(list(Change.objects.values_list("old", "new")))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"key": "sk-wrong-key-of-letters"}, "401"),
        ({"base": "http://169.254.169.254/v1"}, "metadata"),
        ({"base": "nowhere"}, "http://"),
        ({"headers": "no colon"}, "Name: value"),
        ({"key": "", "key_env": "PGPASSWORD"}, "BENCH_KEY_VARIABLES"),
        ({"name": "A!"}, "lower-case"),
        ({"headers": "Authorization: Bearer x"}, "set by the gateway"),
    ],
)
def test_what_cannot_be_saved_is_told_and_nothing_is_written(
    maya: Client, provider: Served, given: dict[str, str], told: str
) -> None:
    answer = maya.post("/endpoints/new/", fields(provider, do="save", **given))
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert KEY not in answer.content.decode()
    assert not Endpoint.objects.exists()
    assert not Secret.objects.exists()


def test_an_endpoint_without_a_listing_is_saved_only_when_somebody_says_so(maya: Client) -> None:
    with serving({}) as server:
        refused = maya.post("/endpoints/new/", fields(server, do="save"))
        assert "Save it all the same" in refused.content.decode()
        assert not Endpoint.objects.exists()
        maya.post("/endpoints/new/", fields(server, do="save", anyway="on"))
    assert Endpoint.objects.get().name == "fresh"


def test_a_name_that_is_taken_suggests_a_free_one(maya: Client, saved: Endpoint, provider: Served) -> None:
    page = maya.post("/endpoints/new/", fields(provider, do="save")).content.decode()
    assert "fresh-2 is free" in page


@pytest.mark.parametrize("name", ["new", "found", "adopt"])
def test_a_name_whose_page_would_be_another_is_refused(maya: Client, provider: Served, name: str) -> None:
    refused = maya.post("/endpoints/new/", fields(provider, do="save", name=name))
    assert f"There is a page at endpoints/{name}/ already" in refused.content.decode()
    assert not Endpoint.objects.exists()


def test_a_key_that_lies_under_the_name_from_before_is_not_picked_up(maya: Client, provider: Served) -> None:
    do_save_secret(actor=None, name="fresh", plain="somebody-else-s-key")
    answer = maya.post("/endpoints/new/", fields(provider, do="save", key=""))
    assert "Enter the key, or choose another name" in answer.content.decode()
    assert provider.asked == []


def test_a_preset_fills_the_form_with_a_free_name(maya: Client) -> None:
    do_save_endpoint(actor=None, name="anthropic", base="https://elsewhere.example")
    page = text(maya, "/endpoints/new/?preset=anthropic")
    assert 'value="anthropic-2"' in page
    assert 'value="https://api.anthropic.com/v1"' in page
    assert '<option value="anthropic" selected>' in page
    assert "console.anthropic.com" in page
    assert maya.get("/endpoints/new/?preset=nonsense").status_code == 200


def test_a_suggestion_that_is_taken_stands_in_the_form(maya: Client) -> None:
    with serving({"/v1/models": MODELS}) as server:
        found = maya.post("/endpoints/new/", {"name": "fresh", "base": server.base, "do": "test"}).content.decode()
        assert "This would answer instead" in found
        take = f"base={server.base}%2Fv1&api=chat&kind=local&hub="
        page = maya.post("/endpoints/new/", {"name": "fresh", "base": server.base, "take": take}).content.decode()
    assert f'value="{server.base}/v1"' in page
    assert '<option value="local" selected>' in page


def test_a_change_keeps_the_key_and_what_the_form_does_not_ask_for(maya: Client, saved: Endpoint) -> None:
    Endpoint.objects.update(quirks={"no_system": True})
    answer = maya.post("/endpoints/fresh/", {"base": saved.base, "api": "chat", "kind": "local", "do": "save"})
    assert answer.status_code == 302
    row = Endpoint.objects.get()
    assert (row.headers, row.quirks, secret_for("fresh")) == ({}, {"no_system": True}, KEY)


def test_the_stored_key_does_not_follow_to_another_server_unless_it_is_typed_again(
    maya: Client, saved: Endpoint
) -> None:
    with serving({"/v1/models": MODELS}) as other:
        given = {"base": f"{other.base}/v1", "api": "chat", "kind": "local", "do": "save"}
        refused = maya.post("/endpoints/fresh/", given | {"anyway": "on", "keys_move": "on"})
        assert "Enter it again" in refused.content.decode()
        assert KEY not in str(other.asked)
        assert Endpoint.objects.get().base == saved.base
        assert maya.post("/endpoints/fresh/", given | {"key": "sk-for-the-new-place"}).status_code == 302
    assert secret_for("fresh") == "sk-for-the-new-place"


def test_models_are_not_left_behind_by_a_new_address(maya: Client, saved: Endpoint) -> None:
    do_save_model(actor=None, served="maker/one-1", endpoint="fresh", alias="one")
    do_save_model(actor=None, served="maker/gone", endpoint="fresh", alias="gone")
    with serving({"/v1/models": key_needed(MODELS, "sk-for-the-new-place")}) as other:
        given = {"base": f"{other.base}/v1", "kind": "local", "key": "sk-for-the-new-place", "do": "save"}
        refused = maya.post("/endpoints/fresh/", given).content.decode()
    assert "gone would not be served there" in refused
    assert Endpoint.objects.get().base == saved.base


def test_a_hub_keeps_the_key_of_its_administration_apart(maya: Client) -> None:
    with serving({"/api/models": MODELS, "/api/config": {"version": "0.6.34", "features": {}}}) as server:
        given = {"name": "ours", "base": f"{server.base}/api", "key": KEY, "admin_key": "the-owner-s-own-key"}
        found = maya.post("/endpoints/new/", given | {"do": "test"}).content.decode()
        assert "This is Open WebUI 0.6.34" in found
        assert maya.post("/endpoints/new/", given | {"do": "save"}).status_code == 302
    assert Endpoint.objects.get().hub == "openwebui"
    assert (secret_for("ours"), secret_for("ours-admin")) == (KEY, "the-owner-s-own-key")


def test_the_key_of_a_hub_s_administration_does_not_follow_to_another_server_either(maya: Client) -> None:
    with serving({"/api/models": MODELS}) as server, serving({"/api/models": MODELS}) as other:
        given = {"base": f"{server.base}/api", "kind": "hub", "hub": "openwebui", "key": KEY, "do": "save"}
        first = maya.post("/endpoints/new/", given | {"name": "ours", "admin_key": "the-owner-s-own-key"})
        assert first.status_code == 302
        there = given | {"base": f"{other.base}/api", "key": "sk-for-the-new-place"}
        refused = maya.post("/endpoints/ours/", there)
        assert refused.status_code == 422
        assert "Enter it again" in refused.content.decode()
        assert Endpoint.objects.get().base == f"{server.base}/api"
        assert maya.post("/endpoints/ours/", there | {"admin_key": "another-owner-s"}).status_code == 302
    assert secret_for("ours-admin") == "another-owner-s"


def test_a_hub_does_not_pick_up_another_s_key_as_that_of_its_administration(maya: Client) -> None:
    do_save_secret(actor=None, name="ours-admin", plain="somebody-else-s-key")
    with serving({"/api/models": MODELS}) as server:
        given = {"base": f"{server.base}/api", "key": KEY, "do": "save"}
        refused = maya.post("/endpoints/new/", given | {"name": "ours"})
        assert "Choose another name for the hub" in refused.content.decode()
        assert maya.post("/endpoints/new/", given | {"name": "ours", "kind": "provider"}).status_code == 302
        later = maya.post("/endpoints/ours/", given | {"kind": "hub", "hub": "openwebui"})
        assert "Enter that of this hub" in later.content.decode()
    assert Endpoint.objects.get().kind == "provider"


def test_a_header_takes_no_key_of_another_endpoint_along(maya: Client, saved: Endpoint, provider: Served) -> None:
    do_save_secret(actor=None, name="door", plain="what-opens-the-door")
    with serving({"/v1/models": MODELS}) as other:
        given = {"name": "thief", "base": f"{other.base}/v1", "kind": "local", "do": "save"}
        for name in ("fresh", "fresh.refresh", "fresh-admin"):
            refused = maya.post("/endpoints/new/", given | {"headers": f"X-Sent: secret:{name}"})
            assert "names a key of the endpoint fresh" in refused.content.decode()
        assert maya.post("/endpoints/new/", given | {"headers": "X-Sent: secret:door"}).status_code == 302
    own = {"base": saved.base, "kind": "local", "headers": "X-Again: secret:fresh", "do": "save"}
    assert maya.post("/endpoints/fresh/", own).status_code == 302
    assert dict(Endpoint.objects.values_list("name", "headers")) == {
        "fresh": {"X-Again": "secret:fresh"},
        "thief": {"X-Sent": "secret:door"},
    }


def test_who_may_only_look_gets_no_form_and_changes_nothing(as_person: As, saved: Endpoint) -> None:
    zoe = as_person("zoe")
    page = text(zoe, "/endpoints/fresh/")
    assert "endpoint-form" not in page
    assert zoe.get("/endpoints/new/").status_code == 403
    assert zoe.post("/endpoints/fresh/", {"base": "https://evil.example", "do": "save"}).status_code == 404
    assert Endpoint.objects.get().base == saved.base


def test_a_message_tells_that_it_is_saved(maya: Client, provider: Served) -> None:
    answer = maya.post("/endpoints/new/", fields(provider, do="save"))
    assert [str(one) for one in get_messages(answer.wsgi_request)] == ["The endpoint fresh is saved."]
