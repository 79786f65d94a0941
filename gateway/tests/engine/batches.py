"""What a batch must do on any database. Each check is given a clean one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext

from collections_app.models import Evidence, Standing
from gateway.engine.batch import write_records
from gateway.engine.records import KeyUsed, PanelClosed, Rest
from gateway.models import Call, Cooldown, Panel, Seat
from gateway.tests.engine import learned_kept, spend_kept, standings_kept, usage_kept
from gateway.tests.engine.written import AT, Rows, call, done, make_rows, opened, seat, whole_panel, work

LATER = AT + timedelta(minutes=5)


def a_whole_panel_is_written(rows: Rows) -> None:
    write_records(whole_panel(rows))
    panel = Panel.objects.get(pk="p1")
    assert (panel.owner, panel.key, panel.collection) == (rows.alice, rows.key, rows.core)
    assert (panel.state, panel.started_at, panel.finished_at) == ("done", AT, AT + timedelta(seconds=3))
    assert panel.skipped == [{"seat": "with", "alias": "ghost", "why": "no model has this alias"}]
    first = panel.seats.get(place=1)
    assert (first.status, first.answer, first.tokens_in, first.tokens_out) == ("ok", "Blue.", 7, 3)
    assert (first.seconds, first.finished_at) == (1.5, AT + timedelta(seconds=2))
    assert panel.seats.count() == 3


def a_seat_is_first_asked_and_then_answered(rows: Rows) -> None:
    write_records([opened(rows)])
    assert set(Seat.objects.values_list("status", flat=True)) == {"asked"}
    assert Panel.objects.get().state == "running"
    write_records([done(rows, 2)])
    assert list(Seat.objects.values_list("place", "status", "answer")) == [
        (1, "asked", ""),
        (2, "ok", "Blue."),
        (3, "asked", ""),
    ]


def of_several_states_of_a_seat_the_last_is_kept(rows: Rows) -> None:
    write_records([opened(rows), seat(rows, 1), done(rows, 1, answer="First."), done(rows, 1, answer="Last.")])
    assert Seat.objects.get(place=1).answer == "Last."
    assert Seat.objects.count() == 3


def a_call_is_written_with_all_its_tokens(rows: Rows) -> None:
    write_records([call(rows), call(rows, usage=None, status="refused", attempts=0, language_model_id=None)])
    first, second = Call.objects.order_by("pk")
    assert (first.tokens_in, first.tokens_out, first.cached, first.cache_write, first.reasoning) == (7, 3, 2, 1, 1)
    assert (first.language_model, first.owner, first.key) == (rows.models[0], rows.alice, rows.key)
    assert (second.tokens_in, second.language_model, second.attempts) == (None, None, 0)


def work_is_evidence_and_adds_up_in_the_standing(rows: Rows) -> None:
    Standing.objects.create(language_model=rows.models[0], offloads=4, judged=2, useful=1.5, last_work_at=AT)
    write_records([work(rows, 1), work(rows, 1, "p2", at=LATER), work(rows, 2)])
    write_records([work(rows, 2, "p3", at=LATER)])
    first, second = Standing.objects.filter(collection_name="", shape="").order_by("language_model__alias")
    assert (first.offloads, first.judged, first.useful, first.last_work_at) == (6, 2, 1.5, LATER)
    assert (second.offloads, second.judged, second.useful, second.last_work_at) == (2, 0, 0, LATER)
    one = Evidence.objects.get(call="p2.member1")
    assert (one.kind, one.shape, one.task, one.useful, one.current) == ("seat", "general", "Why?", None, True)
    assert Evidence.objects.count() == 4
    parts = Standing.objects.filter(language_model=rows.models[1]).values_list("collection_name", "shape", "offloads")
    assert set(parts) == {("", "", 2), ("core", "", 2), ("", "general", 2), ("core", "general", 2)}


def older_work_that_comes_late_sets_no_clock_back(rows: Rows) -> None:
    write_records([work(rows, 1, at=LATER)])
    write_records([work(rows, 1, "p2", at=AT)])
    write_records([work(rows, 1, "p3", at=LATER), work(rows, 1, "p4", at=AT)])
    assert set(Standing.objects.values_list("last_work_at", flat=True)) == {LATER}


def a_rest_is_written_over_the_one_before(rows: Rows) -> None:
    pk = rows.models[0].pk
    write_records([Rest(pk, AT, AT + timedelta(hours=1), stated=True, why="429: slow down")])
    write_records(
        [
            Rest(pk, AT, AT, stated=True, why="not this"),
            Rest(pk, LATER, LATER, stated=False, why="429: again"),
        ]
    )
    rest = Cooldown.objects.get()
    assert (rest.until, rest.stated, rest.why) == (LATER, False, "429: again")


def a_keys_last_use_is_written(rows: Rows) -> None:
    write_records([KeyUsed(rows.key.pk, AT), KeyUsed(rows.key.pk, LATER), KeyUsed(999_999, AT)])
    rows.key.refresh_from_db()
    assert rows.key.last_used_at == LATER


def nothing_of_a_refused_batch_stays(rows: Rows) -> None:
    with pytest.raises(DatabaseError):
        write_records([call(rows), opened(rows), opened(rows)])
    assert not Call.objects.exists()
    assert not Panel.objects.exists()


def a_group_takes_no_more_statements_than_a_single_record(rows: Rows) -> None:
    with CaptureQueriesContext(connection) as one:
        write_records(whole_panel(rows, "p0"))
    with CaptureQueriesContext(connection) as many:
        write_records([record for n in range(1, 41) for record in whole_panel(rows, f"p{n}")])
    assert len(many) <= len(one)
    assert Panel.objects.count() == 41


def texts_of_any_kind_come_back(rows: Rows) -> None:
    text = "ünïcode 🪑 'quoted' \"twice\" \\back %s %% \n\t" + "x" * 100_000
    write_records([opened(rows, prompt=text, system=text), done(rows, answer=text, reasoning=text, error=text)])
    first = Seat.objects.get(place=1)
    assert (first.answer, first.reasoning, first.error) == (text, text, text)
    assert Panel.objects.get().prompt == text


def a_nul_in_an_answer_is_no_reason_to_lose_it(rows: Rows) -> None:
    write_records([opened(rows, prompt="a\x00b", skipped=[{"alias": "e\x00f"}]), done(rows, answer="c\x00d")])
    assert Seat.objects.get(place=1).answer.replace("\x00", "�") == "c�d"


def work_that_may_be_there_already_is_written_once(rows: Rows) -> None:
    write_records([work(rows, 1)])
    write_records([work(rows, 1, again=True), work(rows, 2, again=True), work(rows, 2, again=True)])
    write_records([work(rows, 2, again=True)])
    assert sorted(Evidence.objects.values_list("call", flat=True)) == ["p1.member1", "p1.member2"]
    assert sum(Standing.objects.filter(collection_name="core", shape="general").values_list("offloads", flat=True)) == 2


def a_panel_closed_twice_is_done(rows: Rows) -> None:
    write_records([*whole_panel(rows), PanelClosed("p1", LATER), PanelClosed("unknown", LATER)])
    assert Panel.objects.get().state == "done"


CHECKS: list[Callable[[Rows], None]] = [
    *standings_kept.CHECKS,
    *usage_kept.CHECKS,
    *spend_kept.CHECKS,
    *learned_kept.CHECKS,
    a_whole_panel_is_written,
    a_seat_is_first_asked_and_then_answered,
    of_several_states_of_a_seat_the_last_is_kept,
    a_call_is_written_with_all_its_tokens,
    work_is_evidence_and_adds_up_in_the_standing,
    older_work_that_comes_late_sets_no_clock_back,
    a_rest_is_written_over_the_one_before,
    a_keys_last_use_is_written,
    nothing_of_a_refused_batch_stays,
    a_group_takes_no_more_statements_than_a_single_record,
    texts_of_any_kind_come_back,
    a_nul_in_an_answer_is_no_reason_to_lose_it,
    work_that_may_be_there_already_is_written_once,
    a_panel_closed_twice_is_done,
]


def run(check: Callable[[Rows], None]) -> None:
    check(make_rows())
