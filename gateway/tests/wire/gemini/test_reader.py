"""What providers send is read as what they mean."""

import json
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import Text, Thought, ToolCall
from gateway.canon.event import Closed, Event, Failed, Finish, Note, Opened, TextDelta, ThoughtDelta, Usage
from gateway.canon.fault import Broken, ErrorInReply
from gateway.canon.reply import Reply
from gateway.tests.wire.gemini.streams import array, call, chunk, events_of, read, sse
from gateway.wire.gemini import CLIENT

SEAL = Raw(b'{"gemini":{"signature":"c2ln"}}')
COUNTS = {"promptTokenCount": 20, "candidatesTokenCount": 9, "thoughtsTokenCount": 5, "totalTokenCount": 34}
CHUNKS = (
    chunk({"text": "hm 北", "thought": True}, usageMetadata={"promptTokenCount": 20, "totalTokenCount": 20}),
    chunk({"text": "京 🌍"}),
    chunk({"text": "!"}, call("alpha", {"a": "ü}"}, "t0", thoughtSignature="c2ln")),
    chunk(call("alpha", {"a": 2}, "t1"), {"text": "after"}),
    chunk({"text": ""}, finish="STOP", usageMetadata=COUNTS),
)
WHOLE = Reply(
    parts=(
        Thought("hm 北"),
        Text("京 🌍!"),
        ToolCall("t0", "alpha", '{"a": "ü}"}', seal=SEAL),
        ToolCall("t1", "alpha", '{"a": 2}'),
        Text("after"),
    ),
    model="m",
    id="r1",
    usage=Usage(20, 14, reasoning=5),
    finish=Finish.TOOL_USE,
    native="STOP",
)


@pytest.mark.parametrize(
    "body", [sse(*CHUNKS), sse(*CHUNKS, end="\r\n\r\n"), array(*CHUNKS), array(*CHUNKS, between=",")]
)
def test_an_answer_is_the_same_for_every_framing_and_every_cut(body: bytes) -> None:
    assert read(body) == WHOLE
    for cut in range(len(body)):
        assert read(body, cut) == WHOLE
    assert read(body, *range(len(body))) == WHOLE


def test_a_whole_answer_says_the_same_as_a_streamed_one() -> None:
    parts = [part for one in CHUNKS for part in one["candidates"][0]["content"]["parts"]]
    whole = chunk(*parts, finish="STOP", usageMetadata=COUNTS)

    assert read(json.dumps(whole, ensure_ascii=False).encode()) == WHOLE
    assert read(json.dumps([whole], ensure_ascii=False).encode()) == WHOLE
    assert read(b"\xef\xbb\xbf" + json.dumps(whole, ensure_ascii=False).encode()) == WHOLE


def test_an_array_is_told_while_it_grows() -> None:
    body = array(chunk({"text": "a"}), chunk({"text": "b"}, finish="STOP"))
    reader = CLIENT.reader(content_type="application/json")
    cut = body.index(b",\r\n")

    assert list(reader.feed(body[:cut])) == [Opened("m", "r1"), TextDelta("a")]
    assert list(reader.feed(body[cut:])) == [TextDelta("b")]
    assert list(reader.end()) == [Closed(Finish.STOP, "STOP")]


def test_a_budget_spent_on_reasoning_is_a_length_stop_with_its_counts() -> None:
    body = {
        "candidates": [{"finishReason": "MAX_TOKENS"}],
        "usageMetadata": {"promptTokenCount": 10, "thoughtsTokenCount": 64, "totalTokenCount": 74},
    }
    reply = read(json.dumps(body).encode())

    assert (reply.text, reply.finish, reply.native) == ("", Finish.LENGTH, "MAX_TOKENS")
    assert reply.usage == Usage(10, 64, reasoning=64)


@pytest.mark.parametrize(
    ("counts", "usage"),
    [
        ({"promptTokenCount": 3, "candidatesTokenCount": 50, "thoughtsTokenCount": 200}, Usage(3, 250, reasoning=200)),
        (
            {"promptTokenCount": 3, "candidatesTokenCount": 250, "thoughtsTokenCount": 200, "totalTokenCount": 253},
            Usage(3, 250, reasoning=200),
        ),
        ({"promptTokenCount": 9, "cachedContentTokenCount": 4}, Usage(9, 0, 4)),
        ({"promptTokenCount": 9, "toolUsePromptTokenCount": 5, "candidatesTokenCount": 1}, Usage(14, 1)),
        ({"trafficType": "ON_DEMAND"}, None),
        ({}, None),
    ],
)
def test_counts_add_up(counts: dict[str, Any], usage: Usage | None) -> None:
    assert read(sse(chunk({"text": "a"}, finish="STOP", usageMetadata=counts))).usage == usage


