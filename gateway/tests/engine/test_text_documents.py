"""Text documents leave nobody out: they can be sent as words."""

from __future__ import annotations

import base64
from random import Random
from typing import Any

import pytest

from gateway.canon.ask import Ask, Media, Text, Turn
from gateway.canon.fault import BadRequest, TooLarge
from gateway.engine.moment import Moment
from gateway.engine.route_plan import plan_route
from gateway.engine.snapshot import ModelView
from gateway.engine.upstreams import upstream_of
from gateway.tests.engine.world import NOW, ask, collection, model, plan, sitting, skips, snapshot

TEXT = Media("document", data=base64.b64encode(b"The sky is blue.").decode(), mime="text/plain")
PDF = Media("document", data="JVBERi0xLjcK", mime="application/pdf")
GARBLED = Media("document", data=base64.b64encode(b"\xff\xfe").decode(), mime="text/plain")
MEMBERS = (model("reader", documents=True), model("blind", documents=False), model("unsure"))


def asked(*media: Media) -> Ask:
    return ask(turns=(Turn("user", (Text("Read."), *media)),))


def turn_takers(request: Ask) -> tuple[str, ...]:
    return tuple(
        sorted(plan_route(request, collection(*names()), snapshot(*MEMBERS), Moment(NOW, {}, {}), Random(1)).eligible)
    )


def names() -> tuple[str, ...]:
    return tuple(one.alias for one in MEMBERS)


@pytest.mark.parametrize(
    ("media", "takers"),
    [
        ((TEXT,), {"reader", "blind", "unsure"}),
        ((PDF,), {"reader"}),
        ((TEXT, PDF), {"reader"}),
        ((GARBLED,), {"reader"}),
    ],
)
def test_who_is_asked(media: tuple[Media, ...], takers: set[str]) -> None:
    request = asked(*media)
    planned = plan(request, collection(*names()), snapshot(*MEMBERS))
    assert set(sitting(planned)) == takers == set(turn_takers(request))
    assert set(skips(planned)) == {*names()} - takers


@pytest.mark.parametrize(("documents", "takes"), [(True, True), (False, False), (None, False)])
def test_the_fact_reaches_whoever_writes_the_request(documents: bool | None, takes: bool) -> None:
    assert upstream_of(model("a", documents=documents), "").facts.documents is takes


def long(tokens: int) -> Media:
    words = "x" * (tokens * 40 // 11)
    return Media("document", data=base64.b64encode(words.encode()).decode(), mime="text/plain")


@pytest.mark.parametrize("decide", [plan, lambda *given: turn_plan(*given)], ids=["panel", "route"])
def test_a_long_one_counts_against_the_window(decide: Any) -> None:
    small: ModelView = model("small", context_window=1_000)
    for tokens, fits in ((800, True), (1_200, False)):
        if fits:
            decide(asked(long(tokens)), collection("small"), snapshot(small))
            continue
        with pytest.raises((TooLarge, BadRequest)) as raised:
            decide(asked(long(tokens)), collection("small"), snapshot(small))
        assert raised.value.code == "context_length_exceeded"


def turn_plan(request: Ask, seats: Any, known: Any) -> object:
    return plan_route(request, seats, known, Moment(NOW, {}, {}), Random(1))
