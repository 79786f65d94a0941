"""The listing as Codex wants to know it, when it asks with its own version: what each model can do with Codex's tools.

Codex reads the whole list strictly and drops all of it for one field that it misses, so every field that some version
of it requires is here. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gateway.api.listing import Entry
from gateway.api.listing_forms import Document, display_name

_INSTRUCTIONS: Final = (
    "You are Codex, a coding agent in a terminal. You share a workspace with the user. Look at the files before you "
    "change them, make the smallest change that does what is asked, run what shows that it works, and say briefly what "
    "you did."
)
_LEVELS: Final = (
    ("low", "Short reasoning, quick answers"),
    ("medium", "Some reasoning"),
    ("high", "Long reasoning for hard tasks"),
)


def codex_models(entries: Sequence[Entry]) -> list[Document]:
    """One description for each entry, in the listing's order."""
    return [_describe(entry, place) for place, entry in enumerate(entries)]


def _describe(entry: Entry, place: int) -> Document:
    reasons = "reasoning" in entry.together.capabilities
    window = entry.together.context_window
    return {
        "slug": entry.id,
        "display_name": display_name(entry),
        "description": entry.description,
        "default_reasoning_level": "medium" if reasons else None,
        "supported_reasoning_levels": [
            {"effort": effort, "description": words} for effort, words in (_LEVELS if reasons else ())
        ],
        "shell_type": "shell_command",
        "visibility": "list",
        "supported_in_api": True,
        "priority": place,
        "availability_nux": None,
        "upgrade": None,
        "base_instructions": _INSTRUCTIONS,
        "supports_reasoning_summaries": reasons,
        "supports_reasoning_summary_parameter": reasons,
        "default_reasoning_summary": "auto" if reasons else "none",
        "support_verbosity": False,
        "default_verbosity": None,
        # A free-text tool. Members that know functions alone get it as one.
        "apply_patch_tool_type": "freeform",
        "web_search_tool_type": "text",
        "truncation_policy": {"mode": "bytes", "limit": 10_000},
        "supports_parallel_tool_calls": False,
        "supports_image_detail_original": False,
        "context_window": window,
        "max_context_window": window,
        "effective_context_window_percent": 95,
        "experimental_supported_tools": [],
        "input_modalities": ["text", "image"] if "vision" in entry.together.capabilities else ["text"],
        "supports_search_tool": False,
    }