def test_counts_that_are_left_out_later_stay_and_are_told_once() -> None:
    first, last = {"promptTokenCount": 9}, {"candidatesTokenCount": 2}
    events = events_of(sse(*(chunk(finish="STOP", usageMetadata=counts) for counts in (first, first, last))))

    assert [event for event in events if isinstance(event, Usage)] == [Usage(9), Usage(9, 2)]


@pytest.mark.parametrize(
    ("reason", "finish", "native"),
    [
        ("STOP", Finish.STOP, "STOP"),
        (1, Finish.STOP, "STOP"),
        (2, Finish.LENGTH, "MAX_TOKENS"),
        (3, Finish.CONTENT_FILTER, "SAFETY"),
        (99, Finish.STOP, "99"),
        ("SAFETY", Finish.CONTENT_FILTER, "SAFETY"),
        ("RECITATION", Finish.CONTENT_FILTER, "RECITATION"),
        ("PROHIBITED_CONTENT", Finish.CONTENT_FILTER, "PROHIBITED_CONTENT"),
        ("MODEL_ARMOR", Finish.CONTENT_FILTER, "MODEL_ARMOR"),
        ("max_tokens", Finish.LENGTH, "max_tokens"),
        ("OTHER", Finish.STOP, "OTHER"),
        ("NEVER_HEARD_OF", Finish.STOP, "NEVER_HEARD_OF"),
    ],
)
def test_the_words_for_an_end_are_understood_and_kept(reason: Any, finish: Finish, native: str) -> None:
    reply = read(sse(chunk({"text": "a"}, finish=reason)))

    assert (reply.finish, reply.native, reply.fault) == (finish, native, None)


@pytest.mark.parametrize("reason", ["MAX_TOKENS", "SAFETY"])
def test_a_cut_answer_is_one_even_with_a_call(reason: str) -> None:
    assert read(sse(chunk(call("f"), finish=reason))).finish is not Finish.TOOL_USE


def test_what_the_provider_says_of_a_filtered_answer_is_told() -> None:
    body = {"candidates": [{"finishReason": "SAFETY", "finishMessage": "too violent"}]}

    assert read(json.dumps(body).encode()).notes == (Note("finish", "too violent"),)


@pytest.mark.parametrize("reason", ["MALFORMED_FUNCTION_CALL", 9, "UNEXPECTED_TOOL_CALL"])
def test_a_call_that_went_wrong_is_a_failure(reason: Any) -> None:
    body = chunk({"text": "a"}, finish=reason)
    body["candidates"][0]["finishMessage"] = "Malformed function call: print(f("
    fault = read(sse(body)).fault

    assert isinstance(fault, ErrorInReply)
    assert "print(f(" in fault.message
    assert fault.provider_code.endswith("CALL")


@pytest.mark.parametrize(
    ("feedback", "code"),
    [
        ({"blockReason": "PROHIBITED_CONTENT"}, "PROHIBITED_CONTENT"),
        ({"blockReason": "SAFETY", "blockReasonMessage": "no"}, "SAFETY"),
        ({"blockReason": 1}, "SAFETY"),
    ],
)
def test_a_blocked_prompt_is_a_failure_with_its_reason(feedback: dict[str, Any], code: str) -> None:
    body = {"promptFeedback": feedback, "usageMetadata": {"promptTokenCount": 9}}
    for reply in (read(json.dumps(body).encode()), read(sse(body))):
        assert isinstance(reply.fault, ErrorInReply)
        assert reply.fault.provider_code == code
        assert reply.fault.message.startswith(f"The prompt was blocked by Gemini's filters ({code})")
        assert reply.usage == Usage(9)


@pytest.mark.parametrize("feedback", [{}, {"blockReason": 0}, {"blockReason": "BLOCK_REASON_UNSPECIFIED"}])
def test_feedback_that_blocks_nothing_is_nothing(feedback: dict[str, Any]) -> None:
    assert read(sse(chunk({"text": "a"}, finish="STOP", promptFeedback=feedback))).fault is None


# --- calls ------------------------------------------------------------------------------------------------------------


def test_calls_without_ids_stay_apart_and_have_the_same_ids_for_every_cut() -> None:
    body = sse(chunk(call("f", {"a": 1}), call("f", {"a": 1})), chunk(call("f"), finish="STOP"))
    calls = read(body).calls

    assert [one.arguments for one in calls] == ['{"a": 1}', '{"a": 1}', "{}"]
    assert len({one.id for one in calls}) == 3
    assert all(one.id.startswith("call_") for one in calls)
    assert read(body, *range(len(body))).calls == calls


