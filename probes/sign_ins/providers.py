"""The providers that document a sign-in for outside applications, as facts. Nothing else knows their names.

A file named by BENCHWARMERS_SIGN_IN_PROVIDERS may add to them or replace them, such as for a company's own server.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

import msgspec
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from msgspec import Struct

from gateway.canon.kinds import Api, EndpointKind

Flow = Literal["key", "oauth", "device", "local"]


class Provider(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How one is signed in to. `name` is the name that a new endpoint gets, `client_id` the one shipped; with
    `needs_app` there is none until somebody registers an application (`register` says where and how). `extras` go to
    the page where people agree, `token_extras` to every request for a token; `device_json` says that a code is asked
    for by JSON. `host_field` names the parameter that carries this installation's id; with `issues_id` the client id is
    a placeholder, with which `first_extras` go, and the callback brings the real one. `headers` are a new endpoint's
    own; `key` stands in for one where nothing is asked for."""

    id: str
    label: str
    flow: Flow
    name: str
    base: str
    kind: EndpointKind = EndpointKind.PROVIDER
    api: Api = Api.CHAT
    authorize: str = ""
    token: str = ""
    device: str = ""
    device_json: bool = False
    client_id: str = ""
    needs_app: bool = False
    register: str = ""
    scope: str = ""
    extras: dict[str, str] = {}
    first_extras: dict[str, str] = {}
    token_extras: dict[str, str] = {}
    host_field: str = ""
    nonce: bool = False
    issues_id: bool = False
    loopback: str = "127.0.0.1"
    models_url: str = ""
    headers: dict[str, str] = {}
    key: str = ""

    @property
    def by_code(self) -> bool:
        """Whether a browser on any machine will do."""
        return bool(self.device)


_SHIPPED: Final = (
    Provider(
        id="openrouter",
        label="OpenRouter",
        flow="key",
        name="openrouter",
        base="https://openrouter.ai/api/v1",
        kind=EndpointKind.AGGREGATOR,
        authorize="https://openrouter.ai/auth",
        token="https://openrouter.ai/api/v1/auth/keys",  # noqa: S106 an address
        extras={"key_label": "Benchwarmers"},
        loopback="localhost",
        headers={"HTTP-Referer": "http://localhost", "X-Title": "Benchwarmers"},
    ),
    Provider(
        id="nanogpt",
        label="NanoGPT",
        flow="key",
        name="nanogpt",
        base="https://api.nano-gpt.com/api/v1",
        kind=EndpointKind.AGGREGATOR,
        authorize="https://nano-gpt.com/auth",
        token="https://nano-gpt.com/api/v1/auth/keys",  # noqa: S106 an address
        scope="api.use models.read",
        extras={"client_name": "Benchwarmers"},
    ),
    Provider(
        id="huggingface",
        label="Hugging Face",
        flow="oauth",
        name="huggingface",
        base="https://router.huggingface.co/v1",
        kind=EndpointKind.AGGREGATOR,
        authorize="https://huggingface.co/oauth/authorize",
        token="https://huggingface.co/oauth/token",  # noqa: S106 an address
        device="https://huggingface.co/oauth/device",
        needs_app=True,
        register=(
            "Make an OAuth application without a secret at huggingface.co/settings/applications/new, with the scopes "
            "openid and inference-api."
        ),
        scope="openid inference-api",
    ),
    Provider(
        id="pollinations",
        label="Pollinations",
        flow="oauth",
        name="pollinations",
        base="https://gen.pollinations.ai/v1",
        kind=EndpointKind.AGGREGATOR,
        authorize="https://enter.pollinations.ai/authorize",
        token="https://enter.pollinations.ai/api/oauth/token",  # noqa: S106 an address
        device="https://enter.pollinations.ai/api/device/code",
        device_json=True,
        needs_app=True,
        register="Make a publishable app key at enter.pollinations.ai; it is the client id.",
        extras={"models": "text", "expiry": "30"},
        loopback="localhost",
    ),
    Provider(
        id="chatgpt",
        label="ChatGPT",
        flow="oauth",
        name="chatgpt",
        base="https://api.openai.com/v1",
        api=Api.RESPONSES,
        authorize="https://auth.openai.com/api/accounts/authorize",
        token="https://auth.openai.com/api/accounts/oauth/token",  # noqa: S106 an address
        client_id="dynamic_agent_client",
        scope="openid profile email offline_access resource.invoke chatgpt.tokens.use.direct",
        extras={"resource": "https://api.openai.com/v1"},
        first_extras={"agent_name_hint": "Benchwarmers"},
        token_extras={"resource": "https://api.openai.com/v1"},
        host_field="ext_agent_host_id",
        nonce=True,
        issues_id=True,
    ),
    Provider(
        id="github",
        label="GitHub Models",
        flow="device",
        name="github",
        base="https://models.github.ai/inference",
        token="https://github.com/login/oauth/access_token",  # noqa: S106 an address
        device="https://github.com/login/device/code",
        needs_app=True,
        register=(
            "Make a GitHub App at github.com/settings/apps/new with the device flow enabled and the account permission "
            "Models: read-only."
        ),
        models_url="https://models.github.ai/catalog/models",
    ),
    Provider(
        id="ollama",
        label="Ollama on this machine",
        flow="local",
        name="ollama",
        base="http://localhost:11434/v1",
        kind=EndpointKind.LOCAL,
        key="ollama",
    ),
)
SHIPPED: Final[Mapping[str, Provider]] = {one.id: one for one in _SHIPPED}


def providers() -> Mapping[str, Provider]:
    """By id: those shipped, and those of the installation's own file."""
    return read_providers(settings.BENCH.sign_in_providers)


@lru_cache(maxsize=4)
def read_providers(path: Path | None) -> Mapping[str, Provider]:
    """Those shipped, and over them those of a file: a JSON list of providers. Raises ImproperlyConfigured."""
    if path is None:
        return SHIPPED
    try:
        own = msgspec.json.decode(path.read_bytes(), type=list[Provider])
    except (
        OSError,
        RecursionError,
        UnicodeDecodeError,
        msgspec.DecodeError,
    ) as error:  # a ValidationError is a DecodeError
        raise ImproperlyConfigured(f"BENCHWARMERS_SIGN_IN_PROVIDERS cannot be used: {str(error)[:300]}") from None
    return {**SHIPPED, **{one.id: one for one in own}}
