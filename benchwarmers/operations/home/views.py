"""The start page, and what the buttons of its alerts do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.operations.home.alerts import ACTIONS, open_alerts, retired_lately
from benchwarmers.operations.home.first_run import first_steps
from benchwarmers.operations.home.glance import glance
from collections_app.actions.alert import clear_alert
from collections_app.actions.changed import do_count_evidence_again
from collections_app.actions.paid import do_allow_paid
from collections_app.actions.retirement import do_restore_model, do_retire_many, do_retire_model
from collections_app.models import Alert
from collections_app.refusal import Refused
from probes.actions import do_retry_model


@require_safe
def home(request: PersonRequest) -> HttpResponse:
    """What to do first, what needs action, how things stand; only the alerts for a page that hears of news."""
    now = timezone.now()
    context: dict[str, Any] = {
        "alerts": open_alerts(request.user, now),
        "retired": list(retired_lately(request.user, now)),
        "may_restore": request.user.has_perm("collections_app.change_languagemodel"),
    }
    if request.htmx and not request.htmx.boosted:
        return render(request, "home/_alerts.html", context)
    context |= {"steps": first_steps(request.user), "figures": glance(request.user, now)}
    return render(request, "home/home.html", context)


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
        messages.success(request, f"{alias} is back on the bench.")
    except Refused as refusal:
        for problem in refusal.problems:
            messages.error(request, problem[1])
    return redirect("dashboard:home")


def _alias(alert: Alert) -> str:
    if alert.language_model is None:
        raise Refused([("", "The model that this alert is about is gone.")])
    return alert.language_model.alias


def _retry(person: User, alert: Alert) -> str:
    do_retry_model(actor=person, alias=_alias(alert))
    return f"{_alias(alert)} is being asked again; the alert goes when it answers."


def _retire(person: User, alert: Alert) -> str:
    alias = _alias(alert)
    do_retire_model(actor=person, alias=alias, why=f"alert: {alert.message}")
    return f"{alias} is retired."


def _retire_all(person: User, alert: Alert) -> str:
    retired, refused = do_retire_many(actor=person, aliases=alert.aliases, why=f"alert: {alert.message}")
    if not refused:
        clear_alert(alert.raiser, alert.key)  # there is nothing left that it could be about
    told = f"Retired: {', '.join(retired) or 'none'}."
    return " ".join([told, *(f"{alias}: {why}" for alias, why in refused)])


def _allow_paid(person: User, alert: Alert) -> str:
    do_allow_paid(actor=person, alias=_alias(alert), allowed=True)
    return f"{_alias(alert)} is called though it costs money."


def _count_again(person: User, alert: Alert) -> str:
    do_count_evidence_again(actor=person, alias=_alias(alert))
    return f"The verdicts on {_alias(alert)} from before count again."


DOES: Final[dict[str, Callable[[User, Alert], str]]] = {
    "retry": _retry,
    "retire": _retire,
    "retire-all": _retire_all,
    "allow-paid": _allow_paid,
    "count-again": _count_again,
}