@pytest.mark.parametrize("args", [None, {}])
def test_a_call_without_arguments_has_an_empty_object(args: Any) -> None:
    reply = read(sse(chunk(call("now", args, "t0"), finish="STOP")))

    assert reply.calls == (ToolCall("t0", "now", "{}"),)
    assert reply.finish is Finish.TOOL_USE


def test_numbers_in_arguments_keep_their_digits() -> None:
    part = '{"functionCall":{"id":"t","name":"f","args":{"n":1.50,"big":123456789012345678901}}}'
    body = f'{{"candidates":[{{"content":{{"parts":[{part}]}},"finishReason":"STOP"}}]}}'.encode()

    assert read(body).calls[0].arguments == '{"n":1.50,"big":123456789012345678901}'


def test_arguments_that_come_value_by_value_are_put_together() -> None:
    def piece(**fields: Any) -> dict[str, Any]:
        return chunk({"functionCall": fields})

    reply = read(
        sse(
            chunk({"functionCall": {"name": "f", "willContinue": True}, "thoughtSignature": "c2ln"}),
            piece(partialArgs=[{"jsonPath": "$.city", "stringValue": "Bos", "willContinue": True}], willContinue=True),
            piece(partialArgs=[{"jsonPath": "$.city", "stringValue": "ton"}], willContinue=True),
            piece(),
            piece(name="g", partialArgs=[{"jsonPath": "$.n", "numberValue": 1}]),
            piece(name="h", willContinue=True),
            chunk(call("i", {"a": 1}), finish="STOP"),
        )
    )

    assert [(one.name, json.loads(one.arguments)) for one in reply.calls] == [
        ("f", {"city": "Boston"}),
        ("g", {"n": 1}),
        ("h", {}),
        ("i", {"a": 1}),
    ]
    assert reply.calls[0].seal == SEAL


def test_arguments_at_a_path_of_an_unknown_form_are_a_failure() -> None:
    part = {"functionCall": {"name": "f", "partialArgs": [{"jsonPath": "$..x", "stringValue": "a"}]}}

    assert isinstance(read(sse(chunk(part, finish="STOP"))).fault, Broken)


# --- reasoning, seals and other parts ---------------------------------------------------------------------------------


def thoughts(*parts: Any) -> Any:
    return read(sse(*(chunk(part) for part in parts), chunk(finish="STOP"))).parts


def test_signatures_are_kept_on_every_kind_of_part() -> None:
    on_text = Thought("", Raw(b'{"gemini":{"signature":"c2ln","on_text":true}}'))
    alone = Thought("", Raw(b'{"gemini":{"part":{"text":"","thoughtSignature":"c2ln"}}}'))
    sealed = {"thoughtSignature": "c2ln"}

    assert thoughts({"text": "a"}, {"text": "b", **sealed}, {"text": "c"}) == (Text("a"), Text("b"), on_text, Text("c"))
    assert thoughts({"text": "a"}, {"text": "", **sealed}) == (Text("a"), alone)
    said = {"text": "h", "thought": True}
    assert thoughts(said, said, {"text": "", "thought": True, **sealed}) == (Thought("hh", SEAL),)
    assert thoughts(said, {**said, **sealed}, said) == (Thought("h"), Thought("h", SEAL), Thought("h"))


def test_doings_of_the_providers_own_tools_are_kept_for_it() -> None:
    part = {"executableCode": {"language": "PYTHON", "code": "1"}}
    (before, opaque, after) = thoughts({"text": "a"}, part, {}, {"text": "b"})

    assert (before, after) == (Text("a"), Text("b"))
    assert opaque.text == ""
    assert json.loads(bytes(opaque.seal)) == {"gemini": {"part": part}}


def test_pictures_and_sources_are_left_out_and_said_so_once() -> None:
    picture = {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}
    last = chunk(picture, picture, finish="STOP")
    last["candidates"][0]["groundingMetadata"] = {"webSearchQueries": ["x"]}
    reply = read(sse(chunk({"text": "a"}), last))

    assert [note.kind for note in reply.notes] == ["left_out", "left_out"]
    assert reply.finish is Finish.STOP


def test_answers_beside_the_first_are_told_under_their_index() -> None:
    def candidate(index: int, *parts: Any) -> dict[str, Any]:
        return {"index": index, "content": {"parts": list(parts)}, "finishReason": "STOP"}

    body = {
        "candidates": [
            candidate(0, {"text": "a"}),
            candidate(1, {"text": "b"}, {"text": "h", "thought": True}),
            candidate(2, call("f")),
        ]
    }
    reply = read(json.dumps(body).encode())

    assert (reply.text, reply.choices, reply.calls) == ("a", ("b",), ())
    assert len(reply.notes) == 1


