"""Rates with their bounds, as tables show them."""

from __future__ import annotations

from math import isinf

from django import template

from collections_app.intervals import Interval

register = template.Library()


@register.filter
def rate(value: Interval, times: int = 1) -> str:
    """The rate, `times` as large: of a hundred, say. Without an end it is ∞."""
    return number(value.share * times)


@register.filter
def bounds(value: Interval, times: int = 1) -> str:
    """Between what it lies."""
    return f"{number(value.low * times)} to {number(value.high * times)}"


@register.filter
def number(value: float) -> str:
    """Three digits at least where they say something: 0.05, 1.2, 14, 1 234."""
    if isinf(value):
        return "∞"
    if value >= 10:
        return f"{value:,.0f}".replace(",", "\u202f")
    return f"{value:.1f}" if value >= 1 or not value else f"{value:.2f}"


@register.filter
def percent(value: float) -> str:
    """A share of one as a share of a hundred."""
    return f"{value:.0%}"


@register.filter
def between(value: Interval | None) -> str:
    """Between which shares of a hundred it lies: 48–76%; empty without bounds."""
    return "" if value is None else f"{100 * value.low:.0f}–{100 * value.high:.0f}%"


@register.filter
def plainly(value: float) -> str:
    """A count that may be a part: 3 or 2.5."""
    return f"{value:.1f}".removesuffix(".0")


@register.filter
def kilo(value: int) -> str:
    """Tokens in thousands: 128k, 1 000k; below a thousand as they are."""
    return f"{value / 1000:,.0f}k".replace(",", "\u202f") if value >= 1000 else str(value)
