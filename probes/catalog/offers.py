"""What providers offer: models.dev and FreeLLMAPI made one, a row for each provider and normalised name. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from probes.catalog.names import BASES, FREE, FREELLMAPI, MODELS_DEV, normalised, platform_provider
from probes.catalog.said import believed, free_of, number, text, words
from probes.catalog.sources import FreeLlmApi, ModelsDev, context_of

COMPATIBLE: Final = "@ai-sdk/openai-compatible"
"""The client library of providers that speak chat completions."""
_DROPPED: Final = frozenset({"deprecated"})
_LONGEST: Final = 200


class Offered(Struct):
    """A model at a provider, with the columns of an Offer."""

    provider: str
    name: str
    served: str
    label: str = ""
    base: str = ""
    free: bool = False
    price_in: float | None = None
    price_out: float | None = None
    context_window: int | None = None
    max_output: int | None = None
    tools: bool | None = None
    reasoning: bool | None = None
    structured_output: bool | None = None
    inputs: list[str] = []
    outputs: list[str] = []
    limits: dict[str, int] = {}
    released: str = ""
    knowledge: str = ""
    open_weights: bool | None = None
    sources: list[str] = []


def build(models_dev: ModelsDev, free: FreeLlmApi) -> dict[tuple[str, str], Offered]:
    """Every offer, by provider and normalised name. Of several ids of one name the free one stands for it, then the
    shortest."""
    found: dict[tuple[str, str], Offered] = {}
    for one in _of_models_dev(models_dev):
        key = (one.provider, one.name)
        other = found.get(key)
        if other is None or _rank(one) < _rank(other):
            found[key] = one
    for entry in free.entries:
        _merge(found, entry, models_dev.bases())
    return found


def _rank(one: Offered) -> tuple[bool, int, str]:
    return not one.free, len(one.served), one.served


def _of_models_dev(feed: ModelsDev) -> Iterator[Offered]:
    for provider, entry in feed.providers.items():
        base = _base(provider, entry)
        for served, model in entry["models"].items():
            if one := _read(provider, served, model, base):
                yield one


def _read(provider: str, served: str, model: Mapping[str, Any], base: str) -> Offered | None:
    """None for what is no offer: it is on its way out, or writes no text."""
    limit, modalities = _dict(model.get("limit")), _dict(model.get("modalities"))
    outputs = words(modalities.get("output"))
    fits = len(served) <= _LONGEST and len(provider) <= 64 and served.isprintable() and provider.isprintable()
    if not fits or text(model.get("status"), 20) in _DROPPED or (outputs and "text" not in outputs):
        return None
    cost = _dict(model.get("cost"))
    values = believed({"prices": {"input": cost.get("input"), "output": cost.get("output")}})
    prices = values.get("prices", {})
    return Offered(
        provider,
        normalised(served),
        served,
        label=text(model.get("name"), _LONGEST),
        base=base,
        free=served.endswith(FREE) or free_of(prices) is True,
        price_in=prices.get("input"),
        price_out=prices.get("output"),
        context_window=number(limit.get("context")),
        max_output=number(limit.get("output")),
        tools=_flag(model.get("tool_call")),
        reasoning=_flag(model.get("reasoning")),
        structured_output=_flag(model.get("structured_output")),
        inputs=words(modalities.get("input")),
        outputs=outputs,
        released=text(model.get("release_date"), 20),
        knowledge=text(model.get("knowledge"), 20),
        open_weights=_flag(model.get("open_weights")),
        sources=[MODELS_DEV],
    )


def _merge(found: dict[tuple[str, str], Offered], entry: Mapping[str, Any], bases: Mapping[str, str]) -> None:
    """What FreeLLMAPI lists is free, and has its limits."""
    provider, served = platform_provider(entry["platform"]), entry["modelId"]
    if len(served) > _LONGEST or len(provider) > 64 or not (served.isprintable() and provider.isprintable()):
        return
    one = found.get((provider, normalised(served)))
    if one is None:
        one = Offered(provider, normalised(served), served, label=text(entry.get("displayName"), _LONGEST))
        one.base, one.outputs = (bases.get(provider) or BASES.get(provider, ""))[:500], ["text"]
        one.inputs = ["text", "image"] if entry.get("supportsVision") is True else ["text"]
        found[provider, one.name] = one
    one.free = True
    one.limits = believed({"limits": entry.get("limits")}).get("limits", {})
    one.context_window = one.context_window or number(context_of(entry))
    one.tools = _flag(entry.get("supportsTools")) if one.tools is None else one.tools
    if FREELLMAPI not in one.sources:
        one.sources = [*one.sources, FREELLMAPI]


def _base(provider: str, entry: Mapping[str, Any]) -> str:
    """The address of an API that this server speaks; empty for a provider that has just its own."""
    told = entry.get("api")
    if isinstance(told, str) and told.startswith(("http://", "https://")) and told.isprintable() and len(told) <= 500:
        return told.rstrip("/")
    return BASES.get(provider, "")


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
