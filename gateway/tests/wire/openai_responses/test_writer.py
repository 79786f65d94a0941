"""What callers get, event by event and whole."""

import json
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import Refusal, Text, Thought, ToolCall
from gateway.canon.event import (
    ArgsDelta,
    Closed,
    Event,
    Failed,
    Finish,
    Note,
    Opened,
    TextDelta,
    ThoughtDelta,
    ToolOpened,
    Usage,
)
from gateway.canon.fault import BadRequest, Rejected, Unavailable
from gateway.canon.reply import Reply, fold
from gateway.tests.wire.openai_responses.asking import CLOCK, FUNCTION, PATCH, SEARCH
from gateway.tests.wire.openai_responses.streams import STAMP, items_of, told, write, writer
from gateway.wire.openai_responses import SERVER

BENCH = Raw(b'{"panel":"p1"}')
OWN = Raw(b'{"openai_responses":{"id":"rs_9","type":"reasoning","summary":[],"encrypted_content":"gAAA=="}}')


def names(stream: bytes) -> list[str]:
    return [event["type"].removeprefix("response.") for event in told(stream)]


def whole(reply: Reply, **asked: Any) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(writer(**asked).whole(reply))
    return body


def test_a_request_that_was_sent_on_several_lines_is_told_on_one() -> None:
    body = {"model": "bench/core", "input": "Hi", "stream": True, "tools": [FUNCTION], "metadata": {"run": "7"}}
    writing = SERVER.writer(SERVER.read_ask(json.dumps(body, indent=2).encode()), STAMP)

    events = told(writing.feed(TextDelta("head\n")) + writing.feed(Closed()))

    assert events[-1]["response"]["tools"][0]["name"] == FUNCTION["name"]


def test_a_panel_streams_the_full_life_of_its_message_and_ends_with_the_bench_object() -> None:
    stream = write([TextDelta("head\n"), TextDelta("北"), Usage(1, 1), Closed(bench=BENCH)])

    assert names(stream) == [
        "created",
        "in_progress",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.delta",
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "completed",
    ]
    events = told(stream)
    assert [event.get("content_index") for event in events[3:8]] == [0] * 5
    assert events[6]["text"] == events[7]["part"]["text"] == "head\n北"
    assert [event["response"]["status"] for event in (events[0], events[1], events[-1])] == [
        "in_progress",
        "in_progress",
        "completed",
    ]
    assert events[-1]["response"]["bench"] == {"panel": "p1"}
    assert events[-1]["response"]["usage"]["total_tokens"] == 2
    assert {event["response"]["id"] for event in (events[0], events[1], events[-1])} == {"resp_1"}


def test_usage_that_nobody_knows_is_not_made_up() -> None:
    assert told(write([TextDelta("a"), Closed()]))[-1]["response"]["usage"] is None
    counted = told(write([TextDelta("a"), Usage(10, 5, 4, 3, 2), Closed()]))[-1]["response"]["usage"]
    assert counted == {
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 3},
        "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 2},
        "total_tokens": 15,
    }


def test_reasoning_text_refusal_and_calls_are_items_and_parts_of_their_own() -> None:
    stream = write(
        [
            Opened("m", "x"),
            ThoughtDelta("hm"),
            TextDelta("yes", 1),
            TextDelta("no", 2, refusal=True),
            ToolOpened(3, "t0", "alpha"),
            ToolOpened(4, "t1", "beta", custom=True),
            ArgsDelta(3, '{"a"'),
            ArgsDelta(4, "raw"),
            ArgsDelta(3, ":1}"),
            Closed(Finish.TOOL_USE),
        ]
    )

    assert [(item["type"], item["id"].split("_")[0]) for item in items_of(stream)] == [
        ("reasoning", "rs"),
        ("message", "msg"),
        ("function_call", "fc"),
        ("custom_tool_call", "ctc"),
    ]
    assert [part["type"] for part in items_of(stream)[1]["content"]] == ["output_text", "refusal"]
    assert names(stream)[2:7] == [
        "output_item.added",
        "reasoning_summary_part.added",
        "reasoning_summary_text.delta",
        "reasoning_summary_text.done",
        "reasoning_summary_part.done",
    ]
    assert names(stream)[-5:-1] == [
        "function_call_arguments.done",
        "output_item.done",
        "custom_tool_call_input.done",
        "output_item.done",
    ]


