"""Log lines: one line a record, without credentials."""

from __future__ import annotations

import logging
import sys

import pytest

from benchwarmers.log import LineFormatter, one_line
from gateway.canon.blanks import blank


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("key bwk_Abcdef123456 was used", "Abcdef123456"),
        ("Authorization: Bearer sk-proj-1234567890", "1234567890"),
        ("Authorization: Bearer abcdefghijklmnop", "abcdefghijklmnop"),
        ("POST /v1beta/models?key=AQ12345&alt=sse", "AQ12345"),
        ("https://h/x?alt=sse&access_token=ya29.tok", "ya29.tok"),
        ("connecting to redis://:hunter22@h:6379/0", "hunter22"),
        ("GET /sign-in/MQ/d1abc-0123456789abcdef/", "0123456789abcdef"),
        ("GET /invitation/rTNJMmn29VVx7wmIUrpHGPnz/by/house/", "rTNJMmn29VVx7wmIUrpHGPnz"),
        ("GET /connect/callback/rTNJMmn29VVx7wmIUrpHGPnz 200", "rTNJMmn29VVx7wmIUrpHGPnz"),
        ("x-goog-api-key AIzaSyA1234567890abcdefghijk", "SyA1234567890"),
    ],
)
def test_credentials_are_blanked(text: str, secret: str) -> None:
    assert secret in text
    assert secret not in blank(text)


def test_ordinary_words_stay() -> None:
    text = "seat disk-full: the key was refused, monkey=no, task-1234567 token count 5 at https://h:8122/a"
    assert blank(text) == text


def test_a_traceback_stays_on_one_line_and_loses_its_key() -> None:
    try:
        raise ValueError("first\nsecond sk-abcdefghijkl")
    except ValueError:
        record = logging.LogRecord("bench", logging.ERROR, __file__, 1, "it %s", ("broke",), sys.exc_info())
    line = LineFormatter().format(record)
    assert "\n" not in line
    assert "it broke" in line
    assert "abcdefghijkl" not in line


@pytest.mark.parametrize(
    "text", ["a\nb", "a\r\nb", "a\x1b[2Jb", "a\x9b2Jb", "a\x85b", "a\u2028b", "a\u202eb", "a\x00b", "a\x7fb"]
)
def test_nobody_begins_a_line_or_steers_a_terminal(text: str) -> None:
    told = one_line(text)
    assert told.isprintable()
    assert told.startswith("a\\")
    assert told.endswith("b")


def test_what_can_be_read_stays_as_it_is() -> None:
    assert one_line("Grüße, 漢字\tand a tab") == "Grüße, 漢字\tand a tab"
