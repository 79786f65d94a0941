"""Judged claims become tasks: which files, which claims, and what is passed over."""

from __future__ import annotations

import io
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from collections_app.models import ClaimGroup, ClaimSeat, Verdict
from collections_app.refusal import Refused
from gateway.canon.kinds import TaskShape
from gateway.models import Panel, Seat
from probes.jobs.run import run_job
from probes.models import JobLine
from suite.actions import do_begin_mining
from suite.keys import read_key
from suite.mining import Group, NothingToMine, Said, claim_key, claims_in, files_in, mine
from suite.models import Task, TaskVersion
from suite.scoring import claim_is_false, score

NOW = datetime(2026, 6, 1, tzinfo=UTC)
PROMPT = "Review this.\n\n===== FILE: src/a.py =====\nx = 1\n\n===== git diff\n+ y = 2\n"


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        (PROMPT, ["src/a.py", "git-diff.txt"]),
        ("===== a.py =====\nx\n===== a.py =====\ny", ["a.py", "a-2.py"]),
        ("===== ../../etc/pass wd\nx", ["etc/pass-wd.txt"]),
        ("===== ???\nx", ["part.txt"]),
        ("===== a.py =====\n\n", []),
        ("==== a.py\nx", []),
        ("=====\nx", []),
        ("a ===== b.py\nx", []),
        ("", []),
    ],
)
def test_files_are_the_sections_of_the_prompt_under_safe_names(prompt: str, names: list[str]) -> None:
    assert [file["name"] for file in files_in(prompt)] == names


def test_a_section_ends_where_the_next_begins() -> None:
    assert [file["text"] for file in files_in(PROMPT)] == ["x = 1\n", "+ y = 2\n"]


def said(call: str, text: str, holds: bool, judge: str = "maya") -> Said:
    return Said(call, text, holds, judge)


GROUP = Group("It leaks", frozenset({("c1", "It leaks"), ("c2", "The handle stays open")}))


@pytest.mark.parametrize(
    ("ones", "claims", "disputed"),
    [
        ([said("c1", "A", True), said("c2", "a", True), said("c1", "B", False)], [("A", True), ("B", False)], []),
        ([said("c1", "A", True), said("c2", "a", False, "bob")], [], ["A"]),
        ([said("c1", "A", True), said("c1", "A", False, "bob"), said("c1", "B", True)], [("B", True)], ["A"]),
        ([said("c1", "It leaks", True), said("c2", "The handle stays open", True)], [("It leaks", True)], []),
        ([said("c2", "The handle stays open", True)], [("It leaks", True)], []),
        ([said("c3", "the handle stays open", True), said("c1", "It leaks", False)], [], ["It leaks"]),
    ],
)
def test_a_claim_counts_once_and_not_at_all_when_people_disagree(
    ones: list[Said], claims: list[tuple[str, bool]], disputed: list[str]
) -> None:
    found, passed_over = claims_in(ones, [GROUP])
    assert ([(text, holds) for text, holds, _ in found], passed_over) == (claims, disputed)


@pytest.mark.parametrize("holds", [True, False])
def test_the_first_line_decides_and_only_a_false_claim_can_be_confidently_wrong(holds: bool) -> None:
    key = read_key(claim_key(holds=holds))
    assert claim_is_false(key) is not holds

    def scored(answer: str) -> tuple[int, bool]:
        came = score(key, TaskShape.CLAIM, control=False, answer=answer)
        return came.found, came.wrong

    assert scored("VERDICT: TRUE\nIt is.") == (int(holds), not holds)
    assert scored("**Verdict: false**\nIt is not true.") == (int(not holds), False)
    assert scored("I think so.\nVERDICT: TRUE") == (0, False)


@pytest.mark.parametrize(
    ("prompt", "ones", "why"),
    [
        ("No files.", [said("c", "A", True)], "no `===== name` sections, so"),
        ("Read it.\n[document: data URL, 12 KB]", [said("c", "A", True)], "only the size was kept"),
        (PROMPT, [], "no verdict on it has claims"),
        (PROMPT, [said("c", "A", True), said("d", "A", False)], "people disagree about all 1"),
    ],
)
def test_a_panel_without_files_or_claims_is_refused(prompt: str, ones: list[Said], why: str) -> None:
    with pytest.raises(NothingToMine, match=why):
        mine("p1", prompt, ones, [], {})


