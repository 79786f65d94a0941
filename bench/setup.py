"""The models of the fake upstream, and the set-up file that gives the gateway a collection for each way of asking."""

from __future__ import annotations

import json
from typing import Final

AT_ONCE: Final = "fake-chunks1"
"""Answers without waiting."""
CHUNKS: Final = "fake-chunks50"
SLOW: Final = "fake-chunks400-gap500"
"""Streams for three minutes."""
SEATS: Final = tuple(f"fake-delay50-chunks1-{letter}" for letter in "abcde")
MERGER: Final = "fake-delay50-chunks1-m"
UPSTREAM_MS: Final = 50.0
"""What a seat takes."""
PANELS: Final = (1, 3, 5)


def set_up(upstream: str) -> str:
    """For `manage.py apply`: routes of one member each, panels of one, three and five, and one that merges five."""
    text = f'[[endpoint]]\nname = "fake"\nbase = "{upstream}"\nkind = "local"\napi = "chat"\ndefault = true\n\n'
    for model in (AT_ONCE, CHUNKS, SLOW, *SEATS, MERGER):
        text += f'[[model]]\nalias = "{model}"\nserved = "{model}"\nendpoint = "fake"\ntools = true\n\n'
    for model in (AT_ONCE, CHUNKS, SLOW):
        text += collection(model, (model,), "route")
    for count in PANELS:
        text += collection(f"panel{count}", SEATS[:count], "all")
    return text + collection("merged5", SEATS, "merged", merger=MERGER)


def collection(name: str, members: tuple[str, ...], reply: str, merger: str = "") -> str:
    """A table of the set-up file. Nobody is asked what shape a request has, and nobody explores."""
    text = f'[[collection]]\nname = "{name}"\nmembers = {json.dumps(members)}\nreply = "{reply}"\nshape = "general"\n'
    text += "max_explorers = 0\n"
    return text + (f'merger = "{merger}"\n\n' if merger else "\n")