def test_a_message_is_finished_before_the_next_item_begins() -> None:
    found = names(write([ThoughtDelta("a"), TextDelta("b", 1), ToolOpened(2, "t", "f"), Closed()]))

    assert found.index("output_item.done") < found.index("content_part.added")
    assert found.count("output_item.added") == found.count("output_item.done") == 3


def test_a_function_called_with_nothing_streams_an_empty_object() -> None:
    stream = write([ToolOpened(0, "t", "f"), ToolOpened(0, "t", "f"), ArgsDelta(0, ""), ArgsDelta(9, "x"), Closed()])

    assert [item["arguments"] for item in items_of(stream)] == ["{}"]


def test_calls_go_by_the_names_and_kinds_their_caller_gave_the_tools() -> None:
    tools = [FUNCTION, PATCH, CLOCK, SEARCH]
    events: list[Event] = [
        ToolOpened(0, "t0", "clock__sleep"),
        ArgsDelta(0, "{}"),
        ToolOpened(1, "t1", "patch"),
        ArgsDelta(1, '{"input": "*** Be'),
        ArgsDelta(1, 'gin\\n"}'),
        ToolOpened(2, "t2", "tool_search"),
        ArgsDelta(2, '{"query": "x"}'),
        ToolOpened(3, "t3", "unheard_of"),
        ToolOpened(4, "t4", "patch", custom=True),
        ArgsDelta(4, "as it is"),
        Closed(Finish.TOOL_USE),
    ]
    items = items_of(write(events, tools=tools))

    def part(item: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in item.items() if name not in ("id", "status")}

    assert [part(item) for item in items] == [
        {"type": "function_call", "call_id": "t0", "name": "sleep", "namespace": "clock", "arguments": "{}"},
        {"type": "custom_tool_call", "call_id": "t1", "name": "patch", "input": "*** Begin\n"},
        {"type": "tool_search_call", "call_id": "t2", "execution": "client", "arguments": {"query": "x"}},
        {"type": "function_call", "call_id": "t3", "name": "unheard_of", "arguments": "{}"},
        {"type": "custom_tool_call", "call_id": "t4", "name": "patch", "input": "as it is"},
    ]
    body = whole(fold(events), tools=tools)
    assert [part(item) for item in body["output"]] == [part(item) for item in items]


def test_a_search_with_odd_arguments_is_still_a_search() -> None:
    events: list[Event] = [ToolOpened(0, "t", "tool_search"), ArgsDelta(0, "clock"), Closed()]

    assert items_of(write(events, tools=[SEARCH]))[0]["arguments"] == {"query": "clock"}
    assert items_of(write([ToolOpened(0, "t", "tool_search"), Closed()], tools=[SEARCH]))[0]["arguments"] == {}


def test_a_beat_tells_the_response_again_and_begins_it_where_nothing_has_come() -> None:
    writing = writer()

    assert writing.beat().count(b"event: ") == 2
    beat = writing.beat().decode()
    assert beat.startswith("event: response.in_progress\n")
    assert '"sequence_number":2' in beat
    writing.feed(Closed())
    assert writing.beat() == writing.feed(TextDelta("late")) == b""


def test_notes_write_nothing_and_the_upstreams_name_only_opens_the_stream() -> None:
    writing = writer()

    assert writing.feed(Note("skipped", "x")) == b""
    assert b"response.created" in writing.feed(Opened("m"))
    assert writing.feed(Opened("m")) == b""


def test_a_failure_is_an_error_event_and_a_failed_response_with_the_words_that_had_come() -> None:
    fault = Unavailable("nobody home")
    started = told(write([ThoughtDelta("a"), TextDelta("b", 1), ToolOpened(2, "t", "f"), Failed(fault)]))
    cut = told(write([ThoughtDelta("a"), Failed(fault)]))
    alone = told(write([Failed(fault)]))

    assert started[-2] | {"sequence_number": 0} == {
        "type": "error",
        "sequence_number": 0,
        "code": "503",
        "message": "nobody home",
        "param": None,
    }
    assert [found[-1]["type"] for found in (started, cut, alone)] == ["response.failed"] * 3
    assert started[-1]["response"]["error"] == {"code": "server_error", "message": "nobody home"}
    assert started[-1]["response"]["status"] == "failed"
    assert [item["type"] for item in started[-1]["response"]["output"]] == ["reasoning", "message"]
    assert cut[-1]["response"]["output"][0]["summary"] == [{"type": "summary_text", "text": "a"}]
    assert alone[-1]["response"]["output"] == []


