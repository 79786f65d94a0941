"""Counts that nobody made are estimated from what was asked and written."""

from gateway.canon.ask import Ask, Media, Text, Thought, ToolCall, Turn
from gateway.canon.event import Usage
from gateway.canon.reply import Reply
from gateway.wire.estimates import characters_of, estimate_usage


def test_a_prompt_counts_its_words_and_pictures_and_a_reply_all_that_was_written() -> None:
    ask = Ask("ollama", "m", (Turn("user", (Text("x" * 400), Media("image", data="AAAA", mime="image/png"))),))
    reply = Reply((Thought("hm"), Text("yes"), ToolCall("t", "f", '{"a":1}')))

    assert characters_of(reply) == 12
    assert estimate_usage(ask, 400).output == 110
    assert 2_600 < estimate_usage(ask, 0).input < 2_630


def test_an_empty_answer_counts_nothing() -> None:
    assert estimate_usage(Ask("ollama", "m", (Turn("user", (Text("hi"),)),)), 0) == Usage(1, 0)
