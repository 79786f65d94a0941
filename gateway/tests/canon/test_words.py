"""Names, estimates, placeholders and flat prompts: the small rules that clients can see."""

from typing import Any

import pytest

from gateway.canon.ask import Ask, Media, Text, ToolCall, Turn
from gateway.canon.fault import Broken, Fault, NotFound, Notice, RateLimited, Rejected, Silent, Unreachable
from gateway.canon.flatten import first_line, flatten
from gateway.canon.names import family_of, key_variable, read_collection
from gateway.canon.redact import placeholder, redact_text, url_placeholder
from gateway.canon.tokens import estimate, estimate_prompt


@pytest.mark.parametrize(
    ("model", "read"),
    [
        ("bench/core", ("core", None)),
        ("core", ("core", None)),
        (" bench/core:merged ", ("core", "merged")),
        ("core:route", ("core", "route")),
        ("core:choices", ("core", "choices")),
        ("core:latest", ("core:latest", None)),
        ("bench/", ("", None)),
        (":all", ("", "all")),
    ],
)
def test_a_model_name_gives_a_collection_and_a_reply_mode(model: str, read: Any) -> None:
    assert read_collection(model) == read


def test_one_model_has_one_family_on_every_provider() -> None:
    assert family_of("meta-llama/Llama-3.3-70B:free") == family_of("llama-33-70b") == "llama3370b"


def test_a_secret_has_a_variable_that_brings_it() -> None:
    assert key_variable("open-router") == "BENCHWARMERS_KEY_OPEN_ROUTER"


@pytest.mark.parametrize(("length", "tokens"), [(0, 0), (1, 1), (3, 1), (8, 2), (100, 27), (1000, 275)])
def test_estimates_are_a_quarter_of_the_characters_and_a_tenth(length: int, tokens: int) -> None:
    assert estimate("x" * length) == tokens


def test_a_prompts_estimate_counts_both_texts_and_its_images() -> None:
    assert estimate_prompt("", "", 0) == 0
    assert estimate_prompt("a" * 49, "b" * 49, 2) == 27 + 5_000


@pytest.mark.parametrize(
    ("media", "words"),
    [
        (Media("image", data="A" * 4_001), "[image: data URL, 4 KB]"),
        (Media("audio", data="A" * 4_000_000), "[audio: data URL, 3,000 KB]"),
        (Media("image", url="https://me:secret@host:81/a/b?key=1"), "[image: https://host:81/a/b?...]"),
        (Media("document", url="data:application/pdf;base64,AAAA"), "[document: data URL, 1 KB]"),
        (Media("document", file_id="file-1"), "[document: file-1]"),
        (Media("document"), "[document: nothing]"),
        (Media("image", url="http://[::1]/x"), "[image: http://[::1]/x]"),
        (Media("image", url="nonsense"), "[image: [url]]"),
        (Media("image", url="http://h:port/"), "[image: [url]]"),
    ],
)
def test_a_record_shows_what_was_sent_without_showing_it(media: Media, words: str) -> None:
    assert placeholder(media) == words


def test_a_long_path_is_cut_in_a_placeholder() -> None:
    assert url_placeholder("http://h/" + "p" * 500) == "[image: http://h/" + "p" * 199 + "]"


def test_texts_lose_base64_credentials_and_queries_and_nothing_else() -> None:
    text = f"at https://u:p@h/x?token=1 see data:image/png;base64,{'A' * 400} or {'B' * 120} not {'C' * 50}"

    assert redact_text(text) == f"at https://h/x?... see [image: data URL, 1 KB] or [base64, 1 KB] not {'C' * 50}"


def test_one_turn_is_its_own_prompt_and_several_are_labelled() -> None:
    system = Turn("system", (Text("be kind"),))
    developer = Turn("developer", (Text("be brief"),))
    user = Turn("user", (Text("look"), Media("image", url="http://h/a"), ToolCall("c", "f", "{}")))
    answer = Turn("assistant", (Text("fine"),))

    assert flatten(Ask("x", "m", (system, developer, user))) == ("be kind\n\nbe brief", "look\n[image: http://h/a]")
    assert flatten(Ask("x", "m", (user, answer)))[1] == "user: look\n[image: http://h/a]\n\nassistant: fine"
    assert first_line("a\n  b\tc", 3) == "a b"


def test_faults_carry_their_status_and_are_equal_by_what_they_hold() -> None:
    assert (NotFound("x").status, RateLimited("x", wait=3).wait, Silent("x").status, Fault("x").status) == (
        404,
        3,
        504,
        500,
    )
    assert Broken("x") == Broken("x") != Broken("x", body="y")
    assert Broken("x") != Notice("x")
    assert len({Broken("x"), Broken("x"), Broken("z")}) == 2
    assert str(Broken("what it says")) == "what it says"


@pytest.mark.parametrize(("status", "again"), [(400, False), (401, False), (408, True), (429, True), (500, True)])
def test_only_some_refusals_may_be_asked_again(status: int, again: bool) -> None:
    assert Rejected("x", upstream_status=status).retryable is again


def test_a_connection_that_failed_may_be_tried_again_and_a_broken_reply_not() -> None:
    assert Unreachable("x").retryable
    assert not Broken("x").retryable
    assert not Rejected("no status known").retryable
