"""The page that asks, over HTTP as a browser does it: a session, a token of the form, and an answer line by line."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import httpx
import pytest

from benchwarmers.tests.live.keyed import Keyed, plain_in, send
from benchwarmers.tests.up.running import wait_for

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
HTMX = {"HX-Request": "true"}
MORE = """
[[model]]
alias = "stuck"
served = "waits-30000-stuck"
endpoint = "provider"
ad_hoc = true

[[model]]
alias = "seeing"
served = "says-seeing"
endpoint = "provider"
vision = true
ad_hoc = true

[[collection]]
name = "stuck"
members = ["stuck", "quick"]
max_explorers = 0

[[collection]]
name = "fleeting"
members = ["stuck", "quick"]
max_explorers = 0
on_disconnect = "cancel"

[[collection]]
name = "seeing"
members = ["seeing"]
max_explorers = 0
"""


@pytest.fixture(scope="module", autouse=True)
def more(keyed: Keyed, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A member that does not come to its end, and one that sees."""
    file = tmp_path_factory.mktemp("more") / "more.toml"
    file.write_text(MORE)
    keyed.manage("apply", str(file))


@pytest.fixture(scope="module")
def ben(keyed: Keyed) -> Iterator[httpx.Client]:
    with closing(keyed.sign_in("ben")) as ben:
        yield ben


def form(ben: httpx.Client, collection: str, **fields: str) -> dict[str, str]:
    """The fields of the page's own form."""
    (token, *_) = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', ben.get("/ask/").text)
    return {"csrfmiddlewaretoken": token, "collection": collection, "mode": "all", "prompt": "Hello?", **fields}


def lines(answer: httpx.Response) -> Iterator[dict[str, Any]]:
    assert answer.status_code == 200, answer.read()
    return map(json.loads, answer.iter_lines())


def ask(ben: httpx.Client, collection: str, files: Any = None, **fields: str) -> list[dict[str, Any]]:
    """All that the page is told of a question."""
    with ben.stream("POST", "/ask/stream/", data=form(ben, collection, **fields), files=files) as answer:
        return list(lines(answer))


def cards(told: list[dict[str, Any]]) -> list[str]:
    """The markup of the cards, in the order in which they came."""
    return [line["html"] for line in told if line["is"] == "seat"]


def panel_page(ben: httpx.Client, told: list[dict[str, Any]]) -> str:
    return ben.get(f"/panels/{told[0]['panel']}/").text


def test_a_question_is_answered_seat_by_seat_and_recorded_for_the_person(ben: httpx.Client) -> None:
    told = ask(ben, "core", timeout_s="20", **{"with": "nobody-such"})
    assert [told[0]["is"], told[-1]["is"]] == ["open", "end"]
    assert told[0]["html"].count("data-playing") >= 3
    assert all("Was it useful?" in card for card in cards(told))
    said = {line["seat"]: line["text"] for line in told if line["is"] == "text"}
    assert {"quick", "steady", "late"} <= set(said.values())
    ended = [said.get(line["seat"]) for line in told if line["is"] == "seat"]
    assert ended.index("quick") < ended.index("late")
    assert "nobody-such" in told[-1]["html"]
    page = panel_page(ben, told)
    assert re.search(r"<dt>Asked by</dt><dd>ben\s*</dd>", page)
    assert "with key" not in page


def test_a_merged_answer_grows_above_its_seats(ben: httpx.Client) -> None:
    told = ask(ben, "other", mode="merged")
    assert 'class="match match-merged"' in told[0]["html"]
    merger = [card for card in cards(told) if 'data-kind="merger"' in card]
    assert len(merger) == 2
    assert "Was it useful?" in merger[-1]
    assert [line["text"] for line in told if line["is"] == "text"] == ["quick", "quick"]


def test_a_picture_reaches_the_member_that_sees(keyed: Keyed, ben: httpx.Client) -> None:
    told = ask(ben, "seeing", files={"images": ("dot.png", PNG, "image/png")})
    assert "is-ok" in cards(told)[0]
    content = keyed.provider.asked["says-seeing"][-1]["messages"][-1]["content"]
    assert [part["type"] for part in content] == ["text", "image_url"]
    assert content[1]["image_url"]["url"] == f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
    again = ben.get(f"/ask/?panel={told[0]['panel']}").text
    assert "attach them again" in again


def test_stop_ends_what_is_under_way_in_whichever_process(keyed: Keyed, ben: httpx.Client) -> None:
    with ben.stream("POST", "/ask/stream/", data=form(ben, "stuck")) as answer:
        coming = lines(answer)
        opened = next(coming)
        while "quick" not in next(coming).get("html", ""):
            pass
        other = f"http://127.0.0.1:{keyed.ports[1]}/ask/panels/{opened['panel']}/stop/"
        (token, *_) = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', ben.get("/ask/").text)
        assert ben.post(other, headers=HTMX | {"X-CSRFToken": token}).status_code == 204
        told = [opened, *coming]
    assert told[-1]["is"] == "end"
    assert "whoever asked has stopped the panel" in cards(told)[-1]
    assert "quick" in panel_page(ben, told)


