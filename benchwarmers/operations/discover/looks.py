"""How the prices, windows and abilities of an offer are put. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from msgspec import Struct

from probes.catalog.reach import Reach
from probes.models import Offer

REACHES: Final[Mapping[Reach, Any]] = {
    Reach.CONNECTED: _("connected"),
    Reach.EASY: _("easy to add"),
    Reach.ON_BENCH: _("on the bench"),
    Reach.OTHER: _("own API"),
}
REACH_TELLS: Final[Mapping[Reach, Any]] = {
    Reach.CONNECTED: _("An endpoint or a hub of yours leads to this provider."),
    Reach.EASY: _("Its API is one that this server speaks: it takes an endpoint and a key."),
    Reach.ON_BENCH: _("This model of this provider is registered."),
    Reach.OTHER: _("It has just an API of its own, which this server does not speak."),
}
TONES: Final[Mapping[Reach, str]] = {Reach.CONNECTED: "chip-ok", Reach.ON_BENCH: "chip-ok"}
AXES: Final[Mapping[str, Any]] = {
    "rpm": _("requests a minute"),
    "rpd": _("requests a day"),
    "tpm": _("tokens a minute"),
    "tpd": _("tokens a day"),
}

KINDS: Final = (("image", _("Images in")), ("pdf", _("PDF in")), ("audio", _("Sound in")), ("video", _("Video in")))
ABILITIES: Final = (("tools", _("Tools")), ("reasoning", _("Reasoning")), ("json", "JSON"))
"""The facets, and what they are called."""


class Look(Struct, frozen=True):
    """An offer in words. `price` is that of a million tokens in and out, `limits` those of a free model."""

    price: str
    context: str
    output: str
    can: tuple[str, ...]
    limits: tuple[str, ...]
    reach: str
    reach_tells: str
    tone: str


def look(offer: Offer, reach: Reach) -> Look:
    """The words of an offer that is so near."""
    said = (("tools", offer.tools), ("json", offer.structured_output), ("reasons", offer.reasoning))
    return Look(
        price=price(offer),
        context=window(offer.context_window),
        output=window(offer.max_output),
        can=tuple(word for word, yes in said if yes),
        limits=tuple(f"{most:,} {AXES[axis]}" for axis, most in offer.limits.items() if axis in AXES),
        reach=str(REACHES[reach]),
        reach_tells=str(REACH_TELLS[reach]),
        tone=TONES.get(reach, ""),
    )


def price(offer: Offer) -> str:
    """`free`, `$0.50 / $1.50`, or `unknown`."""
    if offer.free:
        return "free"
    if offer.price_in is None and offer.price_out is None:
        return "unknown"
    return " / ".join("?" if one is None else f"${amount(one)}" for one in (offer.price_in, offer.price_out))


def amount(value: float) -> str:
    """USD, with two decimals or as many as it takes."""
    return f"{value:.2f}" if value == round(value, 2) else f"{value:.6f}".rstrip("0")


def window(tokens: int | None) -> str:
    """`131k`, `1M`; `?` for one that is not known."""
    if tokens is None:
        return "?"
    if tokens >= 1_000_000:
        return f"{tokens / 1_000_000:.1f}".removesuffix(".0") + "M"
    return f"{tokens // 1_000}k" if tokens >= 1_000 else str(tokens)


def age(moment: datetime, now: datetime) -> str:
    """`5 minutes ago`, `3 hours ago`, `12 days ago`."""
    minutes = max(0, int((now - moment).total_seconds() // 60))
    if minutes < 1:
        return "just now"
    for size, word in ((1_440, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            count = minutes // size
            return f"{count} {word}{'' if count == 1 else 's'} ago"
    return "just now"
