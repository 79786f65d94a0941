"""Claude Code: the Messages API, set up by variables alone."""

from __future__ import annotations

from benchwarmers.tests.agents.flavour import Flavour, Program

PROGRAM = Program("claude-code", "@anthropic-ai/claude-code", "2.1.332", "claude", least_node=22)
FLAVOURS = (
    Flavour(
        PROGRAM,
        "messages",
        (
            "$program",
            "--print",
            "$prompt",
            "--output-format",
            "json",
            "--permission-mode",
            "acceptEdits",
            "--allowedTools",
            "Read,Edit,Write,Bash",
        ),
        env={
            "ANTHROPIC_BASE_URL": "$base",
            "ANTHROPIC_AUTH_TOKEN": "$key",
            "ANTHROPIC_MODEL": "$model",
            "ANTHROPIC_DEFAULT_HAIKU_MODEL": "$model",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        },
    ),
)
