"""The prompts that people pick in their agent: a review, and a list of everything that answers to something."""

from __future__ import annotations

from typing import Any, Final

from gateway.mcp import words
from gateway.mcp.rpc import WRONG_PARAMS, Problem

_COLLECTION: Final = {
    "name": "collection",
    "description": "Which collection to ask, as in bench/core",
    "required": True,
}
PROMPTS: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "review": (
        {
            "name": "review",
            "title": "Have a panel review this",
            "description": "Asks a collection for a review, checks what it finds and records verdicts.",
            "arguments": [
                _COLLECTION,
                {"name": "subject", "description": "What is to be reviewed, or where it is", "required": True},
            ],
        },
        words.REVIEW,
    ),
    "enumerate": (
        {
            "name": "enumerate",
            "title": "Have a panel list everything",
            "description": "Asks a collection for a complete list and joins what its seats found.",
            "arguments": [
                _COLLECTION,
                {"name": "subject", "description": "What the list shall hold", "required": True},
            ],
        },
        words.ENUMERATE,
    ),
}


def get_prompt(name: str, said: dict[str, Any]) -> dict[str, Any]:
    """The result of prompts/get. Raises a Problem."""
    if name not in PROMPTS:
        raise Problem(WRONG_PARAMS, f"There is no prompt {name!r}; there are {', '.join(PROMPTS)}.")
    listed, text = PROMPTS[name]
    lacking = [one["name"] for one in listed["arguments"] if not str(said.get(one["name"]) or "").strip()]
    if lacking:
        raise Problem(WRONG_PARAMS, f"The prompt {name} needs {' and '.join(lacking)}.")
    filled = text.format(**{one["name"]: said[one["name"]] for one in listed["arguments"]})
    return {
        "description": listed["description"],
        "messages": [{"role": "user", "content": {"type": "text", "text": filled}}],
    }