@pytest.mark.parametrize(
    ("fault", "code", "message"),
    [
        (BadRequest("no"), "invalid_request", "no"),
        (Rejected("slow", status=429, wait=2.5), "rate_limit_exceeded", "slow Please try again in 2.5s."),
        (Rejected("Try again in 1s", status=429, wait=2.5), "rate_limit_exceeded", "Try again in 1s"),
        (Rejected("long", status=400, provider_code="context_length_exceeded"), "context_length_exceeded", "long"),
        (Rejected("odd", status=502, provider_code="odd"), "server_error", "odd"),
    ],
)
def test_a_failed_response_has_the_codes_that_clients_act_on(fault: Any, code: str, message: str) -> None:
    assert told(write([Failed(fault)]))[-1]["response"]["error"] == {"code": code, "message": message}


@pytest.mark.parametrize(
    ("finish", "reason"), [(Finish.LENGTH, "max_output_tokens"), (Finish.CONTENT_FILTER, "content_filter")]
)
def test_a_cut_answer_is_incomplete_with_the_reason_and_still_completes_the_stream(finish: Finish, reason: str) -> None:
    events: list[Event] = [TextDelta("a"), ToolOpened(1, "t", "f"), ArgsDelta(1, '{"a'), Closed(finish, reason)]
    last = told(write(events))[-1]

    assert last["type"] == "response.completed"
    assert last["response"]["status"] == "incomplete"
    assert last["response"]["incomplete_details"] == {"reason": reason}
    assert [item["status"] for item in last["response"]["output"]] == ["completed", "incomplete"]
    assert "native_finish_reason" not in last["response"]
    assert whole(fold(events)) == last["response"]


def test_the_word_for_an_end_that_the_api_lacks_is_kept() -> None:
    def ending(closed: Closed) -> tuple[Any, Any]:
        last = told(write([TextDelta("a"), closed]))[-1]["response"]
        return last.get("native_finish_reason"), last.get("stop_reason")

    assert ending(Closed()) == (None, None)
    assert ending(Closed(Finish.STOP, "completed")) == (None, None)
    assert ending(Closed(Finish.STOP, "end_turn")) == ("end_turn", None)
    assert ending(Closed(Finish.REFUSAL, "refusal")) == ("refusal", None)
    assert ending(Closed(Finish.STOP_SEQUENCE, "stop", "END")) == ("stop_sequence", "END")


def test_answers_side_by_side_are_messages_of_their_own() -> None:
    stream = write([TextDelta("a"), TextDelta("b", choice=1), TextDelta("c", choice=1), Closed()])

    assert [item["content"][0]["text"] for item in items_of(stream)] == ["a", "bc"]


def test_the_response_says_back_what_was_asked() -> None:
    asked: dict[str, Any] = {
        "instructions": "be kind",
        "tools": [FUNCTION, PATCH, CLOCK, {"type": "web_search"}],
        "tool_choice": {"type": "function", "name": "sleep", "namespace": "clock"},
        "parallel_tool_calls": False,
        "temperature": 0.5,
        "top_p": 0.25,
        "max_output_tokens": 9,
        "reasoning": {"effort": "low", "summary": "auto"},
        "text": {
            "format": {"type": "json_schema", "name": "x", "schema": {"type": "object"}, "strict": True},
            "verbosity": "low",
        },
        "metadata": {"a": "b"},
        "user": "u",
        "truncation": "auto",
        "prompt_cache_key": "k",
    }
    events = told(write([TextDelta("a"), Closed()], **asked))

    for found in (events[0], events[-1]):
        response = found["response"]
        assert {name: response[name] for name in asked} == asked
        assert response["store"] is False
        assert response["model"] == "bench/core"


