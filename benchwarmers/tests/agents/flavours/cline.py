"""Cline's command line: the address is set by signing in, for chat completions and for the Responses API alone."""

from __future__ import annotations

from benchwarmers.tests.agents.flavour import Flavour, Program

PROGRAM = Program("cline", "cline", "3.0.65", "cline", least_node=22)
FLAVOURS = tuple(
    Flavour(
        PROGRAM,
        provider,
        ("$program", "-P", provider, "-m", "$model", "--auto-approve", "true", "--json", "$prompt"),
        env={"CLINE_TELEMETRY_DISABLED": "1", "DO_NOT_TRACK": "1"},
        first=("$program", "auth", "-p", provider, "-k", "$key", "-m", "$model", "-b", "$base/v1"),
    )
    for provider in ("openai", "openai-native")
)
