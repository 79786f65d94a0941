"""The words of a message about alerts."""

from __future__ import annotations

import json

from probes.alerts.message import MOST, Wrong, write_message

ONE = Wrong("retiring", "fast", "fast is retired in 2 days unless it answers")


def test_one_alert_is_the_subject_itself() -> None:
    message = write_message([ONE], "https://bench.example.org")
    assert message.subject == "Benchwarmers: fast: retiring"
    assert message.text == "retiring – fast is retired in 2 days unless it answers\n\nhttps://bench.example.org/"


def test_several_are_counted_and_listed_and_what_is_too_many_is_told() -> None:
    message = write_message([ONE] * (MOST + 3), "http://b")
    assert message.subject == "Benchwarmers: 23 alerts"
    assert message.text.count("fast is retired") == MOST
    assert "and 3 more" in message.text
    assert "and 3 more" in json.loads(message.hook)["text"]


def test_a_webhook_gets_json_whose_words_call_nobody() -> None:
    sly = Wrong("plan", "sly", "<!channel> & <http://evil|click>")
    text = json.loads(write_message([sly], "http://b").hook)["text"]
    assert "sly: &lt;!channel&gt; &amp; &lt;http://evil|click&gt;" in text
    assert text.endswith("<http://b/>")


def test_a_name_with_a_line_break_makes_one_line_of_a_subject() -> None:
    message = write_message([Wrong("connection", "lab\r\nBcc: all@example.org", "it is down")], "http://b")
    assert message.subject == "Benchwarmers: lab Bcc: all@example.org: connection"


def test_a_model_s_words_call_nobody() -> None:
    message = write_message([Wrong("plan", "m", "ask @everyone and <!channel>")], "http://b")
    text = json.loads(message.hook)["text"]
    assert "@everyone" not in text
    assert "<!" not in text
