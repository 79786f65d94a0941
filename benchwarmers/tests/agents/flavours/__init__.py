"""Every flavour of every program, in the order in which they are run."""

from __future__ import annotations

from benchwarmers.tests.agents.flavours import aider, claude_code, cline, codex, gemini_cli, opencode, qwen_code

FLAVOURS = (
    *claude_code.FLAVOURS,
    *codex.FLAVOURS,
    *opencode.FLAVOURS,
    *gemini_cli.FLAVOURS,
    *qwen_code.FLAVOURS,
    *cline.FLAVOURS,
    *aider.FLAVOURS,
)
PROGRAMS = tuple({flavour.program.client: flavour.program for flavour in FLAVOURS}.values())
