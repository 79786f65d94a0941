"""What each feed says of a model, and which source's word holds."""

from __future__ import annotations

from typing import Any

import pytest

from probes.catalog.precedence import decide
from probes.catalog.said import Said, believed, free_of
from probes.catalog.sources import FreeLlmApi, ModelsDev, OpenRouter, of_listing, slug_of
from probes.listing_forms import Listed
from probes.tests.catalog.feeds import FREELLMAPI, MODELS_DEV, OPENROUTER

DEV, ROUTER, FREE = ModelsDev(MODELS_DEV), OpenRouter(OPENROUTER), FreeLlmApi(FREELLMAPI)


def test_models_dev_knows_the_very_model_or_one_of_the_same_name() -> None:
    exact = DEV.of("groq", "llama-9-70b")
    dated = DEV.of("maker", "coder-7b")
    other = DEV.of("elsewhere", "x/llama-9-70b")
    assert exact is not None
    assert dated is not None
    assert other is not None
    assert (exact.text, exact.exact, exact.values["prices"]) == ("models.dev: groq", True, {"input": 0, "output": 0})
    assert (exact.values["vision"], exact.values["tools"], exact.values["open_weights"]) == (True, True, True)
    assert (dated.text, dated.exact, dated.values["prices"]) == ("models.dev: maker", True, {"input": 2, "output": 4})
    assert (other.text, other.exact) == ("models.dev: groq (same model)", False)
    assert DEV.of("groq", "never-heard-of") is None


def test_a_free_variant_never_takes_the_price_of_the_one_that_costs() -> None:
    feed = ModelsDev({"p": {"models": {"a/one": {"id": "a/one", "cost": {"input": 1, "output": 1}}}}})
    found = feed.of("p", "a/one:free")
    assert found is not None
    assert "prices" not in found.values
    gone = OpenRouter({"data": OPENROUTER["data"][:1]}).of("meta/llama-9-70b:free", "", own=True)
    assert gone is not None
    assert gone.values["context_window"] == 96_000
    assert "prices" not in gone.values


def test_openrouter_prices_are_by_token_and_a_variable_price_is_none() -> None:
    found = ROUTER.of("meta/llama-9-70b", "", own=True)
    auto = ROUTER.of("openrouter/auto", "", own=True)
    assert found is not None
    assert auto is not None
    assert found.values["prices"] == {"input": 0.5, "output": 1.5, "cached": 0.1}
    assert found.values["documents"] is True
    assert found.values["vision"] is False
    assert "audio" not in found.values
    assert len(found.values["description"]) == 240
    assert found.values["description"].endswith("…")
    assert "prices" not in auto.values


def test_openrouter_is_looked_up_by_the_slug_that_another_listing_gives() -> None:
    listed = Listed("their-name", raw={"openrouter": {"slug": "meta/llama-9-70b"}})
    found = ROUTER.of(listed.served, slug_of(listed), own=False)
    assert found is not None
    assert found.text == "openrouter (same model id)"
    assert "prices" not in found.values
    assert slug_of(Listed("x", raw={"openrouter": {"slug": 3}})) == ""
    assert slug_of(None) == ""


def test_free_models_have_limits_and_the_titles_of_what_is_known_of_them() -> None:
    same, other = FREE.of("groq", "llama-9-70b"), FREE.of("elsewhere", "llama-9-70b")
    assert same is not None
    assert other is not None
    assert same.values["limits"] == {"rpm": 30, "rpd": 1_000}
    assert (same.values["quirk_notes"], same.exact, other.exact) == (["No system prompts"], True, False)
    cloud = FREE.of("cloudflare-workers-ai", "llama-9-70b")
    assert cloud is not None
    assert cloud.values["limits"] == {"rpm": 5}
    assert FREE.of("groq", "dead-1") is None
    assert FREE.of("pix", "draw-1") is None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("context_window", 0),
        ("context_window", True),
        ("context_window", "many"),
        ("context_window", 10**12),
        ("max_output", float("nan")),
        ("tools", "yes"),
        ("prices", {"input": -1, "output": "free"}),
        ("prices", [1, 2]),
        ("limits", {"rpm": 0, "rpx": 4}),
        ("input_modalities", "text"),
        ("knowledge_cutoff", 2026),
        ("unheard_of", 1),
    ],
)
def test_what_cannot_be_a_fact_is_as_if_it_had_not_been_said(field: str, value: Any) -> None:
    assert believed({field: value}) == {}


