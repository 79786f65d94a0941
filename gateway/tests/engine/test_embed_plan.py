"""Who is asked for embeddings, and which refusals let the next one be asked."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from gateway.canon.fault import BadRequest, ErrorInReply, Rejected, Silent, Unreachable
from gateway.engine.embed_plan import embeds_not, plan_embedding
from gateway.engine.snapshot import ModelView
from gateway.tests.engine.world import ANTHILL, collection, model, snapshot


def speaking(api: str) -> ModelView:
    return model(f"speaks-{api}", endpoint=replace(ANTHILL, api=api))


MODELS = (
    model("plain"),
    model("other", ad_hoc=True, role="vision"),
    model("judge", role="decision"),
    model("gone", retired_on="2026-11-01", retired_why="closed"),
    *map(speaking, ("responses", "gemini", "ollama", "anthropic", "telepathy")),
)


@pytest.mark.parametrize(
    ("members", "first", "order"),
    [
        (("plain", "other"), "", ("plain", "other")),
        (("plain", "other"), "other", ("other", "plain")),
        (("plain", "other"), "gone", ("plain", "other")),
        (("plain", "other", "plain"), "plain", ("plain", "other")),
        (("judge", "gone", "ghost", "plain"), "judge", ("plain",)),
        (
            ("speaks-anthropic", "speaks-responses", "speaks-gemini", "speaks-ollama", "speaks-telepathy"),
            "",
            ("speaks-responses", "speaks-gemini", "speaks-ollama"),
        ),
    ],
)
def test_the_members_are_asked_in_their_order(members: tuple[str, ...], first: str, order: tuple[str, ...]) -> None:
    planned = plan_embedding(collection(*members), snapshot(*MODELS), first)
    assert planned.order == order
    assert {one.alias for one in planned.passed} == {*members} - {*order}


@pytest.mark.parametrize(
    ("members", "why"),
    [
        ((), "it has no members"),
        (("judge",), "typed answers"),
        (("gone",), "retired on 2026-11-01: closed"),
        (("speaks-anthropic",), "'anthropic' protocol"),
    ],
)
def test_a_collection_without_anybody_is_refused(members: tuple[str, ...], why: str) -> None:
    with pytest.raises(BadRequest, match=why) as raised:
        plan_embedding(collection(*members), snapshot(*MODELS), "")
    assert raised.value.code == "nobody_embeds"


def refused(status: int, message: str = "no", **more: Any) -> Rejected:
    return Rejected(f"{status}: {message}", upstream_status=status, **more)


@pytest.mark.parametrize(
    ("fault", "passed_over"),
    [
        (refused(404), True),
        (refused(405), True),
        (refused(410), True),
        (refused(501), True),
        (refused(400, "The model `x` does not support embeddings."), True),
        (refused(400, "The embeddings operation does not work with the specified model, gpt-4o."), True),
        (refused(422, "this is not an embedding model"), True),
        (refused(403, "You are not allowed to generate embeddings from this model"), True),
        (refused(500, "this model does not support embeddings"), True),
        (ErrorInReply("model cannot embed", upstream_status=400), True),
        (refused(400), False),
        (refused(400, "too many inputs in one batch of embeddings"), False),
        (refused(422, "input: field required"), False),
        (refused(401, "no embeddings for this key"), False),
        (refused(403, "forbidden"), False),
        (refused(429, "You cannot send more embedding requests now"), False),
        (refused(500), False),
        (refused(503, "overloaded"), False),
        (Unreachable("no connection to h"), False),
        (Silent("no embeddings in 5 s"), False),
    ],
)
def test_only_who_has_no_embeddings_is_passed_over(fault: Any, passed_over: bool) -> None:
    assert embeds_not(fault) is passed_over
