"""What a provider says is told without our own secrets."""

from __future__ import annotations

from base64 import b64encode

import pytest

from gateway.canon.fault import Rejected
from gateway.engine.upstreams import HIDDEN, hide

KEY = "kay+ninety/nine=boxes"


@pytest.mark.parametrize(
    "spelling",
    [KEY, "kay%2Bninety%2Fnine%3Dboxes", b64encode(KEY.encode()).decode()],
    ids=["plain", "percent-encoded", "base64"],
)
def test_a_key_that_a_provider_repeats_is_taken_out_in_every_common_spelling(spelling: str) -> None:
    fault = Rejected(f"no such key: {spelling}", upstream_status=401, body=f'{{"key": "{spelling}"}}')
    hide(fault, "other-secret-value", KEY)
    assert spelling not in f"{fault} {fault.message} {fault.body} {fault!r}"
    assert HIDDEN in fault.message
    assert HIDDEN in fault.body


def test_a_word_too_short_to_be_a_key_is_left() -> None:
    fault = Rejected("the model is a test", upstream_status=404, body="test")
    hide(fault, "test", "")
    assert (fault.message, fault.body) == ("the model is a test", "test")


@pytest.mark.parametrize("end", ["", "…"])
def test_a_message_that_was_cut_in_the_middle_of_a_key_does_not_show_its_beginning(end: str) -> None:
    for length in (8, len(KEY) - 1):
        fault = Rejected(f"no such key: {KEY[:length]}{end}", upstream_status=401)
        hide(fault, KEY)
        assert fault.message == f"no such key: {HIDDEN}"
    fault = Rejected(f"no such {KEY[:7]}{end}", upstream_status=401)
    hide(fault, KEY)
    assert fault.message == f"no such {KEY[:7]}{end}"
