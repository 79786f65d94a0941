"""A panel as one file: readable without scripts or a network, with the same as data and digests that hold."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from benchwarmers.dashboard.panel_file import sha256
from benchwarmers.tests.dashboard.conftest import NOON
from benchwarmers.tests.pages.seed import Played, judge, make_panel
from gateway.models import Panel, Reading, Seat

As = Callable[[str], Client]
EVIL = "</script><script>alert(1)</script> [x](javascript:alert(1)) ![p](https://spy.example/p.png) **bold** ü"


@pytest.fixture
def panel() -> str:
    seats = [
        Played("member", "granite-l", "ok", 3.2, EVIL, first=0.4),
        Played("explorer", "wren", "ok", 2.0, "To rest."),
    ]
    made = make_panel(NOON, "core", "What is a <b>bench</b> for?", seats, owner="ben")
    judge("maya", f"{made}.explorer", True, note="says it", real=("To rest.",))
    return made


def take(client: Client, panel: str) -> str:
    answer = client.get(f"/panels/{panel}/file")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/html; charset=utf-8"
    assert answer["Content-Disposition"] == f'attachment; filename="panel-{panel}.html"'
    return answer.content.decode()


def data_in(page: str) -> dict[str, Any]:
    found = re.search(r'<script id="panel-data" type="application/json">(.*?)</script>', page, re.S)
    assert found is not None
    return json.loads(found[1])  # type: ignore[no-any-return]


def test_the_data_says_all_and_its_digests_hold(as_person: As, panel: str) -> None:
    data = data_in(take(as_person("ben"), panel))
    told = data["panel"]
    plain = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert data["sha256"] == hashlib.sha256(plain.encode()).hexdigest()
    assert (told["prompt"], told["asked_by"], told["collection"]) == ("What is a <b>bench</b> for?", "ben", "core")
    assert [seat["model"] for seat in told["seats"]] == ["granite-l", "wren"]
    assert [seat["answer"] for seat in told["seats"]] == [EVIL, "To rest."]
    for seat in told["seats"]:
        assert seat["answer_sha256"] == hashlib.sha256(seat["answer"].encode()).hexdigest()
    verdict = told["seats"][1]["verdicts"][0]
    assert (verdict["judge"], verdict["useful"], verdict["note"]) == ("maya", True, "says it")
    assert verdict["real"] == ["To rest."]


def test_the_page_says_the_same_and_asks_nobody(as_person: As, panel: str) -> None:
    page = take(as_person("ben"), panel)
    data = data_in(page)
    read = page.replace(page[page.index('<script id="panel-data"') : page.rindex("</script>")], "")
    for told in (
        "What is a &lt;b&gt;bench&lt;/b&gt; for?",
        "granite-l",
        "<strong>bold</strong>",
        "says it",
        "To rest.",
    ):
        assert told in read
    assert data["sha256"] in read
    assert all(seat["answer_sha256"] in read for seat in data["panel"]["seats"])
    assert page.count("<script") == 1
    assert not re.search(r"<(img|link|iframe)\b|\bsrc=|\bon\w+=|href=\"javascript", read)


def test_its_policy_allows_its_own_sheet_and_nothing_else(as_person: As, panel: str) -> None:
    page = take(as_person("ben"), panel)
    sheet = re.search(r"<style>(.*?)</style>", page, re.S)
    assert sheet is not None
    digest = base64.b64encode(hashlib.sha256(sheet[1].encode()).digest()).decode()
    assert f"content=\"default-src 'none'; style-src 'sha256-{digest}'\"" in page


def test_what_changes_changes_the_digest(as_person: As, panel: str) -> None:
    before = data_in(take(as_person("ben"), panel))["sha256"]
    assert data_in(take(as_person("ben"), panel))["sha256"] == before
    Seat.objects.filter(call=f"{panel}.explorer").update(answer="To rest")
    assert data_in(take(as_person("ben"), panel))["sha256"] != before


def test_who_may_not_read_the_panel_has_no_file_and_who_reads_is_noted(as_person: As, panel: str) -> None:
    assert as_person("zoe").get(f"/panels/{panel}/file").status_code == 404
    assert as_person("zoe").get("/panels/none/file").status_code == 404
    take(as_person("boss"), panel)
    assert Reading.objects.filter(reader_name="boss", name=panel).exists()
    assert Client().get(f"/panels/{panel}/file").status_code == 302


def test_a_covered_panel_is_not_given_until_all_of_it_is_judged(as_person: As, panel: str) -> None:
    maya = as_person("maya")
    session = maya.session
    session["blind"] = True
    session.save()
    answer = maya.get(f"/panels/{panel}/file", follow=True)
    assert answer.redirect_chain == [(f"/panels/{panel}/", 302)]
    page = answer.content.decode()
    assert "You judge blind: the file is there once" in page
    assert f"/panels/{panel}/file" not in page
    assert "granite-l" not in page
    judge("maya", f"{panel}.member1", False)
    assert data_in(take(maya, panel))["panel"]["seats"][0]["model"] == "granite-l"
    assert f'href="/panels/{panel}/file"' in maya.get(f"/panels/{panel}/").content.decode()


def test_a_panel_without_a_prompt_or_seats_is_a_file_too(as_person: As, panel: str) -> None:
    Seat.objects.all().delete()
    Panel.objects.update(prompt="", state="running", finished_at=None)
    page = take(as_person("ben"), panel)
    assert "The prompt is not kept." in page
    assert "Nobody was seated." in page
    assert data_in(page)["panel"]["finished_at"] is None


def test_text_that_no_utf_8_can_say_has_a_digest() -> None:
    assert sha256("\ud800") == sha256("\\ud800")
