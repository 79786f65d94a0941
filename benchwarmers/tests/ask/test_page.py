"""The asking page as people see it: who may, what is filled in, what is refused in place, and what belongs to whom."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchwarmers.tests.dashboard.conftest import NOON
from benchwarmers.tests.pages.seed import Played, make_panel
from collections_app.actions.key import do_create_key
from collections_app.models import Collection, GatewayKey, LanguageModel, Seating, Team, Verdict
from gateway.models import Panel

pytestmark = pytest.mark.usefixtures("people")

As = Callable[[str], Client]
HTMX = {"HX-Request": "true"}
ASKED = {"collection": "core", "mode": "all", "prompt": "What is a bench for?"}
PNG = b"\x89PNG\r\n\x1a\nrest"
REDACTED = "[image: data URL, 12 KB]"


def page_of(client: Client, query: str = "") -> str:
    answer = client.get(f"/ask/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def prompt_in(page: str) -> str:
    found = re.search(r'<textarea name="prompt"[^>]*>(.*?)</textarea>', page, re.S)
    assert found
    return found[1]


def test_only_who_may_ask_gets_the_page(as_person: As, client: Client) -> None:
    assert client.get("/ask/").status_code == 302
    assert as_person("zoe").get("/ask/").status_code == 403
    assert as_person("ben").get("/ask/").status_code == 200


def test_the_form_offers_what_this_person_sees_with_its_members_and_its_own_way(as_person: As) -> None:
    core = Collection.objects.get(name="core")
    Seating.objects.create(collection=core, language_model=LanguageModel.objects.get(alias="wren"), place=1)
    Collection.objects.filter(name="reviewers").update(reply="merged", description="They read.")
    Collection.objects.filter(name="quick").update(team=Team.objects.create(name="red"))
    page = page_of(as_person("ben"))
    assert re.findall(r"<option[^>]*>(bench/[\w-]+)", page) == ["bench/core", "bench/practice", "bench/reviewers"]
    assert 'data-members="wren"' in page
    assert "They read." in page
    assert re.search(r'value="reviewers" data-mode="merged"', page)
    assert "This collection has no members yet." not in re.sub(r'data-nobody="[^"]*"', "", page)


def test_with_nothing_to_ask_the_page_says_what_is_missing(as_person: As) -> None:
    Collection.objects.update(team=Team.objects.create(name="red"))
    page = page_of(as_person("ben"))
    assert "There is nobody to ask yet" in page
    assert "<form" not in page.split('id="main"')[1].split("</main>")[0]


def test_an_empty_form_asks_what_was_asked_last(as_person: As) -> None:
    make_panel(NOON, "reviewers", "Look at this", [Played("member", "wren", "ok", 1.0, "Fine")], owner="ben")
    Collection.objects.filter(name="reviewers").update(reply="merged")
    page = page_of(as_person("ben"))
    assert 'value="reviewers" data-mode="merged" data-says="" data-members="" selected' in page
    assert re.search(r'value="merged" checked', page)
    assert prompt_in(page) == ""


def test_an_earlier_question_is_put_again_with_its_answers_below(as_person: As, bens_panel: str) -> None:
    Panel.objects.filter(pk=bens_panel).update(system="Be brief.", reply="merged")
    page = page_of(as_person("ben"), f"?panel={bens_panel}")
    assert prompt_in(page) == "What is a bench for?"
    assert "Be brief." in page
    assert re.search(r'value="merged" checked', page)
    assert "To sit on." in page
    assert "429 from harbour" in page
    assert f'href="/panels/{bens_panel}/"' in page
    assert f'data-copy="http://testserver/panels/{bens_panel}/"' in page
    assert f'action="/ask/panels/{bens_panel}/seats/{bens_panel}.member1/verdict"' in page


@pytest.mark.parametrize(
    ("prompt", "left", "note"),
    [
        (f"Look:\n{REDACTED}", "Look:", "attach them again"),
        (REDACTED, "", "attach them again"),
        ("", "", "keeps no prompts"),
    ],
)
def test_what_is_not_kept_of_a_question_is_told(as_person: As, prompt: str, left: str, note: str) -> None:
    panel = make_panel(NOON, "core", prompt, [Played("member", "wren", "ok", 1.0, "Fine")], owner="ben")
    page = page_of(as_person("ben"), f"?panel={panel}")
    assert prompt_in(page) == left
    assert note in page


def test_the_question_of_another_is_not_there(as_person: As, bens_panel: str) -> None:
    User.objects.create_user("cleo").groups.add(*User.objects.get(username="ben").groups.all())
    page = page_of(as_person("cleo"), f"?panel={bens_panel}")
    assert "What is a bench for?" not in page
    assert "To sit on." not in page
    assert as_person("cleo").get(f"/ask/panels/{bens_panel}/", headers=HTMX).status_code == 404
    assert "To sit on." in page_of(as_person("maya"), f"?panel={bens_panel}")


def test_what_one_asked_lately_is_ones_own_and_newest_first(as_person: As, bens_panel: str) -> None:
    make_panel(NOON, "core", "maya's own", [Played("member", "wren", "ok", 1.0, "Fine")], number=9)
    later = [
        make_panel(
            NOON + timedelta(hours=hour), "core", f"Question {hour}", [Played("member", "wren", "ok", 1)], owner="ben"
        )
        for hour in range(1, 7)
    ]
    told = as_person("ben").get("/ask/recent/", headers=HTMX).content.decode()
    assert re.findall(r"panel=([\w-]+)", told) == later[:0:-1]
    assert "maya" not in told
    assert as_person("ben").get("/ask/recent/").headers["Location"] == "/ask/"


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"prompt": ""}, "Write what you want to ask."),
        ({"collection": ""}, "Choose a collection to ask."),
        ({"key": "x"}, "choose another"),
    ],
)
def test_a_form_that_lacks_something_comes_back_as_it_was(as_person: As, fields: dict[str, str], told: str) -> None:
    sent = ASKED | {"system": "Be brief.", "with": "wren, osprey"} | fields
    answer = as_person("ben").post("/ask/", sent)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert f"<li>{told}" in page or told in page
    assert prompt_in(page) == sent["prompt"]
    assert 'value="wren, osprey"' in page
    assert re.search(r'id="ask-more" open', page)
    answer = as_person("ben").post("/ask/stream/", sent, headers=HTMX)
    assert answer.status_code == 422
    assert told in answer.json()["message"]


def test_a_file_that_is_no_image_is_named(as_person: As) -> None:
    sent: dict[str, Any] = ASKED | {"images": SimpleUploadedFile("paper.pdf", b"%PDF-1.7", "image/png")}
    answer = as_person("ben").post("/ask/stream/", sent, headers=HTMX)
    assert (answer.status_code, answer.json()["message"]) == (422, "paper.pdf is no PNG, JPEG, GIF or WebP image.")


def test_a_process_without_an_engine_says_so_in_place(as_person: As) -> None:
    answer = as_person("ben").post("/ask/", ASKED)
    assert answer.status_code == 503
    assert "serves pages only" in answer.content.decode()
    assert as_person("ben").post("/ask/stream/", ASKED, headers=HTMX).json()["code"] == "starting"


def test_the_code_of_a_question_reads_with_and_without_a_script(as_person: As) -> None:
    sent: dict[str, Any] = ASKED | {"images": SimpleUploadedFile("a.png", PNG)}
    fragment = as_person("ben").post("/ask/code/", sent, headers=HTMX).content.decode()
    assert "<html" not in fragment
    assert fragment.count('class="ask-code-format"') == 6
    assert "base64 &lt; a.png" in fragment
    page = as_person("ben").post("/ask/code/", ASKED).content.decode()
    assert page.count('class="ask-code-format"') == 6
    assert prompt_in(page) == ASKED["prompt"]
    assert as_person("ben").post("/ask/code/", {"collection": "core"}, headers=HTMX).status_code == 422


def test_a_seat_is_judged_on_the_page_and_comes_back_as_it_stands(as_person: As, bens_panel: str) -> None:
    address = f"/ask/panels/{bens_panel}/seats/{bens_panel}.member1/verdict"
    client = as_person("ben")
    card = client.post(address, {"useful": "yes", "note": "Quite."}, headers=HTMX).content.decode()
    assert 'aria-pressed="true">Useful' in card
    assert card.count("<article") == 1
    assert 'id="spoken" hx-swap-oob="innerHTML"' in card
    assert Verdict.objects.get().judge_name == "ben"
    refused = client.post(address, {}, headers=HTMX)
    assert refused.status_code == 422
    assert "Choose useful or not useful." in refused.content.decode()
    assert client.post(address, {"useful": "no"}).headers["Location"] == f"/panels/{bens_panel}/"


def test_a_seat_that_still_plays_is_not_judged(as_person: As) -> None:
    panel = make_panel(NOON, "core", "Well?", [Played("member", "wren", "asked")], owner="ben")
    answer = as_person("ben").post(
        f"/ask/panels/{panel}/seats/{panel}.member1/verdict", {"useful": "yes"}, headers=HTMX
    )
    assert answer.status_code == 422
    assert not Verdict.objects.exists()
    board = as_person("ben").get(f"/ask/panels/{panel}/", headers=HTMX).content.decode()
    assert 'data-state="running"' in board
    assert "data-playing" in board


def test_a_running_panel_refreshes_its_own_page_where_no_script_does(as_person: As, bens_panel: str) -> None:
    panel = make_panel(NOON, "core", "Well?", [Played("member", "wren", "asked")], owner="ben", number=3)
    refresh = '<noscript><meta http-equiv="refresh"'
    assert refresh in as_person("ben").get(f"/panels/{panel}/").content.decode()
    assert refresh not in as_person("ben").get(f"/panels/{bens_panel}/").content.decode()


def test_keys_to_draw_on_are_ones_own_that_are_open(as_person: As, settings: Any) -> None:
    ben, maya = (User.objects.get(username=name) for name in ("ben", "maya"))
    for owner, name in ((ben, "bens"), (ben, "over"), (maya, "mayas")):
        do_create_key(actor=None, owner=owner, name=name)
    GatewayKey.objects.filter(name="over").update(expires_at=NOON - timedelta(days=1))
    assert "bens" not in page_of(as_person("ben"))
    settings.BENCH = replace(settings.BENCH, require_keys=True)
    assert re.findall(r'<option value="\d+">(\w+)', page_of(as_person("ben"))) == ["bens"]


def test_the_page_asks_the_database_little_however_much_was_asked(as_person: As, bens_panel: str) -> None:
    client = as_person("ben")
    for number in range(12):
        make_panel(
            NOON, "core", "Again", [Played("member", "wren", "ok", 1.0, "Fine")] * 3, owner="ben", number=number + 50
        )
    with CaptureQueriesContext(
        connection,
    ) as asked:
        page_of(client, f"?panel={bens_panel}")
    assert len(asked) <= 20
