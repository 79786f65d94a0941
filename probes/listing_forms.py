"""What listings of models look like, from every kind of server: documents to `Listed`. Pure; believes nothing it reads.

A listing is `{"data": […]}`, `{"models": […]}` or a bare list. What an entry tells beside its id is looked for under
the names that servers are known to use; a name that is not there tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec import Struct

from gateway.canon.fault import Broken
from gateway.canon.kinds import Api
from probes.listing_features import CAN, decides_only, feature, modalities
from probes.listing_numbers import number, price

LONGEST_NAME: Final = 200
MOST: Final = 20_000
"""Entries that are read of one listing."""
_IDS: Final = ("id", "name", "model", "slug")
_GEMINI_METHOD: Final = "generateContent"
_CONTEXT: Final = (
    "context_window",
    "context_length",
    "max_context_length",
    "max_model_len",
    "inputTokenLimit",
    "max_input_tokens",
    "capabilities.limits.max_context_window_tokens",
    "limits.max_context_window_tokens",
    "limits.max_input_tokens",
    "metadata.context_length",
    "meta.n_ctx",
    "meta.n_ctx_train",
    "top_provider.context_length",
)
_OUTPUT: Final = (
    "top_provider.max_completion_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "outputTokenLimit",
    "max_output_length",
    "capabilities.limits.max_output_tokens",
    "limits.max_output_tokens",
    "max_tokens",
    "metadata.max_tokens",
)


class Listed(Struct, frozen=True):
    """A model as an endpoint lists it. What the listing does not tell is empty or None.

    `served` is its name in calls, `inputs` and `outputs` are modalities (`text`, `image`, …), windows are in tokens,
    prices in USD per million tokens. `decisions` is True for a model that answers typed questions and does not chat.
    `connection` and `upstream_id` are known of hubs only: the connection behind the hub and the model's name there.
    `raw` is the entry itself, from outside: never show it as it is.
    """

    served: str
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    context_window: int | None = None
    max_output: int | None = None
    tools: bool | None = None
    structured_output: bool | None = None
    reasoning: bool | None = None
    owner: str = ""
    connection: str = ""
    upstream_id: str = ""
    decisions: bool | None = None
    price_in: float | None = None
    price_out: float | None = None
    raw: dict[str, Any] = {}


def models_in(document: Any, api: str = Api.CHAT) -> list[Listed]:
    """The models of one page, each once, in the order listed. Raises Broken when the document is no listing."""
    listed = (_read(entry, api) for entry in _entries(document)[:MOST])
    return list({model.served: model for model in listed if model is not None}.values())


def next_page(document: Any, api: str) -> dict[str, str]:
    """The query that brings the page after this one; empty after the last."""
    if not isinstance(document, dict):
        return {}
    if api == Api.GEMINI:
        token = document.get("nextPageToken")
        return {"pageToken": token} if isinstance(token, str) and token else {}
    if api == Api.ANTHROPIC and document.get("has_more") is True:
        last = document.get("last_id")
        return {"after_id": last} if isinstance(last, str) and last else {}
    return {}


def with_unlisted(models: Iterable[Listed], unlisted: Iterable[str]) -> list[Listed]:
    """The models, then those that are served without being listed."""
    found = {model.served: model for model in models}
    return [*found.values(), *(Listed(served) for served in dict.fromkeys(unlisted) if served not in found)]


def _entries(document: Any) -> list[Any]:
    if isinstance(document, dict):
        for key in ("data", "models"):
            if isinstance(document.get(key), list):
                document = document[key]
                break
    if not isinstance(document, list):
        raise Broken("the reply holds no list of models")
    return document


def _read(entry: Any, api: str) -> Listed | None:
    """None for what is no model that could be called."""
    if isinstance(entry, str):
        entry = {"id": entry}
    if not isinstance(entry, dict) or entry.get("visibility", "list") != "list":
        return None
    served = next((entry[key] for key in _IDS if isinstance(entry.get(key), str) and entry[key]), "")
    if api == Api.GEMINI:
        methods = entry.get("supportedGenerationMethods", entry.get("supported_actions"))
        if not isinstance(methods, list) or _GEMINI_METHOD not in methods:
            return None
        served = served.removeprefix("models/")
    if not served.isprintable() or served != served.strip() or not 0 < len(served) <= LONGEST_NAME:
        return None
    return _told(served, entry)


def _told(served: str, entry: Mapping[str, Any]) -> Listed:
    inputs, outputs = modalities(entry)
    owner = entry.get("owned_by")
    return Listed(
        served,
        inputs=inputs,
        outputs=outputs,
        context_window=number(entry, _CONTEXT),
        max_output=number(entry, _OUTPUT),
        tools=feature(entry, CAN["tools"]),
        structured_output=feature(entry, CAN["structured_output"]),
        reasoning=feature(entry, CAN["reasoning"]),
        owner=owner[:100] if isinstance(owner, str) and owner.isprintable() else "",
        decisions=decides_only(entry),
        price_in=price(entry, "in"),
        price_out=price(entry, "out"),
        raw=dict(entry),
    )