@pytest.fixture
def panel() -> Panel:
    row = Panel.objects.create(
        id="p20260601-1",
        caller="maya",
        collection_name="core",
        protocol="openai_chat",
        shape="review",
        shape_by="asked",
        prompt=PROMPT,
        state="done",
        started_at=NOW,
    )
    for place, call in enumerate(("c1", "c2"), 1):
        Seat.objects.create(call=call, panel=row, place=place, label="member", alias=f"model-{place}", status="ok")
    Verdict.objects.create(call="c2", judge_name="bob", useful=False, false=["X is two", "It leaks"], at=NOW)
    Verdict.objects.create(call="c1", judge_name="maya", useful=True, real=["X is one", "The file leaks"], at=NOW)
    return row


def ran(*words: str) -> str:
    out = io.StringIO()
    call_command("mine_claims", *words, stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_the_command_lists_panels_mines_one_and_does_not_do_it_twice(panel: Panel) -> None:
    group = ClaimGroup.objects.create(panel=panel.pk, text="It leaks", by="maya", at=NOW)
    for call, text in (("c1", "The file leaks"), ("c2", "It leaks")):
        ClaimSeat.objects.create(group=group, call=call, text=text)
    assert ran() == "p20260601-1: 2 claims\n"
    told = ran(panel.pk)
    assert "2 drafts, mined-p20260601-1-1 and on" in told
    assert "passed over, for people disagree: It leaks" in told
    holds, fails = TaskVersion.objects.select_related("task").order_by("task__slug")
    assert "X is one" in holds.prompt
    assert (holds.task.origin, holds.task.draft, holds.task.source) == ("mined", True, panel.pk)
    assert "TRUE: so judged by maya; claimed in c1 (model-1)" in holds.why
    assert "X is two" in fails.prompt
    assert [file["name"] for file in fails.attachments] == ["src/a.py", "git-diff.txt"]
    assert "No panel has judged claims" in ran()
    with pytest.raises(CommandError, match="None of these"):
        ran(panel.pk)
    assert Task.objects.count() == 2


@pytest.mark.django_db
def test_long_files_are_told_and_everything_can_be_mined_at_once(panel: Panel) -> None:
    panel.prompt = f"{PROMPT}{'z = 3' * 8_000}"
    panel.save()
    told = ran("--all")
    assert "40,015 characters of files" in told
    assert "4 drafts wait for review" in told
    assert ran("--all") == "nothing was written\n"
    with pytest.raises(CommandError, match="no panel nowhere"):
        ran("nowhere")


@pytest.mark.django_db
def test_a_job_mines_all_panels_and_tells_of_those_it_cannot(panel: Panel) -> None:
    Panel.objects.create(
        **{name: getattr(panel, name) for name in ("caller", "collection_name", "protocol", "shape", "shape_by")},
        id="p20260601-2",
        prompt="no files",
        started_at=NOW,
    )
    Seat.objects.create(call="c3", panel_id="p20260601-2", place=1, label="member", alias="model-1", status="ok")
    Verdict.objects.create(call="c3", judge_name="bob", useful=True, real=["It holds"], at=NOW)
    curator = User.objects.create_superuser("cora")
    job = do_begin_mining(actor=curator, now=NOW)
    with pytest.raises(Refused, match="already"):
        do_begin_mining(actor=curator, now=NOW)
    assert run_job(job.pk, lambda: NOW) == "done"
    job.refresh_from_db()
    assert (job.note, job.done, job.total) == ("4 drafts of 1 panels wait for review", 2, 2)
    assert "no `===== name` sections" in JobLine.objects.get(text__contains="p20260601-2").text
    assert set(Task.objects.values_list("source", flat=True)) == {panel.pk}
    again = do_begin_mining(actor=curator, now=NOW)
    run_job(again.pk, lambda: NOW)
    again.refresh_from_db()
    assert (again.note, again.total) == ("no claim that could be a task", 1)
