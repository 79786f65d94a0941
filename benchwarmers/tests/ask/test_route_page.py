"""The route chat's page: what it shows, what it keeps when a turn is refused, and who is let in."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from benchwarmers.ask.route_talk import Other, Talk, Told, read_talk

As = Callable[[str], Client]
PAGE = "/ask/route/"
TALK = "r20261129-115959-0001"
TOLD = Told("wren", f"{TALK}.2", 3, "Stays.", TALK, seconds=4.2, tried=(Other("osprey", "429"),))


def field_of(page: str) -> str:
    found = re.search(r'name="talk" id="route-field" value="([^"]*)"', page)
    assert found
    return html.unescape(found[1])


def told_talk() -> Talk:
    call = {"id": "c1", "type": "function", "function": {"name": "read_file", "arguments": '{"path": "README.md"}'}}
    answer = {"role": "assistant", "content": "<i>Look</i> **here**", "tool_calls": [call]}
    return Talk("mine").with_words("Read <it>").with_answer(answer, TOLD)


def test_the_page_begins_a_session_of_its_own_each_time(as_person: As) -> None:
    client = as_person("ben")
    talks = [read_talk(field_of(client.get(PAGE).content.decode())) for _ in range(2)]
    assert [talk.steps for talk in talks] == [(), ()]
    assert len(talks[0].session) >= 16
    assert talks[0].session != talks[1].session


def test_a_collection_in_the_address_is_chosen(as_person: As) -> None:
    page = as_person("ben").get(f"{PAGE}?collection=quick").content.decode()
    assert '<option value="quick" selected>bench/quick:route</option>' in page


def test_what_is_refused_leaves_the_words_and_the_talk_where_they_are(as_person: As) -> None:
    talk = told_talk()
    sent = {"collection": "core", "words": "And <now>?", "tools": "on", "talk": talk.field}
    answer = as_person("ben").post(PAGE, sent)  # this process has no engine
    page = answer.content.decode()
    assert answer.status_code == 503
    assert "asks nobody" in page
    assert "And &lt;now&gt;?</textarea>" in page
    assert read_talk(field_of(page)) == talk
    assert "Read &lt;it&gt;" in page
    assert "<strong>here</strong>" in page
    assert "<i>Look" not in page
    assert "1 failover" in page
    assert "osprey" in page
    assert f'href="/conversations/{TOLD.conversation}/"' in page
    assert "Plans the matches of a small league" in page
    assert not re.search(r'id="route-again"[^>]*hidden', page)


@pytest.mark.parametrize(
    ("sent", "status", "why"),
    [
        ({"collection": "core", "words": "Hi", "talk": "nonsense"}, 422, "cannot be read"),
        ({"collection": "core", "words": " ", "talk": Talk("s").field}, 422, "Write what you want to say."),
        ({"collection": "", "words": "Hi", "talk": Talk("s").field}, 422, "Choose a collection"),
    ],
)
def test_what_a_form_lacks_is_said_to_people_and_to_scripts(
    as_person: As, sent: dict[str, str], status: int, why: str
) -> None:
    client = as_person("ben")
    page, lines = client.post(PAGE, sent), client.post(f"{PAGE}stream/", sent, headers={"HX-Request": "true"})
    assert (page.status_code, lines.status_code) == (status, status)
    assert why in page.content.decode()
    assert why in json.loads(lines.content)["message"]


def test_a_long_talk_costs_no_query_a_step(
    as_person: As, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client, talk = as_person("maya"), told_talk()
    for _ in range(20):
        talk = talk.with_words("More")
    with django_assert_max_num_queries(12):
        client.post(PAGE, {"collection": "core", "words": "x", "talk": talk.field})


def test_who_may_not_ask_is_not_let_in(as_person: As) -> None:
    assert as_person("zoe").get(PAGE).status_code == 403
