"""Offline work that is taken over once, with what people thought of it."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from collections_app.actions.language_model import do_rename_model
from collections_app.actions.offline import do_import_offline, plan_offline
from collections_app.models import Change, Evidence, Standing, Verdict
from collections_app.offline_file import read_offline
from collections_app.refusal import NotAllowed
from collections_app.tests.world import World

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
CSV = """model,date,task,useful,note,real,false,judge
fast,2026-11-20,Review the cache,yes,found it,It leaks,,alice
fast,2026-11-20,Review the cache,no,,,It is slow,someone
slow,2026-11-21,Plan,,,,,
fast,2026-11-20,Review the cache,yes,found it,It leaks,,alice
nobody,2026-11-20,Review,yes,,,,
fast,2999-11-30,Review,yes,,,,
fast,soon,Review,yes,,,,
"""


def outcomes(planned: list) -> list[tuple[str, str]]:  # type: ignore[type-arg]
    return [(one.outcome, one.why) for one in planned]


EXPECTED = [
    ("write", ""),
    ("write", ""),
    ("write", ""),
    ("known", "This is recorded already."),
    ("refused", "No model is called “nobody”."),
    ("refused", "2999-11-30 lies in the future."),
    ("refused", "“soon” is not a date; write 2026-11-29, or that with a time."),
]


def test_a_plan_says_what_becomes_of_each_row_and_writes_nothing(world: World) -> None:
    assert outcomes(plan_offline(read_offline(CSV), now=NOW)) == EXPECTED
    assert not Evidence.objects.exists()


def test_work_is_taken_over_with_its_verdict_and_the_standings_follow(world: World) -> None:
    planned = do_import_offline(actor=world.dora, by="dora", rows=read_offline(CSV), now=NOW)
    assert outcomes(planned) == EXPECTED
    found = Evidence.objects.filter(language_model=world.model("fast")).order_by("-useful")
    assert [(row.kind, row.useful, row.judges, row.real_claims, row.false_claims, row.current) for row in found] == [
        ("offline", 1.0, 1, 1, 0, True),
        ("offline", 0.0, 1, 0, 1, True),
    ]
    said = Verdict.objects.get(judge=world.alice)
    assert (said.judge_name, said.useful, said.note, said.real) == ("alice", True, "found it", ["It leaks"])
    assert Verdict.objects.get(judge__isnull=True).judge_name == "someone"
    standing = Standing.objects.get(language_model=world.model("fast"), collection_name="", shape="")
    assert (standing.offloads, standing.judged, standing.useful) == (2, 2, 1.0)
    assert Evidence.objects.get(language_model=world.model("slow")).useful is None
    assert Change.objects.get(thing="offline work").actor == world.dora


def test_a_second_time_changes_nothing_even_after_a_rename(world: World) -> None:
    do_import_offline(actor=None, by="local", rows=read_offline(CSV), now=NOW)
    do_rename_model(actor=None, alias="fast", new_alias="faster")
    rows, changes = Evidence.objects.count(), Change.objects.count()
    again = do_import_offline(actor=None, by="local", rows=read_offline(CSV), now=NOW)
    assert {one.outcome for one in again} == {"known", "refused"}
    assert (Evidence.objects.count(), Change.objects.count()) == (rows, changes)


def test_only_admins_take_over_work_in_the_names_of_others(world: World) -> None:
    for person in (world.alice, world.bob, world.charlie):
        with pytest.raises(NotAllowed):
            do_import_offline(actor=person, by=person.username, rows=read_offline(CSV), now=NOW)
    assert not Evidence.objects.exists()


def test_the_command_tells_each_row_and_fails_when_some_were_refused(world: World, tmp_path: Path) -> None:
    file, out = tmp_path / "work.csv", io.StringIO()
    file.write_text(CSV, encoding="utf-8")
    with pytest.raises(CommandError, match="3 rows were refused"):
        call_command("import_verdicts", str(file), "--dry-run", stdout=out)
    assert "write 3, known 1, refused 3 (dry run: nothing was written)" in out.getvalue()
    assert not Evidence.objects.exists()
    file.write_text("\n".join(CSV.splitlines()[:4]), encoding="utf-8")
    call_command("import_verdicts", str(file), "--judge", "team", stdout=out)
    assert "    2  write   fast, 2026-11-20, Review the cache" in out.getvalue()
    assert Evidence.objects.count() == 3


@pytest.mark.parametrize(
    ("content", "words"), [(b"\xff\xfe", "not UTF-8"), (b"colour\n", "Nothing was written"), (None, "No such file")]
)
def test_the_command_says_why_it_cannot_read(world: World, tmp_path: Path, content: bytes | None, words: str) -> None:
    file = tmp_path / "work.csv"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(CommandError, match=words):
        call_command("import_verdicts", str(file))
