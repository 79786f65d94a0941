"""Rows become drafts: read from a file or from the hub, counted by reason, never twice."""

from __future__ import annotations

import io
import json
import subprocess
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from gateway.canon.kinds import TaskShape
from gateway.engine.fetch import Fetched
from suite.models import Task
from suite.real.hub import KEPT_S, PAGE, TRIES, Hub
from suite.real.patch import Unfit
from suite.real.rows import BadRows, read_file, read_row
from suite.real.texts import texts_of
from suite.tests.real.made import BEFORE, diff, row


def written(folder: Path, rows: list[Any], name: str = "rows.json") -> Path:
    file = folder / name
    lines = "\n".join(json.dumps(one) for one in rows)
    file.write_text(lines if name.endswith("l") else json.dumps(rows))
    return file


@pytest.mark.parametrize("form", ["a list", "lines", "one line", "the hub's page"])
def test_a_file_of_rows_may_be_a_list_lines_or_a_page_of_the_hub(tmp_path: Path, form: str) -> None:
    old, new = row(1, created_at="2025-01-01"), row(2)
    other = {"language": "go"}
    match form:
        case "a list":
            file = written(tmp_path, [old, new, other])
        case "lines":
            file = written(tmp_path, [old, other, new], "rows.jsonl")
        case "one line":
            file = written(tmp_path, [new], "rows.jsonl")
        case _:
            file = tmp_path / "page.json"
            file.write_text(json.dumps({"rows": [{"row_idx": 3, "row": old}, {"row_idx": 4, "row": new}]}))
    read = read_file(file)
    assert read[0].instance == "maker__picker-2"
    assert read[0].problem == "The first item is never found."
    assert [one.created_on for one in read] == sorted((one.created_on for one in read), reverse=True)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ([], "not a JSON object"),
        (row(patch=None), "it has no patch"),
        (row(created_at="soon"), "'soon' is no date"),
        (row(files=["a.py"]), "files is an object of texts"),
    ],
)
def test_a_row_that_cannot_be_used_is_named(said: Any, why: str) -> None:
    with pytest.raises(BadRows, match=f"^rows, row 3: {why}"):
        read_row(said, "rows, row 3")


def test_a_file_that_is_no_rows_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"a": 1}\nhello')
    with pytest.raises(BadRows, match="line 2: no JSON"):
        read_file(file)
    with pytest.raises(BadRows, match="cannot be read"):
        read_file(tmp_path / "gone")


def ran(*words: str) -> str:
    out = io.StringIO()
    call_command("import_rebench", *words, "--offline", stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_the_command_makes_pairs_of_drafts_and_counts_what_it_leaves(tmp_path: Path) -> None:
    rows = [
        row(1),
        row(2, patch=diff(path="tests/x.py")),
        row(3, patch=diff(path="tests/x.py")),
        row(4, files={}),
        row(5, instance_id="getmoto__moto-9005"),
        row(6, created_at="2024-01-01"),
    ]
    file = str(written(tmp_path, rows))
    assert "1 pairs from 5 rows; left: 2 not a Python source file, " in ran(file, "--dry-run")
    assert not Task.objects.exists()
    said = ran(file)
    assert "maker__picker-1 (2025-07-02): rebench-picker-1-bug, line 2" in said
    assert "1 the file is not to be had" in said
    assert "1 turned down in a review" in said
    bug, control = Task.objects.order_by("slug")
    assert (bug.slug, bug.pair, bug.control, bug.draft) == ("rebench-picker-1-bug", control.slug, False, True)
    assert (control.control, bug.shape, bug.origin, bug.licence) == (True, TaskShape.REAL, "real", "MIT")
    assert bug.created_on == date(2025, 7, 2)
    assert bug.contamination.startswith("Public since 2025-07-02")
    assert bug.source_url == "https://github.com/maker/picker/pull/1"
    again = ran(file)
    assert again.startswith("0 pairs from 5 rows; left: 2 not a Python source file, ")
    assert "1 already here" in again
    assert "1 pairs" in ran(file, "--since", "2024-01-01")


@pytest.mark.django_db
def test_limit_offset_and_scan_choose_among_the_newest(tmp_path: Path) -> None:
    rows = [row(number, created_at=f"2025-07-{number:02}") for number in range(1, 9)]
    file = str(written(tmp_path, rows))
    assert ran(file, "--limit", "2", "--offset", "1").splitlines()[0].startswith("maker__picker-7 ")
    assert {task.source for task in Task.objects.all()} == {"maker__picker-7", "maker__picker-6"}
    assert "from 3 rows" in ran(file, "--scan", "3")


@pytest.mark.django_db
def test_two_projects_of_one_name_get_tasks_of_their_own_and_own_rejections_count(tmp_path: Path) -> None:
    twin = row(1, instance_id="other__picker-1", repo="other/picker")
    file = str(written(tmp_path, [row(1), twin, row(2)]))
    no = tmp_path / "no.json"
    no.write_text('{"Maker__picker-2": "a rework"}')
    ran(file, "--rejected", str(no))
    assert {task.source for task in Task.objects.all()} == {"maker__picker-1", "other__picker-1"}
    assert Task.objects.count() == 4


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["gone.json"], "cannot be read"),
        ([], "Name a file"),
        (["gone.json", "--since", "soon"], "soon is no day"),
        (["gone.json", "--limit", "0"], "above 0"),
    ],
)
def test_what_cannot_be_done_is_refused(words: list[str], why: str) -> None:
    with pytest.raises(CommandError, match=why):
        ran(*words)


