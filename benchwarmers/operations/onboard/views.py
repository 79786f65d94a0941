"""The page on which models are taken on, and what its buttons do. Each button leads back to the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.operations.onboard.facets import Facets, choices, name_of, read_names, show, value_of
from benchwarmers.operations.onboard.progress import load_progress
from benchwarmers.operations.onboard.standing import load_issues, load_queue, load_under_way
from collections_app.actions.retirement import do_restore_model
from collections_app.refusal import Refused
from probes.onboarding.candidates import Found, NothingListed, load_candidates
from probes.onboarding.items import Item, Mode, item_of
from probes.onboarding.listings import forget_listings, real_endpoints
from probes.onboarding.queue import do_clear, do_onboard, do_retry, do_retry_model, do_stop
from probes.onboarding.store import do_bring_back, do_dismiss

PAGE: Final = "operations:onboard"
MODES: Final = (
    (Mode.FULL, gettext_lazy("Full"), gettext_lazy("every question, then the whole suite")),
    (Mode.QUICK, gettext_lazy("Quick"), gettext_lazy("every question; the suite comes a few tasks at a time")),
    (Mode.AD_HOC, gettext_lazy("Quick, ad hoc"), gettext_lazy("every question, no suite; called only by name")),
)


@require_safe
def onboard_page(request: PersonRequest) -> HttpResponse:
    """All of it; only the candidates for a script that narrows them, only the queue for one that hears of news."""
    if request.htmx and request.GET.get("part") == "queue":
        response = render(request, "onboard/_queue.html", {"queue": load_queue()})
    elif request.htmx and request.GET.get("part") == "progress":
        news = {"progress": load_progress(request.user), "came": True}
        response = render(request, "onboard/_progress.html", news)
    elif request.htmx and not request.htmx.history_restore_request:
        response = render(request, "onboard/_candidates.html", _candidates(request.GET))
        facets = Facets.read(request.GET)
        response["HX-Push-Url"] = f"{request.path}{facets.here}"
    else:
        context = {"queue": load_queue(), "issues": load_issues(), **_candidates(request.GET)}
        response = render(request, "onboard/onboard.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_POST
def choose(request: PersonRequest) -> HttpResponse:
    """Take the ticked ones on, or put them aside."""
    names = read_names(request.POST.getlist("item"))
    if request.POST.get("do") == "dismiss":
        return _done(request, lambda: _dismiss(request, names))
    mode, alias = request.POST.get("mode", ""), request.POST.get("alias", "").strip()
    items = [Item(endpoint, served, mode, alias) for endpoint, served in names]

    def start() -> str:
        if alias and len(items) > 1:
            raise Refused([("alias", _("An alias is given to one model; tick one, or leave the field empty."))])
        jobs = do_onboard(actor=request.user, items=items, now=timezone.now())
        return ngettext("%(count)d model is being taken on.", "%(count)d models are being taken on.", len(jobs)) % {
            "count": len(jobs)
        }

    return _done(request, start, keep=names, alias=alias)


@require_POST
def bring_back(request: PersonRequest) -> HttpResponse:
    """Show what was put aside again."""
    names = read_names(request.POST.getlist("item"))
    return _done(
        request, lambda: _("%(count)d brought back.") % {"count": do_bring_back(actor=request.user, names=names)}
    )


@require_POST
def ask_again(request: PersonRequest) -> HttpResponse:
    """Ask every endpoint anew what it lists."""
    forget_listings(real_endpoints())
    return redirect(PAGE)


@require_POST
def stop(request: PersonRequest) -> HttpResponse:
    """Skip what waits."""

    def skip() -> str:
        return _("%(count)d skipped; what runs goes on.") % {"count": do_stop(actor=request.user, now=timezone.now())}

    return _done(request, skip)


@require_POST
def clear(request: PersonRequest) -> HttpResponse:
    """Empty the queue that has come to its end."""

    def forget() -> str:
        return _("%(count)d cleared; their output is among the jobs.") % {"count": do_clear(actor=request.user)}

    return _done(request, forget)


@require_POST
def retry(request: PersonRequest) -> HttpResponse:
    """Try one of the queue again."""
    said = request.POST.get("job", "")
    job = int(said) if said.isascii() and said.isdigit() and len(said) < 19 else 0

    def again() -> str:
        item = item_of(do_retry(actor=request.user, job_id=job, now=timezone.now()))
        return _("%(name)s is tried again.") % {"name": item.served}

    return _done(request, again)


@require_POST
def retry_model(request: PersonRequest) -> HttpResponse:
    """Try a model of the bench again."""
    alias = request.POST.get("alias", "")

    def again() -> str:
        do_retry_model(actor=request.user, alias=alias, now=timezone.now())
        return _("%(name)s is tried again.") % {"name": alias}

    return _done(request, again)


@require_POST
def restore(request: PersonRequest) -> HttpResponse:
    """Put a retired model back instead of taking it on anew."""
    alias = request.POST.get("alias", "")

    def back() -> str:
        do_restore_model(actor=request.user, alias=alias)
        return _("%(alias)s is back on the bench, with its name and its record.") % {"alias": alias}

    return _done(request, back)


def _candidates(query: QueryDict) -> dict[str, Any]:
    facets = Facets.read(query)
    context: dict[str, Any] = {"facets": facets, "modes": MODES, "alias": query.get("alias", "")[:64]}
    try:
        found = load_candidates(timezone.now())
    except NothingListed as failed:
        return context | {"failed": str(failed), "errors": failed.errors, "no_endpoint": not failed.errors}
    return context | _listed(found, facets)


def _listed(found: Found, facets: Facets) -> dict[str, Any]:
    return {
        "shown": show(found.candidates, facets, load_under_way()),
        "choices": choices(found.candidates),
        "dismissed": [(one, value_of(name_of(one))) for one in found.dismissed],
        "retired": found.retired,
        "errors": found.errors,
        "asked_at": found.asked_at,
    }


def _dismiss(request: PersonRequest, names: list[tuple[str, str]]) -> str:
    return _("%(count)d put aside.") % {"count": do_dismiss(actor=request.user, names=names, now=timezone.now())}


def _done(
    request: PersonRequest, act: Callable[[], str], keep: list[tuple[str, str]] | None = None, alias: str = ""
) -> HttpResponse:
    """Act, tell how it went, and lead back to where the button was. After a refusal `keep` stays ticked, and the alias
    as it was typed."""
    where = Facets.read(QueryDict(request.POST.get("where", "").removeprefix("?"))).here
    try:
        messages.success(request, act())
    except Refused as refusal:
        for _field, sentence in refusal.problems:
            messages.error(request, sentence)
        ticks = QueryDict(mutable=True)
        ticks.setlist("item", [value_of(name) for name in keep or ()])
        ticks.setlist("alias", [alias] if alias else [])
        where = f"{where}{'&' if where != '?' else ''}{ticks.urlencode()}"
    response = redirect(PAGE)
    if where != "?":
        response["Location"] += where
    return response
