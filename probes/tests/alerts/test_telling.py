"""Alerts go out once by each way that the settings name, and what did not is tried again."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core import mail

from collections_app.actions.alert import Raised, clear_alert, raise_alert
from collections_app.actions.secret import do_save_secret
from collections_app.actions.setting import do_save_settings
from collections_app.models import Alert
from collections_app.refusal import Refused
from gateway.canon.fault import Unreachable
from gateway.canon.kinds import AlertKind
from gateway.engine.fetch import Fetched
from probes import tasks
from probes.alerts.telling import tell_alerts

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 6, 1, 8, tzinfo=UTC)
SOON = NOW + timedelta(seconds=61)
ADDRESS = "https://hooks.example/services/T0/B0/secret-part"


def wrong(key: str, at: datetime = NOW) -> Alert:
    return raise_alert("served-check", Raised(key, AlertKind.PLAN, f"{key} may not be called"), at)


class Hook:
    """A webhook that keeps what it was sent."""

    def __init__(self, status: int = 200) -> None:
        self.status = status
        self.sent: list[str] = []

    def __call__(self, address: str, body: bytes) -> Fetched:
        assert address == ADDRESS
        if not self.status:
            raise Unreachable(f"no connection to {address}")
        self.sent.append(json.loads(body)["text"])
        return Fetched(self.status, {}, b"ok")


def test_nobody_is_told_unless_the_settings_say_so() -> None:
    wrong("a")
    assert tell_alerts(SOON, Hook()) == 0
    assert mail.outbox == []


def test_an_alert_waits_a_minute_for_others_and_goes_out_once(settings: pytest.FixtureRequest) -> None:
    settings.EMAIL_HOST = "127.0.0.1"  # type: ignore[attr-defined]
    do_save_settings(actor=None, alert_mail="boss@example.org,ops@example.org")
    wrong("a")
    assert tell_alerts(NOW + timedelta(seconds=30)) == 0
    wrong("b", NOW + timedelta(seconds=1))
    assert tell_alerts(SOON) == 2
    assert tell_alerts(SOON + timedelta(days=1)) == 0
    (sent,) = mail.outbox
    assert sent.to == ["boss@example.org", "ops@example.org"]
    assert "a may not be called" in sent.body
    assert "b may not be called" in sent.body


def test_what_is_raised_again_is_not_told_again_but_what_comes_back_is() -> None:
    do_save_settings(actor=None, alert_hook="slack")
    do_save_secret(actor=None, name="slack", plain=ADDRESS)
    hook = Hook()
    wrong("a")
    assert tell_alerts(SOON, hook) == 1
    wrong("a", SOON)
    assert tell_alerts(SOON + timedelta(minutes=5), hook) == 0
    clear_alert("served-check", "a")
    wrong("a", SOON)
    assert tell_alerts(SOON + timedelta(minutes=5), hook) == 1


@pytest.mark.parametrize(("status", "why"), [(0, "no connection to [its address]"), (404, "status 404")])
def test_a_way_that_fails_is_an_alert_itself_until_it_works_and_keeps_its_address(status: int, why: str) -> None:
    do_save_settings(actor=None, alert_hook="slack")
    do_save_secret(actor=None, name="slack", plain=ADDRESS)
    hook = Hook(status)
    wrong("a")
    assert tell_alerts(SOON, hook) == 0
    trouble = Alert.objects.get(raiser="alerts")
    assert why in trouble.message
    assert "secret-part" not in trouble.message
    hook.status = 200
    assert tell_alerts(SOON + timedelta(minutes=2), hook) == 1  # the trouble itself is not sent
    assert not Alert.objects.filter(raiser="alerts").exists()


def test_one_way_does_not_hold_up_the_other(settings: pytest.FixtureRequest) -> None:
    settings.EMAIL_HOST = ""  # type: ignore[attr-defined]
    do_save_settings(actor=None, alert_hook="slack", alert_mail="boss@example.org")
    do_save_secret(actor=None, name="slack", plain=ADDRESS)
    hook = Hook()
    wrong("a")
    assert tell_alerts(SOON, hook) == 1
    assert len(hook.sent) == 1
    assert "BENCHWARMERS_SMTP_URL" in Alert.objects.get(raiser="alerts").message


def test_a_webhook_without_its_secret_says_which_is_missing() -> None:
    do_save_settings(actor=None, alert_hook="slack")
    wrong("a")
    tell_alerts(SOON, Hook())
    assert "the secret slack" in Alert.objects.get(raiser="alerts").message


def test_a_way_that_is_not_wanted_any_more_is_in_no_trouble() -> None:
    do_save_settings(actor=None, alert_hook="slack")
    wrong("a")
    tell_alerts(SOON, Hook())
    assert Alert.objects.filter(raiser="alerts").exists()
    do_save_settings(actor=None, alert_hook="")
    tasks.tell_alerts()
    assert not Alert.objects.filter(raiser="alerts").exists()


def test_what_is_no_address_is_not_repeated_either() -> None:
    do_save_settings(actor=None, alert_hook="slack")
    do_save_secret(actor=None, name="slack", plain="hooks.example/" + "secret-part/" * 30)
    wrong("a")
    tell_alerts(SOON)
    told = Alert.objects.get(raiser="alerts").message
    assert "begins with http" in told
    assert "secret-part" not in told


@pytest.mark.parametrize(
    ("field", "text"), [("alert_mail", "nobody"), ("alert_mail", "a@b.example, x"), ("alert_hook", ADDRESS)]
)
def test_settings_that_cannot_be_meant_are_refused(field: str, text: str) -> None:
    given: dict[str, Any] = {field: text}
    with pytest.raises(Refused):
        do_save_settings(actor=None, **given)
