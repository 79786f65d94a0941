"""What a batch must do with what was learned and told, on any database. Each check is given a clean one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from collections_app.models import Change, Fact
from gateway.engine.batch import write_records
from gateway.engine.records import Learned, QuotaTold
from gateway.engine.told import Told
from gateway.models import Quota
from gateway.tests.engine.written import AT, Rows

LATER = AT + timedelta(minutes=5)
LEFT = Told("anthill", "m1", "requests", "minute", 50, 49, AT.timestamp() + 12.5, "x-ratelimit-limit-requests", "q")


def lesson(rows: Rows, field: str, value: object, evidence: str = "said so") -> Learned:
    return Learned(rows.models[0].pk, field, value, evidence, AT)


def facts() -> dict[str, object]:
    return dict(Fact.objects.filter(source="learned").values_list("field", "value"))


def a_lesson_is_a_learned_fact_with_its_evidence_and_a_change(rows: Rows) -> None:
    write_records([lesson(rows, "context_window", 8_192, "length is 8192\x00" + "x" * 300)])
    fact = Fact.objects.get()
    assert (fact.language_model, fact.field, fact.value, fact.source) == (
        rows.models[0],
        "context_window",
        8_192,
        "learned",
    )
    assert len(fact.evidence) == 200
    assert "\x00" not in fact.evidence
    change = Change.objects.get()
    assert (change.actor_name, change.thing, change.name, change.field, change.old, change.new) == (
        "learned",
        "model",
        "m1",
        "learned context_window",
        None,
        8_192,
    )


def numbers_only_come_down(rows: Rows) -> None:
    for most in (8_192, 16_000, 4_096, 5_000):
        write_records([lesson(rows, "context_window", most), lesson(rows, "max_output", most)])
    write_records([lesson(rows, "context_window", 0), lesson(rows, "max_output", True)])
    assert facts() == {"context_window": 4_096, "max_output": 4_096}


def each_axis_of_the_limits_comes_down_by_itself(rows: Rows) -> None:
    write_records([lesson(rows, "limits", {"rpm": 30}), lesson(rows, "limits", {"tpm": 6_000})])
    write_records([lesson(rows, "limits", {"rpm": 60, "tpm": 5_000}), lesson(rows, "limits", {"rpy": 1})])
    assert facts() == {"limits": {"rpm": 30, "tpm": 5_000}}


def abilities_are_only_granted(rows: Rows) -> None:
    write_records([lesson(rows, "tools", True), lesson(rows, "vision", False), lesson(rows, "tools", False)])
    assert facts() == {"tools": True}


def another_name_that_answers_is_noted_once(rows: Rows) -> None:
    write_records([lesson(rows, "served_as", "lab/other"), lesson(rows, "served_as", "lab/other")])
    write_records([lesson(rows, "served_as", "lab/third")])
    assert facts() == {"served_as": "lab/third"}
    assert Change.objects.count() == 2


def a_model_that_is_gone_learns_nothing(rows: Rows) -> None:
    write_records([Learned(987_654, "tools", True, "", AT), lesson(rows, "nonsense", 1), QuotaTold(LEFT, AT)])
    assert facts() == {}
    assert Quota.objects.count() == 1


def what_is_left_of_a_limit_is_one_row_with_the_latest_word(rows: Rows) -> None:
    write_records([QuotaTold(LEFT, AT), QuotaTold(Told("anthill", "m1", "requests", "day", 9, 3), AT)])
    row = Quota.objects.get(window="minute")
    assert (row.connection, row.alias, row.metric, row.limit, row.remaining) == ("anthill", "m1", "requests", 50, 49)
    assert (row.source, row.quota, row.observed_at) == ("x-ratelimit-limit-requests", "q", AT)
    assert row.reset_at == AT + timedelta(seconds=12.5)
    write_records([QuotaTold(LEFT, AT), QuotaTold(Told("anthill", "m1", "requests", "minute", None, 0), LATER)])
    write_records([QuotaTold(LEFT, AT)])  # it comes late
    again = Quota.objects.get(window="minute")
    assert (again.limit, again.remaining, again.reset_at, again.observed_at) == (None, 0, None, LATER)


def what_is_long_past_goes_when_more_is_told(rows: Rows) -> None:
    write_records([QuotaTold(LEFT, AT), QuotaTold(Told("anthill", "m1", "tokens", "unknown", 9), AT)])
    other = Told("hive", "m2", "requests", "day", 9, 3)
    for days, left in ((0.9, 3), (1.1, 2), (6.9, 2), (7.1, 1)):
        write_records([QuotaTold(other, AT + timedelta(days=days))])
        assert Quota.objects.count() == left
    assert Quota.objects.get().connection == "hive"


CHECKS: list[Callable[[Rows], None]] = [
    a_lesson_is_a_learned_fact_with_its_evidence_and_a_change,
    numbers_only_come_down,
    each_axis_of_the_limits_comes_down_by_itself,
    abilities_are_only_granted,
    another_name_that_answers_is_noted_once,
    a_model_that_is_gone_learns_nothing,
    what_is_left_of_a_limit_is_one_row_with_the_latest_word,
    what_is_long_past_goes_when_more_is_told,
]
