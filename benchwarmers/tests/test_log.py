"""Log lines: one line a record, without credentials."""

from __future__ import annotations

import logging
import sys

import pytest

from benchwarmers.log import LineFormatter
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
