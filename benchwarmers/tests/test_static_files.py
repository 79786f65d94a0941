"""Static files: one sheet for all pages, compressed, and kept by browsers for as long as it is the same."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.test import Client

from benchwarmers.sheets import FOLDER, SHEETS, all_sheets, sheets_address
from benchwarmers.static_files import FOR_A_WHILE, FOR_GOOD

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = "vendor/htmx-2.min.js"
FONT = "vendor/archivo-latin-wdth-normal.woff2"


def folder() -> Path:
    found = finders.find(f"{FOLDER}/tokens.css")
    assert found
    return Path(found).parent


def test_every_sheet_is_among_those_of_all_pages_or_linked_by_a_template() -> None:
    templates = "".join(path.read_text() for path in (ROOT / "templates").rglob("*.html"))
    linked = set(re.findall(rf"{FOLDER}/(\w+)\.css", templates))
    there = {path.stem for path in folder().glob("*.css")}
    assert there - linked - set(SHEETS) == set()
    assert set(SHEETS) <= there
    assert len(SHEETS) == len(set(SHEETS))


def test_the_one_sheet_has_every_rule_in_order_and_names_fonts_by_their_versions() -> None:
    text = all_sheets().decode()
    assert text.count("{") == sum((folder() / f"{name}.css").read_text().count("{") for name in SHEETS)
    assert text.index("--ground:") < text.index("body")
    assert f'url("{static(FONT)}")' in text
    assert "../" not in text
    assert "/*" not in text


def test_a_page_links_one_sheet_and_every_file_by_its_version(client: Client) -> None:
    page = client.get("/login/").content.decode()
    assert re.findall(r'rel="stylesheet" href="([^"]+)"', page) == [sheets_address()]
    for address in re.findall(r'(?:href|src)="(/static/[^"]+)"', page):
        answer = client.get(address)
        assert (answer.status_code, answer["Cache-Control"]) == (200, FOR_GOOD), address


@pytest.mark.parametrize("query", ["", "?v=", "?v=0123456789abcdef"])
def test_what_is_asked_for_without_its_version_is_not_kept_for_good(client: Client, query: str) -> None:
    for address in (static(SCRIPT), sheets_address()):
        assert client.get(address.partition("?")[0] + query)["Cache-Control"] == FOR_A_WHILE


@pytest.mark.parametrize(
    ("accepted", "pressed"),
    [
        ("gzip", True),
        ("br, gzip;q=0.8", True),
        ("", False),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip;q=0, br", False),
    ],
)
def test_texts_are_compressed_for_whoever_takes_it(client: Client, accepted: str, pressed: bool) -> None:
    for address in (static(SCRIPT), sheets_address()):
        plain = client.get(address).content
        answer = client.get(address, headers={"accept-encoding": accepted})
        assert answer.headers.get("Content-Encoding") == ("gzip" if pressed else None)
        assert answer["Vary"] == "Accept-Encoding"
        assert int(answer["Content-Length"]) == len(answer.content)
        assert (gzip.decompress(answer.content) if pressed else answer.content) == plain
        assert len(answer.content) < len(plain) / 2 or not pressed


def test_a_font_is_not_compressed_again_and_a_part_of_a_file_is_that_part(client: Client) -> None:
    assert "Content-Encoding" not in client.get(static(FONT), headers={"accept-encoding": "gzip"})
    answer = client.get(static(SCRIPT), headers={"accept-encoding": "gzip", "range": "bytes=0-9"})
    assert (answer.status_code, len(answer.content)) == (206, 10)


def test_the_one_sheet_is_not_sent_again_to_whoever_has_it(client: Client) -> None:
    first = client.get(sheets_address())
    again = client.get(sheets_address(), headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content, again["Cache-Control"]) == (304, b"", FOR_GOOD)
    assert client.post(sheets_address()).status_code == 405
