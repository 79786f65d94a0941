"""A panel's page, its live fragments, and verdicts with and without a script."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchwarmers.tests.dashboard.conftest import NOON
from benchwarmers.tests.pages.seed import Played, judge, make_panel
from collections_app.models import Evidence, Verdict
from gateway.models import Seat

As = Callable[[str], Client]
HTMX = {"HX-Request": "true"}


@pytest.mark.parametrize("rest", ["", "live/", "seats/{call}/"])
def test_the_panel_of_another_does_not_exist(as_person: As, bens_panel: str, rest: str) -> None:
    address = f"/panels/{bens_panel}/{rest.format(call=f'{bens_panel}.member1')}"
    assert as_person("zoe").get(address, headers=HTMX).status_code == 404
    assert as_person("maya").get(address, headers=HTMX).status_code == 200
    assert as_person("ben").get(address, headers=HTMX).status_code == 200


def test_nobody_may_judge_what_they_may_not_see(as_person: As, bens_panel: str) -> None:
    User.objects.create_user("cleo").groups.add(*User.objects.get(username="ben").groups.all())
    answer = as_person("cleo").post(f"/panels/{bens_panel}/seats/{bens_panel}.member1/verdict", {"useful": "yes"})
    assert answer.status_code == 404
    assert not Verdict.objects.exists()


def test_the_page_tells_who_sat_where_and_how_it_went(as_person: As) -> None:
    panel = make_panel(
        NOON,
        "practice",
        "Hello",
        [
            Played("member", "warmup-one", "ok", 0.4, "**Ready**"),
            Played("member", "osprey", "error", 1.0, error="429 from harbour"),
            Played("explorer", "wren", "empty", 2.0, why="not asked for 9 days"),
        ],
        owner="ben",
        skipped=[{"seat": "member", "alias": "tern-mini", "why": "rests until noon"}],
    )
    page = as_person("ben").get(f"/panels/{panel}/").content.decode()
    for told in ("scripted", "<strong>Ready</strong>", "429 from harbour", "not asked for 9 days", "rests until noon"):
        assert told in page
    assert "The reply was empty" in page
    assert f"{panel}.member1" in page
    assert "set on the collection" in page


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<svg onload=alert(1)><a xlink:href='javascript:alert(1)'>",
        "[x](javascript:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "[x]( jAvAsCrIpT:alert(1))",
        "![x](javascript:alert(1))",
        '<a href="vbscript:x" style="position:fixed">x</a>',
        '```"><script>alert(1)</script>\ncode\n```',
        "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    ],
)
def test_nothing_a_model_or_a_person_wrote_becomes_code(as_person: As, text: str) -> None:
    panel = make_panel(
        NOON, "core", text, [Played("member", "wren", "ok", 1.0, text, reasoning=text, why=text[:200])], system=text
    )
    judge("boss", f"{panel}.member1", False, note=text, real=(text,), false=(f"{text} or not",))
    page = as_person("maya").get(f"/panels/{panel}/").content.decode()
    inner = page[page.index("<main") : page.index("</main>")]
    tags = re.findall(r"<([a-z0-9]+)([^>]*)>", inner)
    assert not {"script", "img", "iframe"} & {tag for tag, _ in tags}
    for _, attributes in tags:
        names = re.findall(r"\s([\w:-]+)=", re.sub(r'"[^"]*"', '""', attributes))
        assert not [name for name in names if name.startswith("on") or name == "style"]
        assert not re.search(r'href="\s*(javascript|data|vbscript):', attributes, re.I)


def test_pictures_in_an_answer_are_links_so_that_no_other_host_is_asked(as_person: As) -> None:
    panel = make_panel(NOON, "core", "x", [Played("member", "wren", "ok", 1.0, "![chart](https://spy.example/p.png)")])
    page = as_person("maya").get(f"/panels/{panel}/").content.decode()
    assert '<a href="https://spy.example/p.png" rel="nofollow noopener noreferrer">chart</a>' in page


def test_a_verdict_by_form_is_recorded_and_leads_back_to_the_seat(as_person: As, bens_panel: str) -> None:
    address = f"/panels/{bens_panel}/seats/{bens_panel}.member1/verdict"
    said = {"useful": "yes", "note": "It is.", "real": "one\r\n\r\ntwo ", "false": ""}
    answer = as_person("ben").post(address, said)
    assert answer["Location"] == f"/panels/{bens_panel}/#seat-1"
    verdict = Verdict.objects.get()
    assert (verdict.judge_name, verdict.useful, verdict.note) == ("ben", True, "It is.")
    assert (verdict.real, verdict.false) == (["one", "two"], [])


def test_blank_fields_clear_what_was_said_before(as_person: As, bens_panel: str) -> None:
    client, address = as_person("ben"), f"/panels/{bens_panel}/seats/{bens_panel}.member1/verdict"
    client.post(address, {"useful": "yes", "note": "first", "real": "one"})
    client.post(address, {"useful": "no", "note": "", "real": "", "false": "two"})
    verdict = Verdict.objects.get()
    assert (verdict.useful, verdict.note, verdict.real, verdict.false) == (False, "", [], ["two"])


def test_a_verdict_is_withdrawn_by_the_same_form(as_person: As, bens_panel: str) -> None:
    client, address = as_person("ben"), f"/panels/{bens_panel}/seats/{bens_panel}.member1/verdict"
    client.post(address, {"useful": "yes", "note": "first"})
    page = client.post(address, {"useful": "withdraw", "note": "first"}, headers=HTMX).content.decode()
    assert not Verdict.objects.exists()
    assert "Was it useful?" in page
    assert "Verdict on granite-l withdrawn" in page
    assert Evidence.objects.get(call=f"{bens_panel}.member1", current=True).useful is None


def test_a_verdict_by_script_returns_the_new_card_and_the_line_up(as_person: As, bens_panel: str) -> None:
    answer = as_person("ben").post(
        f"/panels/{bens_panel}/seats/{bens_panel}.member1/verdict", {"useful": "no"}, headers=HTMX
    )
    page = answer.content.decode()
    assert page.lstrip().startswith("<article")
    assert 'class="no" id="no-1" aria-pressed="true"' in page
    assert 'id="panel-head"' in page
    assert 'hx-swap-oob="true"' in page


@pytest.mark.parametrize("headers", [HTMX, {}])
def test_a_verdict_without_a_choice_is_refused_and_keeps_the_words(
    as_person: As, bens_panel: str, headers: dict[str, str]
) -> None:
    answer = as_person("ben").post(
        f"/panels/{bens_panel}/seats/{bens_panel}.member1/verdict", {"note": "kept words"}, headers=headers
    )
    assert answer.status_code == 422
    assert "Choose useful or not useful." in answer.content.decode()
    assert "kept words" in answer.content.decode()


def test_a_viewer_sees_verdicts_but_no_form_and_may_not_send_one(as_person: As) -> None:
    panel = make_panel(NOON, "core", "mine", [Played("member", "wren", "ok", 1.0, "yes")], owner="zoe")
    judge("maya", f"{panel}.member1", True, note="good one")
    client = as_person("zoe")
    page = client.get(f"/panels/{panel}/").content.decode()
    assert "good one" in page
    assert 'name="useful"' not in page
    answer = client.post(f"/panels/{panel}/seats/{panel}.member1/verdict", {"useful": "yes"})
    assert answer.status_code == 404
    assert Verdict.objects.count() == 1


def test_disagreement_shows_with_names(as_person: As, bens_panel: str) -> None:
    judge("maya", f"{bens_panel}.member1", True)
    judge("boss", f"{bens_panel}.member1", False)
    page = as_person("ben").get(f"/panels/{bens_panel}/").content.decode()
    assert "People disagree" in page
    assert page.count("1 useful, 1 not") == 2
    for name in ("maya", "boss"):
        assert re.search(rf"<strong>{name}</strong>.*<time", page)


def test_a_seat_that_still_plays_cannot_be_judged(as_person: As) -> None:
    panel = make_panel(NOON, "core", "x", [Played("member", "wren", "asked")])
    answer = as_person("maya").post(f"/panels/{panel}/seats/{panel}.member1/verdict", {"useful": "yes"}, headers=HTMX)
    assert answer.status_code == 422


def test_the_live_fragment_brings_only_what_changed(as_person: As, bens_panel: str) -> None:
    client = as_person("ben")
    seen = re.findall(r'name="seen" value="([^"]+)"', client.get(f"/panels/{bens_panel}/").content.decode())
    assert [one.partition("~")[0] for one in seen][3:] == ["claims"]
    address = f"/panels/{bens_panel}/live/"
    quiet = client.get(address, {"seen": seen}, headers=HTMX).content.decode()
    assert "<article" not in quiet
    assert 'id="claims"' not in quiet
    assert 'id="panel-head"' in quiet
    judge("maya", f"{bens_panel}.member1", True)
    Seat.objects.create(call=f"{bens_panel}.merger", panel_id=bens_panel, place=4, label="merger", alias="wren")
    loud = client.get(address, {"seen": seen}, headers=HTMX).content.decode()
    assert re.findall(r'<article[^>]*id="(seat-\d)"', loud) == ["seat-1", "seat-4"]
    assert 'hx-swap-oob="beforeend:#merged"' in loud
