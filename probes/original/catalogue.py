"""Takes over what the original knows of endpoints and models, by the same actions that people use.

What is here already under the same name is left as it is, so that a second run changes nothing; what an action refuses
is told with its reason, and the rest goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Final

from django.utils.dateparse import parse_datetime

from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.former import do_remember_alias
from collections_app.actions.language_model import do_save_model
from collections_app.actions.learned import write_learned
from collections_app.actions.retirement import do_retire_model
from collections_app.actions.setting import do_save_settings
from collections_app.facts import CAPABILITIES, NUMBERS
from collections_app.models import (
    AliasHistory,
    Endpoint,
    LanguageModel,
    Setting,
)
from probes.original.folder import Folder, Record
from probes.original.report import Report
from probes.original.taking import taken

STATED: Final = (*NUMBERS, *CAPABILITIES, "knowledge_cutoff", "description", "limits")


def take_catalogue(folder: Folder, report: Report) -> None:
    """All of it, in the order in which one thing needs another."""
    for step in (_endpoints, _settings, _models, _history, _retired):
        step(folder, report)


def _endpoints(folder: Folder, report: Report) -> None:
    known = set(Endpoint.objects.values_list("name", flat=True))
    entries = folder.documents["endpoints"]
    for name, entry in sorted(entries.items(), key=lambda pair: not pair[1].get("default")):
        taken(report, "endpoints", name, name in known, partial(_endpoint, name, entry))
        if entry.get("connect"):
            report.advice.append(f"Endpoint {name} was signed in to; sign in again on the page of endpoints.")


def _endpoint(name: str, entry: Record) -> object:
    return do_save_endpoint(
        actor=None,
        name=name,
        base=str(entry.get("base", "")),
        kind=str(entry.get("kind", "")),
        api=str(entry.get("api", "")),
        hub=str(entry.get("hub", "")),
        key_name=str(entry.get("key") or ""),
        default=bool(entry.get("default")),
        headers={str(header): str(value) for header, value in (entry.get("headers") or {}).items()},
        models_url=str(entry.get("models_url") or ""),
        unlisted_models=[str(served) for served in entry.get("unlisted_models") or ()],
        decisions_url=str(entry.get("decisions") or ""),
        admin_key_name=str(entry.get("admin_key") or ""),
    )


def _settings(folder: Folder, report: Report) -> None:
    said = folder.documents["gateway"]
    given = {name: said[name] for name in ("max_calls", "max_explorers") if isinstance(said.get(name), int)}
    if given:
        row = Setting.load()
        known = all(getattr(row, name) == value for name, value in given.items())
        taken(report, "settings", "gateway", known, partial(do_save_settings, actor=None, **given))
    if folder.documents["scheduler"].get("mode") == "run":
        report.advice.append(
            "The original's scheduler runs. Stop it before you switch this one on, or every job is done twice."
        )


def _models(folder: Folder, report: Report) -> None:
    known = set(LanguageModel.objects.values_list("alias", flat=True))
    for entry in folder.models:
        alias = str(entry.get("model_id", ""))
        act = partial(_model, folder, alias, str(entry.get("model_name", "")), home(folder, entry))
        taken(report, "models", alias, alias in known, act)


def _model(folder: Folder, alias: str, served: str, endpoint: str, role: str = "") -> LanguageModel:
    documents = folder.documents
    said: Mapping[str, Any] = documents["overrides"].get(alias) or {}
    row = do_save_model(
        actor=None,
        alias=alias,
        served=served,
        endpoint=endpoint,
        role=role or str((documents["roles"].get("models") or {}).get(alias, "")),
        ad_hoc=alias in (documents["roles"].get("ad_hoc") or ()),
        options=documents["options"].get(alias) or {},
        tag=str(documents["tags"].get(served) or ""),
        stated={name: said[name] for name in STATED if said.get(name) is not None},
    )
    for field, value, evidence in learned(documents["learned"].get(alias) or {}):
        write_learned(row.pk, field, value, evidence)
    return row


def learned(entry: Record) -> Iterable[tuple[str, Any, str]]:
    """(field, value, evidence) of what errors taught the original of one model."""
    window = entry.get("context_window")
    if isinstance(window, dict):
        yield "context_window", window.get("value"), str(window.get("evidence", ""))
    for axis, said in (entry.get("limits") or {}).items():
        yield "limits", {axis: said.get("value")}, str(said.get("evidence", ""))
    for name, said in (entry.get("capabilities") or {}).items():
        if name in CAPABILITIES and said.get("value") is True:
            yield name, True, str(said.get("evidence", ""))


def home(folder: Folder, entry: Record) -> str:
    """The endpoint of a registration: the one with its address and its key's name, else the first with its address."""
    base, key = str(entry.get("api_base", "")).rstrip("/"), entry.get("api_key_name")
    there = [
        (name, endpoint)
        for name, endpoint in folder.documents["endpoints"].items()
        if str(endpoint.get("base", "")).rstrip("/") == base
    ]
    exact = [name for name, endpoint in there if (endpoint.get("key") or name) == key]
    return exact[0] if exact else there[0][0] if there else ""


def _history(folder: Folder, report: Report) -> None:
    known = set(AliasHistory.objects.values_list("old", flat=True))
    for old, new in folder.documents["history"].items():
        taken(
            report,
            "renamed aliases",
            old,
            old in known,
            partial(do_remember_alias, actor=None, old=old, new=str(new)),
        )


def _retired(folder: Folder, report: Report) -> None:
    known = set(LanguageModel.objects.values_list("alias", flat=True))
    for alias, entry in folder.documents["retired"].items():
        if entry.get("role") == "decision":
            report.of("retired models").left.append((alias, "a retired decision model; it can be onboarded again."))
            continue
        taken(
            report,
            "retired models",
            alias,
            alias in known,
            partial(_retire, folder, alias, entry),
        )


def _retire(folder: Folder, alias: str, entry: Record) -> None:
    endpoint = str(entry.get("endpoint", ""))
    _model(folder, alias, str(entry.get("served", "")), endpoint, str(entry.get("role", "")))
    do_retire_model(
        actor=None,
        alias=alias,
        why=str(entry.get("why", "")),
        by=str(entry.get("by", "")) or "original",
        now=parse_datetime(str(entry.get("at", ""))),
    )
