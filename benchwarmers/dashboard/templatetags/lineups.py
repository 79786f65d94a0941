"""Line-ups that nobody has played yet: the sign of each chair, by its kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import ngettext

from benchwarmers.dashboard.marks import BODIES

register = template.Library()


@register.simple_tag
def chair(kind: str) -> SafeString:
    """The sign of a member, an explorer or a merger. Hidden from screen readers: words stand beside it."""
    body = mark_safe(BODIES[kind])  # noqa: S308 a constant
    return format_html('<svg class="mark mark-{} is-ok" viewBox="0 0 16 16" aria-hidden="true">{}</svg>', kind, body)


@register.simple_tag
def chair_number(kind: str, number: int) -> SafeString:
    """The same sign, large, with its number on it."""
    return format_html(
        '<svg class="mark shirt mark-{} is-ok" viewBox="0 0 16 16" aria-hidden="true">{}'
        '<text x="8" y="10.7" text-anchor="middle">{}</text></svg>',
        kind,
        mark_safe(BODIES[kind]),  # noqa: S308 a constant
        number,
    )


@register.simple_tag
def lineup(kinds: Sequence[str]) -> SafeString:
    """A line-up on its plank, told in words to those who do not see it."""
    marks = format_html_join("", "{}", ((chair(kind),) for kind in kinds))
    return format_html('<div class="lineup" role="img" aria-label="{}">{}</div>', tell_lineup(kinds), marks)


def tell_lineup(kinds: Sequence[str]) -> str:
    """A line-up in a few words."""
    counts = Counter(kinds)
    told = (
        ngettext("%(number)s member", "%(number)s members", counts["member"]) % {"number": counts["member"]},
        ngettext("%(number)s explorer", "%(number)s explorers", counts["explorer"]) % {"number": counts["explorer"]},
        ngettext("%(number)s merger", "%(number)s mergers", counts["merger"]) % {"number": counts["merger"]},
    )
    return ", ".join(words for words, kind in zip(told, ("member", "explorer", "merger"), strict=True) if counts[kind])


@register.filter
def short_tokens(value: int | None) -> str:
    """Tokens in a few characters: 900, 8k, 128k, 1M."""
    if value is None:
        return "?"
    if value < 1_000:
        return str(value)
    return f"{value // 1_000_000}M" if value >= 1_000_000 and value % 1_000_000 < 100_000 else f"{value // 1_000}k"
