"""The words, marks and numbers of the pages. Formats what it is given; asks the database nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from django import template
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from benchwarmers.dashboard import cards, markdown, marks
from benchwarmers.dashboard.account import THEME_COOKIE, THEMES
from benchwarmers.dashboard.places import Group, groups_for
from benchwarmers.people.preferences import THEME
from gateway.models import Seat

register = template.Library()

PROTOCOLS = {
    "openai_chat": "chat completions",
    "openai_responses": "Responses",
    "openai_completions": "completions",
    "anthropic": "Anthropic Messages",
    "gemini": "Gemini",
    "ollama": "Ollama",
    "ollama_generate": "Ollama generate",
}


@register.simple_tag(takes_context=True)
def theme(context: dict[str, Any]) -> str:
    """The theme that this person chose, or this browser: one of `THEMES`."""
    request: HttpRequest | None = context.get("request")
    chosen = request.COOKIES.get(THEME_COOKIE, "") if request else ""
    if request is not None and hasattr(request, "session"):
        chosen = request.session.get(THEME) or chosen
    return chosen if chosen in THEMES else THEMES[0]


@register.simple_tag(takes_context=True)
def places(context: dict[str, Any]) -> list[Group]:
    """What this person can go to, in groups."""
    request: HttpRequest | None = context.get("request")
    if request is None or not isinstance(request.user, User):
        return []
    return groups_for(request.user, request.path)


@register.simple_tag
def mark(seat: Seat) -> SafeString:
    """The sign of a seat."""
    return marks.draw_mark(seat)


@register.simple_tag
def shirt(seat: Seat, number: int) -> SafeString:
    """The sign of a seat with its number."""
    return marks.draw_shirt(seat, number)


@register.simple_tag
def turn_mark(status: str) -> SafeString:
    """The sign of a turn that ended so."""
    return marks.draw_turn(status)


@register.simple_tag
def shadow_mark(status: str) -> SafeString:
    """The sign of a shadow that ended so."""
    return marks.draw_shadow(status)


@register.simple_tag
def member_shirt(number: int) -> SafeString:
    """The sign of a member that answered, with its number."""
    return marks.draw_member(number)


@register.filter
def ended(status: str) -> str:
    """How a turn ended, in words."""
    return marks.ended(status)


@register.filter
def spaced(name: str) -> str:
    """A name of ours as words."""
    return name.replace("_", " ")


@register.filter
def by_name(names: Sequence[str]) -> list[tuple[str, int]]:
    """Names of tools with how often each was called, in the order of their first calls."""
    return list(Counter(names).items())


@register.filter
def under(kept: Mapping[Any, Any], key: Any) -> Any:
    """What is kept under this key, or None."""
    return kept.get(key)


@register.filter
def is_long(text: str) -> bool:
    """True when a text should start folded."""
    return len(text) > 900 or text.count("\n") > 11


@register.filter
def head(text: str) -> str:
    """The beginning of a folded text."""
    return text[:700]


@register.filter
def blocks(text: str) -> list[tuple[str, bool]]:
    """A prompt as (block, whether it is code)."""
    return markdown.split_blocks(text)


@register.filter
def tell(seat: Seat) -> str:
    """A seat in a few words."""
    return marks.tell(seat)


@register.filter
def tell_all(seats: Sequence[Seat]) -> str:
    """A line-up in one sentence."""
    return marks.tell_all(seats)


@register.filter
def stands(status: str) -> str:
    """How a seat stands, in words."""
    return marks.stands(status)


@register.filter
def kind(seat: Seat) -> str:
    """member, explorer or merger."""
    return cards.kind_of(seat.label)


@register.filter(is_safe=True)
def as_markdown(text: str) -> SafeString:
    """A model's text, laid out and sanitised."""
    return markdown.render_markdown(text)


@register.filter
def first_line(text: str) -> str:
    """The first line that says something."""
    return markdown.first_line(text)


@register.filter
def seconds(value: float | None) -> str:
    """A duration: 0.8 s, 14.2 s, 3 min 05 s; a dash when unknown."""
    if value is None:
        return "–"
    if value < 59.95:
        return f"{value:.1f} s"
    minutes, rest = divmod(round(value), 60)
    return f"{minutes} min {rest:02d} s"


@register.filter
def took(panel: Any) -> str:
    """How long a panel took; empty while it runs."""
    return seconds((panel.finished_at - panel.started_at).total_seconds()) if panel.finished_at else ""


@register.filter
def thousands(value: int | None) -> str:
    """1 234; a dash when unknown."""
    return "–" if value is None else f"{value:,}".replace(",", "\u202f")


@register.filter
def day(moment: datetime) -> date:
    """The local day of a moment."""
    return timezone.localtime(moment).date()


@register.filter
def day_name(when: date) -> str:
    """Today, Yesterday, or Friday 27 November, with the year when it is another one."""
    today = timezone.localdate()
    if when == today:
        return "Today"
    if when == today - timedelta(days=1):
        return "Yesterday"
    name = f"{when:%A} {when.day} {when:%B}"
    return name if when.year == today.year else f"{name} {when.year}"


@register.filter
def ago(moment: datetime) -> str:
    """How long ago, in a word that a column has room for: 47 min, 3 h, 12 days."""
    minutes = int((timezone.now() - moment).total_seconds() // 60)
    if minutes < 1:
        return gettext("just now")
    if minutes < 60:
        return gettext("%(count)d min ago") % {"count": minutes}
    if minutes < 48 * 60:
        return gettext("%(count)d h ago") % {"count": minutes // 60}
    return gettext("%(count)d days ago") % {"count": minutes // (24 * 60)}


@register.filter
def asker(panel: Any) -> str:
    """Who asked: the person, else what the call gave as its caller."""
    return str(panel.owner.get_username() if panel.owner else panel.caller or "local")


@register.filter
def split(words: str) -> list[str]:
    """The words of a line."""
    return words.split()


@register.filter
def protocol(name: str) -> str:
    """What people call the API that a request came in by."""
    return PROTOCOLS.get(name, name)