@pytest.mark.parametrize(
    ("prices", "free"),
    [
        (None, None),
        ({}, None),
        ({"cached": 0.1}, None),
        ({"input": 0, "output": 0}, True),
        ({"input": 0}, True),
        ({"output": 0.1}, False),
        ({"input": 0, "output": 1}, False),
    ],
)
def test_free_is_what_costs_nothing_both_ways(prices: dict[str, float] | None, free: bool | None) -> None:
    assert free_of(prices) is free


def said(text: str, exact: bool = True, **values: Any) -> Said:
    return Said(values, text, exact)


ELSEWHERE = said("openrouter (same model id)", exact=False, context_window=1, tools=True, prices={"input": 9})
OWN = said("openrouter", context_window=1, prices={"input": 9, "output": 9, "cached": 1})
EXACT = said("models.dev: groq", context_window=2, max_output=5, prices={"input": 3, "output": 4})
SAME = said("models.dev: x (same model)", exact=False, context_window=2, max_output=5, prices={"input": 3})
LIMITS = said("freellmapi: groq", context_window=4, limits={"rpm": 7})
LISTED = said("listing of north", context_window=3, prices={"input": 1})


@pytest.mark.parametrize(
    ("given", "field", "value", "text"),
    [
        ({"openrouter": ELSEWHERE}, "context_window", 1, "openrouter (same model id)"),
        ({"openrouter": ELSEWHERE, "models_dev": SAME}, "context_window", 1, "openrouter (same model id)"),
        ({"openrouter": ELSEWHERE, "models_dev": SAME}, "max_output", 5, "models.dev: x (same model)"),
        ({"openrouter": ELSEWHERE, "models_dev": EXACT}, "context_window", 2, "models.dev: groq"),
        ({"openrouter": ELSEWHERE, "models_dev": EXACT}, "tools", True, "openrouter (same model id)"),
        ({"openrouter": ELSEWHERE, "models_dev": SAME}, "prices", None, ""),
        ({"openrouter": OWN, "models_dev": EXACT}, "context_window", 1, "openrouter"),
        ({"openrouter": OWN, "models_dev": EXACT}, "prices", {"input": 9, "output": 9, "cached": 1}, "openrouter"),
        ({"models_dev": EXACT}, "prices", {"input": 3, "output": 4}, "models.dev: groq"),
        ({"models_dev": EXACT, "listing": LISTED}, "context_window", 3, "listing of north"),
        ({"models_dev": EXACT, "listing": LISTED}, "prices", {"input": 1, "output": 4}, "listing of north"),
        ({"free": LIMITS}, "context_window", 4, "freellmapi: groq"),
        ({"free": LIMITS, "listing": LISTED}, "context_window", 3, "listing of north; freellmapi: groq says 4"),
        ({"free": LIMITS, "listing": LISTED}, "limits", {"rpm": 7}, "freellmapi: groq"),
    ],
)
def test_the_stronger_source_holds_field_by_field(given: dict[str, Said], field: str, value: Any, text: str) -> None:
    sources: dict[str, Said | None] = {"openrouter": None, "models_dev": None, "free": None, "listing": None}
    found = decide(**(sources | given)).get(field)
    assert (found.value if found else None, found.text if found else "") == (value, text)


def test_a_listing_says_what_it_says_and_no_more() -> None:
    assert of_listing(Listed("m")) == {}
    told = of_listing(Listed("m", inputs=("text", "image"), context_window=9, price_in=0.0, price_out=0.0))
    assert told == {
        "context_window": 9,
        "input_modalities": ["text", "image"],
        "vision": True,
        "prices": {"input": 0, "output": 0},
    }
