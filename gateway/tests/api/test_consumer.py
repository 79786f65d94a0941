"""What a caller of each format sees of one request: whole, streamed, silent, refused, failed and abandoned."""

from __future__ import annotations

import asyncio
import gc
import json

import pytest

from gateway.canon.event import TextDelta
from gateway.canon.fault import NotFound, RateLimited, Unavailable
from gateway.canon.tokens import TOKENS_PER_IMAGE
from gateway.tests.api.asking import ANSWER, GEMINI, PANEL, WAYS, FakeBench, FakePanel, Limits, Way, ask

EVERY_FORMAT = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
IMAGE = "iVBORw0KGgo="
TEXT = "Yes, grüß Gott."
BEATS = {
    "chat": b'"delta":{}',
    "completions": b'"text":""',
    "responses": b"response.in_progress",
    "anthropic": b"event: ping",
    "gemini": b'"parts":[{"text":""}]',
    "gemini array": b'"parts":[{"text":""}]',
    "ollama": b'"content":""',
    "generate": b'"response":""',
}
ENDS = {
    "chat": b"data: [DONE]\n\n",
    "completions": b"data: [DONE]\n\n",
    "responses": b"\n\n",
    "anthropic": b"\n\n",
    "gemini": b"\n\n",
    "gemini array": b"]",
    "ollama": b"}\n",
    "generate": b"}\n",
}


def playing(*steps: object) -> FakeBench:
    return FakeBench(FakePanel(steps))  # type: ignore[arg-type]


@EVERY_FORMAT
async def test_a_whole_answer_comes_in_one_body_of_the_said_length(way: Way) -> None:
    path, body = way.request(False)
    bench = playing(*ANSWER)
    answer = await ask(bench, path, body)
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert int(answer.headers["content-length"]) == len(answer.body)
    assert TEXT in json.dumps(answer.json, ensure_ascii=False)
    assert answer.headers["x-bench-panel"] == PANEL
    assert bench.asked[0].model == "bench/core"
    assert not bench.asked[0].stream


@EVERY_FORMAT
async def test_the_bench_object_is_in_the_body_except_for_gemini_which_has_it_in_headers(way: Way) -> None:
    answer = await ask(playing(*ANSWER), *way.request(False))
    if way.stream_path:
        assert "bench" not in answer.json
        (seat,) = json.loads(answer.headers["x-bench-seats"])
        assert seat == {"call": f"{PANEL}.member1", "seat": "member", "alias": "alpha", "status": "ok"}
    else:
        assert answer.json["bench"]["panel"] == PANEL
        assert "x-bench-seats" not in answer.headers


@EVERY_FORMAT
async def test_a_streamed_answer_comes_in_pieces(way: Way) -> None:
    path, body = way.request(True)
    bench = playing(*ANSWER)
    answer = await ask(bench, path, body)
    assert answer.status == 200
    assert answer.headers["cache-control"] == "no-cache"
    assert len(answer.pieces) >= 3
    assert bench.asked[0].stream
    assert (b'"panel"' in answer.body) is not bool(way.stream_path)


@pytest.mark.parametrize("name", WAYS)
async def test_silence_is_filled_with_beats_that_say_nothing(name: str) -> None:
    silent = playing(ANSWER[0], 0.28, *ANSWER[1:])
    answer = await ask(silent, *WAYS[name].request(True), limits=Limits(keepalive_s=0.1))
    quick = await ask(playing(*ANSWER), *WAYS[name].request(True))
    beats = [piece for piece in answer.pieces[:-1] if piece not in quick.pieces and BEATS[name] in piece]
    assert 1 <= len(beats) <= 2
    assert answer.body.endswith(ENDS[name])


