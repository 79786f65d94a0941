"""The page of one model, and what can be done there. A refusal comes back on the page, at the form it is about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.operations.models.decision_views import act_on_decision, decision_page, find_decision
from benchwarmers.operations.models.form import read_facts, read_use
from benchwarmers.operations.models.page import load_page
from collections_app.actions.changed import do_count_evidence_again
from collections_app.actions.language_model import do_rename_model, do_save_model, load_model
from collections_app.actions.paid import do_allow_paid
from collections_app.actions.retirement import do_restore_model, do_retire_model
from collections_app.actions.stated import do_state_facts
from collections_app.models import LanguageModel
from collections_app.refusal import NotThere, Problems, Refused
from gateway.canon.kinds import ModelRole
from probes.actions import do_retry_model
from probes.health.repoint import do_follow_rename
from probes.health.store_status import refresh_status

FORMS: Final = frozenset({"facts", "use", "rename"})
"""What comes back with 422 and what was typed when it is refused."""


@require_safe
def model_page(request: PersonRequest, alias: str) -> HttpResponse:
    """One model; under a former alias, the way to its present one."""
    if (decides := find_decision(alias)) is not None:
        return decision_page(request, decides)
    model = _find(alias)
    if model.alias != alias:
        return redirect("operations:model", model.alias)
    return _page(request, model)


@require_POST
def act(request: PersonRequest, alias: str, verb: str) -> HttpResponse:
    """Do what the form or button says, and tell how it went."""
    if (decides := find_decision(alias)) is not None:
        return act_on_decision(request, decides, verb)
    does = DOES.get(verb)
    if does is None:
        raise Http404("There is no such action on a model.")
    model = _find(alias)
    try:
        told = does(request, model, request.POST)
    except Refused as refusal:
        if verb in FORMS:
            return _page(
                request, model, refused=(verb, [sentence for _field, sentence in refusal.problems]), status=422
            )
        for _field, sentence in refusal.problems:
            messages.error(request, sentence)
    else:
        messages.success(request, told)
    return redirect("operations:model", LanguageModel.objects.values_list("alias", flat=True).get(pk=model.pk))


def _find(alias: str) -> LanguageModel:
    try:
        return load_model(alias)
    except NotThere:
        raise Http404("There is no such model.") from None


def _page(
    request: PersonRequest, model: LanguageModel, *, refused: tuple[str, list[str]] = ("", []), status: int = 200
) -> HttpResponse:
    page = load_page(request.user, model, timezone.now(), request.POST.dict() if refused[0] == "facts" else None)
    context: dict[str, Any] = {"page": page, "model": model, "roles": list(ModelRole)}
    context |= {"refused": refused[0], "problems": refused[1], "typed": request.POST if refused[0] else {}}
    part = request.htmx and not request.htmx.boosted and not request.htmx.history_restore_request
    return render(request, "models/_health.html" if part else "models/model.html", context, status=status)


def _facts(request: PersonRequest, model: LanguageModel, typed: QueryDict) -> str:
    problems = Problems()
    stated = read_facts(typed, problems)
    problems.refuse()
    do_state_facts(actor=request.user, model=model, stated=stated)
    return _("What you state of %(alias)s holds.") % {"alias": model.alias}


def _use(request: PersonRequest, model: LanguageModel, typed: QueryDict) -> str:
    problems = Problems()
    used = read_use(typed, model.options, problems)
    problems.refuse()
    do_save_model(
        actor=request.user,
        alias=model.alias,
        served=model.served,
        endpoint=model.endpoint.name,
        tag=model.tag,
        **used,
    )
    return _("%(alias)s is used as you said, from the next request on.") % {"alias": model.alias}


def _rename(request: PersonRequest, model: LanguageModel, typed: QueryDict) -> str:
    new = typed.get("new_alias", "").strip()
    if new == model.alias:
        raise Refused([("new_alias", _("It is called %(alias)s already.") % {"alias": new})])
    if new.casefold() == model.alias.casefold():
        told = {"new": new, "alias": model.alias}
        words = _("%(new)s differs from %(alias)s only by case; choose another alias.")
        raise Refused([("new_alias", words % told)])
    do_rename_model(actor=request.user, alias=model.alias, new_alias=new)
    told = {"alias": model.alias, "new": new}
    return _("%(alias)s is %(new)s from now on. The old name is never used again.") % told


def _retire(request: PersonRequest, model: LanguageModel, typed: QueryDict) -> str:
    do_retire_model(actor=request.user, alias=model.alias, why=typed.get("why", ""))
    return _("%(alias)s is retired. Its record stays, and it can be restored.") % {"alias": model.alias}


def _restore(request: PersonRequest, model: LanguageModel, typed: QueryDict) -> str:
    row = do_restore_model(actor=request.user, alias=model.alias)
    names = sorted(row.collections.values_list("name", flat=True))
    if not names:
        return _("%(alias)s is back on the bench.") % {"alias": model.alias}
    told = {"alias": model.alias, "names": ", ".join(names)}
    return _("%(alias)s is back on the bench, and in %(names)s.") % told


def _retry(request: PersonRequest, model: LanguageModel, typed: QueryDict) -> str:
    do_retry_model(actor=request.user, alias=model.alias)
    return _("%(alias)s is being asked; what it says appears here.") % {"alias": model.alias}


def _repoint(request: PersonRequest, model: LanguageModel, typed: QueryDict) -> str:
    row = do_follow_rename(actor=request.user, alias=model.alias)
    refresh_status([row], timezone.now())
    return _("%(alias)s is called as %(served)s from now on.") % {"alias": model.alias, "served": row.served}


def _paid(request: PersonRequest, model: LanguageModel, typed: QueryDict) -> str:
    allowed = typed.get("allowed") == "yes"
    row = do_allow_paid(actor=request.user, alias=model.alias, allowed=allowed)
    refresh_status([row], timezone.now())
    if allowed:
        return _("%(alias)s is called though it costs money.") % {"alias": model.alias}
    return _("%(alias)s is not called any more.") % {"alias": model.alias}


def _count_again(request: PersonRequest, model: LanguageModel, typed: QueryDict) -> str:
    do_count_evidence_again(actor=request.user, alias=model.alias)
    return _("All verdicts on %(alias)s count again.") % {"alias": model.alias}


DOES: Final[dict[str, Callable[[PersonRequest, LanguageModel, QueryDict], str]]] = {
    "facts": _facts,
    "use": _use,
    "rename": _rename,
    "retire": _retire,
    "restore": _restore,
    "retry": _retry,
    "repoint": _repoint,
    "paid": _paid,
    "count-again": _count_again,
}