def test_what_was_not_asked_is_said_truthfully_too() -> None:
    response = told(write([Closed()]))[-1]["response"]

    assert (response["tools"], response["tool_choice"], response["parallel_tool_calls"]) == ([], "auto", True)
    assert (response["temperature"], response["top_p"], response["max_output_tokens"]) == (None, None, None)
    assert (response["text"], response["metadata"], response["store"]) == ({"format": {"type": "text"}}, {}, False)
    assert (response["instructions"], response["previous_response_id"]) == (None, None)


def test_a_choice_canon_has_no_word_for_is_said_back_as_it_was() -> None:
    choice = {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "f"}]}

    assert told(write([Closed()], tools=[FUNCTION], tool_choice=choice))[0]["response"]["tool_choice"] == choice


# --- seals ------------------------------------------------------------------------------------------------------------


def test_a_seal_made_here_is_shown_as_it_was_under_the_id_of_its_stream() -> None:
    (item,) = items_of(write([ThoughtDelta("", 0, OWN), Closed()]))

    assert item["encrypted_content"] == "gAAA=="
    assert item["id"].startswith("rs_bench_")
    assert item["summary"] == []


def test_thoughts_up_to_a_seal_are_parts_of_one_item() -> None:
    foreign = Raw(b'{"anthropic":{"signature":"s"}}')
    stream = write(
        [ThoughtDelta("a"), ThoughtDelta("b", 1), ThoughtDelta("", 1, foreign), ThoughtDelta("c", 2), Closed()]
    )
    first, second = items_of(stream)

    assert [part["text"] for part in first["summary"]] == ["a", "b"]
    assert json.loads(first["encrypted_content"]) == {"bench_seal": {"anthropic": {"signature": "s"}}}
    assert (second["summary"][0]["text"], "encrypted_content" in second) == ("c", False)


def test_a_seal_that_comes_late_has_an_item_to_itself_with_its_words() -> None:
    foreign = Raw(b'"sig"')
    items = items_of(write([ThoughtDelta("why"), TextDelta("x", 1), ThoughtDelta("", 0, foreign), Closed()]))

    assert [item["type"] for item in items] == ["reasoning", "message", "reasoning"]
    assert json.loads(items[2]["encrypted_content"]) == {"bench_seal": "sig", "text": "why"}


def test_the_seal_of_a_call_goes_before_it() -> None:
    events: list[Event] = [ToolOpened(0, "t", "f", seal=Raw(b'"sig"')), ArgsDelta(0, "{}"), Closed()]
    reasoning, call = items_of(write(events))

    assert json.loads(reasoning["encrypted_content"]) == {"bench_seal": "sig", "call_id": "t"}
    assert call["call_id"] == "t"
    assert whole(fold(events))["output"] == [reasoning, call]


# --- whole ------------------------------------------------------------------------------------------------------------


def test_a_whole_reply_is_what_its_stream_ends_in() -> None:
    sealed = b'{"id":"rs_9","type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"g"}'
    events: list[Event] = [
        ThoughtDelta("hm"),
        ThoughtDelta("", 0, Raw(b'{"openai_responses":' + sealed + b"}")),
        TextDelta("北", 1),
        TextDelta("no", 2, refusal=True),
        ToolOpened(3, "t", "f"),
        ArgsDelta(3, "{}"),
        ToolOpened(4, "u", "g", custom=True),
        ArgsDelta(4, "raw"),
        Usage(3, 4),
        Closed(Finish.TOOL_USE, "tool_calls", bench=BENCH),
    ]

    assert whole(fold(events)) == told(write(events))[-1]["response"]


def test_a_whole_reply_without_parts_has_no_items() -> None:
    assert whole(Reply(finish=Finish.STOP))["output"] == []
    assert [item["type"] for item in whole(Reply((Thought("a"), Refusal("no"), ToolCall("t", "f", ""))))["output"]] == [
        "reasoning",
        "message",
        "function_call",
    ]
    assert [item["content"][0]["text"] for item in whole(Reply((Text("a"),), choices=("b",)))["output"]] == ["a", "b"]


def test_a_whole_reply_that_failed_is_the_error_document() -> None:
    assert whole(Reply(fault=Unavailable("no"))) == {
        "error": {"message": "no", "type": "server_error", "param": None, "code": "503"}
    }