@EVERY_FORMAT
async def test_beats_come_before_the_panel_is_seated_too(way: Way) -> None:
    slow = FakeBench(FakePanel(ANSWER), opening=0.25)
    answer = await ask(slow, *way.request(True), limits=Limits(keepalive_s=0.1, stream_grace_s=0.02))
    assert answer.status == 200
    assert "x-bench-panel" not in answer.headers
    assert len(answer.pieces) > len((await ask(playing(*ANSWER), *way.request(True))).pieces)


@EVERY_FORMAT
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_a_refusal_keeps_its_status_and_speaks_the_format(way: Way, stream: bool) -> None:
    path, body = way.request(stream)
    refusing = FakeBench(FakePanel(()), refusal=RateLimited("Come back later.", wait=6.2))
    answer = await ask(refusing, path, body)
    assert (answer.status, answer.headers["content-type"]) == (429, "application/json")
    assert answer.headers["retry-after"] == "7"
    assert "Come back later." in str(answer.json["error"])


@EVERY_FORMAT
async def test_a_refusal_after_the_200_travels_in_the_stream_and_ends_it(way: Way) -> None:
    late = FakeBench(FakePanel(()), opening=0.1, refusal=Unavailable("Nobody can sit."))
    answer = await ask(late, *way.request(True), limits=Limits(stream_grace_s=0.02))
    assert answer.status == 200
    assert b"Nobody can sit." in answer.body


@EVERY_FORMAT
async def test_a_failure_in_mid_stream_is_told_and_ends_it_cleanly(way: Way) -> None:
    answer = await ask(playing(TextDelta("Yes"), Unavailable("The power is out.")), *way.request(True))
    assert answer.status == 200
    assert b"The power is out." in answer.body
    if way.stream_path and "alt=sse" not in way.stream_path:
        assert json.loads(answer.body)[-1]["error"]["code"] == 503


@EVERY_FORMAT
async def test_a_body_that_is_no_request_is_a_400_in_the_format(way: Way) -> None:
    answer = await ask(playing(), way.path, b"{no")
    assert answer.status == 400
    assert "JSON" in str(answer.json["error"])


@EVERY_FORMAT
async def test_a_missing_key_is_a_401_in_the_format_before_the_body_is_looked_at(way: Way) -> None:
    answer = await ask(playing(), way.path, b"{no", limits=Limits(require_keys=True))
    assert answer.status == 401
    assert answer.headers["www-authenticate"] == 'Bearer realm="benchwarmers"'
    assert "error" in answer.json


@EVERY_FORMAT
async def test_another_method_is_a_405_that_names_the_right_one(way: Way) -> None:
    answer = await ask(playing(), way.path, b"", method="GET")
    assert (answer.status, answer.headers["allow"]) == (405, "POST")
    assert "POST" in str(answer.json["error"])


@EVERY_FORMAT
async def test_a_defect_is_a_500_that_shows_nothing(way: Way, caplog: pytest.LogCaptureFixture) -> None:
    broken = FakeBench(FakePanel(()))
    broken.panel = None  # type: ignore[assignment]
    answer = await ask(broken, *way.request(False))
    assert answer.status == 500
    assert "NoneType" not in str(answer.json)
    assert "NoneType" in caplog.text


@EVERY_FORMAT
async def test_a_caller_who_leaves_a_stream_is_noticed_at_once(way: Way) -> None:
    bench = playing(ANSWER[0], 30.0, *ANSWER[1:])
    answer = await ask(bench, *way.request(True), leave=lambda pieces: bool(pieces))
    assert answer.status == 200
    assert bench.panel.left


@EVERY_FORMAT
async def test_a_caller_who_leaves_before_a_whole_answer_is_noticed_at_once(way: Way) -> None:
    bench = playing(30.0, *ANSWER)
    answer = await ask(bench, *way.request(False), leave=lambda pieces: True)
    assert answer.status == 0
    await asyncio.sleep(0.02)
    assert bench.panel.left


async def test_a_caller_who_leaves_before_the_panel_is_seated_leaves_no_panel() -> None:
    bench = FakeBench(FakePanel((30.0,)), opening=0.05)
    answer = await ask(bench, *WAYS["chat"].request(False), leave=lambda pieces: True)
    await asyncio.sleep(0.1)
    assert (answer.status, bench.opened) == (0, 0)


