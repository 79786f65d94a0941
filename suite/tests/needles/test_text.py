"""What is shown is made again from what is installed, or not at all."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from gateway.canon.kinds import TaskShape
from suite.drafts import Draft
from suite.models import TaskVersion
from suite.needles.context import LAST_WORDS
from suite.needles.draft import Order, drafts
from suite.needles.draw import Haystack
from suite.needles.text import CannotShow, read_file, shown
from suite.seeding.sources import read_sources
from suite.store import keep_task
from suite.tests.needles.given import package

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of invented code that can be imported, named after the test's folder so that no other test sees it."""
    name = "hay_" + "".join(letter for letter in tmp_path.name if letter.isalnum())
    root = tmp_path / name
    root.mkdir()
    (root / "__init__.py").write_text("")
    for source in package(40):
        (root / Path(source.name).name).write_text(source.text)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return root


def kept(root: Path) -> TaskVersion:
    hay = Haystack(read_sources(root, (".py",), prefix=f"{root.name}/"))
    (draft,) = drafts(hay, Order({root.name: "1.0"}, (4_000,), 1))
    task, _ = keep_task(draft, by="maya", now=NOW, reviewed=True)
    return task.versions.get(current=True)


def test_a_version_keeps_a_few_hundred_bytes_and_shows_thousands(installed: Path) -> None:
    version = kept(installed)
    assert len(version.attachments[0]["text"]) < 1_500
    text = shown(version)
    assert len(text) > 14_000
    assert text.startswith(version.prompt)
    assert text.endswith(LAST_WORDS)
    assert "def reconcile_ledgers(" in text


def test_code_that_changed_is_not_shown(installed: Path) -> None:
    version = kept(installed)
    for path in installed.glob("part_*.py"):
        path.write_text(path.read_text().replace("total + 1", "total + 2"))
    with pytest.raises(CannotShow, match=rf"not that of {installed.name} 1.0 any more"):
        shown(version)
    for path in installed.glob("part_*.py"):
        path.unlink()
    with pytest.raises(CannotShow, match="not installed here any more"):
        shown(version)


@pytest.mark.parametrize(
    "name", ["../secret.py", "django/../../secret.py", "django/py.typed", "no_such_package/a.py", "/etc/a.py", "json"]
)
def test_a_recipe_leads_to_no_other_file_of_this_machine(name: str) -> None:
    with pytest.raises(CannotShow):
        read_file(name)


def test_a_recipe_that_somebody_spoilt_is_told(installed: Path) -> None:
    version = kept(installed)
    version.attachments = [{"name": "needle.json", "text": '{"tokens": "many"}'}]
    with pytest.raises(CannotShow, match="cannot be read"):
        shown(version)


def test_what_has_no_recipe_is_shown_as_it_stands() -> None:
    draft = Draft("n", "A needle by hand", TaskShape.NEEDLE, "find", {"must_find": ["x"]}, [{"name": "a", "text": "b"}])
    for one in (draft, msgspec.structs.replace(draft, slug="c", shape=TaskShape.CLAIM)):
        task, _ = keep_task(one, by="maya", now=NOW)
        assert shown(task.versions.get()) == "find\n\n===== FILE: a =====\nb"
