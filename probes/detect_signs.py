"""Which runtime answers at an address, by what it answers. Pure.

Several of them imitate others: KoboldCpp and llama.cpp answer as Ollama does, nearly all list models as OpenAI does. So
each is told by a document that only it has, and the imitated ones come last. The port alone tells nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from gateway.canon.kinds import Api

OWN: Final = "benchwarmers"
LISTING: Final = "/v1/models"
TAGS: Final = "/api/tags"
PORTS: Final[Mapping[int, str]] = {
    11434: "Ollama",
    1234: "LM Studio",
    8000: "vLLM",
    8080: "llama.cpp or LocalAI",
    5000: "text-generation-webui",
    1337: "Jan",
    5001: "KoboldCpp",
}
"""Where they usually listen, and who."""


class Runtime(Struct, frozen=True):
    """A server that was found: what it is called, `id` as the name of an endpoint, and how it is asked. `models` is
    how many it lists."""

    id: str
    label: str
    base: str
    api: str
    models: int


class _Sign(Struct, frozen=True):
    id: str
    label: str
    path: str
    fits: Callable[[Any], bool]
    api: str = Api.CHAT


def _has(*keys: str) -> Callable[[Any], bool]:
    return lambda document: isinstance(document, dict) and all(key in document for key in keys)


def _kobold(document: Any) -> bool:
    return isinstance(document, dict) and document.get("result") == "KoboldCpp"


def _lm_studio(document: Any) -> bool:
    entries = document.get("data") if isinstance(document, dict) else None
    return isinstance(entries, list) and all(isinstance(one, dict) and "state" in one for one in entries)


def _vllm(document: Any) -> bool:
    return any(entry.get("owned_by") == "vllm" for entry in entries_of(document))


_SIGNS: Final = (
    _Sign("koboldcpp", "KoboldCpp", "/api/extra/version", _kobold),
    _Sign("lmstudio", "LM Studio", "/api/v0/models", _lm_studio),
    _Sign("llamacpp", "llama.cpp", "/props", _has("default_generation_settings")),
    _Sign("textgen", "text-generation-webui", "/v1/internal/model/info", _has("model_name")),
    _Sign("localai", "LocalAI", "/system", _has("backends")),
    _Sign("vllm", "vLLM", LISTING, _vllm),
    _Sign("ollama", "Ollama", "/api/version", _has("version"), Api.OLLAMA),
)
SIGNS: Final = tuple(sign.path for sign in _SIGNS if sign.path != LISTING)
"""The paths that tell them apart."""


def entries_of(document: Any) -> list[dict[str, Any]]:
    """The entries of a listing, as OpenAI or Ollama have it; none for anything else."""
    entries = document.get("data", document.get("models")) if isinstance(document, dict) else None
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def is_listing(document: Any) -> bool:
    """Whether a server that answers so lists models at all."""
    return isinstance(document, dict) and isinstance(document.get("data", document.get("models")), list)


def is_own(document: Any) -> bool:
    """Whether it is a gateway like this one."""
    return any(entry.get("owned_by") == OWN for entry in entries_of(document))


def tell(root: str, port: int, said: Mapping[str, Any]) -> Runtime | None:
    """The runtime that said all this, by path; None for one that lists no models, and for a gateway like this one."""
    listing, tags = said.get(LISTING), said.get(TAGS)
    if is_own(listing) or not (is_listing(listing) or is_listing(tags)):
        return None
    for sign in _SIGNS:
        native = sign.api == Api.OLLAMA
        if sign.fits(said.get(sign.path)) and is_listing(tags if native else listing):
            count = len(entries_of(tags if native else listing))
            return Runtime(sign.id, sign.label, root if native else f"{root}/v1", sign.api, count)
    if not is_listing(listing):
        return Runtime("ollama-like", "A server that answers as Ollama does", root, Api.OLLAMA, len(entries_of(tags)))
    usual = f", on the port of {PORTS[port]}" if port in PORTS else ""
    label = f"A server that speaks chat completions{usual}"
    return Runtime("local", label, f"{root}/v1", Api.CHAT, len(entries_of(listing)))
