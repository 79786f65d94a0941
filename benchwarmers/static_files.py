"""Serves the apps' static files from their own folders, in every kind of process.

WhiteNoise finds and describes the files; the answer is made whole, because a file iterator under ASGI would be read
in a thread piece by piece. Assumes small files. Texts go out compressed to whoever takes that, and what is asked for by
its version may be kept for good.
"""

from __future__ import annotations

import gzip
import re
from functools import lru_cache
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

from benchwarmers.sheets import all_sheets, sheets_path
from benchwarmers.static_versions import digest_of, version_of

FOR_GOOD: Final = "max-age=31536000, public, immutable"
FOR_A_WHILE: Final = "max-age=60, public"
_TEXTS: Final = ("text/", "application/javascript", "application/json", "image/svg+xml")
_TAKES_GZIP: Final = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")
_SMALL: Final = 512


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # untyped base
    """WhiteNoise with whole answers, and all style sheets of the pages as one file."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info == sheets_path():
            return _serve_sheets(request)
        answer: HttpResponse = super().__call__(request)
        return answer

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        """The file, or what its conditions say (304, 206, 405)."""
        found = static_file.get_response(request.method, request.META)
        body = b""
        if found.file is not None:
            with found.file:
                body = found.file.read()
        response = HttpResponse(body, status=int(found.status))
        del response["Content-Type"]
        for name, content in found.headers:
            response[name] = content
        _say_how_long(request, response, version_of(request.path_info.removeprefix(settings.STATIC_URL)))
        if "Content-Range" not in response:
            _compress(request, response)
        return response


def _serve_sheets(request: HttpRequest) -> HttpResponse:
    if request.method not in ("GET", "HEAD"):
        return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
    body = all_sheets()
    version = digest_of(body)
    known = request.META.get("HTTP_IF_NONE_MATCH") == f'"{version}"'
    response = HttpResponse(b"" if known else body, content_type="text/css; charset=utf-8")
    response.status_code = 304 if known else 200
    response["ETag"] = f'"{version}"'
    _say_how_long(request, response, version)
    _compress(request, response)
    if not known:
        response["Content-Length"] = str(len(response.content))
    return response


def _say_how_long(request: HttpRequest, response: HttpResponse, version: str) -> None:
    if response.status_code < 400:
        response["Cache-Control"] = FOR_GOOD if version and request.GET.get("v") == version else FOR_A_WHILE


def _compress(request: HttpRequest, response: HttpResponse) -> None:
    """Once for each file and process."""
    kind = response.get("Content-Type", "")
    if response.status_code not in (200, 304) or not kind.startswith(_TEXTS):
        return
    patch_vary_headers(response, ["Accept-Encoding"])
    if len(response.content) > _SMALL and _TAKES_GZIP.search(request.META.get("HTTP_ACCEPT_ENCODING", "")):
        response.content = _pressed(response.content)
        response["Content-Encoding"] = "gzip"
        response["Content-Length"] = str(len(response.content))


@lru_cache(maxsize=64)
def _pressed(content: bytes) -> bytes:
    return gzip.compress(content, compresslevel=9, mtime=0)
