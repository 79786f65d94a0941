"""Which languages the pages speak: English, and each that has a compiled catalogue in the folder of catalogues."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from django.conf.locale import LANG_INFO

ENGLISH: Final = ("en-gb", "English")
BEFORE: Final = "django.middleware.common.CommonMiddleware"
LOCALE: Final = "django.middleware.locale.LocaleMiddleware"


def languages_in(folder: Path) -> list[tuple[str, str]]:
    """(code, its own name) of each, English first. A catalogue lies at `<locale>/LC_MESSAGES/django.mo`, such as
    `de` or `pt_BR`; a folder without one is work not done yet."""
    found = sorted(path.parent.parent.name for path in folder.glob("*/LC_MESSAGES/django.mo"))
    codes = [name.replace("_", "-").lower() for name in found]
    return [ENGLISH, *((code, _name_of(code)) for code in codes if code != ENGLISH[0])]


def speak(middleware: Sequence[str], languages: Sequence[tuple[str, str]]) -> list[str]:
    """The middleware, with the one that listens to which language a browser prefers, where there is a choice."""
    if len(languages) < 2:
        return list(middleware)
    at = middleware.index(BEFORE)
    return [*middleware[:at], LOCALE, *middleware[at:]]


def _name_of(code: str) -> str:
    for known in (code, code.split("-")[0]):
        if named := LANG_INFO.get(known, {}).get("name_local"):
            return str(named)
    return code
