"""Token estimates. Fixed by the interface: a quarter of the characters and a tenth on top, 2,500 for an image."""

from __future__ import annotations

TOKENS_PER_IMAGE = 2_500


def estimate(text: str) -> int:
    """Tokens in `text`: 0 for empty text, otherwise at least 1."""
    return estimate_length(len(text))


def estimate_length(characters: int) -> int:
    """The same for a text of which only the length is known."""
    return max(1, characters * 11 // 40) if characters else 0


def estimate_prompt(system: str, prompt: str, images: int) -> int:
    """Tokens of a flattened request with `images` pictures."""
    return estimate(f"{system}\n\n{prompt}".strip()) + TOKENS_PER_IMAGE * images
