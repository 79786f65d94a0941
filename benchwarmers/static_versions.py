"""Addresses of static files that name what is in them, so that a browser asks once for each version of a file.

The content's digest stands in the query (`?v=`), which needs no step that writes files anew. Whoever asks with the
digest of today's content may keep the answer for good (`benchwarmers.static_files`).
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage


def digest_of(content: bytes) -> str:
    """Sixteen hex digits that another content does not have."""
    return hashlib.sha256(content).hexdigest()[:16]


@cache
def version_of(name: str) -> str:
    """The digest of the static file of this name, empty where there is none. Read once: files do not change while the
    server runs."""
    found = finders.find(name)
    return digest_of(Path(found).read_bytes()) if found and Path(found).is_file() else ""


class VersionedStatic(StaticFilesStorage):
    """What `{% static %}` and forms' media take their addresses from."""

    def url(self, name: str | None) -> str:
        """The address of the file, with its version."""
        plain: str = super().url(name)
        version = version_of(name) if name else ""
        return f"{plain}?v={version}" if version else plain