# --- failures ---------------------------------------------------------------------------------------------------------

ERROR = {"error": {"code": 503, "message": "The model is busy.", "status": "UNAVAILABLE"}}
BUSY = ErrorInReply("The model is busy.", upstream_status=503, provider_code="UNAVAILABLE")


@pytest.mark.parametrize(
    "body",
    [
        json.dumps(ERROR).encode(),
        json.dumps([ERROR]).encode(),
        sse(ERROR),
        sse([ERROR]),
        b"event: error\n" + sse(ERROR),
        b"event: error\n" + sse(ERROR["error"]),
    ],
)
def test_an_error_inside_a_success_is_a_failure_with_its_status_and_words(body: bytes) -> None:
    assert read(body).fault == BUSY


@pytest.mark.parametrize(
    "body",
    [
        sse(chunk({"text": "half"}), ERROR, chunk({"text": "x"})),
        array(chunk({"text": "half"}), ERROR, chunk({"text": "x"})),
    ],
)
def test_an_error_after_some_text_keeps_the_text_and_nothing_follows_it(body: bytes) -> None:
    events = events_of(body)

    assert [type(event) for event in events] == [Opened, TextDelta, Failed]
    assert events[-1] == Failed(BUSY)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\n",
        b"<html>busy</html>",
        b": nothing\n\n",
        b"{}",
        b"[]",
        b"[5]",
        b'{"candidates":[]}',
        b'{"candidates":5}',
        b'{"usageMetadata":{"promptTokenCount":1}}',
        sse({"candidates": []}),
        sse("not json"),
        sse('{"candidates":[{"content":{"parts":[{"text":5}]}}]}'),
        sse(chunk({"text": "a"})),
        sse(chunk({"text": "a"}))[:-9],
        array(chunk({"text": "a"})),
        array(chunk({"text": "a"}, finish="STOP"))[:-9],
        json.dumps(chunk({"text": "a"}, finish="STOP")).encode()[:-9],
        b'data: {"candidates":[{"content":{"parts":[{"text":"\xff"}]}}]}\n\n',
        b"[" * 3_000,
        b'{"a":' * 3_000,
    ],
)
def test_what_is_no_whole_answer_is_broken(body: bytes) -> None:
    events = events_of(body)

    assert isinstance(events[-1], Failed)
    assert isinstance(events[-1].fault, Broken)
    assert events_of(body, *range(len(body)))[-1] == events[-1]


@pytest.mark.parametrize(
    "body", [b'{"message":"no such route"}', b'{"detail":"no such route"}', sse({"message": "no such route"})]
)
def test_a_document_that_only_tells_of_an_error_is_one(body: bytes) -> None:
    fault = read(body).fault

    assert isinstance(fault, ErrorInReply)
    assert fault.message == "no such route"


def test_text_before_a_broken_piece_is_kept() -> None:
    reply = read(sse(chunk({"text": "half"}), "{broken", chunk({"text": "x"}, finish="STOP")))

    assert (reply.text, type(reply.fault)) == ("half", Broken)


def test_events_without_blank_lines_between_them_are_read_one_by_one() -> None:
    body = sse(chunk({"text": "a"}), end="\n") + sse(chunk({"text": "b"}, finish="STOP"), end="\n")

    assert read(body).text == "ab"


def test_a_relays_done_ends_the_answer_and_nothing_follows() -> None:
    reader = CLIENT.reader(content_type="")
    events: list[Event] = list(reader.feed(sse(chunk({"text": "a"}, finish="STOP"), "[DONE]")))

    assert events[-1] == Closed(Finish.STOP, "STOP")
    assert list(reader.feed(sse(chunk({"text": "b"})))) == list(reader.end()) == []


def test_a_done_before_the_end_is_a_failure() -> None:
    assert isinstance(read(sse(chunk({"text": "a"}), "[DONE]")).fault, Broken)


def test_nothing_follows_a_failure() -> None:
    reader = CLIENT.reader(content_type="")

    assert [type(event) for event in reader.feed(sse(ERROR, ERROR))] == [Failed]
    assert list(reader.feed(b"x")) == list(reader.end()) == []


def test_a_thought_without_words_or_seal_is_nothing() -> None:
    events = events_of(sse(chunk({"text": "", "thought": True}, {"text": ""}, finish="STOP")))

    assert not [event for event in events if isinstance(event, ThoughtDelta | TextDelta)]
