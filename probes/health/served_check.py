"""The daily check: what do endpoints still list, who is to leave the bench, and what needs somebody's action?

What was found is kept step by step, so that a check that is taken up again repeats no call. An endpoint that cannot be
listed says nothing of its models: they count as served. Scripted models are not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from django.utils import timezone
from msgspec import Struct

from collections_app.actions.alert import settle_alerts
from collections_app.actions.retirement import do_retire_model
from collections_app.models import Endpoint, LanguageModel, Setting
from gateway.canon.fault import UpstreamFault
from gateway.canon.kinds import EndpointKind, JobState
from probes.asking import Seen
from probes.health.complaints import CHECKER, RETIRER, Standing, complaints_of
from probes.health.evidence import as_attempt, load_cases, load_missing, load_seen
from probes.health.fan_out import Errand, NotAsked, run_errands
from probes.health.listings import Came, list_endpoints
from probes.health.renamed import renamed_to
from probes.health.retire import Case, Decision, Fate, after_confirming, decide
from probes.health.store_served import note_listing
from probes.health.store_status import alert_key, note_sample, refresh_status, set_countdown
from probes.jobs.work import Ending, JobAtWork
from probes.models import ProbeSample
from probes.questions import TINY
from probes.store_samples import keep_sample

CONFIRM: Final = "confirm"
BY: Final = "auto"
NONE_LISTED: Final = "no endpoint could be listed; nothing was decided"


class Reach(Struct, frozen=True):
    """The ways out: how endpoints are listed, by their ids, and how models are asked."""

    listings: Callable[[Iterable[Endpoint]], dict[int, Came]] = list_endpoints
    errands: Callable[[JobAtWork, Iterable[Errand], Callable[[Seen | NotAsked], None]], None] = run_errands


def check(at_work: JobAtWork) -> Ending:
    """The job."""
    return check_served(at_work, Reach())


def check_served(at_work: JobAtWork, reach: Reach) -> Ending:
    """The same, by these ways out."""
    if not at_work.finished("listed"):
        at_work.check()
        at_work.keep("listed", _list_all(at_work, reach))
    listed = at_work.found("listed")
    if listed["asked"] and len(listed["unlisted"]) == listed["asked"]:
        return Ending(JobState.FAILED, NONE_LISTED)
    if not at_work.finished("decided"):
        at_work.keep("decided", _decide_all(at_work, listed))
    auto = Setting.load().auto_retire
    decided = {int(pk): Decision(Fate(fate), why, days) for pk, (fate, why, days) in at_work.found("decided").items()}
    if auto:
        decided |= _confirm(at_work, reach, decided)
    return _settle(at_work, listed, decided, auto=auto)


def _list_all(at_work: JobAtWork, reach: Reach) -> dict[str, Any]:
    """Lists and writes down what is listed. How many endpoints were asked, by endpoint ids why they could not be
    listed, by model ids what is listed in place of what they serve."""
    endpoints = list(Endpoint.objects.exclude(kind=EndpointKind.PRACTICE))
    models, came = _models(), reach.listings(endpoints)
    unlisted: dict[str, str] = {}
    renamed: dict[str, str] = {}
    for endpoint in endpoints:
        found = came[endpoint.pk]
        mine = [model for model in models if model.endpoint_id == endpoint.pk]
        if isinstance(found, UpstreamFault):
            unlisted[str(endpoint.pk)] = found.message[:300]
            at_work.say(f"{endpoint}: cannot be listed, so its models count as served: {found.message}")
            continue
        names = {model.served for model in found}
        note_listing(endpoint, names, at_work.clock())
        for model in mine:
            if other := renamed_to(model.served, names, endpoint.hub):
                renamed[str(model.pk)] = other
        here = sum(model.served in names for model in mine)
        at_work.say(f"{endpoint}: lists {len(names)} models, {here} of the {len(mine)} registered among them")
    return {"asked": len(endpoints), "unlisted": unlisted, "renamed": renamed}


def _decide_all(at_work: JobAtWork, listed: dict[str, Any]) -> dict[str, Any]:
    """What becomes of each model before anybody is asked once more, by its id."""
    models = _models()
    zone = timezone.get_default_timezone()
    today = at_work.clock().astimezone(zone).date()
    ids = {model.alias: model.pk for model in models}
    decided = decide(_cases(at_work, listed, models), today, zone)
    return {str(ids[alias]): [one.fate, one.why, one.days] for alias, one in decided.items()}


def _confirm(at_work: JobAtWork, reach: Reach, decided: dict[int, Decision]) -> dict[int, Decision]:
    """What becomes of those who had to be asked once more."""
    doubtful = {pk: one for pk, one in decided.items() if one.fate is Fate.CONFIRM}
    asked = ProbeSample.objects.filter(job=at_work.job, kind=CONFIRM)
    left = doubtful.keys() - set(asked.values_list("language_model_id", flat=True))
    rows = LanguageModel.objects.filter(pk__in=left, retired_at=None)
    untold: dict[int, str] = {}

    def keep(came: Seen | NotAsked) -> None:
        if isinstance(came, NotAsked):
            untold[came.errand.model_id] = came.why
            return
        row, now = LanguageModel.objects.filter(pk=came.model_id).first(), at_work.clock()
        if row is not None:
            note_sample(row, keep_sample(came, CONFIRM, at_work.job, at=now), now)

    if errands := [Errand(row.pk, row.alias, TINY) for row in rows]:
        reach.errands(at_work, errands, keep)
    today = at_work.clock().astimezone(timezone.get_default_timezone()).date()
    samples = {sample.language_model_id: sample for sample in asked.all()}
    return {
        pk: after_confirming(one, as_attempt(samples[pk]), today)
        if pk in samples
        else Decision(Fate.COUNTING, f"{one.why}; not asked again: {untold.get(pk, 'it is gone')}", 1)
        for pk, one in doubtful.items()
    }


def _settle(at_work: JobAtWork, listed: dict[str, Any], decided: dict[int, Decision], *, auto: bool) -> Ending:
    """Retires, counts down and raises alerts."""
    now, retired = at_work.clock(), 0
    for model in _models():
        one = decided.get(model.pk, Decision(Fate.STAYS))
        if auto and one.fate is Fate.RETIRE:
            do_retire_model(actor=None, alias=model.alias, why=one.why, by=BY, now=now)
            retired += 1
            at_work.say(f"{model.alias}: retired: {one.why}")
            continue
        set_countdown(model, one.days if auto else None)
        if one.fate is not Fate.STAYS:
            at_work.say(f"{model.alias}: {one.fate}{f', {one.days} days left' if one.days else ''}: {one.why}")
    models = _models()
    standings = _standings(at_work, listed, models, decided)
    checked, retiring = complaints_of(standings, auto=auto)
    settle_alerts(CHECKER, checked, now)
    settle_alerts(RETIRER, retiring, now)
    refresh_status(models, now)
    missing = sum(bool(one.missing_on) or one.never_listed for one in standings)
    note = (
        f"{len(models) + retired} models: {missing} not listed, {retired} retired, {len(retiring)} about to be or held"
    )
    at_work.keep("settled", {"missing": missing, "retired": retired})
    return Ending(JobState.DONE, note)


def _standings(
    at_work: JobAtWork, listed: dict[str, Any], models: list[LanguageModel], decided: dict[int, Decision]
) -> list[Standing]:
    cases = {case.alias: case for case in _cases(at_work, listed, models)}
    seen, zone = load_seen(), timezone.get_default_timezone()
    return [
        Standing(
            key=alert_key(model),
            alias=model.alias,
            served=model.served,
            endpoint=model.endpoint.name,
            hub=model.endpoint.hub,
            connection=model.connection,
            decision=decided.get(model.pk, Decision(Fate.STAYS)),
            missing_on=str(case.missing_at.astimezone(zone).date()) if case.missing_at else "",
            answers=case.works_unlisted,
            never_listed=str(model.endpoint_id) not in listed["unlisted"]
            and (model.endpoint_id, model.served) not in seen,
            failure=case.failing.failure if case.failing else "",
            detail=case.failing.detail if case.failing else "",
        )
        for model in models
        for case in [cases[model.alias]]
    ]


def _cases(at_work: JobAtWork, listed: dict[str, Any], models: list[LanguageModel]) -> list[Case]:
    since = load_missing()
    missing = {
        model.pk: since[model.endpoint_id, model.served]
        for model in models
        if (model.endpoint_id, model.served) in since and str(model.endpoint_id) not in listed["unlisted"]
    }
    renamed = {int(pk): name for pk, name in listed["renamed"].items()}
    return load_cases(models, missing, renamed, at_work.clock())


def _models() -> list[LanguageModel]:
    live = LanguageModel.objects.filter(retired_at=None).exclude(endpoint__kind=EndpointKind.PRACTICE)
    return list(live.select_related("endpoint"))
