"""Writes the present state as a set-up file: applied to an empty installation, it makes the same one.

Left out because they are no configuration: evidence, the ledger, retired models, revoked keys, people who were
disabled, the practice squad, and every secret. Fields at their default are left out too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib.auth.models import User

from collections_app.actions.key_budget import budgets_of
from collections_app.actions.limit import AXES as LIMIT_AXES
from collections_app.budgets import write_budget
from collections_app.facts import FIELDS
from collections_app.models import (
    Collection,
    ConnectionLimit,
    DecisionModel,
    Endpoint,
    GatewayKey,
    LanguageModel,
    ModelAlias,
    Setting,
    Team,
)
from collections_app.secret_headers import shown_headers
from collections_app.setup_file.form import (
    ALIAS,
    COLLECTION,
    CONNECTION,
    DECISION_MODEL,
    ENDPOINT,
    KEY,
    MODEL,
    PERSON,
    SETTINGS,
    TEAM,
)
from collections_app.setup_file.toml import write_table
from gateway.canon.decision import DecisionPath
from gateway.canon.kinds import Api, EndpointKind, ModelRole, ReplyKind

OPENING = """\
# The set-up of this installation. Apply it with: manage.py apply FILE
# It holds no secret. Provider keys are entered in the admin, or come from the variables named by key_env;
# each gateway key comes from the variable named by its secret_env.
"""


def export_setup() -> str:
    """The whole file."""
    return "\n".join([OPENING, *_tables()])


def _tables() -> Iterator[str]:
    setting = Setting.load()
    yield write_table(
        SETTINGS.header,
        {
            "max_calls": setting.max_calls,
            "max_explorers": setting.max_explorers,
            "scheduler": setting.scheduler,
            "picker": _picker(setting.picker),
            "half_life_days": setting.half_life_days,
            "ledger_days": setting.ledger_days or None,
            "work_days": setting.work_days or None,
            "sample_days": setting.sample_days or None,
            "log_days": setting.log_days or None,
            "auto_retire": setting.auto_retire,
            "alert_mail": setting.alert_mail or None,
            "alert_hook": setting.alert_hook or None,
        },
    )
    for endpoint in Endpoint.objects.exclude(kind=EndpointKind.PRACTICE):
        yield write_table(ENDPOINT.header, _endpoint(endpoint))
    for limit in ConnectionLimit.objects.all():
        numbers = {axis: getattr(limit, axis) for axis in LIMIT_AXES}
        yield write_table(CONNECTION.header, {"name": limit.connection, **numbers})
    models = LanguageModel.objects.filter(retired_at__isnull=True).exclude(endpoint__kind=EndpointKind.PRACTICE)
    for model in models.select_related("endpoint").prefetch_related("facts"):
        yield write_table(MODEL.header, _model(model))
    for decides in DecisionModel.objects.exclude(via__kind=EndpointKind.PRACTICE).select_related("via"):
        yield write_table(DECISION_MODEL.header, _decision_model(decides))
    known = set(models.values_list("alias", flat=True))
    scopes = set()
    for collection in Collection.objects.select_related("merger", "team").prefetch_related("seatings__language_model"):
        values = _collection(collection, known)
        if values["members"]:
            scopes.add(collection.name)
            yield write_table(COLLECTION.header, values)
        else:
            yield f"# The collection {collection.name} is left out: no member of it can be in this file.\n"
    for alias in ModelAlias.objects.select_related("target"):
        if alias.target.name in scopes:
            yield write_table(ALIAS.header, {"name": alias.name, "target": alias.full_name})
        else:
            yield f"# The alias {alias.name} is left out with its collection.\n"
    yield from _people()
    keys = GatewayKey.objects.filter(revoked_at__isnull=True, owner__is_active=True, signed=None)
    for key in keys.select_related("owner", "team").prefetch_related("collections", "budgets"):
        yield _key(key, scopes)


def _people() -> Iterator[str]:
    for person in User.objects.filter(is_active=True).order_by("username").prefetch_related("groups"):
        groups = sorted(group.name for group in person.groups.all())
        yield write_table(
            PERSON.header, {"username": person.username, "email": person.email or None, "groups": groups or None}
        )
    for team in Team.objects.order_by("name"):
        members = team.members.filter(is_active=True).order_by("username").values_list("username", flat=True)
        yield write_table(
            TEAM.header, {"name": team.name, "about": team.about or None, "members": list(members) or None}
        )


def _endpoint(row: Endpoint) -> dict[str, Any]:
    return {
        "name": row.name,
        "base": row.base,
        "kind": row.kind,
        "api": row.api if row.api != Api.CHAT else None,
        "hub": row.hub or None,
        "key_name": row.key_name or None,
        "key_env": row.key_env or None,
        "admin_key_name": row.admin_key_name or None,
        "default": True if row.default else None,
        "headers": shown_headers(row.headers) or None,
        "models_url": row.models_url or None,
        "unlisted_models": row.unlisted_models or None,
        "decisions_url": row.decisions_url or None,
        "quirks": row.quirks or None,
    }


def _picker(picker: str) -> str | None:
    """The setting, unless it names what no file has: a retired model, or one of the practice squad."""
    if picker in ("", "off") or DecisionModel.objects.filter(alias=picker).exists():
        return picker or None
    rows = LanguageModel.objects.filter(alias=picker, retired_at__isnull=True)
    return picker if rows.exclude(endpoint__kind=EndpointKind.PRACTICE).exists() else None


def _decision_model(row: DecisionModel) -> dict[str, Any]:
    return {
        "alias": row.alias,
        "served": row.served,
        "via": row.via.name,
        "path": row.path if row.path != DecisionPath.DECISIONS else None,
        "question_types": row.question_types,
        "ad_hoc": True if row.ad_hoc else None,
    }


def _model(row: LanguageModel) -> dict[str, Any]:
    stated = {fact.field: fact.value for fact in row.facts.all() if fact.source == "operator"}
    return {
        "alias": row.alias,
        "served": row.served,
        "endpoint": row.endpoint.name,
        "role": row.role if row.role != ModelRole.GENERAL else None,
        "ad_hoc": True if row.ad_hoc else None,
        "allow_paid": True if row.allow_paid else None,
        "tag": row.tag or None,
        "options": row.options or None,
        **{field: stated[field] for field in FIELDS if field in stated},
    }


def _collection(row: Collection, known: set[str]) -> dict[str, Any]:
    merger = row.merger.alias if row.merger else ""
    return {
        "name": row.name,
        "members": [
            seating.language_model.alias for seating in row.seatings.all() if seating.language_model.alias in known
        ],
        "shape": row.shape or None,
        "reply": row.reply if row.reply != ReplyKind.ALL else None,
        "merger": merger if merger in known else None,
        "description": row.description or None,
        "tags": row.tags or None,
        "ranking": row.ranking if row.ranking != "record" else None,
        "cooldown": row.cooldown if row.cooldown != "substitute" else None,
        "on_disconnect": row.on_disconnect if row.on_disconnect != "finish" else None,
        "shadow": row.shadow or None,
        "max_explorers": row.max_explorers,
        "team": row.team.name if row.team else None,
    }


def _key(row: GatewayKey, scopes: set[str]) -> str:
    opens = sorted(collection.name for collection in row.collections.all() if collection.name in scopes)
    if row.scoped and not opens:
        return f"# The key {row.name} is left out: every collection it may call is gone.\n"
    return write_table(
        KEY.header,
        {
            "name": row.name,
            "owner": row.owner.get_username(),
            "secret_env": "GATEWAY_KEY_" + row.name.upper().replace("-", "_"),
            "collections": opens or None,
            "rpm": row.rpm,
            "tpm": row.tpm,
            "expires_at": row.expires_at,
            "team": row.team.name if row.team else None,
            "budgets": [write_budget(budget) for budget in budgets_of(row)] or None,
        },
    )
