"""The feeds and the listings, each read to what it says of a model. Pure.

A feed is read once and asked about many models, so each has what it is looked up by.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, Final

from gateway.canon.fault import Broken
from gateway.canon.kinds import Api
from probes.catalog.names import FREE, FREELLMAPI, MODELS_DEV, OPENROUTER, normalised, platform_provider
from probes.catalog.said import Said, believed, with_inputs
from probes.listing_forms import Listed, models_in

MILLION: Final = 1_000_000
_AXES: Final = {"input": "input", "output": "output", "cache_read": "cached", "cache_write": "cache_write"}
_PER_TOKEN: Final = {
    "input_cache_read": "cached",
    "input_cache_write": "cache_write",
    "internal_reasoning": "reasoning",
}


class ModelsDev:
    """models.dev: `providers` by id, each with its `models` by id."""

    def __init__(self, document: Any) -> None:
        self.providers: dict[str, dict[str, Any]] = {}
        self._exact: dict[tuple[str, str], dict[str, Any]] = {}
        self._named: dict[tuple[str, str], dict[str, Any]] = {}
        self._anywhere: dict[str, tuple[str, dict[str, Any]]] = {}
        for provider, entry in _objects(document):
            models = list(_objects(entry.get("models")))
            self.providers[provider] = {**entry, "models": dict(models)}
            for served, model in models:
                self._exact[provider, served] = model
                self._named.setdefault((provider, normalised(served)), model)
                self._anywhere.setdefault(normalised(served), (provider, model))

    @property
    def known(self) -> frozenset[str]:
        return frozenset(self.providers)

    def bases(self) -> dict[str, str]:
        """The address of each provider that has one in the feed."""
        told = {provider: entry.get("api") for provider, entry in self.providers.items()}
        return {provider: base for provider, base in told.items() if isinstance(base, str) and base}

    def of(self, provider: str, served: str) -> Said | None:
        """What it says of a model at the provider, else of one of the same name anywhere."""
        if provider:
            if (model := self._exact.get((provider, served))) is not None:
                return Said(_of_models_dev(model), f"{MODELS_DEV}: {provider}", exact=True)
            if (model := self._named.get((provider, normalised(served)))) is not None:
                values = _of_models_dev(model)
                if served.endswith(FREE) and not str(model.get("id", "")).endswith(FREE):
                    values.pop("prices", None)  # those of the variant that costs
                return Said(values, f"{MODELS_DEV}: {provider}", exact=True)
        if (found := self._anywhere.get(normalised(served))) is not None:
            return Said(_of_models_dev(found[1]), f"{MODELS_DEV}: {found[0]} (same model)")
        return None


class OpenRouter:
    """OpenRouter's own listing."""

    def __init__(self, document: Any) -> None:
        try:
            self._models = {model.served: model for model in models_in(document, Api.CHAT)}
        except Broken:
            self._models = {}

    def of(self, served: str, slug: str, *, own: bool) -> Said | None:
        """What it says of the model of this name, or of the slug that another's listing gives; `own` for a model that
        is called there. Prices are those of the very entry alone."""
        for name in (served, slug, served.removesuffix(FREE)):
            if name and (model := self._models.get(name)) is not None:
                values = of_listing(model)
                if name != served:
                    values.pop("prices", None)
                return Said(values, OPENROUTER if own else f"{OPENROUTER} (same model id)", exact=own)
        return None


class FreeLlmApi:
    """FreeLLMAPI: what can be had for nothing, and its limits."""

    def __init__(self, document: Any) -> None:
        document = document if isinstance(document, dict) else {"models": document}
        self.entries = [entry for entry in _list(document.get("models")) if _is_offered(entry)]
        self._quirks = [quirk for quirk in _list(document.get("quirks")) if isinstance(quirk, dict)]
        self._there: dict[tuple[str, str], dict[str, Any]] = {}
        self._anywhere: dict[str, dict[str, Any]] = {}
        for entry in self.entries:
            name = normalised(entry["modelId"])
            self._there.setdefault((platform_provider(entry["platform"]), name), entry)
            self._anywhere.setdefault(name, entry)

    def of(self, provider: str, served: str) -> Said | None:
        """What it says of the model on the provider's platform, else on any."""
        name = normalised(served)
        same = self._there.get((provider, name)) if provider else None
        entry = same or self._anywhere.get(name)
        if entry is None:
            return None
        values = {
            "context_window": context_of(entry),
            "limits": entry.get("limits"),
            "quirk_notes": [quirk.get("title") for quirk in self._quirks if _concerns(quirk, entry)],
        }
        return Said(believed(values), f"{FREELLMAPI}: {entry['platform']}", exact=same is not None)


