"""Recorded provider replies, played as upstreams behind collections, arrive in their seats as they were said."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from benchwarmers.tests.live.product import Product
from benchwarmers.tests.live.upstream import SHARED, load_recordings
from gateway.tests.recordings.loading import data_of
from gateway.tests.recordings.test_chat import said_in_error, what_is_said

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]


@pytest.fixture(scope="module")
def replies(product: Product) -> dict[str, Any]:
    """Every recording asked for, a few at a time."""
    names = list(load_recordings())
    with ThreadPoolExecutor(8) as pool:
        return dict(zip(names, pool.map(product.ask, names), strict=True))


def test_the_folder_of_recordings_is_there() -> None:
    if not SHARED.is_dir():
        pytest.skip("no ../shared/recordings beside this checkout: only the hand-made replies are played")
    assert len(load_recordings()) > 140


@pytest.mark.parametrize("name", list(load_recordings()))
def test_a_seat_holds_what_the_provider_said(replies: dict[str, Any], name: str) -> None:
    response = load_recordings()[name]["response"]
    reply = replies[name]
    (seat,) = reply["bench"]["seats"]

    if response["status"] >= 400:
        assert seat["status"] == "error"
        assert seat["error"].startswith(f"{response['status']}: ")
        assert said_in_error(response["body"])[:60] in seat["error"]
        assert "usage" not in reply
        return

    said = what_is_said(data_of(response["stream"]) if response.get("stream") is not None else [response["body"]])
    if said["error"]:
        assert seat["status"] == "error"
        assert said_in_error({"error": said["error"]})[:60] in seat["error"]
        return
    text = said["text"] + said["refusal"]
    assert seat["answer"] == text
    assert seat["status"] == ("ok" if text.strip() else "empty")
    assert seat["error"] == ""
    assert text in reply["choices"][0]["message"]["content"] or not text.strip()
    if said["usage"] is None:
        assert "usage" not in reply
    else:
        assert reply["usage"]["prompt_tokens"] == said["usage"].input
        assert reply["usage"]["completion_tokens"] == said["usage"].output
        assert reply["usage"]["prompt_tokens_details"]["cached_tokens"] == said["usage"].cached
        assert reply["usage"]["completion_tokens_details"]["reasoning_tokens"] == said["usage"].reasoning
