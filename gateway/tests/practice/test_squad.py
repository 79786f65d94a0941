"""Each character in its manner, and the rules of the interface that all of them keep."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from gateway.canon.fault import BadRequest
from gateway.practice.request import ChatRequest, read_request
from gateway.practice.squad import CHARACTERS, THINKERS, Script, play

SUM = "What is 17 + 25?"
CODE = "Please review:\n```\ndef f(a=[]):\n    return a\nx = 1\n```"
ADD = {
    "type": "function",
    "function": {
        "name": "add_numbers",
        "parameters": {
            "type": "object",
            "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
            "required": ["a", "b"],
        },
    },
}
READ = {
    "type": "function",
    "function": {"name": "read_file", "parameters": {"type": "object", "properties": {"path": {"type": "string"}}}},
}


def request(prompt: Any = SUM, **fields: Any) -> ChatRequest:
    body = {"model": "slow", "messages": [{"role": "user", "content": prompt}], **fields}
    return read_request(msgspec.json.encode(body))


def played(served: str, prompt: str = SUM, seed: int = 1, **fields: Any) -> Script:
    return play(served, request(prompt, **fields), Random(seed))


def said(served: str, prompt: str = SUM, seed: int = 1, **fields: Any) -> str:
    return played(served, prompt, seed, **fields).text("text")


@pytest.mark.parametrize("prompt", [SUM, CODE, "How do caches fail?", "List 4 risks", "", "é"])
@pytest.mark.parametrize("served", CHARACTERS)
def test_the_same_seed_plays_the_same_script(served: str, prompt: str) -> None:
    assert played(served, prompt, 7) == played(served, prompt, 7)
    assert said(served, prompt)


@pytest.mark.parametrize("seed", range(20))
def test_sums_are_right_except_where_wrong_answers(seed: int) -> None:
    for served in ("slow", "terse", "thinker", "flaky"):
        assert "42" in said(served, SUM, seed)
    assert "42" not in said("wrong", SUM, seed)


@pytest.mark.parametrize("seed", range(20))
def test_reviews_point_at_the_fault_except_where_wrong_answers(seed: int) -> None:
    for served in ("slow", "terse", "thinker"):
        assert "ine 1 shares one mutable default" in said(served, CODE, seed)
    assert "line 1:" not in said("wrong", CODE, seed)


def test_slow_takes_about_three_seconds_at_25_tokens_a_second() -> None:
    for prompt in (SUM, "How do caches fail?", "Compare two designs for a job queue"):
        script = played("slow", prompt)
        assert 2.5 < sum(piece.pause for piece in script.pieces) < 4.5
        assert {piece.pause for piece in script.pieces[1:]} == {0.04}


def test_terse_says_one_line() -> None:
    for prompt in (SUM, CODE, "How do caches fail?"):
        assert "\n" not in said("terse", prompt)
        assert len(said("terse", prompt)) < 100


@pytest.mark.parametrize("served", sorted(THINKERS))
def test_only_thinkers_think_and_they_think_first(served: str) -> None:
    script = played(served)
    kinds = [piece.kind for piece in script.pieces]
    assert kinds == sorted(kinds, reverse=True)
    assert script.usage["completion_tokens_details"]["reasoning_tokens"] == kinds.count("thought") > 10
    assert all(not played(served).text("thought") for served in CHARACTERS if served not in THINKERS)


def test_flaky_fails_one_call_in_three_and_in_three_ways() -> None:
    scripts = [played("flaky", "How do caches fail?", seed, stream=True) for seed in range(600)]
    failures = [script.failure for script in scripts if script.failure]
    assert 150 < len(failures) < 250
    assert {(one.status, one.wait, one.after is None) for one in failures} == {
        (429, 2, True),
        (500, None, True),
        (500, None, False),
    }


def test_flaky_breaks_no_answer_that_is_not_streamed() -> None:
    failures = [played("flaky", SUM, seed).failure for seed in range(100)]
    assert all(one is None or one.after is None for one in failures)


@pytest.mark.parametrize("field", ["max_tokens", "max_completion_tokens"])
def test_a_budget_cuts_the_answer_and_says_so(field: str) -> None:
    script = play("slow", request(**{field: 5}), Random(1))
    assert (len(script.pieces), script.finish) == (5, "length")
    assert script.usage["completion_tokens"] == 5
    assert play("terse", request(**{field: 5000}), Random(1)).finish == "stop"


def test_thoughts_are_paid_from_the_budget() -> None:
    script = played("thinker", max_tokens=3)
    assert (script.text("text"), script.finish) == ("", "length")


def test_the_answer_ends_before_a_stop_text() -> None:
    whole = said("slow")
    assert said("slow", stop="sign") == whole[: whole.index("sign")]
    assert said("slow", stop=["never said", "sign"]) == whole[: whole.index("sign")]
    assert played("slow", stop="sign").finish == "stop"


def test_a_tool_that_fits_the_prompt_is_called_with_its_numbers() -> None:
    script = played("slow", "Please add 17 and 25", tools=[READ, ADD])
    assert script.finish == "tool_calls"
    assert [call.name for call in script.calls] == ["add_numbers"]
    assert msgspec.json.decode(script.text("arguments")) == {"a": 17.0, "b": 25.0}
    assert not script.text("text")


def test_a_path_in_the_prompt_goes_into_the_call() -> None:
    script = played("wrong", "Open src/app.py and tell me", tools=[READ])
    assert msgspec.json.decode(script.text("arguments")) == {"path": "src/app.py"}


@pytest.mark.parametrize(
    ("choice", "called"),
    [
        (None, ["add_numbers"]),
        ("auto", ["add_numbers"]),
        ("required", ["add_numbers"]),
        ("none", []),
        ({"type": "function", "function": {"name": "read_file"}}, ["read_file"]),
    ],
)
def test_the_tool_choice_is_honoured(choice: object, called: list[str]) -> None:
    script = played("terse", "add 1 and 2", tools=[READ, ADD], tool_choice=choice)
    assert [call.name for call in script.calls] == called


@pytest.mark.parametrize(
    "fields",
    [
        {"tools": [ADD], "tool_choice": {"type": "function", "function": {"name": "gone"}}},
        {"tool_choice": "required"},
    ],
)
def test_a_tool_choice_that_cannot_be_met_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(BadRequest):
        played("slow", **fields)


def test_a_tools_answer_is_told_on_and_no_other_call_is_made() -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "add_numbers", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "add 17 and 25"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": "42"},
    ]
    script = played("slow", tools=[ADD], messages=messages)
    assert (script.calls, script.text("text")) == ((), "add_numbers gave: 42")
    assert "opposite" in played("wrong", tools=[ADD], messages=messages).text("text")


def test_a_custom_tool_gets_plain_text() -> None:
    script = played("slow", "patch it", tools=[{"type": "custom", "custom": {"name": "apply_patch"}}])
    assert [call.custom for call in script.calls] == [True]
    assert script.arguments(0) == "patch it"


def test_structured_output_fits_its_schema() -> None:
    schema = {"type": "object", "properties": {"answer": {"type": "string"}, "n": {"type": "integer"}}}
    wanted = {"type": "json_schema", "json_schema": {"name": "a", "schema": schema}}
    for served in CHARACTERS:
        value = msgspec.json.decode(said(served, response_format=wanted))
        assert isinstance(value["answer"], str)
        assert isinstance(value["n"], int)
        assert "answer" in msgspec.json.decode(said(served, response_format={"type": "json_object"}))


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b'{"model": "slow"}',
        b'{"model": 5, "messages": []}',
        b'{"model": "slow", "messages": []}',
        b'{"model": "slow", "messages": [{"role": "robot", "content": "x"}]}',
        b'{"model": "slow", "messages": [{"role": "user", "content": 5}]}',
        b'{"model": "slow", "messages": [{"role": "user", "content": [{"type": "image_url"}]}]}',
        b'{"model": "slow", "messages": [{"role": "user", "content": "x"}], "max_tokens": 0}',
        b'{"model": "slow", "messages": [{"role": "user", "content": "x"}], "n": 2}',
        b'{"model": "slow", "messages": [{"role": "user", "content": "x"}], "stop": ["a","b","c","d","e"]}',
        b'{"model":"slow","messages":' + b"[" * 100_000,
    ],
)
def test_a_malformed_body_is_refused_with_a_reason(body: bytes) -> None:
    with pytest.raises(BadRequest) as refused:
        read_request(body)
    assert refused.value.message