async def test_a_refusal_that_nobody_hears_is_no_defect(caplog: pytest.LogCaptureFixture) -> None:
    bench = FakeBench(FakePanel(()), opening=0.05, refusal=Unavailable("Nobody can sit."))
    await ask(bench, *WAYS["chat"].request(False), leave=lambda pieces: True)
    await asyncio.sleep(0.1)
    gc.collect()
    assert "never retrieved" not in caplog.text


async def test_the_stamp_measures_what_ollama_tells_as_its_duration() -> None:
    answer = await ask(playing(0.05, *ANSWER), *WAYS["ollama"].request(False))
    assert 50_000_000 <= answer.json["total_duration"] < 5_000_000_000


@pytest.mark.parametrize(
    ("path", "model"),
    [
        ("/v1beta/models/bench%2Fcore%3Amerged:generateContent", "bench/core:merged"),
        ("/v1beta/models/bench/core:merged:generateContent", "bench/core:merged"),
        ("//v1//models//core:generateContent//", "core"),
        ("/bench/core:generateContent", "bench/core"),
    ],
)
async def test_gemini_names_the_model_in_the_path(path: str, model: str) -> None:
    bench = playing(*ANSWER)
    answer = await ask(bench, path, WAYS["gemini"].body)
    assert bench.asked[0].model == answer.json["modelVersion"] == model


WORDS = "x" * 400
COUNTS = {
    "anthropic": ("/v1/messages/count_tokens", {"messages": [{"role": "user", "content": WORDS}]}, "input_tokens"),
    "responses": ("/v1/responses/input_tokens", {"input": WORDS}, "input_tokens"),
    "gemini": (f"{GEMINI}:countTokens", {"contents": [{"parts": [{"text": WORDS}]}]}, "totalTokens"),
    "gemini, a whole request": (
        "/v1/models/nobody:countTokens",
        {"generateContentRequest": {"contents": [{"parts": [{"text": WORDS}]}]}},
        "totalTokens",
    ),
}


@pytest.mark.parametrize(("path", "body", "field"), COUNTS.values(), ids=COUNTS.keys())
async def test_tokens_are_counted_without_asking_anybody(path: str, body: object, field: str) -> None:
    bench = FakeBench(FakePanel(()), refusal=NotFound("no collection"))
    answer = await ask(bench, path, body)
    assert (answer.status, answer.json[field], bench.asked) == (200, 110, [])


async def test_a_count_takes_tools_and_images_too() -> None:
    source = {"type": "base64", "media_type": "image/png", "data": IMAGE}
    turn = {"role": "user", "content": [{"type": "image", "source": source}, {"type": "text", "text": WORDS}]}
    tool = {"name": "look", "description": WORDS, "input_schema": {"type": "object"}}
    answer = await ask(playing(), "/v1/messages/count_tokens", {"messages": [turn], "tools": [tool]})
    assert TOKENS_PER_IMAGE + 220 < answer.json["input_tokens"] < TOKENS_PER_IMAGE + 300


async def test_a_count_needs_a_key_and_a_body() -> None:
    path = "/v1/messages/count_tokens"
    assert (await ask(playing(), path, {}, limits=Limits(require_keys=True))).status == 401
    answer = await ask(playing(), path, b"[]")
    assert (answer.status, answer.json["type"]) == (400, "error")
    assert (await ask(playing(), path, b"", method="GET")).status == 405


async def test_threads_are_refused_as_anthropics_clients_expect() -> None:
    path, body = WAYS["anthropic"].request(True)
    answer = await ask(playing(*ANSWER), path, {**body, "thread": {"type": "create"}})
    assert answer.status == 400
    assert answer.json["error"]["details"] == {
        "error_code": "thread_unsupported_request",
        "unsupported": ["thread"],
    }
