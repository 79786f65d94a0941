"""Nothing that comes out of a running installation has a secret in it: no page, no reply, no file, no line of the
log."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from urllib.parse import quote

import pytest

from benchwarmers.tests.canary.birds import Birds, spellings
from benchwarmers.tests.canary.house import APIS, CONTROL, VALUES, House
from benchwarmers.tests.canary.life import Life, live
from benchwarmers.tests.canary.parrot import PLACES, SENT, Parrot, running_parrot
from benchwarmers.tests.live.collector import Collector, running_collector
from gateway.engine.hiding import HIDDEN

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("canary"), pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def parrot() -> Iterator[Parrot]:
    with running_parrot() as parrot:
        yield parrot


@pytest.fixture(scope="module")
def birds() -> Birds:
    return Birds(VALUES)


@pytest.fixture(scope="module")
def collector() -> Iterator[Collector]:
    with running_collector() as collector:
        yield collector


@pytest.fixture(scope="module")
def life(
    parrot: Parrot, birds: Birds, collector: Collector, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Life]:
    house = House(tmp_path_factory.mktemp("canary"), parrot.base, collector.address)
    try:
        birds.add("invitation", house.invitation)
        birds.add("session", house.sign_in())
        yield live(house)
    finally:
        house.end()


def sung(birds: Birds, texts: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """(where, name, spelling) of each canary."""
    return [(where, *one) for where, text in texts.items() for one in birds.found_in(text)]


@pytest.mark.parametrize("wrapped", ["{}", "Bearer {}", "x{}", "xy{}z"])
def test_a_canary_is_found_in_every_spelling(wrapped: str) -> None:
    birds = Birds(VALUES)
    for name, value in VALUES.items():
        for kind, spelled in spellings(value).items():
            assert (name, kind) in birds.found_in(f"before {spelled} after"), kind
        text = b64encode(wrapped.format(value).encode()).decode()
        assert name in {found for found, _ in birds.found_in(text)}
    assert birds.found_in(f"only {CONTROL} here") == []


def test_what_a_provider_repeats_reaches_no_caller(life: Life, birds: Birds) -> None:
    assert sung(birds, life.replies) == []
    answers = {name: text for name, text in life.replies.items() if name.startswith("answer from")}
    assert [name for name, text in answers.items() if HIDDEN.decode() not in text] == []


def test_the_provider_did_get_every_secret_and_did_answer_in_every_place(life: Life, parrot: Parrot) -> None:
    assert parrot.asked == {(place, api) for place in PLACES for api in APIS}
    assert set(parrot.heard) == set(SENT)
    heard = " ".join(one for secrets in parrot.heard.values() for one in secrets)
    wanted = {name for name in VALUES if name.startswith(("provider key", "secret of"))}
    assert {name for name in wanted if VALUES[name] in heard} == wanted


def test_a_refresh_token_was_sent_and_its_refusal_is_told(life: Life, parrot: Parrot) -> None:
    assert quote(VALUES["refresh token of a sign-in"], safe="") in parrot.renewals[0]
    assert "could not renew its sign-in" in life.pages["/sign-ins/"].text


def test_what_is_refused_does_not_repeat_what_was_sent(life: Life, birds: Birds) -> None:
    assert {answer.status_code for name, answer in life.refusals.items() if name.startswith("key")} == {401}
    assert sung(birds, {name: answer.text for name, answer in life.refusals.items() if name != "sign-in"}) == []
    assert life.refusals["sign-in"].status_code == 200
    # The form keeps the name as it was typed, whatever it is; the password is gone.
    assert {name for name, _ in birds.found_in(life.refusals["sign-in"].text)} <= {"password"}


def test_no_page_and_no_file_of_a_page_shows_a_secret(life: Life, birds: Birds) -> None:
    assert sung(birds, {address: answer.text for address, answer in life.pages.items()}) == []
    assert [address for address, answer in life.pages.items() if answer.status_code >= 500] == []


def test_the_pages_that_were_looked_at_show_what_there_is_to_see(life: Life) -> None:
    shows = {
        re.sub(r"[pr]\d[\w.-]*|\d+", "N", address) for address, answer in life.pages.items() if CONTROL in answer.text
    }
    assert {"/panels/", "/panels/N/", "/conversations/N/", "/judge/", "/admin/gateway/panel/N/change/"} <= shows
    wanted = {"/changes/", "/changes/readings/", "/changes/?format=csv", "/admin/collections_app/secret/"}
    assert {life.pages[address].status_code for address in wanted} == {200}
    assert sum(address.startswith("/admin/") for address in life.pages) > 30


def test_no_list_for_programs_shows_a_secret(life: Life, birds: Birds) -> None:
    assert {path: answer.status_code for path, answer in life.lists.items() if answer.status_code != 200} == {}
    assert sung(birds, {path: answer.text for path, answer in life.lists.items()}) == []


def test_no_command_tells_a_secret(life: Life, birds: Birds) -> None:
    assert sung(birds, {f"command {number}": told for number, told in enumerate(life.commands)}) == []
    assert any('X-Door-Token = "secret:door"' in told for told in life.commands)


def test_the_data_folder_holds_no_secret_in_plain(life: Life, birds: Birds) -> None:
    assert CONTROL in life.database
    # A session's cookie is the name of its row, as Django keeps it.
    assert {name for name, _ in birds.found_in(life.database)} <= {"session"}
    assert sung(birds, life.files) == []


def test_the_log_at_its_lowest_level_tells_no_secret(life: Life, birds: Birds) -> None:
    whole = "\n".join(life.log)
    assert " DEBUG " in whole
    assert f"/nowhere/{CONTROL}" in whole
    assert sung(birds, {line[:300]: line for line in life.log}) == []


def test_no_trace_holds_a_secret_or_what_was_said(life: Life, birds: Birds, collector: Collector) -> None:
    names = {span.name for span in collector.spans()}
    assert {"POST openai_chat", "GET pages"} <= names
    assert any(name.startswith("chat ") for name in names)
    texts = {f"trace {number}": body.decode("latin-1") for number, body in enumerate(collector.bodies)}
    assert sung(birds, texts) == []
    assert [name for name, text in texts.items() if f"Say {CONTROL}" in text] == []
