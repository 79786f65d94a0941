"""What servers send is read as what they mean."""

import json
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import Text, Thought, ToolCall
from gateway.canon.event import Closed, Failed, Finish, TextDelta, ToolOpened, Usage
from gateway.canon.fault import Broken, ErrorInReply
from gateway.tests.wire.ollama.streams import call, events_of, last, lines, piece, read
from gateway.wire.ollama import CLIENT

SPLIT = lines(
    piece(thinking="嗯"),
    piece(content="北京 🌍"),
    piece(content="", tool_calls=[call("alpha", {"a": "北"}, "t0")]),
    piece(content="!", tool_calls=[call("beta", {"b": 2}), call("beta", {"b": 2})]),
    last(prompt_eval_count=20, eval_count=9),
    end="\r\n",
)


def test_calls_among_words_of_many_bytes_are_the_same_for_every_cut() -> None:
    whole = read(SPLIT)

    assert whole.parts[:3] == (Thought("嗯"), Text("北京 🌍!"), ToolCall("t0", "alpha", '{"a": "北"}'))
    assert [(part.name, part.arguments) for part in whole.calls[1:]] == [("beta", '{"b": 2}')] * 2
    assert len({part.id for part in whole.calls}) == 3
    assert (whole.finish, whole.usage, whole.fault, whole.model) == (Finish.TOOL_USE, Usage(20, 9), None, "m")
    for cut in range(len(SPLIT)):
        assert read(SPLIT, cut) == whole
    assert read(SPLIT, *range(len(SPLIT))) == whole


def test_words_come_out_as_their_line_is_complete() -> None:
    reader = CLIENT.reader(content_type="")
    first, second = lines(piece(content="a")), lines(piece(content="b"))

    assert list(reader.feed(first[:-1])) == []
    assert list(reader.feed(first[-1:] + second[:5]))[1:] == [TextDelta("a")]
    assert list(reader.feed(second[5:])) == [TextDelta("b")]


def test_one_call_a_line_is_one_call_each() -> None:
    found = read(lines(*(piece(tool_calls=[call("find", {"q": word})]) for word in "abc"), last())).calls

    assert [part.arguments for part in found] == ['{"q": "a"}', '{"q": "b"}', '{"q": "c"}']
    assert len({part.id for part in found}) == 3


def test_made_up_ids_are_the_same_for_the_same_answer_and_differ_between_answers() -> None:
    def ids(created: str) -> list[str]:
        body = lines({**piece(tool_calls=[call("f", {})]), "created_at": created}, last())
        return [part.id for part in read(body).calls]

    assert ids("1") == ids("1")
    assert ids("1") != ids("2")


def test_a_call_that_is_repeated_counts_once_and_another_under_the_same_id_is_another() -> None:
    body = lines(
        piece(tool_calls=[call("f", {"a": 1}, "t")]),
        piece(tool_calls=[call("f", {"a": 1}, "t"), call("f", {"a": 2}, "t")]),
        last(),
    )

    assert [part.arguments for part in read(body).calls] == ['{"a": 1}', '{"a": 2}']
    assert len({part.id for part in read(body).calls}) == 2


@pytest.mark.parametrize(
    ("sent", "text"),
    [(None, "{}"), ({}, "{}"), ("", "{}"), ('{"a":1}', '{"a":1}'), ({"n": 1.0}, '{"n": 1.0}'), ([1], "[1]")],
)
def test_arguments_keep_the_words_they_were_written_in(sent: Any, text: str) -> None:
    assert read(lines(piece(tool_calls=[call("f", sent, "t")]), last())).calls == (ToolCall("t", "f", text),)


def test_a_call_that_names_no_tool_is_left_out_and_noted() -> None:
    reply = read(lines(piece(content="x", tool_calls=[call(None, {}), {"id": "t"}]), last()))

    assert (reply.calls, reply.finish) == ((), Finish.STOP)
    assert [note.kind for note in reply.notes] == ["anomaly"] * 2


