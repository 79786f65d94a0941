"""The code that the squad has by heart."""

from __future__ import annotations

from pathlib import Path

import django.utils.text
import pytest

from gateway.api.shelf import recall


def test_files_of_installed_packages_are_known_by_their_names() -> None:
    file = Path(django.utils.text.__file__)
    assert list(recall("django/utils/text.py")) == file.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    "name",
    [
        "nowhere/at_all.py",
        "django",
        "django/conf/locale/de/LC_MESSAGES/django.po",
        "../../../../manage.py",
        "/etc/passwd",
        str(Path(__file__)),
        "django/\0.py",
        "x" * 5_000,
    ],
)
def test_no_other_file_is(name: str) -> None:
    assert recall(name) == ()
