"""Writes one entry of a set-up file through its action. Each writer returns a note for the operator, mostly none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from django.contrib.auth.models import User

from collections_app.actions.alias import do_save_alias
from collections_app.actions.collection import do_save_collection
from collections_app.actions.decision import do_save_decision_model
from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.key import do_adopt_key, do_scope_key
from collections_app.actions.key_rules import digest_of
from collections_app.actions.language_model import do_save_model
from collections_app.actions.limit import do_save_limit
from collections_app.actions.paid import do_allow_paid
from collections_app.actions.person import do_save_person
from collections_app.actions.retirement import do_restore_model
from collections_app.actions.setting import do_save_settings
from collections_app.actions.team import do_save_team
from collections_app.models import GatewayKey, LanguageModel
from collections_app.refusal import Problem, Refused
from collections_app.setup_file.form import FACTS
from collections_app.setup_file.read import Entry
from gateway.canon.names import read_collection


@dataclass
class Context:
    """Who applies the file, what the environment brings, and which entries were refused so far: (section, name)."""

    actor: User | None
    environ: Mapping[str, str]
    failed: set[tuple[str, str]] = field(default_factory=set)


def _settings(context: Context, entry: Entry) -> str:
    picker = entry.values.get("picker")
    if {("model", picker), ("decision_model", picker)} & context.failed:
        raise Refused([])
    do_save_settings(actor=context.actor, **entry.values)
    return ""


def _endpoint(context: Context, entry: Entry) -> str:
    do_save_endpoint(actor=context.actor, **entry.values)
    key_env = entry.values.get("key_env", "")
    if key_env and not context.environ.get(key_env, "").strip():
        return f"The endpoint {entry.name} takes its key from {key_env}, which is not set here."
    return ""


def _connection(context: Context, entry: Entry) -> str:
    do_save_limit(actor=context.actor, **entry.values)
    return ""


def _model(context: Context, entry: Entry) -> str:
    if ("endpoint", entry.values["endpoint"]) in context.failed:
        raise Refused([])  # the endpoint's own mistake says it all
    note = ""
    retired = LanguageModel.objects.filter(alias=entry.name, retired_at__isnull=False).first()
    if retired is not None:
        note = f"The model {entry.name} was retired ({retired.retired_why}); the file names it, so it is back."
        do_restore_model(actor=context.actor, alias=entry.name)
    stated = {name: value for name, value in entry.values.items() if name in FACTS}
    rest = {name: value for name, value in entry.values.items() if name not in FACTS}
    allowed = rest.pop("allow_paid", False)
    row = do_save_model(actor=context.actor, stated=stated, **rest)
    do_allow_paid(actor=context.actor, alias=row.alias, allowed=allowed)
    return note


def _decision_model(context: Context, entry: Entry) -> str:
    if ("endpoint", entry.values["via"]) in context.failed:
        raise Refused([])
    do_save_decision_model(actor=context.actor, **entry.values)
    return ""


def _collection(context: Context, entry: Entry) -> str:
    values = dict(entry.values)
    bad = {name for section, name in context.failed if section == "model"}
    if bad & {*values["members"], values.get("merger", "")} or ("team", values.get("team")) in context.failed:
        raise Refused([])
    do_save_collection(actor=context.actor, **values)
    return ""


def _person(context: Context, entry: Entry) -> str:
    do_save_person(actor=context.actor, **entry.values)
    return ""


def _team(context: Context, entry: Entry) -> str:
    if {("person", name) for name in entry.values.get("members", ())} & context.failed:
        raise Refused([])
    do_save_team(actor=context.actor, **entry.values)
    return ""


def _key(context: Context, entry: Entry) -> str:
    values = dict(entry.values)
    variable, owner_name = values.pop("secret_env", ""), values.pop("owner")
    if {("person", owner_name), ("team", values.get("team"))} & context.failed:
        raise Refused([])
    owner = User.objects.filter(username=owner_name).first()
    plain = context.environ.get(variable, "").strip() if variable else ""
    row = GatewayKey.objects.filter(name=entry.name, revoked_at__isnull=True).first()
    problems: list[Problem] = []
    if owner is None:
        problems.append(("owner", f"There is no person “{owner_name}”; add a [[person]] of that name."))
    if not plain and row is None:
        sentence = f"The variable {variable} is not set; it must bring the key." if variable else _NO_VARIABLE
        problems.append(("secret_env", sentence))
    if owner is None or problems:
        raise Refused(problems)
    rotated = bool(plain and row and row.previous_digest == digest_of(plain))
    if plain and not rotated:
        do_adopt_key(actor=context.actor, owner=owner, plain=plain, **values)
    else:
        do_scope_key(actor=context.actor, owner=owner, **values)
    return f"The key {entry.name} was rotated; {variable} brings the old one, which is left alone." if rotated else ""


def _alias(context: Context, entry: Entry) -> str:
    target = entry.values["target"]
    if ("collection", read_collection(target)[0]) in context.failed:
        raise Refused([])
    do_save_alias(actor=context.actor, name=entry.values["name"], target=target)
    return ""


_NO_VARIABLE = 'Name the environment variable that brings the key: secret_env = "CI_KEY".'

WRITERS: dict[str, Callable[[Context, Entry], str]] = {
    "settings": _settings,
    "endpoint": _endpoint,
    "connection": _connection,
    "model": _model,
    "decision_model": _decision_model,
    "collection": _collection,
    "person": _person,
    "team": _team,
    "key": _key,
    "alias": _alias,
}