@pytest.mark.parametrize(
    ("fields", "finish", "native"),
    [
        ({"done_reason": "stop"}, Finish.STOP, "stop"),
        ({"done_reason": "length"}, Finish.LENGTH, "length"),
        ({"done_reason": "custom"}, Finish.STOP, "custom"),
        ({"done_reason": "load"}, Finish.STOP, "load"),
        ({"done_reason": None}, Finish.STOP, ""),
        ({"done_reason": "content_filter"}, Finish.CONTENT_FILTER, "content_filter"),
        ({"done_reason": "stop", "native_finish_reason": "end_turn"}, Finish.STOP, "end_turn"),
        ({"done_reason": "stop", "native_finish_reason": "stop_sequence"}, Finish.STOP_SEQUENCE, "stop_sequence"),
        ({"done_reason": "stop", "stop_reason": "END"}, Finish.STOP_SEQUENCE, "stop"),
    ],
)
def test_the_words_for_an_end_are_understood_and_kept(fields: dict[str, Any], finish: Finish, native: str) -> None:
    reply = read(lines(piece(content="x"), {**last(), **fields}))

    assert (reply.finish, reply.native) == (finish, native)


def test_a_call_makes_the_finish_tool_use_unless_the_answer_was_cut() -> None:
    calling = piece(tool_calls=[call("f", {})])

    assert read(lines(calling, last("stop"))).finish is Finish.TOOL_USE
    assert read(lines(calling, last("length"))).finish is Finish.LENGTH


@pytest.mark.parametrize(
    ("counts", "usage"),
    [
        ({"prompt_eval_count": 9, "eval_count": 4}, Usage(9, 4)),
        ({"eval_count": 4}, Usage(0, 4)),
        ({"prompt_eval_count": 9.0, "eval_count": None}, Usage(9, 0)),
        ({}, None),
    ],
)
def test_counts_are_read_where_there_are_any(counts: Any, usage: Any) -> None:
    assert read(lines(last(**counts))).usage == usage


# --- whole replies and framing ----------------------------------------------------------------------------------------

MESSAGE = {"content": "yes", "thinking": "hm", "tool_calls": [call("f", {"a": 1}, "t")]}


@pytest.mark.parametrize("indent", [None, 1])
def test_a_whole_reply_reads_like_a_streamed_one_on_one_line_or_on_many(indent: int | None) -> None:
    whole = json.dumps({**last(eval_count=4), "message": MESSAGE}, indent=indent).encode()
    streamed = lines(
        piece(thinking="h"),
        piece(thinking="m"),
        piece(content="y"),
        piece(content="es"),
        piece(tool_calls=MESSAGE["tool_calls"]),
        last(eval_count=4),
    )

    def without_blanks(body: bytes, *cuts: int) -> Any:
        reply = read(body, *cuts)
        return [reply.text, reply.reasoning, [(c.id, json.loads(c.arguments)) for c in reply.calls], reply.usage]

    assert [without_blanks(whole, cut) for cut in range(len(whole))] == [without_blanks(streamed)] * len(whole)


def test_what_generate_says_is_read_as_well() -> None:
    named = {"model": "m", "created_at": "1"}
    body = lines(
        {**named, "response": "", "thinking": "hm", "done": False},
        {**named, "response": "yes", "done": False},
        {**named, "response": "", "done": True, "done_reason": "stop", "context": [1, 2]},
    )

    assert read(body).parts == (Thought("hm"), Text("yes"))


