"""The start page, and what the buttons of its alerts do."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.operations.home.alerts import ACTIONS, open_alerts, retired_lately
from benchwarmers.operations.home.first_run import load_first_run
from benchwarmers.operations.home.lineups import load_chosen, load_lineups
from benchwarmers.operations.home.owed import load_owed
from benchwarmers.operations.home.playing import load_games
from benchwarmers.operations.home.squad import load_squad
from benchwarmers.operations.home.today import load_today
from benchwarmers.operations.onboard.progress import load_progress
from benchwarmers.people.answers import tried
from collections_app.actions.alert import clear_alert
from collections_app.actions.changed import do_count_evidence_again
from collections_app.actions.paid import do_allow_paid
from collections_app.actions.practice import do_practice_on
from collections_app.actions.retirement import do_restore_model, do_retire_many, do_retire_model
from collections_app.models import Alert
from collections_app.refusal import Refused
from probes.actions import do_retry_model


@require_safe
def home(request: PersonRequest) -> HttpResponse:
    """What to do first, what needs action, how things stand; for a page that hears of news only the part it names."""
    person, now = request.user, timezone.now()
    if request.htmx and not request.htmx.boosted and not request.htmx.history_restore_request:
        load, template = PARTS.get(request.GET.get("part", ""), PARTS["alerts"])
        response = render(request, template, load(person, now))
    else:
        context: dict[str, Any] = {**load_first_run(person), "progress": load_progress(person), "now": now}
        for load, _template in PARTS.values():
            context |= load(person, now)
        response = render(request, "home/home.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_POST
def bring_squad(request: PersonRequest) -> HttpResponse:
    """Switch the practice squad on, and go and ask it."""
    if tried(request, lambda: do_practice_on(actor=request.user)) is None:
        return redirect("dashboard:home")
    return redirect(f"{reverse('ask:ask')}?collection=practice")


@require_POST
def act(request: PersonRequest, alert: int, verb: str) -> HttpResponse:
    """Do what the button says about the alert, and tell how it went."""
    row = get_object_or_404(Alert.objects.select_related("language_model"), pk=alert)
    if verb not in ACTIONS[row.kind]:
        raise Http404("There is no such action on this alert.")
    try:
        messages.success(request, DOES[verb](request.user, row))
    except Refused as refusal:
        for problem in refusal.problems:
            messages.error(request, problem[1])
    return redirect("dashboard:home")


@require_POST
def restore(request: PersonRequest, alias: str) -> HttpResponse:
    """Put back a model that the server retired."""
    try:
        do_restore_model(actor=request.user, alias=alias)
        messages.success(request, _("%(alias)s is back on the bench.") % {"alias": alias})
    except Refused as refusal:
        for problem in refusal.problems:
            messages.error(request, problem[1])
    return redirect("dashboard:home")


def _alerts(person: User, now: datetime) -> dict[str, Any]:
    return {
        "alerts": open_alerts(person, now),
        "retired": list(retired_lately(person, now)),
        "may_restore": person.has_perm("collections_app.change_languagemodel"),
    }


def _playing(person: User, now: datetime) -> dict[str, Any]:
    return {"games": load_games(person)}


def _board(person: User, now: datetime) -> dict[str, Any]:
    today = load_today(person, timezone.localtime(now).date())
    chosen, total = load_chosen(person, today.busy)
    squad = load_squad(now, [one.name for one in chosen])
    lineups = load_lineups(chosen, total, squad)
    return {"today": today, "owed": load_owed(person), "squad": squad, "lineups": lineups}


PARTS: Final[dict[str, tuple[Callable[[User, datetime], dict[str, Any]], str]]] = {
    "alerts": (_alerts, "home/_alerts.html"),
    "playing": (_playing, "home/_playing.html"),
    "board": (_board, "home/_board.html"),
}
"""What each part of the page reads, and how it is shown."""


def _alias(alert: Alert) -> str:
    if alert.language_model is None:
        raise Refused([("", _("The model that this alert is about is gone."))])
    return alert.language_model.alias


def _retry(person: User, alert: Alert) -> str:
    do_retry_model(actor=person, alias=_alias(alert))
    return _("%(alias)s is being asked again; the alert goes when it answers.") % {"alias": _alias(alert)}


def _retire(person: User, alert: Alert) -> str:
    alias = _alias(alert)
    do_retire_model(actor=person, alias=alias, why=f"alert: {alert.message}")
    return _("%(alias)s is retired.") % {"alias": alias}


def _retire_all(person: User, alert: Alert) -> str:
    retired, refused = do_retire_many(actor=person, aliases=alert.aliases, why=f"alert: {alert.message}")
    if not refused:
        clear_alert(alert.raiser, alert.key)  # there is nothing left that it could be about
    told = _("Retired: %(aliases)s.") % {"aliases": ", ".join(retired) or _("none")}
    return " ".join([told, *(f"{alias}: {why}" for alias, why in refused)])


def _allow_paid(person: User, alert: Alert) -> str:
    do_allow_paid(actor=person, alias=_alias(alert), allowed=True)
    return _("%(alias)s is called though it costs money.") % {"alias": _alias(alert)}


def _count_again(person: User, alert: Alert) -> str:
    do_count_evidence_again(actor=person, alias=_alias(alert))
    return _("The verdicts on %(alias)s from before count again.") % {"alias": _alias(alert)}


DOES: Final[dict[str, Callable[[User, Alert], str]]] = {
    "retry": _retry,
    "retire": _retire,
    "retire-all": _retire_all,
    "allow-paid": _allow_paid,
    "count-again": _count_again,
}
