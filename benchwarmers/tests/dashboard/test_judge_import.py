"""The page that takes over offline work."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from collections_app.models import Evidence, Verdict

As = Callable[[str], Client]
CSV = (
    "model,date,task,useful,note\n"
    'granite-l,2026-11-20,"Review <script>alert(1)</script>",yes,"two\nlines"\n'
    "nobody,2026-11-20,Review,yes,\n"
)


def upload(client: Client, data: bytes) -> str:
    answer = client.post("/judge/import/", {"file": SimpleUploadedFile("work.csv", data)})
    return f"{answer.status_code} {answer.content.decode()}"


def test_a_file_is_shown_row_by_row_and_then_written(as_person: As) -> None:
    client = as_person("boss")
    page = upload(client, CSV.encode())
    assert "<strong>1</strong> to write" in page
    assert "No model is called “nobody”." in html.unescape(page)
    assert "<script>alert" not in page
    assert not Evidence.objects.exists()
    kept = re.search(r"<textarea name=\"text\" hidden>\n(.*?)</textarea>", page, re.S)
    assert kept
    carried = html.unescape(kept[1]).replace("\n", "\r\n")  # as a browser sends it
    for told in ("1 row imported.", "0 rows imported."):
        answer = client.post("/judge/import/", {"text": carried, "go": "1"}, follow=True)
        assert told in answer.content.decode()
    verdict = Verdict.objects.get()
    assert (verdict.judge_name, verdict.note, verdict.useful) == ("boss", "two lines", True)
    assert "<strong>1</strong> recorded already" in upload(client, CSV.encode())


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "Choose a file or paste its text."),
        (b"\xff\xfe\x00", "It is not UTF-8."),
        (b"colour\n", "is not one of the columns"),
        (b"x" * 1_000_001, "longer than 1 MB"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_about(as_person: As, data: bytes, words: str) -> None:
    page = upload(as_person("boss"), data)
    assert page.startswith("422 ")
    assert words in html.unescape(page)


@pytest.mark.parametrize("name", ["maya", "ben", "zoe"])
def test_only_admins_import(as_person: As, name: str) -> None:
    client = as_person(name)
    assert client.get("/judge/import/").status_code == 403
    assert client.post("/judge/import/", {"text": CSV, "go": "1"}).status_code == 403
    assert 'href="/judge/import/"' not in client.get("/judge/").content.decode()
    assert not Evidence.objects.exists()


def test_admins_find_the_way_there(as_person: As) -> None:
    assert 'href="/judge/import/"' in as_person("boss").get("/judge/").content.decode()
