"""Codex: the Responses API. Its tools depend on the model's name, so that three names are three different tests."""

from __future__ import annotations

from benchwarmers.tests.agents.flavour import ROUTE, Flavour, Program

PROGRAM = Program("codex", "@openai/codex", "0.171.0", "codex")
_COMMON = """\
model = "$model"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
"""
_OWN_PROVIDER = (
    _COMMON
    + """\
model_provider = "bench"

[model_providers.bench]
name = "bench"
base_url = "$base/v1"
env_key = "BENCH_KEY"
wire_api = "responses"
"""
)
_BUILT_IN = _COMMON + 'openai_base_url = "$base/v1"\n'
_COMMAND = ("$program", "exec", "--skip-git-repo-check", "$prompt")


def _flavour(name: str, config: str, env: dict[str, str], model: str = ROUTE) -> Flavour:
    home = {"CODEX_HOME": "$home/.codex"}
    return Flavour(PROGRAM, name, _COMMAND, env | home, {".codex/config.toml": config}, model=model)


FLAVOURS = (
    _flavour("unknown-name", _OWN_PROVIDER, {"BENCH_KEY": "$key"}),
    _flavour("gpt-5.5", _OWN_PROVIDER, {"BENCH_KEY": "$key"}, "gpt-5.5"),  # a custom tool for patches
    _flavour("gpt-6-sol", _OWN_PROVIDER, {"BENCH_KEY": "$key"}, "gpt-6-sol"),  # tools inside the input
    _flavour("built-in-provider", _BUILT_IN, {"CODEX_API_KEY": "$key"}),  # tries a WebSocket first
)
