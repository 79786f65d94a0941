"""Merged panels whose merger gives no reply, before its first word and after."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from collections_app.models import LanguageModel
from gateway.canon.event import Usage
from gateway.engine import merge, panel_text
from gateway.models import Seat
from gateway.tests.engine.merging import MERGED, bench_of, both, merge_requests, merged, streamed
from gateway.tests.engine.rooms import Make, texts
from gateway.tests.engine.turning import then_resets
from gateway.tests.engine.upstream import Script, refuses, says
from gateway.tests.engine.world import ask

FIRST = says("text first", "usage 1 2", "end stop")
SECOND = says("text second", "usage 10 20", "end stop")
BAD_KEY = refuses(401, body=b'{"message": "bad key", "code": ""}')
NEVER: Script = says("text never", "end stop")


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("merger", "why"),
    [
        (BAD_KEY, "m1 failed: 401: bad key"),
        (says("thought hm", "end stop"), "m1 sent no text"),
        (says("text  ", "end stop"), "m1 sent no text"),
        (says("text  ", "error out of luck"), "m1 failed: out of luck"),
        (says("bug here"), "m1 failed: the gateway failed on this seat; its log says why"),
    ],
    ids=["refused", "no text", "blank", "error before a word", "defect"],
)
async def test_a_merger_that_fails_before_its_first_word_gives_way_to_every_answer(
    room: Make, merger: Script, why: str, stream: bool
) -> None:
    one = await room(both(FIRST, merger), SECOND)
    run = await merged(one)
    events = await (streamed(run) if stream else run.ended())
    bench = bench_of(events)
    assert (bench["reply"], bench["merger"]["status"] in ("error", "empty")) == ("all", True)
    text = "".join(texts(events))
    assert text.startswith(f"*Merged reply unavailable: {why}.*\n\nBench bench/core ")
    assert bench["note"] == why
    assert text.endswith(panel_text.whole(run.id, run.plan, run.seats))
    assert (await one.panel()).reply == "merged"
    assert (await one.seats())[2][0] == "m1"


async def test_a_merger_that_breaks_off_is_told_of_and_every_answer_follows(room: Make) -> None:
    one = await room(both(FIRST, then_resets("text Both", "text  agree")), SECOND, BAD_KEY)
    run = await merged(one)
    events = await streamed(run)
    text = "".join(texts(events))
    bench = bench_of(events)
    assert text.startswith("Both agree\n\n*The merged reply broke off here: m1 failed: ")
    assert f" {bench['note']}. 2 of 3 answered. Every answer follows.*\n\nBench bench/core {run.id}" in text
    assert text.endswith(panel_text.whole(run.id, run.plan, run.seats))
    assert (bench["reply"], bench["answered"]) == ("all", {"ok": 2, "of": 3})
    assert (bench["merger"]["status"], bench["merger"]["answer"]) == ("error", "Both agree")


async def test_a_merger_that_says_its_credit_is_used_up_has_merged_nothing(room: Make) -> None:
    one = await room(both(FIRST, says("text Daily limit reached. Upgrade your plan.", "end stop")), SECOND)
    run = await merged(one)
    events = await streamed(run)
    assert bench_of(events)["reply"] == "all"
    assert "*The merged reply broke off here: m1 failed: " in "".join(texts(events))


async def test_a_whole_reply_of_a_merger_that_broke_off_holds_nothing_of_it(room: Make) -> None:
    one = await room(both(FIRST, then_resets("text Both")), SECOND)
    (text,) = texts(await (await merged(one)).ended())
    assert text.startswith("*Merged reply unavailable: m1 failed: ")
    assert "Both" not in text


@pytest.mark.parametrize("stream", [True, False])
async def test_no_merger_is_called_where_no_seat_answered(room: Make, stream: bool) -> None:
    one = await room(BAD_KEY, says("end stop"))
    run = await merged(one)
    events = await (streamed(run) if stream else run.ended())
    (text,) = texts(events)
    assert text.startswith("*Merged reply unavailable: no seat answered. 0 of 2 answered.*\n\n")
    bench = bench_of(events)
    assert "merger" not in bench
    assert (bench["reply"], bench["note"], bench["answered"]) == ("all", "no seat answered", {"ok": 0, "of": 2})
    assert merge_requests(one) == []
    assert run.headers["X-Bench-Answered"] == "0/2"


async def test_no_call_is_spent_on_a_merger_that_is_too_small(room: Make) -> None:
    one = await room(both(FIRST, NEVER))
    await one.query(
        lambda: [
            row.facts.create(field="context_window", value=100, source="operator")
            for row in LanguageModel.objects.all()
        ]
    )
    events = await (await merged(one)).ended()
    bench = bench_of(events)
    assert bench["note"].startswith("the answers are about ")
    assert bench["note"].endswith("more than the context window of m1 (100)")
    assert "merger" not in bench
    assert len(one.provider.requests) == 1


async def test_a_defect_in_the_choice_of_a_merger_still_gives_every_answer(
    room: Make, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr(merge, "choose_merger", broken)
    one = await room(FIRST)
    (text,) = texts(await (await merged(one)).ended())
    assert text.startswith(f"*Merged reply unavailable: {merge.DEFECT}.*")
    assert "## member — m1" in text
    assert "failed unexpectedly" in caplog.text
    assert (await one.panel()).state == "done"


async def test_errors_of_the_merger_are_redacted_where_the_request_has_images(room: Make) -> None:
    body = msgspec.json.encode({"message": "cannot read https://bob:hunter2@pics.test/a?sig=hunter2", "code": ""})
    one = await room(both(FIRST, refuses(400, body=body)))
    await one.query(
        lambda: [row.facts.create(field="vision", value=True, source="operator") for row in LanguageModel.objects.all()]
    )
    run = await merged(one, ask(model=MERGED, images=1))
    (text,) = texts(await run.ended())
    assert "hunter2" not in text
    assert "https://pics.test/a?..." in text
    assert "hunter2" not in (await one.query(lambda: Seat.objects.get(label="merger"))).error
    (request,) = merge_requests(one)
    assert b"aGVsbG8=" not in request.body
    assert b"[image: data URL, 1 KB]" in request.body


async def test_the_tokens_of_a_failed_merger_are_summed_as_well(room: Make) -> None:
    one = await room(both(FIRST, says("text Both", "usage 100 200", "error out of luck")), SECOND)
    *_, usage, _ = await (await merged(one)).ended()
    assert usage == Usage(111, 222)
