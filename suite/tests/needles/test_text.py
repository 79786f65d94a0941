"""What is shown is made again from what is installed, or not at all."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from gateway.canon.kinds import TaskShape
from probes.tests.jobs.given import NOW
from suite.drafts import Draft
from suite.needles.context import LAST_WORDS
from suite.needles.text import CannotShow, read_file, shown
from suite.store import keep_task
from suite.tests.needles.given import kept

pytestmark = pytest.mark.django_db


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
