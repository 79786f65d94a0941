"""The style sheets of the pages as one: forty requests before the first paint would cost more than all their bytes.

Each sheet stays a file of its own; they are put together, in the order below, when they are first asked for.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static

from benchwarmers.static_versions import digest_of

FOLDER: Final = "benchwarmers/css"
SHEETS: Final = (
    *("tokens", "base", "layout", "forms", "marks", "panels", "panel", "card", "claims", "judge", "conversations"),
    *("shadows", "contribution", "keys", "changes", "answer", "account", "people", "find", "chips", "endpoints"),
    *("home", "sign_ins", "discover", "hubs", "onboard", "jobs", "logs", "settings", "models", "model", "benchmarks"),
    *("passes", "review", "collections", "collection_editor"),
)
"""Later ones win over earlier ones. A sheet that one page alone needs is linked by its template."""
NAME: Final = f"{FOLDER}/all.css"
"""There is no such file."""
_ADDRESS: Final = re.compile(r'url\("([^":]+)"\)')
_COMMENT: Final = re.compile(r"/\*.*?\*/\s*", re.DOTALL)


@cache
def all_sheets() -> bytes:
    """All of them, without comments. What they name stands there with its version."""
    return "".join(map(_read, SHEETS)).encode()


def sheets_path() -> str:
    """Where the middleware serves them."""
    return f"{settings.STATIC_URL}{NAME}"


@cache
def sheets_address() -> str:
    """What pages link."""
    return f"{sheets_path()}?v={digest_of(all_sheets())}"


def _read(sheet: str) -> str:
    found = finders.find(f"{FOLDER}/{sheet}.css")
    if found is None:
        raise FileNotFoundError(f"no style sheet {sheet}")
    text = _COMMENT.sub("", Path(found).read_text(encoding="utf-8"))
    return _ADDRESS.sub(lambda named: f'url("{static(normpath(join(dirname(NAME), named[1])))}")', text)
