"""Which models do not fit which tags, and what costs money: by tables."""

from __future__ import annotations

from typing import Any

import pytest

from benchwarmers.operations.collections.misfits import LONG_CONTEXT, SUGGESTED, is_hidden, is_paid, why_misfit
from gateway.engine.snapshot import EndpointView, ModelView


def model(kind: str = "provider", **more: Any) -> ModelView:
    endpoint = EndpointView(1, "north", "https://north.example/v1", kind, "chat")
    return ModelView(1, "one", more.pop("served", "maker/one"), endpoint, **more)


@pytest.mark.parametrize(
    ("tags", "known", "why"),
    [
        ([], {}, ""),
        (["daily", "fast", "security"], {"role": "light"}, ""),
        (["vision"], {"vision": True}, ""),
        (["vision"], {"vision": False}, "does not see images"),
        (["vision"], {}, "is not known to see images"),
        (["vision"], {"vision": True, "role": "code"}, "its role is code, vision is for general, light, vision"),
        (["tools"], {"tools": True}, ""),
        (["tools"], {"tools": False}, "does not call tools"),
        (["tools"], {}, "is not known to call tools"),
        (["json"], {"structured_output": True}, ""),
        (["json"], {"structured_output": False}, "does not keep to a schema"),
        (["json"], {}, "is not known to keep to a schema"),
        (["long-context"], {}, ""),
        (["long-context"], {"context_window": LONG_CONTEXT}, ""),
        (["long-context"], {"context_window": 127_999}, "takes 127,999 tokens, long-context means 128,000"),
        (["review"], {"role": "code"}, ""),
        (["review"], {"role": "light"}, "its role is light, review is for general, code"),
        (["prose"], {"role": "code"}, "its role is code, prose is for general"),
        (["enumeration"], {"role": "light"}, ""),
        (["quick"], {"role": "vision"}, "its role is vision, quick is for general, light"),
        (["general"], {"role": "light"}, ""),
        (["general", "code"], {"role": "light"}, "its role is light, code is for general, code"),
        (["free"], {}, ""),
        ([], {"role": "image"}, "makes images, and no answers"),
        (["general"], {"role": "image"}, "makes images, and no answers"),
    ],
)
def test_a_misfit_says_why(tags: list[str], known: dict[str, Any], why: str) -> None:
    assert why_misfit(model(**known), tags, None) == why


@pytest.mark.parametrize(
    ("paid", "why", "hidden"), [(True, "costs money", True), (False, "", False), (None, "", False)]
)
def test_free_hides_what_is_known_to_cost_money(paid: bool | None, why: str, hidden: bool) -> None:
    assert why_misfit(model(), ["free"], paid) == why
    assert is_hidden(["free"], paid) is hidden
    assert not is_hidden(["fast"], paid)


@pytest.mark.parametrize(
    ("known", "paid"),
    [
        ({}, None),
        ({"prices": {"input": 0.5, "output": 1.0}}, True),
        ({"prices": {"input": 0.0, "output": 0.0}}, False),
        ({"prices": {"output": 2.0}}, True),
        ({"prices": {"cached": 2.0}}, None),
        ({"served": "maker/one:free", "prices": {"input": 0.5}}, False),
        ({"kind": "local", "prices": {"input": 0.5}}, False),
        ({"kind": "practice"}, False),
        ({"tag": "harbour/lab", "served": "maker/one:free"}, True),
    ],
)
def test_what_costs_money_is_told_by_the_connection_the_name_and_the_prices(
    known: dict[str, Any], paid: bool | None
) -> None:
    assert is_paid(model(**known), {"harbour"}) is paid


def test_the_shapes_are_the_first_tags_offered_and_images_are_none() -> None:
    assert SUGGESTED[:3] == ("general", "design", "prose")
    assert "image" not in SUGGESTED
    assert set(SUGGESTED) >= {"second-opinion", "security", "long-context", "fast", "free", "tools", "json"}
    assert len(set(SUGGESTED)) == len(SUGGESTED)