@pytest.mark.parametrize(("collection", "state"), [("fleeting", "done"), ("stuck", "running")])
def test_who_leaves_the_page_leaves_the_panel_as_its_collection_says(
    keyed: Keyed, ben: httpx.Client, collection: str, state: str
) -> None:
    with ben.stream("POST", "/ask/stream/", data=form(ben, collection)) as answer:
        panel = next(lines(answer))["panel"]

    def stands() -> str:
        (found,) = re.findall(r'data-state="(\w+)"', ben.get(f"/ask/panels/{panel}/", headers=HTMX).text)
        return str(found)

    if state == "done":
        wait_for(lambda: stands() == "done", 10, keyed.run)
        assert "the caller left" in ben.get(f"/panels/{panel}/").text
    else:
        assert stands() == "running"
        send(ben, f"/ask/panels/{panel}/stop/", page="/ask/")
        wait_for(lambda: stands() == "done", 10, keyed.run)


def test_without_a_script_the_form_leads_to_the_panel(ben: httpx.Client) -> None:
    answer = ben.post("/ask/", data=form(ben, "fast"))
    assert (answer.status_code, answer.headers["location"][:9]) == (302, "/panels/p")
    assert "bench/fast" in ben.get(answer.headers["location"]).text


def test_a_key_that_is_drawn_on_counts_and_its_budget_holds(ben: httpx.Client) -> None:
    plain_in(
        send(ben, "/keys/new/", {"name": "browsing", "opens": "some", "collections": "other", "requests_day": "1"})
    )
    (number,) = re.findall(r'<option value="(\d+)">browsing', ben.get("/ask/").text)
    told = ask(ben, "other", key=number)
    assert "with key browsing" in panel_page(ben, told)
    spent = ben.post("/ask/stream/", data=form(ben, "other", key=number))
    assert (spent.status_code, spent.json()["code"]) == (429, "budget_exceeded")
    assert int(spent.headers["retry-after"]) > 0
    page = ben.post("/ask/", data=form(ben, "other", key=number))
    assert page.status_code == 429
    assert spent.json()["message"].split(";")[0][:30] in page.text
    assert ben.post("/ask/stream/", data=form(ben, "fast", key=number)).status_code == 403


@pytest.mark.parametrize(
    ("fields", "status", "told"),
    [
        ({"collection": "nowhere"}, 404, "nowhere"),
        ({"explorers": "99"}, 400, "explorers"),
        ({"only": "nobody-such"}, 503, "no model has this alias"),
        ({"prompt": ""}, 422, "Write what you want to ask"),
    ],
)
def test_what_refuses_a_question_is_told_in_its_words(
    ben: httpx.Client, fields: dict[str, str], status: int, told: str
) -> None:
    answer = ben.post("/ask/stream/", data=form(ben, "fast") | fields)
    assert (answer.status_code, told in answer.json()["message"]) == (status, True), answer.text


def test_a_body_over_the_gateways_bound_is_refused_before_it_is_read(ben: httpx.Client) -> None:
    sent = {"images": ("large.png", PNG + b"\0" * 20_000_000, "image/png")}
    answer = ben.post("/ask/stream/", data=form(ben, "seeing"), files=sent)
    assert answer.status_code == 413
    assert "larger than 20,000,000 bytes" in answer.json()["error"]["message"]
    sent = {"images": ("large.png", PNG + b"\0" * 16_000_000, "image/png")}  # larger as base64
    answer = ben.post("/ask/stream/", data=form(ben, "seeing"), files=sent)
    assert answer.status_code == 413
    assert "larger than 20,000,000 bytes" in answer.json()["message"]


def test_a_question_takes_the_forms_token_this_origin_and_a_session(keyed: Keyed, ben: httpx.Client) -> None:
    fields = form(ben, "fast")
    assert ben.post("/ask/stream/", data=fields | {"csrfmiddlewaretoken": "x" * 64}).status_code == 403
    elsewhere = {"origin": "https://elsewhere.example", "sec-fetch-site": "cross-site"}
    assert ben.post("/ask/stream/", data=fields, headers=elsewhere).status_code == 403
    assert ben.post("/ask/stream/", data=fields, headers={"origin": keyed.address}).status_code == 200
    with httpx.Client(base_url=keyed.address) as stranger:
        stranger.cookies.update({"csrftoken": ben.cookies["csrftoken"]})
        answer = stranger.post("/ask/stream/", data=fields, headers=HTMX)
        assert (answer.status_code, answer.headers["hx-redirect"][:7]) == (204, "/login/")
