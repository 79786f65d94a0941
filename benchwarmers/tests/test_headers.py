"""What every page's answer carries, and how static files are served."""

from __future__ import annotations

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from benchwarmers.csp import ContentSecurityPolicy

pytestmark = pytest.mark.django_db


def policy(path: str, *, nonce: bool = False) -> tuple[str, str]:
    used: list[str] = []

    def page(request: HttpRequest) -> HttpResponse:
        if nonce:
            used.append(str(request.csp_nonce))  # type: ignore[attr-defined]
        return HttpResponse("")

    answer = ContentSecurityPolicy(page)(RequestFactory().get(path))
    return answer["Content-Security-Policy"], "".join(used)


def test_our_pages_run_no_inline_script_and_ask_no_other_host() -> None:
    text, _ = policy("/panels/")
    assert "default-src 'self'" in text
    assert "unsafe" not in text
    assert "http" not in text
    assert "frame-ancestors 'none'" in text


def test_a_nonce_is_allowed_only_where_it_is_used_and_never_twice() -> None:
    first, nonce = policy("/panels/", nonce=True)
    second, other = policy("/panels/", nonce=True)
    assert f"'nonce-{nonce}'" in first
    assert f"'nonce-{other}'" in second
    assert nonce != other


@pytest.mark.parametrize("path", ["/", "/admin/", "/admin/login/", "/administration/"])
def test_nothing_may_evaluate_or_stand_inline_anywhere(path: str) -> None:
    assert "unsafe" not in policy(path)[0]


def test_answers_carry_the_strict_headers(client: Client) -> None:
    answer = client.get("/login/")
    assert answer.status_code == 200
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer.cookies["csrftoken"]["samesite"] == "Strict"
    assert answer.cookies["csrftoken"]["httponly"]


def test_static_files_are_served_whole_from_the_app_folders(client: Client) -> None:
    answer = client.get("/static/admin/css/base.css")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/css")
    assert int(answer["Content-Length"]) == len(answer.content)
    assert "Access-Control-Allow-Origin" not in answer
    again = client.get("/static/admin/css/base.css", HTTP_IF_NONE_MATCH=answer["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/static/../manage.py").status_code == 404
