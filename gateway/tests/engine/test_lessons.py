"""What refusals and answers teach, and what is not believed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import Media, OutputFormat, Text, Thought, Tool, ToolCall, Turn
from gateway.canon.event import Finish
from gateway.canon.fault import Broken
from gateway.canon.reply import Reply
from gateway.engine.lessons import (
    Lesson,
    believable,
    budget_in,
    is_news,
    learned,
    lessons_in_answer,
    lessons_in_refusal,
)
from gateway.engine.limit_bodies import told_in_body
from gateway.engine.told import Told
from gateway.tests.engine.world import ask, model

SCHEMA = OutputFormat("json_schema", "x", Raw(b'{"type": "object", "required": ["n"]}'))
EAR = Tool("listen")


@pytest.mark.parametrize(
    ("text", "window"),
    [
        ("This model's maximum context length is 131,072 tokens. However, you requested 140000 tokens", 131_072),
        ("exceeds the context window of 8192", 8_192),
        ("the context length is 4096", 4_096),
        ("max_model_len (32768)", 32_768),
        ("max_model_len of this server: 2048", 2_048),
        ("This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131_072),
        ("maximum input tokens 65536", 65_536),
        ("prompt is too long: 210000 tokens > 200000 maximum", 200_000),
        ("Prompt contains 35000 tokens, too large for model with 32768 maximum context length", 32_768),
        ("token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576),
        ("Current length is 9000 while limit is 8192", 8_192),
        ('{"error": {"type": "exceed_context_size_error", "n_ctx": 4096}}', 4_096),
        ("too many tokens: exceeded by 25836 tokens. Use fewer. The limit for this model is 288000 tokens.", 288_000),
        ("context length of 8k", None),
        ("context length of 1024k", None),
        ("context length of 511", None),
        ("exceeded max context length by 1119046 tokens", None),
        ("the prompt is too long", None),
    ],
)
def test_a_context_window_is_learned_from_the_words_that_name_it(text: str, window: int | None) -> None:
    found = [lesson.value for lesson in lessons_in_refusal(400, text, ()) if lesson.field == "context_window"]
    assert found == ([] if window is None else [window])


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("max_tokens is too large: 100000. This model supports at most 16384 completion tokens", 16_384),
        ("max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens", 8_192),
        ("`max_tokens` must be less than or equal to `32768`, the maximum value for it", 32_768),
        ("max_completion_tokens must be <= 4096", 4_096),
        ("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", 8_192),
        ("max_tokens must be at least 1", None),
        ("max_tokens must be a number", None),
    ],
)
def test_the_longest_answer_is_learned_from_the_words_that_name_it(text: str, most: int | None) -> None:
    found = [lesson.value for lesson in lessons_in_refusal(400, text, ()) if lesson.field == "max_output"]
    assert found == ([] if most is None else [most])


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("Limit 30, Used 30 requests per minute, try again in 2.5s", [{"rpm": 30}]),
        ("Rate limit reached on tokens per min (TPM): Limit 30,000, Used 14567", [{"tpm": 30_000}]),
        ("rate limit of 20 requests per day", [{"rpd": 20}]),
        ("limit 30 requests per minute and 6000 tokens per minute", []),
        ("your limit of 30,000 input tokens per minute", []),
        ("requests per minute exceeded", []),
        ("limit 0 requests per minute", []),
        ("Limit: 40000.000000 / min. Current: 41000.000000 / min. tokens per min", [{"tpm": 40_000}]),
        ("limit of 2M tokens per minute", []),
        ("limit 1.5 million tokens per day", []),
        ("limit: 30k TPM", []),
    ],
)
def test_a_limit_is_learned_when_one_axis_is_named(text: str, limits: list[Any]) -> None:
    assert [lesson.value for lesson in lessons_in_refusal(429, text, ())] == limits


def test_limits_that_were_used_up_are_learned_with_a_429_alone() -> None:
    told = [
        Told("c", "a", "requests", "minute", 10, 0),
        Told("c", "a", "tokens", "minute", 900, 12),
        Told("c", "a", "tokens", "day", 5_000, 0),
        Told("c", "a", "requests", "unknown", 7, 0),
        Told("c", "a", "requests", "retry-after", None, 0),
        Told("c", "a", "requests", "day", 0, 0),
    ]
    assert [lesson.value for lesson in lessons_in_refusal(429, "", told)] == [{"rpm": 10}, {"tpd": 5_000}]
    assert lessons_in_refusal(503, "", told) == []


def test_a_limit_that_only_repeats_what_the_request_says_is_not_believed() -> None:
    words = "requests per minute (RPM): Limit 1, Used 1, try again in 9s"
    body = json.dumps({"message": f"Rate limited. You said: {words}"}).encode()
    told = told_in_body(429, body, "Rate limited.", 0.0)
    (lesson,) = lessons_in_refusal(429, f"Rate limited.\n{body.decode()}", told)
    assert lesson.value == {"rpm": 1}
    assert believable(lesson, b"{}", None)
    assert not believable(lesson, json.dumps({"content": words}).encode(), None)


WINDOW = Lesson("context_window", 8_192, "length is 8192")
LONGEST = Lesson("max_output", 4_096, "<= 4096")
QUOTED = Lesson("context_window", 512, '"n_ctx": 512')


@pytest.mark.parametrize(
    ("lesson", "text", "options", "believed"),
    [
        (WINDOW, "x" * 30_000, {}, True),
        (WINDOW, "x" * 7_600, {}, True),
        (WINDOW, "x" * 7_200, {}, False),
        (WINDOW, "x", {"max_tokens": 8_000}, True),
        (WINDOW, "x", {"max_tokens": 1_000}, False),
        (WINDOW, "length is 8192" + "x" * 30_000, {}, False),
        (QUOTED, "x" * 3_000, {}, True),
        (QUOTED, '"n_ctx": 512' + "x" * 3_000, {}, False),
        (LONGEST, "x", {"max_completion_tokens": 8_000}, True),
        (LONGEST, "x", {"maxOutputTokens": 4_000}, False),
        (LONGEST, "x", {}, True),
        (Lesson("limits", {"rpm": 3}, "Limit 3"), "x", {}, True),
        (Lesson("limits", {"rpm": 3}, "Limit 3"), "Limit 3", {}, False),
    ],
)
def test_what_the_request_cannot_have_met_or_has_said_itself_is_not_believed(
    lesson: Lesson, text: str, options: dict[str, int], believed: bool
) -> None:
    sent = json.dumps({"messages": [{"content": text}], **options}).encode()
    assert believable(lesson, sent, budget_in(sent)) is believed


@pytest.mark.parametrize(
    ("sent", "budget"),
    [
        (b'{"max_tokens": 12}', 12),
        (b'{"generationConfig":{"maxOutputTokens":7}}', 7),
        (b'{"options":{"num_predict":-1}}', None),
        (b'{"content": "\\"max_tokens\\": 12"}', None),
        (b"{}", None),
    ],
)
def test_the_budget_is_read_from_what_was_sent(sent: bytes, budget: int | None) -> None:
    assert budget_in(sent) == budget


@pytest.mark.parametrize(
    ("known", "lesson", "news"),
    [
        ({}, Lesson("context_window", 8_192, ""), True),
        ({"context_window": 9_000}, Lesson("context_window", 8_192, ""), True),
        ({"context_window": 8_192}, Lesson("context_window", 8_192, ""), False),
        ({"context_window": 4_096}, Lesson("context_window", 8_192, ""), False),
        (
            {"context_window": 9_000, "sources": {"context_window": "operator"}},
            Lesson("context_window", 8_192, ""),
            False,
        ),
        ({"limits": {"rpm": 60}}, Lesson("limits", {"rpm": 30}, ""), True),
        ({"limits": {"rpm": 20}}, Lesson("limits", {"rpm": 30}, ""), False),
        ({"limits": {"rpd": 20}}, Lesson("limits", {"rpm": 30}, ""), True),
        ({"limits": {"rpm": 60}, "sources": {"limits.rpm": "operator"}}, Lesson("limits", {"rpm": 30}, ""), False),
        ({"tools": False}, Lesson("tools", True, ""), True),
        ({"tools": True}, Lesson("tools", True, ""), False),
        ({"tools": False, "sources": {"tools": "operator"}}, Lesson("tools", True, ""), False),
    ],
)
def test_news_is_a_lower_number_or_a_new_ability_that_no_operator_has_spoken_of(
    known: dict[str, Any], lesson: Lesson, news: bool
) -> None:
    assert is_news(model("a", **known), lesson) is news


def test_a_lesson_changes_its_own_field_and_says_where_it_is_from() -> None:
    one = model("a", limits={"rpd": 5}, sources={"limits.rpd": "feed"})
    assert learned(one, Lesson("limits", {"rpm": 3}, "")) == {
        "limits": {"rpd": 5, "rpm": 3},
        "kept_limits": {"rpm": 3},
        "sources": {"limits.rpd": "feed", "limits.rpm": "learned"},
    }
    assert learned(one, Lesson("vision", True, "")) == {
        "vision": True,
        "sources": {"limits.rpd": "feed", "vision": "learned"},
    }


CALL = Reply((ToolCall("1", "listen", "{}"),), finish=Finish.TOOL_USE)
WORDS = Reply((Text("Blue."),), finish=Finish.STOP)
PDF = Turn("user", (Text("?"), Media("document", data="aGVsbG8=", mime="application/pdf")))


@pytest.mark.parametrize(
    ("asked", "reply", "notes", "fields"),
    [
        (ask(tools=(EAR,)), CALL, (), ["tools"]),
        (ask(), CALL, (), []),
        (ask(images=1), WORDS, (), ["vision"]),
        (ask(images=1), WORDS, ("An image was left out",), []),
        (ask(images=1), WORDS, ("The token limit 9 was lowered to 5, the most this model writes.",), ["vision"]),
        (ask(turns=(PDF,)), WORDS, (), ["documents"]),
        (ask(turns=(PDF,)), WORDS, ("A part was left out: this API cannot open the document stored as x.",), []),
        (ask(output=SCHEMA), Reply((Text('{"n": 1}'),), finish=Finish.STOP), (), ["structured_output"]),
        (ask(output=SCHEMA), Reply((Text('{"n": 1}'),), finish=Finish.LENGTH), (), []),
        (ask(output=SCHEMA), Reply((Text('{"m": 1}'),), finish=Finish.STOP), (), []),
        (ask(output=SCHEMA), WORDS, (), []),
        (ask(), Reply((Thought("hm"), Text("Blue.")), finish=Finish.STOP), (), ["reasoning"]),
        (ask(images=1), Reply((), finish=Finish.STOP), (), []),
        (ask(images=1), Reply((Text("Bl"),), fault=Broken("cut")), (), []),
        (ask(images=1), Reply((Text("Blue."),), model="lab/other", finish=Finish.STOP), (), ["served_as"]),
        (ask(images=1), Reply((Text("Blue."),), model="lab/a-2026-01-01", finish=Finish.STOP), (), ["vision"]),
    ],
)
def test_an_answer_shows_what_the_model_can_do(asked: Any, reply: Reply, notes: Any, fields: list[str]) -> None:
    assert [lesson.field for lesson in lessons_in_answer(model("a"), asked, reply, notes)] == fields


def test_what_is_known_already_is_not_shown_again() -> None:
    knows = model("a", tools=True, vision=True, documents=True, audio=True, structured_output=True, reasoning=True)
    asked = ask(images=1, tools=(EAR,), output=SCHEMA)
    reply = Reply((Thought("hm"), Text('{"n": 1}'), ToolCall("1", "listen", "{}")), finish=Finish.STOP)
    assert lessons_in_answer(knows, asked, reply, ()) == []
