"""Registers models, renames them and changes what they are for. Retiring and restoring are in `retirement`, facts in
`stated`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from django.contrib.auth.models import User

from collections_app.actions.stated import check_facts, write_facts
from collections_app.aliases import ALIAS_RULE, derive_alias, follow_alias
from collections_app.facts import merge
from collections_app.journal import journal, require
from collections_app.models import AliasHistory, DecisionModel, Endpoint, Evidence, Fact, LanguageModel, Setting
from collections_app.refusal import NotThere, Problems
from gateway.canon.kinds import EndpointKind, ModelRole
from gateway.canon.names import ALIAS, family_of

TOPIC = "models"
MOST_TOKENS = 1_000_000
_OPTION = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_CLOSED_OPTIONS = frozenset(
    {
        "bench",
        "contents",
        "input",
        "instructions",
        "messages",
        "model",
        "n",
        "prompt",
        "stream",
        "stream_options",
        "system",
        "systemInstruction",
        "tool_choice",
        "tools",
    }
)


def do_save_model(
    *,
    actor: User | None,
    served: str,
    endpoint: str,
    alias: str = "",
    role: str = "",
    ad_hoc: bool = False,
    options: Mapping[str, Any] | None = None,
    tag: str = "",
    stated: Mapping[str, Any] | None = None,
    new: bool = False,
) -> LanguageModel:
    """Register the model or make it be exactly this. A blank alias is derived from the served name. With `new` it is
    registered and nothing else: an alias that is there already is refused, never changed.

    `stated` are the operator's facts, all of them: what is missing or null is no longer stated. None leaves them alone.

    :raises Refused: with every broken rule.
    """
    served, alias = served.strip(), alias.strip()
    home = Endpoint.objects.filter(name=endpoint).first()
    row = None if new else _registered(served, home, alias)
    require(actor, f"collections_app.{'change' if row else 'add'}_languagemodel", "change models")
    problems = Problems()
    if row is None:
        alias = alias or derive_alias(served, taken=names_in_use(), connection=connection_of(tag, home))
        check_new_alias(alias, problems)
    fields: dict[str, Any] = {
        "served": served,
        "endpoint": home,
        "role": role.strip() or ModelRole.GENERAL.value,
        "ad_hoc": ad_hoc,
        "options": {name: value for name, value in (options or {}).items() if value is not None},
        "tag": tag.strip(),
    }
    _check(row, endpoint, fields, problems)
    facts = check_facts(stated, problems)
    _check_options(row, fields["options"], facts, problems)
    problems.refuse()
    assert home is not None  # noqa: S101  # _check refused otherwise
    with journal(actor, TOPIC) as log:
        shown = {**fields, "endpoint": home.name}
        if row is None:
            row = LanguageModel.objects.create(alias=alias, **fields)
            log.note("model", alias, new=shown)
        else:
            before = {name: getattr(row, name) for name in fields} | {"endpoint": row.endpoint.name}
            if log.note_fields("model", row.alias, before, shown):
                for name, value in fields.items():
                    setattr(row, name, value)
                if any(before[name] != shown[name] for name in ("served", "endpoint")):
                    # What feeds said was of another; the next refresh says what there is to say of this one.
                    row.facts.filter(source="feed").delete()
                    row.went_paid_at = None
                row.save()
        if facts is not None:
            write_facts(log, row, facts)
    return row


def do_rename_model(*, actor: User | None, alias: str, new_alias: str) -> LanguageModel:
    """Give the model another alias. The old one is remembered, leads to the new one and is never used again."""
    row = load_model(alias)
    new_alias = new_alias.strip()
    require(actor, "collections_app.change_languagemodel", "rename models")
    if new_alias == row.alias:
        return row
    problems = Problems()
    check_new_alias(new_alias, problems, besides=row.alias)
    problems.refuse()
    with journal(actor, TOPIC) as log:
        former = row.alias
        AliasHistory.objects.create(old=former, new=new_alias)
        log.note("model", new_alias, "alias", old=former, new=new_alias)
        row.alias = new_alias
        row.save(update_fields=["alias"])
        if Setting.objects.filter(picker=former).update(picker=new_alias):
            log.note("settings", "settings", "picker", old=former, new=new_alias)
    return row


def do_set_role(*, actor: User | None, alias: str, role: str) -> LanguageModel:
    """Say what the model is for."""
    row = load_model(alias)
    require(actor, "collections_app.change_languagemodel", "change models")
    problems = Problems()
    _check_role(row, role, problems)
    problems.refuse()
    return _set(actor, row, "role", role)


def do_set_ad_hoc(*, actor: User | None, alias: str, ad_hoc: bool) -> LanguageModel:
    """Say whether the model is left out of every automatic choice."""
    row = load_model(alias)
    require(actor, "collections_app.change_languagemodel", "change models")
    return _set(actor, row, "ad_hoc", ad_hoc)


def load_model(alias: str) -> LanguageModel:
    """The model of this alias, also by a former one.

    :raises NotThere: there is none.
    """
    row = LanguageModel.objects.filter(alias=alias).select_related("endpoint").first()
    if row is None:
        now = resolve_alias(alias)
        row = LanguageModel.objects.filter(alias=now).select_related("endpoint").first() if now != alias else None
    if row is None:
        raise NotThere([("alias", f"There is no model “{alias}”.")])
    return row


def connection_of(tag: str, home: Endpoint | None) -> str:
    """What shares a rate limit with a model of this tag: the upstream behind a hub, else the endpoint; empty where that
    is unknown."""
    if tag:
        return tag.split("/", 1)[0]
    return "" if home is None or home.kind == EndpointKind.HUB else home.name


def resolve_alias(alias: str) -> str:
    """What the model of this alias is called today."""
    return follow_alias(alias, dict(AliasHistory.objects.values_list("old", "new")))


def names_in_use() -> set[str]:
    """Every alias that is or ever was: live, retired, renamed away or of a decision model."""
    return {
        *LanguageModel.objects.values_list("alias", flat=True),
        *AliasHistory.objects.values_list("old", flat=True),
        *DecisionModel.objects.values_list("alias", flat=True),
    }


def check_new_alias(alias: str, problems: Problems, *, besides: str = "") -> None:
    """The rules for an alias that is to be taken. `besides` is the alias it replaces, which may differ only by case."""
    if ALIAS.fullmatch(alias) is None:
        problems.add("alias", ALIAS_RULE)
        return
    history = AliasHistory.objects.filter(old__iexact=alias).first()
    if history is not None:
        problems.add("alias", f"{history.old} was renamed to {history.new}; an alias is never used twice.")
    decision = DecisionModel.objects.filter(alias__iexact=alias).first()
    if decision is not None:
        problems.add("alias", f"{decision.alias} is a decision model; choose another alias.")
    other = LanguageModel.objects.filter(alias__iexact=alias).exclude(alias=besides).first()
    if other is None:
        return
    if other.retired:
        problems.add("alias", f"{other.alias} is a retired model; restore it, or choose another alias.")
    elif other.alias == alias:
        problems.add("alias", f"There is a model {alias} already; choose another alias.")
    else:
        problems.add("alias", f"{alias} differs from {other.alias} only by case; choose another alias.")


def _registered(served: str, home: Endpoint | None, alias: str) -> LanguageModel | None:
    """The model to change: by its alias, or, without one, by what it serves where."""
    rows = LanguageModel.objects.select_related("endpoint").filter(retired_at__isnull=True)
    if alias:
        return rows.filter(alias=alias).first()
    return rows.filter(served=served, endpoint=home).first() if home else None


def _check(row: LanguageModel | None, endpoint: str, fields: dict[str, Any], problems: Problems) -> None:
    home, served = fields["endpoint"], fields["served"]
    problems.check(home is not None, "endpoint", f"There is no endpoint “{endpoint}”.")
    problems.check(
        0 < len(served) <= 200 and served.isprintable(),
        "served",
        "Give the name the endpoint knows the model by, at most 200 characters.",
    )
    problems.check(len(fields["tag"]) <= 100, "tag", "A tag has at most 100 characters.")
    if home is not None:
        same = LanguageModel.objects.filter(served=served, endpoint=home, retired_at__isnull=True)
        if twin := (same.exclude(pk=row.pk) if row else same).first():
            problems.add("served", f"{home.name} already serves {served} under the alias {twin.alias}.")
    if row is not None and family_of(row.served) != family_of(served) and Evidence.objects.filter(language_model=row):
        problems.add(
            "served",
            f"{row.alias} earned its evidence as {row.served}; retire it and register {served} under its own alias.",
        )
    _check_role(row, fields["role"], problems)


def _check_role(row: LanguageModel | None, role: str, problems: Problems) -> None:
    problems.check(role in set(ModelRole), "role", f"The role is one of {', '.join(ModelRole)}.")
    if role == ModelRole.DECISION and row is not None:
        names = {f"bench/{name}" for name in row.collections.values_list("name", flat=True)}
        names |= {f"bench/{name}" for name in row.merges_for.values_list("name", flat=True)}
        problems.check(
            not names, "role", f"A decision model is never seated; take it out of {', '.join(sorted(names))}."
        )


def _check_options(
    row: LanguageModel | None, options: dict[str, Any], facts: Mapping[str, Any] | None, problems: Problems
) -> None:
    for name in options:
        problems.check(
            _OPTION.fullmatch(name) is not None and name not in _CLOSED_OPTIONS,
            "options",
            f"{name} cannot be an option: the gateway writes it, or no API has such a field.",
        )
    try:
        problems.check(
            len(msgspec.json.encode(options)) <= 4000, "options", "The options have at most 4000 characters."
        )
    except (TypeError, ValueError):
        problems.add("options", "The options are plain values: text, numbers, true, false, lists and tables.")
    most = options.get("max_tokens")
    if most is None:
        return
    if type(most) is not int or not 1 <= most <= MOST_TOKENS:
        problems.add("options", f"max_tokens is a whole number from 1 to {MOST_TOKENS}.")
        return
    known = _known_max_output(row, facts)
    if known is not None and most > known:
        problems.add("options", f"max_tokens is {most}, but the model writes at most {known}.")


def _known_max_output(row: LanguageModel | None, facts: Mapping[str, Any] | None) -> int | None:
    stored = list(row.facts.all()) if row else []
    if facts is not None:
        stored = [fact for fact in stored if fact.source != "operator"]
        stored += [Fact(field=field, value=value, source="operator") for field, value in facts.items()]
    value = merge(stored)[0].get("max_output")
    return value if isinstance(value, int) else None


def _set(actor: User | None, row: LanguageModel, field: str, value: Any) -> LanguageModel:
    with journal(actor, TOPIC) as log:
        if log.note_fields("model", row.alias, {field: getattr(row, field)}, {field: value}):
            setattr(row, field, value)
            row.save(update_fields=[field])
    return row
