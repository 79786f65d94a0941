"""Whether a claim holds, by running the frozen code that it is about. Each function gives the verdict that is right.

Claims about scripts are not here: their keys were read from the code alone.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from typing import Any

DAY = timedelta(days=1)
NOON = datetime(2026, 6, 15, 12, tzinfo=UTC)
SECRET = "abcdefghijklmnopqrst"


def moment_beyond(code: Any) -> bool:
    return bool(code.moment_of("999999999999", 0.0) == 999999999999.0)


def capital_units(code: Any) -> bool:
    return [code.duration(text) for text in ("5m", "5M", "5ms")] == [300.0, 300.0, 0.005]


def empty_data(code: Any) -> bool:
    return bool(code.SseSplitter().feed(b"data:\n\n") == [])


def name_forgotten(code: Any) -> bool:
    return bool(code.SseSplitter().feed(b"event: one\n\ndata: 1\n\n") == [("", b"1")])


def cut_escape(code: Any) -> bool:
    array = code.ArraySplitter()
    return [array.feed(data) for data in (b'[{"a": "\\', b"", b'"}", "b": 1}]')] == [[], [], [b'{"a": "\\"}", "b": 1}']]


def after_the_end(code: Any) -> bool:
    array = code.ArraySplitter()
    array.feed(b"[{}] more")
    return array.done and b"more" in array.rest


def line_break(code: Any) -> bool:
    return bool(code.Hiding(code.to_hide([SECRET])).feed(b"abcdefghij\n") == b"abcdefghij\n")


def shorter_first(code: Any) -> bool:
    longer = f"{SECRET}-and-more"
    passed = [
        code.Hiding(code.to_hide(both)).feed(f"{longer}\n".encode()) for both in ([SECRET, longer], [longer, SECRET])
    ]
    return not any(b"and-more" in one for one in passed)


def first_cut(code: Any) -> bool:
    return bool(code.after_refusal(None, 1_000, 900, 3).limit == 5)


def only_call(code: Any) -> bool:
    return code.after_refusal(None, 1_000, 900, 1) is None


def earliest_of_day(code: Any) -> bool:
    times = code.Times(frozenset({0}), frozenset({8, 10}), "UTC")
    return bool(code.due_slot(times, NOON - DAY / 2, NOON) == NOON.replace(hour=8))


def week_back(code: Any) -> bool:
    past = NOON - 8 * DAY
    times = code.Times(frozenset({0}), frozenset({12}), "UTC", frozenset({past.day}), frozenset({past.month}))
    assert code.due_slot(times, past - DAY, past) == past
    return code.due_slot(times, NOON - 10 * DAY, NOON) is None


def two_tails(code: Any) -> bool:
    return bool(code.normalised("meta/llama-4-latest-2025-01-01") == "llama-4")


def nothing_but_tail(code: Any) -> bool:
    return bool(code.normalised("@fp8") == "")


def before_its_time(code: Any) -> bool:
    return bool(code.Lately(1.0, 2.0, NOON).told_at(NOON - DAY, 30.0).judged <= 2.0)


def either_order(code: Any) -> bool:
    old, new = code.Lately(1.5, 2.5, NOON - 3 * DAY), code.Lately(0.25, 0.75, NOON)
    return bool(old.plus(new, 30.0) == new.plus(old, 30.0))


def _merged(code: Any, field: str, **said: Any) -> Any:
    facts = [SimpleNamespace(field=field, source=source, value=value) for source, value in said.items()]
    return code.merge(facts)[0].get(field, "absent")


def learned_false(code: Any) -> bool:
    return bool(_merged(code, "tools", learned=False) == "absent")


def learned_text(code: Any) -> bool:
    return bool(_merged(code, "knowledge_cutoff", probe="2025", learned="2024") == "2025")


def unreadable_hop(code: Any) -> bool:
    return bool(code.judge_address("10.0.0.1", "198.51.100.7, unknown", ["10.0.0.0/8"]) == "198.51.100.7")


def ports_of_hops(code: Any) -> bool:
    hops = ("[2001:db8::1]:443", "198.51.100.7:8080")
    return [code.judge_address("10.0.0.1", hop, ["10.0.0.0/8"]) for hop in hops] == ["2001:db8::1", "198.51.100.7"]


def tiny_budget(code: Any) -> bool:
    return isinstance(code.read_budget({"unit": "money", "period": "month", "amount": 0.0000000004}), code.Budget)


def half_a_cent(code: Any) -> bool:
    told = [code.tell_amount("money", amount) for amount in (5_000_000, 15_000_000)]
    return told[0] == "0.005 USD" and told[1] in ("0.01 USD", "0.02 USD")


def ends_on_reset(code: Any) -> bool:
    today = date(2026, 6, 15)
    forecast = code.forecast(100, 50, 70, 7, today, today + 5 * DAY)
    assert (100 - 50) * 7 // 70 == 5
    return bool(forecast.ends == today + 5 * DAY)


def no_pace(code: Any) -> bool:
    today = date(2026, 6, 15)
    return bool(code.forecast(100, 99, 0, 7, today, today + 15 * DAY).words == code.LASTS)


def monkey(code: Any) -> bool:
    return bool(code.carries_credential("X-Monkey-Business", "1"))


def reference(code: Any) -> bool:
    return all(code.header_problem("X-Note", value) == "" for value in ("secret:", "secret:Capital", "secret:fine"))


PROOFS: dict[str, Callable[[Any], bool]] = {
    f"starter-claim-{proof.__name__.replace('_', '-')}": proof
    for proof in (
        *(moment_beyond, capital_units, empty_data, name_forgotten, cut_escape, after_the_end, line_break),
        *(shorter_first, first_cut, only_call, earliest_of_day, week_back, two_tails, nothing_but_tail),
        *(before_its_time, either_order, learned_false, learned_text, unreadable_hop, ports_of_hops, tiny_budget),
        *(half_a_cent, ends_on_reset, no_pace, monkey, reference),
    )
}
