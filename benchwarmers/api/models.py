"""The models there are, and what is done to one of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from django.utils import timezone
from msgspec import UNSET, Struct, UnsetType
from rest_framework.response import Response

from benchwarmers.api.view import ApiView, Asked, asks, takes
from benchwarmers.operations.models.filters import ALL, GONE, LIVE, PRICES, RosterFilters
from benchwarmers.operations.models.lines import DecisionLine, Line
from benchwarmers.operations.models.roster import load_all
from collections_app.actions.decision import do_remove_decision_model, do_save_decision_model
from collections_app.actions.language_model import (
    TOPIC,
    do_rename_model,
    do_set_ad_hoc,
    do_set_role,
    load_model,
)
from collections_app.actions.retirement import do_restore_model, do_retire_model
from collections_app.models import DecisionModel
from collections_app.refusal import Problems
from gateway.canon.kinds import ModelRole, ModelStatus
from probes.actions import do_retry_model
from probes.onboarding.question_types import do_set_question_types

RETIRED: Final = {"": ALL, "with": ALL, "no": LIVE, "only": GONE}
LONGEST_WHY: Final = 300
HOLDS: Final = "It holds from the next request on; nothing else is to be brought up to date."


class Change(Struct):
    """What is to be another; what is left out stays."""

    alias: str
    new_alias: str | UnsetType = UNSET
    new_role: str | UnsetType = UNSET
    new_ad_hoc: bool | UnsetType = UNSET
    new_question_types: list[str] | UnsetType = UNSET


class Named(Struct):
    """One model."""

    alias: str


class Removal(Struct):
    """One model, and why it goes."""

    alias: str
    reason: str = ""


class ModelsView(ApiView):
    """GET /api/models."""

    @asks("q", "status", "role", "endpoint", "connection", "collection", "price", "retired")
    def get(self, asked: Asked) -> Response:
        """Every model, retired and decision models too, by alias; narrowed as the list of models is."""
        problems = Problems()
        for name, words in (("status", ModelStatus), ("role", ModelRole), ("price", PRICES), ("retired", RETIRED)):
            fits = not asked.get(name) or asked[name] in list(words)
            problems.check(fits, name, f"It is one of {', '.join(filter(None, words))}.")
        problems.refuse()
        filters = replace(
            RosterFilters.read(self.request.query_params), retired=RETIRED[asked.get("retired", "")], sort="alias"
        )
        lines = load_all(self.person, filters, timezone.now())
        return self.done(models=[_row(line) for line in lines])


class ModelView(ApiView):
    """POST /api/model."""

    @takes(Change)
    def post(self, change: Change) -> Response:
        """Change what is named, all of it or nothing."""
        with self.changes(TOPIC) as changed:
            decides = DecisionModel.objects.filter(alias=change.alias).select_related("via").first()
            told = self._change_decision(decides, change) if decides else self._change_model(change)
        return self.done(**told, changed=changed, sync=HOLDS)

    def _change_model(self, change: Change) -> dict[str, Any]:
        problems = Problems()
        none = change.new_question_types is UNSET
        problems.check(none, "new_question_types", "Only decision models are asked typed questions.")
        row = load_model(change.alias)
        new = row.alias if change.new_alias is UNSET else change.new_alias.strip()
        cased = new != row.alias and new.casefold() == row.alias.casefold()
        problems.check(not cased, "new_alias", f"It differs from {row.alias} only by case; choose another alias.")
        problems.refuse()
        if change.new_role is not UNSET:
            row = do_set_role(actor=self.person, alias=row.alias, role=change.new_role)
        if change.new_ad_hoc is not UNSET:
            row = do_set_ad_hoc(actor=self.person, alias=row.alias, ad_hoc=change.new_ad_hoc)
        if new != row.alias:
            row = do_rename_model(actor=self.person, alias=row.alias, new_alias=new)
        return {"alias": row.alias}

    def _change_decision(self, row: DecisionModel, change: Change) -> dict[str, Any]:
        problems = Problems()
        problems.check(change.new_alias in (UNSET, row.alias), "new_alias", "A decision model keeps its alias.")
        decides = change.new_role in (UNSET, ModelRole.DECISION.value)
        problems.check(decides, "new_role", "The role of a decision model is decision.")
        problems.refuse()
        if change.new_ad_hoc is not UNSET:
            do_save_decision_model(
                actor=self.person,
                alias=row.alias,
                served=row.served,
                via=row.via.name,
                path=row.path,
                question_types=row.question_types,
                ad_hoc=change.new_ad_hoc,
            )
        job = None
        if change.new_question_types is not UNSET:
            job = do_set_question_types(actor=self.person, alias=row.alias, kinds=change.new_question_types)
        return {"alias": row.alias, "job": job.pk if job else None}


class RemoveView(ApiView):
    """POST /api/remove."""

    @takes(Removal)
    def post(self, said: Removal) -> Response:
        """Retire a model. A decision model, on which no evidence hangs, goes for good."""
        problems = Problems()
        problems.check(len(said.reason) <= LONGEST_WHY, "reason", f"It has at most {LONGEST_WHY} characters.")
        problems.refuse()
        decides = DecisionModel.objects.filter(alias=said.alias).exists()
        with self.changes(TOPIC) as changed:
            if decides:
                do_remove_decision_model(actor=self.person, alias=said.alias)
                alias = said.alias
            else:
                alias = do_retire_model(actor=self.person, alias=said.alias, why=said.reason).alias
        return self.done(alias=alias, retired=not decides, changed=changed, sync=HOLDS)


class RestoreView(ApiView):
    """POST /api/restore."""

    @takes(Named)
    def post(self, said: Named) -> Response:
        """Put a retired model back, and into the collections that have room for it."""
        with self.changes(TOPIC) as changed:
            row = do_restore_model(actor=self.person, alias=said.alias)
            seats = sorted(row.collections.values_list("name", flat=True))
        return self.done(alias=row.alias, collections=seats, changed=changed, sync=HOLDS)


class RetryView(ApiView):
    """POST /api/retry."""

    @takes(Named)
    def post(self, said: Named) -> Response:
        """Have it asked once, now. `job` is the work that asks; null where that is under way already."""
        job = do_retry_model(actor=self.person, alias=said.alias)
        return self.done(alias=said.alias, job=job.pk if job else None)


def _row(line: Line | DecisionLine) -> dict[str, Any]:
    """A model as programs see it: seconds, USD by the million, and times in ISO 8601."""
    if isinstance(line, DecisionLine):
        one = line.decision
        return {
            **{"alias": one.alias, "served": one.served, "role": ModelRole.DECISION.value, "kind": "decision"},
            **{"endpoint": one.via.name, "connection": one.via.name, "status": "—", "why": ""},
            **{"retired": False, "retired_why": "", "ad_hoc": one.ad_hoc, "question_types": one.question_types},
        }
    model, pace, record, suite = line.model, line.pace, line.record, line.suite
    return {
        **{"alias": model.alias, "served": model.served, "role": model.role, "kind": "chat"},
        **{"endpoint": model.endpoint.name, "connection": model.connection},
        **{"status": line.chip.label, "why": line.chip.why, "retired": model.retired},
        **{"retired_why": model.retired_why, "retired_at": model.retired_at, "retired_by": model.retired_by},
        **{"ad_hoc": model.ad_hoc, "options": model.options, "collections": list(line.seats)},
        **{"context_window": line.context, "can": [str(word) for word in line.can]},
        **{"price": line.price.kind, "price_words": line.price.words},
        **{"offloads": record.offloads, "judged": record.judged, "useful": round(record.useful, 2)},
        **{"suite_found": round(suite.hits, 2) if suite else None, "suite_of": round(suite.of, 2) if suite else None},
        **{"reply_p50_s": round(pace.p50_s, 2) if pace else None, "last_answer": line.answered_at},
    }
