"""Whether a model makes pictures and so is asked nothing in words. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_MAKERS: Final = re.compile(r"(?:^|[-_./:])(?:gpt-image|dall-e|imagen|flux|stable-diffusion|sdxl|sd3)", re.I)


def makes_images(outputs: Iterable[str], served: str) -> bool:
    """By what comes out of it, where that is known; else by its name."""
    known = set(outputs)
    return "image" in known if known else _MAKERS.search(served) is not None
