"""Serves the apps' static files from their own folders, in every kind of process.

WhiteNoise finds and describes the files; the answer is made whole, because a file iterator under ASGI would be read
in a thread piece by piece. Assumes small files.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # untyped base
    """WhiteNoise with whole answers."""

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
        return response
