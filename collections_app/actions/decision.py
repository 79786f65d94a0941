"""Registers, changes and removes decision models. No evidence hangs on them, so they go without a trace but the log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User

from collections_app.actions.language_model import check_new_alias
from collections_app.facts import merge
from collections_app.journal import journal, require
from collections_app.models import DecisionModel, Endpoint, LanguageModel, Setting
from collections_app.refusal import NotThere, Problems, Refused
from gateway.canon.decision import DecisionPath, QuestionType
from gateway.canon.kinds import ModelRole

TOPIC = "models"


def do_save_decision_model(
    *,
    actor: User | None,
    alias: str,
    served: str,
    via: str,
    path: str = "",
    question_types: Sequence[str] = (QuestionType.CHOICE.value,),
    ad_hoc: bool = False,
    new: bool = False,
) -> DecisionModel:
    """Register the decision model or make it be exactly this. A blank `path` is `decisions`. With `new` it is
    registered and nothing else: an alias that is there already is refused, never changed.

    :raises Refused: with every broken rule.
    """
    alias = alias.strip()
    row = None if new else DecisionModel.objects.filter(alias=alias).select_related("via").first()
    require(actor, f"collections_app.{'change' if row else 'add'}_decisionmodel", "change decision models")
    home = Endpoint.objects.filter(name=via).first()
    problems = Problems()
    if row is None:
        check_new_alias(alias, problems)
    fields: dict[str, Any] = {
        "served": served.strip(),
        "via": home,
        "path": path.strip() or DecisionPath.DECISIONS.value,
        "question_types": list(dict.fromkeys(str(kind).strip() for kind in question_types)),
        "ad_hoc": ad_hoc,
    }
    _check(row, via, fields, problems)
    problems.refuse()
    with journal(actor, TOPIC) as log:
        shown = {**fields, "via": via}
        if row is None:
            row = DecisionModel.objects.create(alias=alias, **fields)
            log.note("decision model", alias, new=shown)
            return row
        before = {name: getattr(row, name) for name in fields} | {"via": row.via.name}
        if log.note_fields("decision model", alias, before, shown):
            for name, value in fields.items():
                setattr(row, name, value)
            row.save()
    return row


def do_remove_decision_model(*, actor: User | None, alias: str) -> None:
    """Take it away; its calls stay in the ledger.

    :raises Refused: the settings name it as the picker.
    """
    require(actor, "collections_app.delete_decisionmodel", "remove decision models")
    row = DecisionModel.objects.filter(alias=alias).select_related("via").first()
    if row is None:
        raise NotThere([("alias", f"There is no decision model “{alias}”.")])
    if Setting.load().picker == alias:
        raise Refused([("alias", f"{alias} is the picker of the settings; name another one there first.")])
    with journal(actor, TOPIC) as log:
        log.note("decision model", alias, old={"served": row.served, "via": row.via.name})
        row.delete()


def picker_problem(picker: str) -> str:
    """Why this cannot be the settings' `picker`, as one sentence; empty when it can."""
    if picker in ("", "off"):
        return ""
    decides = DecisionModel.objects.filter(alias=picker).first()
    if decides is not None:
        fits = QuestionType.CHOICE in decides.question_types
        return "" if fits else f"{picker} takes no question of the type choice, so it cannot tell shapes apart."
    chats = LanguageModel.objects.filter(alias=picker).first()
    if chats is None:
        return f"There is no model “{picker}”; the picker is an alias, or off, or empty for the first decision model."
    if chats.retired:
        return f"{picker} is retired."
    if chats.role == ModelRole.DECISION:
        return f"{picker} has the role decision and chats with nobody; register it as a decision model."
    if merge(chats.facts.all())[0].get("structured_output") is False:
        return f"{picker} gives no structured output, which the picker is asked for."
    return ""


def _check(row: DecisionModel | None, via: str, fields: dict[str, Any], problems: Problems) -> None:
    home, served, kinds = fields["via"], fields["served"], fields["question_types"]
    if home is None:
        problems.add("via", f"There is no endpoint “{via}”.")
    else:
        problems.check(bool(home.decisions_url), "via", f"{via} has no decisions_url, where decision models are asked.")
        same = DecisionModel.objects.filter(served=served, via=home)
        if twin := (same.exclude(pk=row.pk) if row else same).first():
            problems.add("served", f"{via} already serves {served} under the alias {twin.alias}.")
    problems.check(
        0 < len(served) <= 200 and served.isprintable(),
        "served",
        "Give the name the endpoint knows the model by, at most 200 characters.",
    )
    problems.check(fields["path"] in set(DecisionPath), "path", f"The path is one of {', '.join(DecisionPath)}.")
    known = ", ".join(QuestionType)
    problems.check(bool(kinds), "question_types", f"Name at least one question type: {known}.")
    for kind in kinds:
        problems.check(kind in set(QuestionType), "question_types", f"“{kind}” is no question type; known are {known}.")
