"""What a call hears beside its answer: in the quota table, with pacing, and in what is known of the model."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from collections_app.models import Fact
from gateway.canon.ask import Text, Thought
from gateway.canon.event import Finish
from gateway.canon.reply import Reply
from gateway.engine.hearing import AGAIN_S, QUOTA_S, Hearing
from gateway.engine.records import Learned, QuotaTold
from gateway.engine.told import Told
from gateway.models import Cooldown, Quota
from gateway.tests.engine.calling import Make, Setting
from gateway.tests.engine.upstream import ANSWER, Line, Request, Script, refuses
from gateway.tests.engine.world import ask, model, snapshot

AT = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
FULL = "This model's maximum context length is 2048 tokens, user_42abcdef"


def answers(*headers: str, lines: bytes = b"text Blue\nusage 7 3\nend stop\n") -> Script:
    async def script(line: Line, request: Request) -> None:
        await line.whole(lines, 200, *headers)

    return script


def says(message: str, code: str = "") -> bytes:
    return msgspec.json.encode({"message": message, "code": code})


async def facts(one: Setting) -> dict[str, Any]:
    await one.bench.recorder.settle()
    found = await one.query(lambda: dict(Fact.objects.filter(source="learned").values_list("field", "value")))
    assert isinstance(found, dict)
    return found


async def test_the_headers_of_an_answer_are_a_row_a_limit(setting: Make) -> None:
    one = await setting(
        answers(
            "X-RateLimit-Limit-Requests-Minute: 50",
            "x-ratelimit-remaining-requests-minute: 49",
            "x-ratelimit-reset-requests-minute: 30s",
            "x-ratelimit-limit-tokens: 9000",
        )
    )
    before = datetime.now(UTC)
    assert (await one.call()).reply.text == "Blue"
    await one.ledger()
    rows = await one.query(lambda: list(Quota.objects.all()))
    assert [(row.connection, row.alias, row.metric, row.window, row.limit, row.remaining) for row in rows] == [
        ("anthill", "m1", "requests", "minute", 50, 49),
        ("anthill", "m1", "tokens", "unknown", 9_000, None),
    ]
    assert rows[0].source == "x-ratelimit-limit-requests-minute"
    assert before + timedelta(seconds=30) <= rows[0].reset_at <= datetime.now(UTC) + timedelta(seconds=30)
    assert await facts(one) == {}


async def test_a_full_window_is_known_at_once_and_kept_without_whose_account_it_was(setting: Make) -> None:
    one = await setting(refuses(400, body=says(FULL)), ANSWER)
    await one.call(options={"max_tokens": Raw(b"5000")})
    assert one.bench.catalogue.latest.models["m1"].context_window == 2_048
    assert await facts(one) == {"context_window": 2_048}
    fact = await one.query(Fact.objects.get)
    assert "maximum context length is 2048 tokens" in fact.evidence
    assert "42abcdef" not in fact.evidence
    snapshot = await one.bench.catalogue._read("later", renew=True)
    assert (snapshot.models["m1"].context_window, snapshot.models["m1"].sources["context_window"]) == (2_048, "learned")


async def test_a_number_that_the_request_cannot_have_met_teaches_nothing(setting: Make) -> None:
    one = await setting(refuses(400, body=says(FULL)))
    await one.call()
    assert one.bench.catalogue.latest.models["m1"].context_window is None
    assert await facts(one) == {}


async def test_a_rate_limit_teaches_the_limit_tells_the_quota_and_rests_as_long_as_it_says(setting: Make) -> None:
    said = "Rate limit reached on requests per minute (RPM): Limit 30, Used 30, Requested 1. Try again in 1m1s"
    one = await setting(refuses(429, body=says(said, "rate_limit_exceeded")))
    outcome = await one.call()
    assert (outcome.attempts, outcome.fault and outcome.fault.wait) == (1, 61.0)
    assert await facts(one) == {"limits": {"rpm": 30}}
    assert one.bench.catalogue.latest.models["m1"].limits == {"rpm": 30}
    rows = await one.query(lambda: list(Quota.objects.values_list("metric", "window", "limit", "remaining", "source")))
    assert rows == [("requests", "minute", 30, 0, "body"), ("requests", "retry-after", None, 0, "body")]
    rest = await one.query(Cooldown.objects.get)
    assert (rest.stated, round((rest.until - rest.at).total_seconds(), -1)) == (True, 60)


async def test_an_error_inside_a_reply_is_understood_and_heard_too(setting: Make) -> None:
    lines = f"error {FULL}\n".encode()
    one = await setting(answers(lines=lines))
    outcome = await one.call(options={"max_tokens": Raw(b"5000")})
    assert outcome.fault is not None
    assert outcome.fault.failure == "capacity"
    assert (await one.ledger()).failure == "capacity"
    assert await facts(one) == {"context_window": 2_048}


async def test_a_thing_seen_working_is_learned_once(setting: Make) -> None:
    one = await setting(answers(lines=b"thought hm\ntext Blue\nend stop\n"))
    taken: list[Learned] = []
    put = one.bench.recorder.put

    def spied(*records: Any) -> None:
        taken.extend(record for record in records if isinstance(record, Learned))
        put(*records)

    one.bench.recorder.put = spied  # type: ignore[method-assign]
    for _ in range(3):
        await one.call()
    assert await facts(one) == {"reasoning": True}
    assert len(taken) == 1
    assert one.bench.catalogue.latest.models["m1"].reasoning is True


async def test_another_model_that_answers_is_noted_once_for_each_name(setting: Make) -> None:
    names = [b"lab/other", b"lab/other", b"lab/third"]
    one = await setting(*[answers(lines=b"model " + name + b"\ntext Blue\nend stop\n") for name in names])
    found = []
    for _ in names:
        await one.call()
        found.append((await facts(one)).get("served_as"))
    assert found == ["lab/other", "lab/other", "lab/third"]


async def test_our_own_key_is_in_no_evidence(setting: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHWARMERS_KEY_ANTHILL", "canary 123456")
    one = await setting(refuses(400, body=says(f"canary 123456 {FULL}")))
    await one.call(options={"max_tokens": Raw(b"5000")})
    await one.bench.recorder.settle()
    assert "canary" not in (await one.query(Fact.objects.get)).evidence


class Stub:
    """Stands for a catalogue, a recorder and pacing."""

    def __init__(self, **facts: Any) -> None:
        self.latest = snapshot(model("a", **facts))
        self.put_down: list[Any] = []
        self.paced: list[Told] = []
        self.learned: list[tuple[str, Any]] = []
        self.news = asyncio.Event()
        self.now = AT
        self.hearing = Hearing(self, self, self, lambda: self.now)  # type: ignore[arg-type]

    def put(self, *records: Any) -> None:
        self.put_down.extend(records)
        self.news.set()

    def told(self, told: Told) -> None:
        self.paced.append(told)

    def learn(self, alias: str, changes: Any) -> None:
        self.learned.append((alias, changes))

    def left(self) -> list[int | None]:
        return [record.told.remaining for record in self.put_down if isinstance(record, QuotaTold)]

    def hears(self, remaining: int, seconds: float) -> None:
        self.now = AT + timedelta(seconds=seconds)
        self.hearing.head(self.latest.models["a"], 200, {"x-ratelimit-remaining-requests": str(remaining)})


async def test_a_busy_connection_writes_a_limit_once_in_a_while_and_its_last_word_always() -> None:
    stub = Stub()
    for number in range(100):
        stub.hears(1_000 - number, number * QUOTA_S / 50)
    assert stub.left() == [1_000, 950]
    assert [told.remaining for told in stub.paced] == [1_000 - number for number in range(100)]
    stub.hearing.flush()
    assert stub.left() == [1_000, 950, 901]
    stub.hearing.flush()
    stub.hears(900, 2 * QUOTA_S + 1)
    assert stub.left() == [1_000, 950, 901]  # written a moment ago
    stub.hearing.flush()
    assert stub.left()[-1] == 900


async def test_what_waits_is_written_without_another_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    stub = Stub()
    stub.hears(5, 0)
    stub.news.clear()
    monkeypatch.setattr("gateway.engine.hearing.QUOTA_S", 0.01)
    stub.hears(4, 0.001)
    assert stub.hearing._timer is not None
    async with asyncio.timeout(5):
        while stub.left() != [5, 4]:
            await stub.news.wait()


def test_a_call_that_was_under_way_teaches_the_same_no_second_time() -> None:
    stub = Stub()
    for seconds, times in ((0, 1), (AGAIN_S - 1, 1), (AGAIN_S + 1, 2)):
        stub.now = AT + timedelta(seconds=seconds)
        reply = Reply((Thought("hm"), Text("Blue.")), finish=Finish.STOP)
        stub.hearing.answered(stub.latest.models["a"], ask(), reply, ())
        assert len([record for record in stub.put_down if isinstance(record, Learned)]) == times