def of_listing(model: Listed) -> dict[str, Any]:
    """The values that an endpoint's listing tells of a model."""
    raw = model.raw
    prices: dict[str, Any] = {}
    if model.price_in is not None or model.price_out is not None:
        prices = {"input": model.price_in, "output": model.price_out, **_further_prices(raw.get("pricing"))}
    values = {
        "context_window": model.context_window,
        "max_output": model.max_output,
        "tools": model.tools,
        "structured_output": model.structured_output,
        "reasoning": model.reasoning,
        "input_modalities": list(model.inputs),
        "output_modalities": list(model.outputs),
        "knowledge_cutoff": raw.get("knowledge_cutoff"),
        "description": raw.get("description"),
        "prices": prices,
    }
    return believed(with_inputs(values))


def slug_of(model: Listed | None) -> str:
    """The name at OpenRouter that another endpoint's listing gives a model."""
    told = model.raw.get("openrouter") if model is not None else None
    slug = told.get("slug") if isinstance(told, dict) else None
    return slug if isinstance(slug, str) else ""


def context_of(entry: Mapping[str, Any]) -> Any:
    """The context window that FreeLLMAPI gives."""
    return entry.get("contextWindow", entry.get("context"))


def _of_models_dev(model: Mapping[str, Any]) -> dict[str, Any]:
    limit, modalities = _dict(model.get("limit")), _dict(model.get("modalities"))
    cost = _dict(model.get("cost"))
    values = {
        "context_window": limit.get("context"),
        "max_output": limit.get("output"),
        "tools": model.get("tool_call"),
        "structured_output": model.get("structured_output"),
        "reasoning": model.get("reasoning"),
        "input_modalities": modalities.get("input"),
        "output_modalities": modalities.get("output"),
        "knowledge_cutoff": model.get("knowledge"),
        "release_date": model.get("release_date"),
        "open_weights": model.get("open_weights"),
        "description": model.get("description"),
        "prices": {axis: cost.get(name) for name, axis in _AXES.items()} | {"reasoning": cost.get("reasoning")},
    }
    return believed(with_inputs(values))


def _further_prices(told: Any) -> dict[str, float]:
    """What of a listing's prices per token is priced by itself; zero there means that it is not."""
    found: dict[str, float] = {}
    for name, axis in _PER_TOKEN.items() if isinstance(told, dict) and "prompt" in told else ():
        try:
            amount = float(told.get(name) or 0)
        except (TypeError, ValueError):
            continue
        if amount > 0:
            found[axis] = amount * MILLION
    return found


def _is_offered(entry: Any) -> bool:
    named = isinstance(entry, dict) and all(
        isinstance(entry.get(name), str) and entry[name] for name in ("platform", "modelId")
    )
    return bool(named) and entry.get("enabled") is not False and entry.get("modality", "text") in ("text", None)


def _concerns(quirk: Mapping[str, Any], entry: Mapping[str, Any]) -> bool:
    for target in _list(quirk.get("targets")):
        if not isinstance(target, dict):
            continue
        platform, pattern = target.get("platform"), target.get("modelGlob")
        if platform not in (None, entry["platform"]):
            continue
        if pattern is None or (isinstance(pattern, str) and fnmatchcase(entry["modelId"], pattern)):
            return True
    return False


def _objects(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, one in value.items() if isinstance(value, dict) else ():
        if isinstance(name, str) and name and isinstance(one, dict):
            yield name, one


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
