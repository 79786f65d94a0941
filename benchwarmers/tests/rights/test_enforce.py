"""The middleware that holds requests against the table of rights."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpResponse
from django.test import Client, override_settings
from django.urls import path
from rest_framework.response import Response
from rest_framework.views import APIView

from benchwarmers.asgi import PRACTICE_PATH
from benchwarmers.health import PATHS as HEALTH
from benchwarmers.rights.rule import ANYONE, KEY, SIGNED_IN, STAFF, TOKEN, Row, admits
from benchwarmers.rights.table import OUTSIDE
from benchwarmers.urls import urlpatterns as served
from benchwarmers.watch import METRICS
from gateway.api.edge import EdgeView

pytestmark = pytest.mark.django_db


def page(request: Any, **named: str) -> HttpResponse:
    return HttpResponse("inside")


class Keyless(APIView):
    """A view that asks for no key, under a name whose row wants one."""

    authentication_classes = ()
    permission_classes = ()

    def get(self, request: Any) -> Response:
        return Response("inside")


class Writes(EdgeView):
    """A view with more methods than its row."""

    def post(self, request: Any) -> Response:
        return Response("inside")


urlpatterns = [
    path("nameless/", page),
    path("new/", page, name="new-page"),
    path("models/", Keyless.as_view(), name="gateway-models"),
    path("waived/", EdgeView.as_view(authentication_classes=()), name="gateway-model"),
    path("record/", Writes.as_view(), name="gateway-record"),
    *served,
]


@pytest.fixture(autouse=True)
def _routes() -> Any:
    with override_settings(ROOT_URLCONF=__name__):
        yield


@pytest.mark.parametrize("where", ["/nameless/", "/new/", "/models/", "/waived/"])
def test_what_the_table_does_not_know_is_closed_to_everybody_and_logged(
    where: str, caplog: pytest.LogCaptureFixture
) -> None:
    client = Client()
    client.force_login(User.objects.create_superuser("boss"))
    assert client.get(where).status_code == 404
    assert "the route is closed" in caplog.text


def test_a_method_without_a_rule_is_not_allowed_even_where_a_view_has_it() -> None:
    assert Client().post("/record/", {}, content_type="application/json").status_code == 405
    assert Client().get("/panels/p1/seats/c1/verdict").headers["Allow"] == "POST"


def test_a_lacking_right_is_403_and_where_something_is_named_404() -> None:
    client = Client()
    client.force_login(User.objects.create_user("zoe"))
    assert client.get("/judge/import/").status_code == 403
    assert client.post("/panels/p1/seats/c1/verdict").status_code == 404


def test_a_script_of_nobody_is_told_to_load_the_sign_in_page() -> None:
    answer = Client().post("/panels/p1/seats/c1/verdict", headers={"HX-Request": "true"})
    assert (answer.status_code, answer.headers["HX-Redirect"]) == (204, "/login/?next=%2F")
    assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.parametrize(
    ("rule", "admitted"),
    [
        (ANYONE, {"nobody", "zoe", "staff", "boss"}),
        (SIGNED_IN, {"zoe", "staff", "boss"}),
        (STAFF, {"staff", "boss"}),
        (KEY, set()),
        (TOKEN, set()),
        ("gateway.judge", {"boss"}),
    ],
)
def test_a_rule_admits_those_whom_it_is_for(rule: str, admitted: set[str]) -> None:
    people: dict[str, User | AnonymousUser] = {
        "nobody": AnonymousUser(),
        "zoe": User.objects.create_user("zoe"),
        "staff": User.objects.create_user("staff", is_staff=True),
        "boss": User.objects.create_superuser("boss"),
    }
    assert {name for name, person in people.items() if admits(rule, person)} == admitted


def test_what_is_served_beside_django_is_in_the_table() -> None:
    assert set(OUTSIDE) == {*HEALTH, METRICS, PRACTICE_PATH, "/mcp"}
    assert OUTSIDE[METRICS] == Row(read=TOKEN)


@pytest.mark.parametrize(
    ("row", "method", "rule"),
    [
        (Row(read="a", write="b"), "GET", "a"),
        (Row(read="a", write="b"), "HEAD", "a"),
        (Row(read="a", write="b"), "POST", "b"),
        (Row(read="a", write="b"), "DELETE", "b"),
        (Row(read="a", write="b"), "OPTIONS", "a"),
        (Row(write="b"), "OPTIONS", "b"),
        (Row(write="b"), "GET", None),
        (Row(read="a"), "PATCH", None),
    ],
)
def test_reading_and_writing_fall_under_their_own_rules(row: Row, method: str, rule: str | None) -> None:
    assert row.rule_for(method) == rule
