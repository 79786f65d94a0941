"""Providers, hubs and runtimes that people add as endpoints, as facts: where they are, what they speak, where a key is
made and which variables usually bring it. Nothing else knows their names, and nothing depends on one being here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from collections_app.addresses import host_of, is_own_name, is_private_ip, literal_ip
from gateway.canon.kinds import Api, EndpointKind


class Preset(Struct, frozen=True, kw_only=True):
    """What fills the form for a new endpoint. `id` is the name it gets, `key_at` the page where a key is made (empty:
    none is needed), `variables` those of the environment that usually bring it."""

    id: str
    label: str
    base: str
    kind: EndpointKind = EndpointKind.PROVIDER
    api: Api = Api.CHAT
    hub: str = ""
    key_at: str = ""
    variables: tuple[str, ...] = ()
    models_url: str = ""
    headers: Mapping[str, str] = {}
    note: str = ""


_AGGREGATOR: Final = EndpointKind.AGGREGATOR
_LOCAL: Final = EndpointKind.LOCAL
_HUB: Final = EndpointKind.HUB

_SHIPPED: Final = (
    Preset(
        id="openai",
        label="OpenAI",
        base="https://api.openai.com/v1",
        key_at="https://platform.openai.com/api-keys",
        variables=("OPENAI_API_KEY",),
    ),
    Preset(
        id="anthropic",
        label="Anthropic",
        base="https://api.anthropic.com/v1",
        api=Api.ANTHROPIC,
        key_at="https://console.anthropic.com/settings/keys",
        variables=("ANTHROPIC_API_KEY",),
    ),
    Preset(
        id="gemini",
        label="Google Gemini",
        base="https://generativelanguage.googleapis.com/v1beta",
        api=Api.GEMINI,
        key_at="https://aistudio.google.com/apikey",
        variables=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    ),
    Preset(
        id="openrouter",
        label="OpenRouter",
        base="https://openrouter.ai/api/v1",
        kind=_AGGREGATOR,
        key_at="https://openrouter.ai/settings/keys",
        variables=("OPENROUTER_API_KEY",),
        headers={"X-Title": "Benchwarmers"},
        note="It lists its models without a key too.",
    ),
    Preset(
        id="groq",
        label="Groq",
        base="https://api.groq.com/openai/v1",
        key_at="https://console.groq.com/keys",
        variables=("GROQ_API_KEY",),
    ),
    Preset(
        id="mistral",
        label="Mistral",
        base="https://api.mistral.ai/v1",
        key_at="https://console.mistral.ai/api-keys",
        variables=("MISTRAL_API_KEY",),
    ),
    Preset(
        id="cerebras",
        label="Cerebras",
        base="https://api.cerebras.ai/v1",
        key_at="https://cloud.cerebras.ai",
        variables=("CEREBRAS_API_KEY",),
    ),
    Preset(
        id="nvidia",
        label="NVIDIA",
        base="https://integrate.api.nvidia.com/v1",
        key_at="https://build.nvidia.com/settings/api-keys",
        variables=("NVIDIA_API_KEY",),
    ),
    Preset(
        id="deepseek",
        label="DeepSeek",
        base="https://api.deepseek.com/v1",
        key_at="https://platform.deepseek.com/api_keys",
        variables=("DEEPSEEK_API_KEY",),
    ),
    Preset(
        id="xai",
        label="xAI",
        base="https://api.x.ai/v1",
        key_at="https://console.x.ai",
        variables=("XAI_API_KEY",),
    ),
    Preset(
        id="together",
        label="Together",
        base="https://api.together.xyz/v1",
        kind=_AGGREGATOR,
        key_at="https://api.together.ai/settings/api-keys",
        variables=("TOGETHER_API_KEY",),
    ),
    Preset(
        id="fireworks",
        label="Fireworks",
        base="https://api.fireworks.ai/inference/v1",
        kind=_AGGREGATOR,
        key_at="https://app.fireworks.ai/settings/users/api-keys",
        variables=("FIREWORKS_API_KEY",),
    ),
    Preset(
        id="huggingface",
        label="Hugging Face",
        base="https://router.huggingface.co/v1",
        kind=_AGGREGATOR,
        key_at="https://huggingface.co/settings/tokens",
        variables=("HF_TOKEN",),
    ),
    Preset(
        id="github",
        label="GitHub Models",
        base="https://models.github.ai/inference",
        kind=_AGGREGATOR,
        models_url="https://models.github.ai/catalog/models",
        key_at="https://github.com/settings/personal-access-tokens",
        note="The token needs the permission models: read.",
    ),
    Preset(
        id="cohere",
        label="Cohere",
        base="https://api.cohere.ai/compatibility/v1",
        models_url="https://api.cohere.ai/v1/models",
        key_at="https://dashboard.cohere.com/api-keys",
        variables=("COHERE_API_KEY", "CO_API_KEY"),
    ),
    Preset(
        id="perplexity",
        label="Perplexity",
        base="https://api.perplexity.ai",
        models_url="https://api.perplexity.ai/v1/models",
        key_at="https://www.perplexity.ai/account/api/keys",
        variables=("PERPLEXITY_API_KEY",),
    ),
    Preset(
        id="sambanova",
        label="SambaNova",
        base="https://api.sambanova.ai/v1",
        key_at="https://cloud.sambanova.ai/apis",
        variables=("SAMBANOVA_API_KEY",),
    ),
    Preset(
        id="deepinfra",
        label="DeepInfra",
        base="https://api.deepinfra.com/v1/openai",
        kind=_AGGREGATOR,
        key_at="https://deepinfra.com/dash/api_keys",
        variables=("DEEPINFRA_API_KEY", "DEEPINFRA_TOKEN"),
    ),
    Preset(
        id="moonshot",
        label="Moonshot",
        base="https://api.moonshot.ai/v1",
        key_at="https://platform.moonshot.ai/console/api-keys",
        variables=("MOONSHOT_API_KEY",),
    ),
    Preset(
        id="zai",
        label="Z.ai",
        base="https://api.z.ai/api/paas/v4",
        key_at="https://z.ai/manage-apikey/apikey-list",
        variables=("ZAI_API_KEY",),
    ),
    Preset(
        id="alibaba",
        label="Alibaba Model Studio",
        base="https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        key_at="https://modelstudio.console.alibabacloud.com",
        variables=("DASHSCOPE_API_KEY",),
    ),
    Preset(
        id="ollama-cloud",
        label="Ollama Cloud",
        base="https://ollama.com",
        api=Api.OLLAMA,
        key_at="https://ollama.com/settings/keys",
        variables=("OLLAMA_API_KEY",),
    ),
    Preset(
        id="nanogpt",
        label="NanoGPT",
        base="https://api.nano-gpt.com/api/v1",
        kind=_AGGREGATOR,
        key_at="https://nano-gpt.com/api",
        variables=("NANOGPT_API_KEY",),
    ),
    Preset(
        id="llm7",
        label="LLM7",
        base="https://api.llm7.io/v1",
        kind=_AGGREGATOR,
        key_at="https://token.llm7.io",
        variables=("LLM7_API_KEY",),
    ),
    Preset(id="openwebui", label="Open WebUI", base="http://127.0.0.1:3000/api", kind=_HUB, hub="openwebui"),
    Preset(id="litellm", label="LiteLLM", base="http://127.0.0.1:4000/v1", kind=_HUB, hub="litellm"),
    Preset(id="cliproxy", label="CLI Proxy API", base="http://127.0.0.1:8317/v1", kind=_HUB, hub="cliproxy"),
    Preset(id="ollama", label="Ollama", base="http://127.0.0.1:11434", kind=_LOCAL, api=Api.OLLAMA),
    Preset(id="lmstudio", label="LM Studio", base="http://127.0.0.1:1234/v1", kind=_LOCAL),
    Preset(id="vllm", label="vLLM", base="http://127.0.0.1:8000/v1", kind=_LOCAL),
    Preset(id="llamacpp", label="llama.cpp", base="http://127.0.0.1:8080/v1", kind=_LOCAL),
)
PRESETS: Final[dict[str, Preset]] = {preset.id: preset for preset in _SHIPPED}
"""By id, in the order of the form."""


def preset_at(base: str) -> Preset | None:
    """The provider whose public host this address names; None for private addresses and unknown hosts."""
    host = host_of(base)
    literal = literal_ip(host)
    if is_own_name(host) or (literal is not None and is_private_ip(literal)):
        return None
    return next((preset for preset in _SHIPPED if host and host_of(preset.base) == host), None)
