"""Takes over what stands around the models: decision models, collections, limits, connections, dismissals, keys."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from django.contrib.auth.models import User
from django.utils.dateparse import parse_datetime

from collections_app.actions.collection import do_save_collection
from collections_app.actions.decision import do_save_decision_model
from collections_app.actions.former import do_adopt_digest
from collections_app.actions.limit import do_save_limit
from collections_app.actions.paid import do_allow_paid
from collections_app.aliases import follow_alias
from collections_app.models import Collection, ConnectionLimit, DecisionModel, Endpoint, GatewayKey, LanguageModel
from probes.original.folder import Folder, Record
from probes.original.report import Report
from probes.original.store import keep_connection, keep_dismissal
from probes.original.taking import taken


def take_what_stands_around(folder: Folder, report: Report, owner: User | None) -> None:
    """All of it; models must be there."""
    for step in (_decisions, _collections, _limits, _connections, _dismissed):
        step(folder, report)
    _keys(folder, report, owner)


def _decisions(folder: Folder, report: Report) -> None:
    known = set(DecisionModel.objects.values_list("alias", flat=True))
    for alias, entry in folder.documents["decisions"].items():
        taken(
            report,
            "decision models",
            alias,
            alias in known,
            partial(
                do_save_decision_model,
                actor=None,
                alias=alias,
                served=str(entry.get("served", "")),
                via=str(entry.get("via") or entry.get("endpoint", "")),
                path=str(entry.get("path", "")),
                question_types=[str(kind) for kind in entry.get("question_types") or ()],
            ),
        )


def _collections(folder: Folder, report: Report) -> None:
    known = set(Collection.objects.values_list("name", flat=True))
    renamed = {old: str(new) for old, new in folder.documents["history"].items()}
    for name, entry in folder.documents["collections"].items():
        taken(
            report,
            "collections",
            name,
            name in known,
            partial(_collection, name, entry, renamed),
        )


def _collection(name: str, entry: Record, renamed: Mapping[str, str]) -> None:
    do_save_collection(
        actor=None,
        name=name,
        members=[follow_alias(alias, renamed) for alias in entry.get("members") or ()],
        shape=str(entry.get("shape") or ""),
        reply=str(entry.get("reply") or ""),
        merger=follow_alias(str(entry.get("merger") or ""), renamed),
        description=str(entry.get("description") or ""),
        tags=[str(tag) for tag in entry.get("tags") or ()],
    )


def _limits(folder: Folder, report: Report) -> None:
    known = set(ConnectionLimit.objects.values_list("connection", flat=True))
    for name, entry in folder.documents["limits"].items():
        given = {axis: entry[axis] for axis in ("rpm", "rpd", "rpmo", "tpm", "tpd") if entry.get(axis)}
        taken(
            report,
            "connection limits",
            name,
            name in known,
            partial(do_save_limit, actor=None, name=name, **given),
        )


def _connections(folder: Folder, report: Report) -> None:
    said = folder.documents["connections"]
    for name in said.get("paid") or ():
        if keep_connection(str(name), paid=True):
            report.of("paid connections").added += 1
    for name, provider in (said.get("models_dev") or {}).items():
        if keep_connection(str(name), models_dev=str(provider)):
            report.of("connections of models.dev").added += 1
    allowed = set(LanguageModel.objects.filter(allow_paid=True).values_list("alias", flat=True))
    for alias in said.get("allow_paid") or ():
        taken(
            report,
            "models that may cost",
            alias,
            alias in allowed,
            partial(do_allow_paid, actor=None, alias=alias, allowed=True),
        )


def _dismissed(folder: Folder, report: Report) -> None:
    endpoints = {row.name: row for row in Endpoint.objects.all()}
    default = next((row for row in endpoints.values() if row.default), None)
    tally = report.of("dismissed candidates")
    for key, entry in folder.documents["dismissed"].items():
        served, at_sign, name = key.rpartition("@")
        endpoint = endpoints.get(name) if at_sign else None
        if endpoint is None:  # an @ whose tail is no endpoint is part of the model's name
            served, endpoint = key, default
        if endpoint is None:
            tally.left.append((key, "there is no endpoint it could be on"))
        elif keep_dismissal(endpoint, served, str(entry.get("by") or "original"), parse_datetime(str(entry.get("at")))):
            tally.added += 1
        else:
            tally.known += 1


def _keys(folder: Folder, report: Report, owner: User | None) -> None:
    known = set(GatewayKey.objects.filter(revoked_at__isnull=True).values_list("name", flat=True))
    for name, entry in folder.documents["keys"].items():
        if owner is None:
            report.of("gateway keys").left.append((name, "nobody to own it: name somebody with --owner"))
            continue
        taken(
            report,
            "gateway keys",
            name,
            name in known,
            partial(
                do_adopt_digest,
                actor=None,
                owner=owner,
                name=name,
                digest=str(entry.get("sha256", "")),
                hint=str(entry.get("hint", "")),
                collections=[str(one) for one in entry.get("collections") or ()],
                rpm=entry.get("rpm"),
            ),
        )
