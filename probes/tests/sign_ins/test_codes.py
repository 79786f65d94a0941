"""Sign-ins by a code that somebody types on the provider's page."""

from __future__ import annotations

import pytest

from collections_app.models import Endpoint, OwnApp, SignInSession
from collections_app.refusal import Refused
from probes.sign_ins import flow, store
from probes.sign_ins.tend import tend
from probes.tests.sign_ins.world import AWAY, Town

pytestmark = pytest.mark.django_db


def begun(town: Town, provider: str = "coded") -> SignInSession:
    """A session whose first poll may be made now."""
    session = town.begin(provider, AWAY)
    town.clock.pass_s(session.interval_s)
    return session


def polled(town: Town, session: SignInSession) -> SignInSession:
    flow.poll(town.desk, session)
    session.refresh_from_db()
    return session


def test_a_code_is_shown_waited_for_and_brings_an_endpoint(town: Town) -> None:
    session = begun(town)
    assert session.user_code.startswith("WXYZ-")
    assert session.verify_url == f"{town.us.root}/type?code={session.user_code}"
    assert session.interval_s == 1
    assert (session.expires_at - session.created_at).total_seconds() == 600
    assert polled(town, session).state == "pending"
    town.us.answer_device(session.user_code, "granted")
    town.clock.pass_s(1)
    assert polled(town, session).result["endpoint"] == "coded"
    assert Endpoint.objects.get(name="coded").sign_in.refreshes
    assert town.us.asked("/device-json") == [{"client_id": "shipped"}]


def test_the_server_asks_by_itself_whether_anybody_looks_or_not(town: Town) -> None:
    session = begun(town, "open")
    town.us.answer_device(session.user_code, "granted")
    tend(town.desk)
    session.refresh_from_db()
    assert session.state == "done"


def test_nobody_asks_before_the_interval_is_over(town: Town) -> None:
    session = town.begin("coded", AWAY)
    assert polled(town, session).state == "pending"
    assert town.us.asked("/token") == []
    town.clock.pass_s(1)
    for _ in range(3):
        polled(town, session)
    assert len(town.us.asked("/token")) == 1


def test_one_asks_at_a_time(town: Town) -> None:
    session = begun(town)
    other = SignInSession.objects.get(pk=session.pk)
    assert store.begin_poll(session, town.clock.now)
    town.clock.pass_s(10)
    assert not store.begin_poll(other, town.clock.now)
    other.refresh_from_db()
    assert not store.begin_poll(other, town.clock.now)
    town.clock.pass_s(40)  # whoever asked is gone
    other.refresh_from_db()
    assert store.begin_poll(other, town.clock.now)


def test_who_is_told_to_slow_down_waits_five_seconds_longer(town: Town) -> None:
    session = begun(town)
    town.us.answer_device(session.user_code, "slow")
    assert polled(town, session).interval_s == 6
    town.clock.pass_s(5)
    polled(town, session)
    assert len(town.us.asked("/token")) == 1
    town.clock.pass_s(1)
    town.us.answer_device(session.user_code, "granted")
    assert polled(town, session).state == "done"


@pytest.mark.parametrize(
    ("how", "words"),
    [("denied", "The owner refused the code."), ("expired", "The code is too old.")],
)
def test_a_no_ends_it_with_the_providers_words(town: Town, how: str, words: str) -> None:
    session = begun(town)
    town.us.answer_device(session.user_code, how)
    assert polled(town, session).result == {"errors": [f"127.0.0.1 says: {words}"]}
    assert not Endpoint.objects.exists()


@pytest.mark.parametrize("fault", ["broken", "busy"])
def test_a_provider_that_is_away_for_a_moment_ends_nothing(town: Town, fault: str) -> None:
    session = begun(town)
    town.us.answer_device(session.user_code, "granted")
    town.us.fault = fault
    assert polled(town, session).state == "pending"
    town.us.fault = ""
    town.clock.pass_s(1)
    assert polled(town, session).state == "done"


def test_a_code_that_nobody_types_is_given_up(town: Town) -> None:
    session = begun(town)
    town.clock.pass_s(600)
    tend(town.desk)
    session.refresh_from_db()
    assert session.result == {"errors": [store.EXPIRED]}
    assert town.us.asked("/token") == []
    town.clock.pass_s(86_400)
    tend(town.desk)
    assert not SignInSession.objects.exists()


@pytest.mark.parametrize(("fault", "words"), [("no-device", "The device flow is off."), ("bad-link", "no address")])
def test_a_provider_that_gives_no_code_is_told_at_once(town: Town, fault: str, words: str) -> None:
    town.us.fault = fault
    with pytest.raises(Refused, match=words):
        town.begin("coded")
    assert not SignInSession.objects.exists()


def test_a_code_needs_an_application_too_where_the_provider_wants_one(town: Town) -> None:
    with pytest.raises(Refused, match="application that you register"):
        town.begin("own", AWAY)
    OwnApp.objects.create(provider="own", client_id="mine")
    with pytest.raises(Refused, match="on the machine that the server runs on"):
        town.begin("own", AWAY)  # it has no codes


def test_a_callback_cannot_end_a_sign_in_by_code(town: Town) -> None:
    session = begun(town)
    state = store.opened(session).id
    assert town.come_back({"state": state, "code": "made-up"}).state == "pending"
