"""A language is there once its compiled catalogue is, and then pages come in it to whoever prefers it."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.checks.translation import check_language_settings_consistent
from django.test import Client, override_settings
from django.utils import translation

from benchwarmers.languages import ENGLISH, LOCALE, languages_in, speak
from benchwarmers.tests.pages.seed import make_people
from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.language_model import do_save_model

HEAD = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n"
GERMAN = {
    "": HEAD,
    "Endpoints": "Endpunkte",
    "Keys": "Schlüssel",
    "Sign in": "Anmelden",
    "%(n)s model\0%(n)s models": "%(n)s Modell\0%(n)s Modelle",
    "no key": "kein Schlüssel",
}


def write_catalogue(folder: Path, words: Mapping[str, str], name: str = "de") -> None:
    """A catalogue as GNU gettext compiles it: a head of seven numbers, two tables of (length, place), and the texts."""
    rows = sorted((said.encode(), meant.encode()) for said, meant in words.items())
    tables: tuple[list[bytes], list[bytes]] = ([], [])
    begins, texts = 28 + 16 * len(rows), b""
    for row in rows:
        for table, text in zip(tables, row, strict=True):
            table.append(struct.pack("<2I", len(text), begins + len(texts)))
            texts += text + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, len(rows), 28, 28 + 8 * len(rows), 0, 0)
    path = folder / name / "LC_MESSAGES" / "django.mo"
    path.parent.mkdir(parents=True)
    path.write_bytes(head + b"".join(tables[0]) + b"".join(tables[1]) + texts)


@pytest.fixture
def german(tmp_path: Path, db: None) -> Iterator[None]:
    write_catalogue(tmp_path, GERMAN)
    spoken = languages_in(tmp_path)
    listening = speak([one for one in settings.MIDDLEWARE if one != LOCALE], spoken)
    make_people()
    with override_settings(LOCALE_PATHS=[tmp_path], LANGUAGES=spoken, MIDDLEWARE=listening):
        yield
    translation.deactivate()


def read(address: str, prefers: str, name: str = "") -> str:
    client = Client(headers={"Accept-Language": prefers})
    if name:
        client.force_login(User.objects.get(username=name))
    return client.get(address).content.decode()


def test_a_page_comes_in_the_language_that_its_reader_prefers(german: None) -> None:
    page = read("/login/", "de-AT,de;q=0.9,en;q=0.5")
    assert '<html lang="de"' in page
    assert "Anmelden" in page
    for prefers in ("en-US", "fr", ""):
        page = read("/login/", prefers)
        assert "Sign in" in page
        assert "Anmelden" not in page


def test_places_words_of_code_and_plurals_come_along_and_what_is_not_translated_stays(german: None) -> None:
    do_save_endpoint(actor=None, name="north", base="https://north.example/v1")
    for name in ("one", "two"):
        do_save_model(actor=None, served=f"maker/{name}", endpoint="north", alias=name)
    do_save_endpoint(actor=None, name="south", base="https://south.example/v1")
    do_save_model(actor=None, served="maker/one", endpoint="south", alias="three")
    page = read("/endpoints/", "de", "maya")
    for told in ("<h1>Endpunkte</h1>", "Schlüssel", "2 Modelle", "1 Modell<", "kein Schlüssel", "Add an endpoint"):
        assert told in page


@pytest.mark.parametrize(
    ("folders", "spoken"),
    [
        ((), [ENGLISH]),
        (("de",), [ENGLISH, ("de", "Deutsch")]),
        (("pt_BR", "de"), [ENGLISH, ("de", "Deutsch"), ("pt-br", "Português Brasileiro")]),
        (("en_GB",), [ENGLISH]),
        (("xx",), [ENGLISH, ("xx", "xx")]),
    ],
)
def test_a_language_is_a_folder_with_a_compiled_catalogue(
    tmp_path: Path, folders: tuple[str, ...], spoken: list[tuple[str, str]]
) -> None:
    (tmp_path / "fr" / "LC_MESSAGES").mkdir(parents=True)  # begun, not compiled
    for name in folders:
        write_catalogue(tmp_path, {"": HEAD}, name)
    assert languages_in(tmp_path) == spoken
    assert (LOCALE in speak(["a", "django.middleware.common.CommonMiddleware"], spoken)) is (len(spoken) > 1)


def test_without_a_catalogue_nobody_is_listened_to_and_the_settings_agree() -> None:
    assert languages_in(Path("/nowhere")) == [ENGLISH]
    assert speak(["a"], [ENGLISH]) == ["a"]
    assert not check_language_settings_consistent(None)
