"""Sign-ins by a provider's page, end to end against the authority."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

import pytest
from django.contrib.auth.models import User

from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.person import do_save_person
from collections_app.actions.secret import do_save_secret
from collections_app.models import Change, Endpoint, OwnApp, Secret, SignIn, SignInSession
from collections_app.refusal import Refused
from collections_app.vault import secret_for
from probes.sign_ins import flow, store
from probes.sign_ins.desk import PROVEN, UNPROVEN
from probes.tests.sign_ins.authority import FAULTS
from probes.tests.sign_ins.world import AWAY, HERE, NOON, Town

pytestmark = pytest.mark.django_db


def test_a_key_is_fetched_tried_and_stored(town: Town) -> None:
    session = town.begin("keyed")
    path, query = town.agree(session)
    assert path == f"/connect/callback/{query['state']}"
    session = town.come_back(query)
    assert session.result == {"endpoint": "keyed", "served": 2, "note": PROVEN}
    row = Endpoint.objects.get(name="keyed")
    assert (row.kind, row.key_name, row.headers) == ("aggregator", "keyed", {"X-Title": "Benchwarmers"})
    assert secret_for("keyed") in town.us.tokens
    sign_in = row.sign_in
    assert (sign_in.provider, sign_in.expires_at, sign_in.refreshes, sign_in.at) == ("keyed", None, False, NOON)


def test_the_id_in_the_path_will_do_where_a_provider_forgets_the_state(town: Town) -> None:
    town.us.forgets_state = True
    path, query = town.agree(town.begin("keyed"))
    assert "state" not in query
    assert town.come_back(query, path.rpartition("/")[2]).state == "done"


def test_a_note_says_when_a_listing_proves_nothing(town: Town) -> None:
    town.us.lists_to_anyone = True
    assert town.come_back(town.agree(town.begin("keyed"))[1]).result["note"] == UNPROVEN


def test_oauth_brings_a_token_that_ends_and_one_that_renews_it(town: Town) -> None:
    row = town.sign_in("open")
    token, refresh = town.tokens("open")
    assert token in town.us.tokens
    assert refresh in town.us.refreshing
    assert row.sign_in.client_id == "shipped"
    assert row.sign_in.refreshes
    assert row.sign_in.expires_at is not None
    assert (row.sign_in.expires_at - NOON).total_seconds() == 3600
    (asked,) = town.us.asked("/token")
    assert asked["redirect_uri"] == "http://127.0.0.1:8122/connect/callback"


def test_a_wrong_verifier_is_refused_and_leaves_nothing(town: Town) -> None:
    session = town.begin("open")
    sealed = store.opened(session)
    other = town.begin("open")
    query = town.agree(session)[1]
    state = store.opened(other).id
    assert sealed.verifier != store.opened(other).verifier
    failed = town.come_back({**query, "state": state})
    assert failed.state == "failed"
    assert failed.result["errors"] == ["127.0.0.1 says: The verifier does not fit."]
    assert not Endpoint.objects.exists()
    assert not Secret.objects.exists()


def test_a_state_works_once_and_a_doubled_callback_exchanges_once(town: Town) -> None:
    query = town.agree(town.begin("open"))[1]
    assert town.come_back(query).state == "done"
    assert town.come_back(query).state == "done"
    assert town.come_back({"state": query["state"], "error": "access_denied"}).state == "done"
    assert len(town.us.asked("/token")) == 1
    assert Endpoint.objects.count() == 1


def test_a_callback_while_another_exchanges_changes_nothing(town: Town) -> None:
    query = town.agree(town.begin("open"))[1]
    session = store.find(query["state"])
    assert session is not None
    assert store.take(session, NOON)
    assert town.come_back(query).state == "exchanging"
    assert town.us.asked("/token") == []


def test_an_unknown_or_late_callback_comes_to_nothing(town: Town) -> None:
    assert flow.come_back(town.desk, "never-heard-of", {"code": "x"}) is None
    assert flow.come_back(town.desk, "", {"code": "x"}) is None
    query = town.agree(town.begin("open"))[1]
    town.clock.pass_s(15 * 60 + 1)
    assert town.come_back(query).state == "pending"
    store.expire(town.clock.now)
    assert town.come_back(query).result == {"errors": [store.EXPIRED]}
    assert town.us.asked("/token") == []


def test_what_somebody_refused_is_said_as_the_provider_says_it(town: Town) -> None:
    session = town.come_back(town.agree(town.begin("open"), "no")[1])
    assert session.result == {"errors": ["The provider says: The owner refused."]}
    without = town.begin("open")
    state = store.opened(without).id
    assert town.come_back({"state": state}).result["errors"] == ["The provider's page came back without a code"]


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault != "odd-life"])
def test_whatever_a_provider_answers_wrongly_ends_it_with_a_sentence(town: Town, fault: str) -> None:
    town.us.fault = fault
    query = town.agree(town.begin("open"))[1]
    session = town.come_back(query)
    assert session.state == "failed"
    (sentence,) = session.result["errors"]
    assert len(sentence) > 10
    assert query["code"] not in sentence
    assert not Endpoint.objects.exists()
    assert town.us.asked("/elsewhere") == []


def test_a_life_that_is_no_number_is_none(town: Town) -> None:
    town.us.fault = "odd-life"
    assert town.sign_in("open").sign_in.expires_at is None


def test_a_token_that_lists_nothing_is_not_saved_and_not_shown(town: Town) -> None:
    town.us.lists = False
    session = town.come_back(town.agree(town.begin("open"))[1])
    assert session.state == "failed"
    assert "cannot be listed" in session.result["errors"][0]
    assert not any(made in session.result["errors"][0] for made in town.us.made)
    assert not Endpoint.objects.exists()
    assert not Secret.objects.exists()


def test_a_new_sign_in_takes_the_first_free_name_and_no_stored_key_is_lost(town: Town) -> None:
    assert town.sign_in("open").name == "open"
    assert town.sign_in("open").name == "open-2"
    do_save_secret(actor=None, name="open-3", plain="somebody-elses")
    do_save_endpoint(actor=None, name="open-4", base="https://x.example/v1")
    do_save_endpoint(actor=None, name="other", base="https://x.example/v1", key_name="open-5")
    assert town.sign_in("open").name == "open-6"
    assert secret_for("open-3") == "somebody-elses"


def test_a_key_of_the_environment_takes_a_name_too(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHWARMERS_KEY_OPEN", "from-outside")
    assert town.sign_in("open").name == "open-2"


def test_signing_in_again_changes_the_tokens_and_nothing_else(town: Town) -> None:
    row = town.sign_in("open")
    do_save_endpoint(actor=None, name="open", base=row.base, kind=row.kind, key_name="open", headers={"X-Mine": "kept"})
    before = town.tokens("open")
    SignIn.objects.update(trouble="it ended")
    town.clock.pass_s(60)
    again = town.sign_in("open", again="open")
    assert (again.pk, again.headers) == (row.pk, {"X-Mine": "kept"})
    assert Endpoint.objects.count() == 1
    assert set(town.tokens("open")).isdisjoint(before)
    assert (again.sign_in.trouble, again.sign_in.at) == ("", town.clock.now)


def test_only_an_endpoint_that_was_signed_in_there_may_sign_in_again(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    do_save_endpoint(actor=None, name="typed", base=f"{town.us.root}/v1")
    town.sign_in("keyed")
    for name in ("typed", "keyed", "nowhere"):
        with pytest.raises(Refused, match="no endpoint that was signed in there"):
            town.begin("open", again=name)
    monkeypatch.setenv("BENCHWARMERS_KEY_KEYED", "from-outside")
    with pytest.raises(Refused, match="BENCHWARMERS_KEY_KEYED"):
        town.begin("keyed", again="keyed")


def test_a_typed_key_ends_the_sign_in_also_one_that_is_just_signing_in_again(town: Town) -> None:
    town.sign_in("open")
    query = town.agree(town.begin("open", again="open"))[1]
    do_save_secret(actor=None, name="open", plain="typed-by-hand")
    assert not SignIn.objects.exists()
    assert not Secret.objects.filter(name="open.refresh").exists()
    assert town.come_back(query).state == "failed"
    assert secret_for("open") == "typed-by-hand"


def test_an_own_app_is_needed_chosen_and_kept_with_the_endpoint(town: Town) -> None:
    with pytest.raises(Refused, match="application that you register"):
        town.begin("own")
    OwnApp.objects.create(provider="own", client_id="mine")
    row = town.sign_in("own")
    assert row.sign_in.client_id == "mine"
    OwnApp.objects.update(client_id="another")
    row.sign_in.refresh_from_db()
    assert row.sign_in.client_id == "mine"


def test_an_issued_client_id_is_kept_at_once_and_serves_the_next_sign_in(town: Town) -> None:
    town.us.issues = "issued_app_1"
    session = town.begin("issuing")
    first = dict(parse_qsl(urlsplit(store.opened(session).url).query))
    assert (first["client_id"], first["hint"]) == ("placeholder", "bench")
    assert first["host_id"].startswith("urn:uuid:")
    query = town.agree(session)[1]
    town.us.lists = False
    assert town.come_back(query).state == "failed"
    assert OwnApp.objects.get(provider="issuing").client_id == "issued_app_1"
    town.us.lists = True
    again = town.begin("issuing")
    second = dict(parse_qsl(urlsplit(store.opened(again).url).query))
    assert (second["client_id"], second["host_id"]) == ("issued_app_1", first["host_id"])
    assert "hint" not in second
    assert second["nonce"] != first["nonce"]
    row = Endpoint.objects.get(name=town.come_back(town.agree(again)[1]).result["endpoint"])
    assert (row.api, row.sign_in.client_id) == ("responses", "issued_app_1")
    assert {asked["resource"] for asked in town.us.asked("/token")} == {"models"}


def test_an_own_id_that_no_vault_opens_is_made_anew(town: Town) -> None:
    def asked() -> str:
        return dict(parse_qsl(urlsplit(store.opened(town.begin("issuing")).url).query))["host_id"]

    first = asked()
    assert asked() == first
    Secret.objects.update(cipher="of-another-vault")
    assert asked() != first


def test_a_client_id_that_is_none_is_not_taken(town: Town) -> None:
    town.us.issues = "no client"
    session = town.come_back(town.agree(town.begin("issuing"))[1])
    assert "client id that is none" in session.result["errors"][0]
    assert not OwnApp.objects.exists()


def test_a_browser_elsewhere_gets_a_code_or_a_reason(town: Town) -> None:
    assert town.begin("open", AWAY).flow == "device"
    with pytest.raises(Refused, match="on the machine that the server runs on"):
        town.begin("keyed", AWAY)
    assert town.begin("open").flow == "oauth"


def test_a_local_provider_is_saved_on_the_spot_when_it_answers(town: Town) -> None:
    town.us.tokens.add("local")
    row = flow.start(town.desk, "local", by=town.cora, where=HERE)
    assert isinstance(row, Endpoint)
    assert (row.name, row.kind, secret_for("local")) == ("local", "local", "local")
    town.us.lists = False
    with pytest.raises(Refused, match="cannot be listed"):
        flow.start(town.desk, "local", by=town.cora, where=HERE)


def test_whoever_may_not_add_endpoints_may_not_sign_in(town: Town) -> None:
    bob = do_save_person(actor=None, username="bob", groups=["caller"])
    with pytest.raises(Refused, match="may not sign in"):
        flow.start(town.desk, "open", by=bob, where=HERE)
    query = town.agree(town.begin("open"))[1]
    town.cora.groups.clear()
    assert User.objects.get(pk=town.cora.pk).groups.count() == 0
    session = town.come_back(query)
    assert session.state == "failed"
    assert not Endpoint.objects.exists()


def test_the_change_log_tells_who_signed_in_to_what_and_no_token(town: Town) -> None:
    town.sign_in("open")
    told = Change.objects.get(thing="sign-in")
    assert (told.actor, told.name, told.new) == (town.cora, "open", {"provider": "open", "renews": True})
    written = repr(list(Change.objects.values())) + repr(list(SignInSession.objects.values()))
    written += repr(list(SignIn.objects.values())) + repr(list(Endpoint.objects.values()))
    assert town.us.made
    assert not [made for made in town.us.made if made in written]
    assert SignInSession.objects.get().sealed == ""
    assert Secret.objects.get(name="open").hint == ""
