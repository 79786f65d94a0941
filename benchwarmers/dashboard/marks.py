"""The sign of a seat: a square for a member, a diamond for an explorer, a circle for the merger, and a square that
casts a shadow for a shadow. A hexagon is a seat whose reader must not know yet who sat there.

How it stands is told by shape as well as colour: filled for an answer, a bar for an empty one, a cross for a failure, a
dot while it plays, a broken line while it waits.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from benchwarmers.dashboard.cards import COVERED, PLAYING, kind_of
from gateway.canon.kinds import CallStatus, SeatStatus
from gateway.models import Seat

BODIES = {
    "member": '<rect class="body" x="2" y="2" width="12" height="12" rx="2.5"/>',
    "explorer": '<path class="body" d="M8 .9c.4 0 .7.1 1 .4L14.7 7a1.4 1.4 0 0 1 0 2L9 14.7a1.4 1.4 0 0 1-2 0'
    'L1.3 9a1.4 1.4 0 0 1 0-2L7 1.3c.3-.3.6-.4 1-.4Z"/>',
    "merger": '<circle class="body" cx="8" cy="8" r="6.4"/>',
    "covered": '<path class="body" d="M5.3 1.9h5.4c.4 0 .7.2.9.5L14.4 7.5c.2.3.2.7 0 1l-2.8 5.1c-.2.3-.5.5-.9.5H5.3'
    'c-.4 0-.7-.2-.9-.5L1.6 8.5c-.2-.3-.2-.7 0-1l2.8-5.1c.2-.3.5-.5.9-.5Z"/>',
}
SHADOW = (
    '<path class="cast" d="M5 14.6h7.2a2.4 2.4 0 0 0 2.4-2.4V5"/>'
    '<rect class="body" x="1.5" y="1.5" width="10" height="10" rx="2.2"/>'
)
INNER = {
    SeatStatus.EMPTY.value: '<path class="sign" d="M5 8h6"/>',
    SeatStatus.ERROR.value: '<path class="sign" d="m5.6 5.6 4.8 4.8m0-4.8-4.8 4.8"/>',
    SeatStatus.ASKED.value: '<circle class="dot" cx="8" cy="8" r="2.2"/>',
}
SPOKEN = {
    SeatStatus.OK.value: _("answered"),
    SeatStatus.EMPTY.value: _("empty answer"),
    SeatStatus.ERROR.value: _("failed"),
    SeatStatus.ASKED.value: _("answering"),
    SeatStatus.WAITING.value: _("waiting"),
}

ENDED = {
    CallStatus.OK.value: ("ok", _("answered")),
    CallStatus.EMPTY.value: ("empty", _("empty answer")),
    CallStatus.ERROR.value: ("error", _("failed")),
    CallStatus.TIMEOUT.value: ("error", _("timed out")),
    CallStatus.REFUSED.value: ("error", _("not asked")),
    CallStatus.CANCELLED.value: ("waiting", _("caller left")),
}
"""How a turn ended: as which seat it is drawn, and in words."""


def stands(status: str) -> str:
    """How a seat stands, in words."""
    return str(SPOKEN.get(status, status))


def ended(status: str) -> str:
    """How a turn ended, in words."""
    return str(ENDED.get(status, ("", status))[1])


def draw_mark(seat: Seat) -> SafeString:
    """The sign of one seat, its story as a tooltip. Hidden from screen readers: words stand beside it."""
    kind = kind_of(seat.label)
    return format_html(
        '<svg class="mark mark-{} is-{}" viewBox="0 0 16 16" aria-hidden="true"><title>{}</title>{}{}</svg>',
        kind,
        seat.status,
        tell(seat),
        mark_safe(BODIES[kind]),  # noqa: S308 constants above
        mark_safe(INNER.get(seat.status, "")),  # noqa: S308
    )


def draw_shirt(seat: Seat, number: int) -> SafeString:
    """The same sign, large, with the seat's number on it."""
    kind = kind_of(seat.label)
    return format_html(
        '<svg class="mark shirt mark-{} is-{}" viewBox="0 0 16 16" aria-hidden="true">{}'
        '<text x="8" y="{}" text-anchor="middle">{}</text></svg>',
        kind,
        seat.status,
        mark_safe(BODIES[kind]),  # noqa: S308 constants above
        "10.7",
        number,
    )


def draw_turn(status: str) -> SafeString:
    """The sign of a turn: that of a member whose seat stands alike."""
    stands = ENDED.get(status, ENDED[CallStatus.ERROR.value])[0]
    return format_html(
        '<svg class="mark mark-member is-{}" viewBox="0 0 16 16" aria-hidden="true">{}{}</svg>',
        stands,
        mark_safe(BODIES["member"]),  # noqa: S308 constants above
        mark_safe(INNER.get(stands, "")),  # noqa: S308
    )


def draw_shadow(status: str) -> SafeString:
    """The sign of a shadow that ended so."""
    stands = ENDED.get(status, ENDED[CallStatus.ERROR.value])[0]
    return format_html(
        '<svg class="mark mark-shadow is-{}" viewBox="0 0 16 16" aria-hidden="true">{}'
        '<g transform="translate(-1.5 -1.5)">{}</g></svg>',
        stands,
        mark_safe(SHADOW),  # noqa: S308 a constant above
        mark_safe(INNER.get(stands, "")),  # noqa: S308
    )


def draw_member(number: int) -> SafeString:
    """The sign of a member that answered, large, with its number on it."""
    return format_html(
        '<svg class="mark shirt mark-member is-ok" viewBox="0 0 16 16" aria-hidden="true">{}'
        '<text x="8" y="10.7" text-anchor="middle">{}</text></svg>',
        mark_safe(BODIES["member"]),  # noqa: S308 a constant above
        number,
    )


def tell(seat: Seat) -> str:
    """One seat in a few words: label · alias · how it stands · seconds; of a covered one number · how it stands."""
    if seat.label == COVERED:
        return f"{seat.alias} · {stands(seat.status)}"
    words = [seat.label, seat.alias, stands(seat.status)]
    if seat.status not in PLAYING:
        words.append(f"{seat.seconds:.1f} s")
    return " · ".join(words)


def tell_all(seats: Sequence[Seat]) -> str:
    """A line-up in one sentence, for those who do not see it."""
    if not seats:
        return gettext("nobody seated yet")
    counts = [(sum(seat.status == status for seat in seats), words) for status, words in SPOKEN.items()]
    told = ", ".join(f"{count} {words}" for count, words in counts if count)
    many = ngettext("%(count)d seat: %(told)s", "%(count)d seats: %(told)s", len(seats))
    return many % {"count": len(seats), "told": told}