class Viewer:
    """Answers as the hub's viewer does, page by page, after it failed some times."""

    def __init__(self, rows: int, fails: int = 0, status: int = 500) -> None:
        self.rows, self.fails, self.status = rows, fails, status
        self.asked: list[str] = []
        self.waited: list[float] = []
        self.now = 1_000.0

    def fetch(self, address: str) -> Fetched:
        self.asked.append(address)
        if len(self.asked) <= self.fails:
            return Fetched(self.status, {}, b'{"error": "the index is loading"}')
        offset = int(address.partition("offset=")[2].partition("&")[0])
        page = [{"row": row(number)} for number in range(offset, min(offset + PAGE, self.rows))]
        return Fetched(200, {}, json.dumps({"rows": page}).encode())

    def hub(self, folder: Path) -> Hub:
        return Hub(self.fetch, self.waited.append, lambda: self.now, folder, lambda line: None)


def test_pages_of_the_hub_follow_each_other_and_are_kept_for_a_day(tmp_path: Path) -> None:
    viewer = Viewer(PAGE + 3)
    assert len(list(viewer.hub(tmp_path).rows(date(2025, 6, 1), 0))) == PAGE + 3
    assert len(viewer.asked) == 2
    assert "created_at%22%3E%3D%272025-06-01%27" in viewer.asked[0]
    assert len(list(viewer.hub(tmp_path).rows(date(2025, 6, 1), 0))) == PAGE + 3
    assert len(viewer.asked) == 2
    viewer.now += KEPT_S
    assert len(list(viewer.hub(tmp_path).rows(date(2025, 6, 1), PAGE))) == 3
    assert len(viewer.asked) == 3


def test_a_page_is_asked_for_only_when_it_is_needed(tmp_path: Path) -> None:
    viewer = Viewer(500)
    next(viewer.hub(tmp_path).rows(date(2025, 6, 1), 0))
    assert len(viewer.asked) == 1


def test_a_hub_that_is_loading_is_asked_again_and_not_for_ever(tmp_path: Path) -> None:
    viewer = Viewer(2, fails=3)
    assert len(list(viewer.hub(tmp_path).rows(date(2025, 6, 1), 0))) == 2
    assert viewer.waited == [20.0, 20.0, 20.0]
    never = Viewer(2, fails=99)
    with pytest.raises(BadRows, match="answered 500 after 16 tries"):
        list(never.hub(tmp_path).rows(date(2025, 6, 2), 0))
    assert len(never.asked) == TRIES
    refused = Viewer(2, fails=99, status=429)
    with pytest.raises(BadRows, match="answered 429 after 1 try"):
        list(refused.hub(tmp_path).rows(date(2025, 6, 3), 0))
    assert not refused.waited


def git(folder: Path, *words: str) -> str:
    identity = ("-c", "user.name=T", "-c", "user.email=t@example.org")
    done = subprocess.run(["git", "-C", str(folder), *identity, *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    place = tmp_path / "clones" / "maker__picker"
    (place / "src").mkdir(parents=True)
    git(place, "init", "-q")
    (place / "src" / "pick.py").write_text(BEFORE)
    git(place, "add", "-A")
    git(place, "commit", "-qm", "one")
    return place


def no_network(address: str) -> str | None:
    raise AssertionError(address)


def test_a_file_comes_from_the_row_then_from_a_clone_then_from_the_network(clone: Path) -> None:
    base = git(clone, "rev-parse", "HEAD")
    one = read_row(row(base_commit=base, files={"a.py": "from the row"}), "")
    text_of = texts_of(clone.parent, no_network)
    assert text_of(one, "a.py") == "from the row"
    assert text_of(one, "src/pick.py") == BEFORE
    asked: list[str] = []

    def fetch(address: str) -> str | None:
        asked.append(address)
        return "from the network"

    strange = read_row(row(base_commit="f" * 40, repo="maker/picker"), "")
    assert texts_of(clone.parent, fetch)(strange, "src/a b.py") == "from the network"
    assert asked == [f"https://raw.githubusercontent.com/maker/picker/{'f' * 40}/src/a%20b.py"]


def test_a_clone_may_be_a_link_to_where_it_is(clone: Path, tmp_path: Path) -> None:
    links = tmp_path / "links"
    links.mkdir()
    (links / "picker").symlink_to(clone)
    one = read_row(row(base_commit=git(clone, "rev-parse", "HEAD"), files={}), "")
    assert texts_of(links, no_network)(one, "src/pick.py") == BEFORE


@pytest.mark.parametrize(
    ("repo", "base"),
    [
        ("../maker__picker", "HEAD"),
        ("/{clone}", "HEAD"),
        ("maker/picker", "--output=spoiled"),
        ("maker/picker", "0" * 40),
    ],
)
def test_a_name_that_leads_outside_or_looks_like_an_option_reaches_nothing(clone: Path, repo: str, base: str) -> None:
    nothing: Callable[[str], str | None] = lambda address: None  # noqa: E731
    inner = clone.parent / "deeper"
    inner.mkdir()
    one = read_row(row(base_commit=base, repo=repo.format(clone=clone), files={}), "")
    with pytest.raises(Unfit, match="not to be had"):
        texts_of(inner if base == "HEAD" else clone.parent, nothing)(one, "src/pick.py")
    assert not list(clone.rglob("*spoiled*"))