def test_a_byte_order_mark_blank_lines_and_a_missing_last_line_end_do_no_harm() -> None:
    body = b"\xef\xbb\xbf\n\n" + lines(piece(content="a"), "", last()).rstrip()

    assert read(body).text == "a"
    assert [read(body, cut).text for cut in range(len(body))] == ["a"] * len(body)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "nothing came"),
        (b"\xef\xbb\xbf", "nothing came"),
        (b"\n\n", "nothing came"),
        (b"<html><body>Bad gateway", "<html><body>Bad gateway"),
        (b'{"id":"x"}', '{"id":"x"}'),
        (b'{"status":"pulling"}\n{"status":"done"}\n', '{"status":"pulling"}'),
        (b"5\n", "not of Ollama's API"),
        (b"{not json\n", "{not json"),
        (b'{"message":{"content":5}}\n', "not of Ollama's API"),
        (b'{"message":{"content":"a"\n', "not of Ollama's API"),
        (b'{"message":{"content":"\xe5\x8c"}}\n', "UTF-8"),
        (b'{"message":{"tool_calls":[{"function":{"name":"f","arguments":{"a":"\xe5"}}}]}}\n', "UTF-8"),
        (b'{"message":' + b"[" * 2_000 + b"]" * 2_000 + b"}\n", "not of Ollama's API"),
        (lines(piece(content="half")), "broke off"),
        (lines(piece(tool_calls=[call("f", {})])), "broke off"),
    ],
)
def test_what_is_cut_garbled_or_empty_is_broken_and_says_how(body: bytes, said: str) -> None:
    events = events_of(body)

    assert isinstance(events[-1], Failed)
    assert isinstance(events[-1].fault, Broken)
    assert said in events[-1].fault.message


@pytest.mark.parametrize("garbled", ['{"message":', "{not json", "<html>", '{"message":{"content":7}}'])
def test_text_is_not_passed_over_when_a_line_in_the_middle_is_broken(garbled: str) -> None:
    reply = read(lines(piece(content="a"), garbled, piece(content="b"), last()))

    assert (reply.text, type(reply.fault)) == ("a", Broken)


# --- errors -----------------------------------------------------------------------------------------------------------


def test_an_error_line_keeps_the_text_before_it_and_nothing_follows() -> None:
    events = events_of(lines(piece(content="half"), {"error": "model runner has stopped"}, piece(content="never seen")))

    assert [type(event) for event in events[1:]] == [TextDelta, Failed]
    assert events[-1] == Failed(ErrorInReply("model runner has stopped"))


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ({"error": "no"}, ErrorInReply("no")),
        ({"error": "no", "status_code": 503}, ErrorInReply("no", upstream_status=503)),
        ({"error": {"message": "no", "code": "c"}}, ErrorInReply("no", provider_code="c")),
        ({"message": "no"}, ErrorInReply("no")),
        ([{"error": {"message": "no"}}], ErrorInReply("no")),
    ],
)
def test_an_error_document_with_status_200_is_an_error(body: Any, fault: ErrorInReply) -> None:
    assert read(json.dumps(body).encode()).fault == fault


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [
        (404, b'{"error":"model \'x\' not found"}', "model 'x' not found"),
        (503, b'{"error":"server busy"}', "server busy"),
        (502, b"<html><title>502 Bad Gateway</title></html>", "502 Bad Gateway"),
        (500, b"", "The provider answered 500 Internal Server Error and said no more."),
    ],
)
def test_errors_with_a_status_give_their_words(status: int, body: bytes, message: str) -> None:
    assert CLIENT.read_error(status, body)[0] == message


def test_nothing_comes_after_the_end() -> None:
    reader = CLIENT.reader(content_type="")

    assert isinstance(list(reader.feed(lines(piece(content="a"), last(), piece(content="b"))))[-1], Closed)
    assert list(reader.feed(lines(piece(content="b")))) == []
    assert list(reader.end()) == []


def test_state_of_a_gateway_that_is_a_member_is_sealed_for_it_alone() -> None:
    entry = '{"text":"hm","seal": {"x":"s"}}'
    body = lines(
        piece(thinking="hm"),
        f'{{"message":{{"content":"","bench_thoughts":[{entry}]}}}}',
        piece(tool_calls=[{**call("f", {}, "t"), "bench_seal": "s"}]),
        last(),
    )
    reply = read(body)

    assert reply.parts[0] == Thought("hm", Raw(f'{{"ollama":[{entry}]}}'.encode()))
    assert [event.seal for event in events_of(body) if isinstance(event, ToolOpened)] == [Raw(b'{"ollama":"s"}')]
