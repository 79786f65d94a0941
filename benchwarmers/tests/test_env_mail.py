"""The settings of e-mail: what they mean, and one sentence for what cannot be meant."""

from __future__ import annotations

import pytest

from benchwarmers.env_mail import Mail, read_mail
from benchwarmers.env_values import BadSetting

URL = "BENCHWARMERS_SMTP_URL"


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("smtp://mail.example.org", Mail("mail.example.org", 587)),
        ("smtp://bench:a%40b@mail.example.org:2525", Mail("mail.example.org", 2525, "bench", "a@b")),
        ("smtps://mail.example.org", Mail("mail.example.org", 465, tls=True)),
        ("smtp://127.0.0.1:25?plain", Mail("127.0.0.1", 25, plain=True)),
    ],
)
def test_one_address_says_it_all(text: str, means: Mail) -> None:
    assert read_mail({URL: text}) == means


def test_nothing_said_sends_nothing() -> None:
    assert read_mail({}).host == ""


def test_a_password_is_not_shown() -> None:
    assert "hush" not in repr(read_mail({URL: "smtp://bench:hush@mail.example.org"}))


@pytest.mark.parametrize(
    "text", ["mail.example.org", "http://mail.example.org", "smtp://", "smtp://x:hush@h:0", "smtp://[x"]
)
def test_an_address_that_cannot_be_one_stops_the_start_and_is_not_repeated(text: str) -> None:
    with pytest.raises(BadSetting, match="BENCHWARMERS_SMTP_URL") as told:
        read_mail({URL: text})
    assert "hush" not in str(told.value)


@pytest.mark.parametrize("sender", ["nobody", "@", "a@b\nBcc: c@d"])
def test_a_sender_is_one_address(sender: str) -> None:
    with pytest.raises(BadSetting, match="BENCHWARMERS_MAIL_FROM"):
        read_mail({"BENCHWARMERS_MAIL_FROM": sender})
