"""What needs action, as the start page shows it: each alert with what somebody can do about it. Reads only."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from msgspec import Struct

from collections_app.models import Alert, LanguageModel
from gateway.canon.kinds import AlertKind

RECENT: Final = timedelta(days=7)
BAD: Final = frozenset({AlertKind.RETIRING, AlertKind.RETIRED})
ACTIONS: Final[dict[str, tuple[str, ...]]] = {
    AlertKind.RETIRING: ("retry", "retire"),
    AlertKind.CONNECTION: ("retire-all",),
    AlertKind.REGISTRATION: ("retry", "retire"),
    AlertKind.RETIRED: ("retry", "retire"),
    AlertKind.PLAN: ("retry", "retire"),
    AlertKind.WENT_PAID: ("allow-paid", "retire"),
    AlertKind.CHANGED: ("count-again", "retire"),
    AlertKind.SIGN_IN: (),
    AlertKind.BACKUP: (),
}
"""What can be done about each kind, besides opening what it is about."""
WORDS: Final = {
    "retry": gettext_lazy("Ask it again"),
    "retire": gettext_lazy("Retire now"),
    "retire-all": gettext_lazy("Retire all"),
    "allow-paid": gettext_lazy("Call it all the same"),
    "count-again": gettext_lazy("Count the old verdicts"),
}


class Act(Struct, frozen=True):
    """A button: the word in the address, and the words on it. `asks` is asked before it is done."""

    verb: str
    words: str
    asks: str = ""


class Line(Struct, frozen=True):
    """One alert. `tone` is err or warn; `days` is how long it has been open, 0 for today."""

    alert: Alert
    tone: str
    days: int
    acts: tuple[Act, ...]

    @property
    def age(self) -> str:
        if not self.days:
            return _("open today")
        return ngettext("open %(days)d day", "open %(days)d days", self.days) % {"days": self.days}


def open_alerts(person: User, now: datetime) -> list[Line]:
    """The oldest first; nothing for whoever may not see alerts."""
    if not person.has_perm("collections_app.view_alert"):
        return []
    may_act = person.has_perm("collections_app.change_languagemodel")
    today = timezone.localtime(now).date()
    return [
        Line(
            alert,
            "err" if alert.kind in BAD else "warn",
            (today - timezone.localtime(alert.first_seen).date()).days,
            _acts(alert) if may_act else (),
        )
        for alert in Alert.objects.select_related("language_model", "endpoint")
    ]


def retired_lately(person: User, now: datetime) -> QuerySet[LanguageModel]:
    """What the server retired by itself in the last seven days, the newest first."""
    if not person.has_perm("collections_app.view_alert"):
        return LanguageModel.objects.none()
    return LanguageModel.objects.filter(retired_by="auto", retired_at__gte=now - RECENT).order_by("-retired_at")


def _acts(alert: Alert) -> tuple[Act, ...]:
    verbs = ACTIONS[alert.kind]
    if alert.language_model is None:
        verbs = tuple(verb for verb in verbs if verb == "retire-all" and alert.aliases)
    return tuple(Act(verb, _words(verb, alert), _question(verb, alert)) for verb in verbs)


def _words(verb: str, alert: Alert) -> str:
    return f"{WORDS[verb]} {len(alert.aliases)}" if verb == "retire-all" else str(WORDS[verb])


def _question(verb: str, alert: Alert) -> str:
    if verb == "retire":
        asked = {"alias": str(alert.language_model)}
        return _("Retire %(alias)s? It leaves its collections, and can be restored.") % asked
    if verb == "retire-all":
        asked = {"aliases": ", ".join(alert.aliases)}
        return _("Retire %(aliases)s? They leave their collections, and can be restored.") % asked
    return ""
