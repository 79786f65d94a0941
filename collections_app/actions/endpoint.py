"""Adds, changes and removes endpoints. Keeps exactly one of them the default, as long as there is any."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.db.models import QuerySet

from collections_app.actions.endpoint_key import forget_secrets
from collections_app.actions.seats import vacate
from collections_app.addresses import address_problem, host_of, is_own_name, is_private_ip, literal_ip
from collections_app.journal import Journal, journal, require
from collections_app.key_variables import variable_problem
from collections_app.models import Endpoint
from collections_app.refusal import NotThere, Problems, Refused
from collections_app.secret_headers import SECRET_NAME, header_problem, shown_headers
from gateway.canon.kinds import Api, EndpointKind
from gateway.canon.names import SLUG

TOPIC = "endpoints"
HUBS = ("openwebui", "litellm", "cliproxy")
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_CLOSED_HEADERS = frozenset(
    {
        "api-key",
        "authorization",
        "connection",
        "content-length",
        "content-type",
        "cookie",
        "host",
        "proxy-authorization",
        "transfer-encoding",
        "x-api-key",
        "x-goog-api-key",
    }
)
NAMED_RULE = "A secret's name has up to 64 lower-case letters, digits, dots and hyphens; it is not the secret."
NAME_RULE = "A name has 2 to 32 characters: lower-case letters, digits and hyphens, the first no hyphen."


def infer_kind(base: str) -> EndpointKind:
    """Who runs an endpoint, as far as its address tells: a path that is just `/api` is a hub, this machine and private
    addresses are local."""
    if urlsplit(base).path.rstrip("/").endswith("/api"):
        return EndpointKind.HUB
    host = host_of(base)
    literal = literal_ip(host)
    private = is_own_name(host) or (literal is not None and is_private_ip(literal))
    return EndpointKind.LOCAL if private else EndpointKind.PROVIDER


def do_save_endpoint(
    *,
    actor: User | None,
    name: str,
    base: str,
    kind: str = "",
    api: str = "",
    hub: str = "",
    key_name: str = "",
    key_env: str = "",
    admin_key_name: str = "",
    default: bool = False,
    headers: Mapping[str, str] | None = None,
    models_url: str = "",
    unlisted_models: Sequence[str] = (),
    decisions_url: str = "",
    quirks: Mapping[str, bool] | None = None,
) -> Endpoint:
    """Add the endpoint or make it be exactly this. A blank `kind` is inferred; a blank `api` is chat.

    `default` makes it the default; leaving it False takes nothing away from an endpoint that already is.

    :raises Refused: with every broken rule.
    """
    problems = Problems()
    if kind == EndpointKind.PRACTICE:
        problems.add("kind", "The practice endpoint is made by switching practice on, not by hand.")
    fields = {
        "base": base.strip().rstrip("/"),
        "kind": kind.strip(),
        "api": api.strip() or Api.CHAT.value,
        "hub": hub.strip(),
        "key_name": key_name.strip(),
        "key_env": key_env.strip(),
        "admin_key_name": admin_key_name.strip(),
        "headers": dict(headers or {}),
        "models_url": models_url.strip(),
        "unlisted_models": [served.strip() for served in unlisted_models if served.strip()],
        "decisions_url": decisions_url.strip(),
        "quirks": dict(quirks or {}),
    }
    return save_endpoint(actor=actor, name=name.strip(), fields=fields, default=default, problems=problems)


def save_endpoint(
    *, actor: User | None, name: str, fields: dict[str, Any], default: bool, problems: Problems
) -> Endpoint:
    """The write behind `do_save_endpoint` and the practice switch. `problems` may already hold reasons."""
    row = Endpoint.objects.filter(name=name).first()
    require(actor, f"collections_app.{'change' if row else 'add'}_endpoint", "change endpoints")
    if row is not None and row.scripted != (fields["kind"] == EndpointKind.PRACTICE):
        problems.add("name", f"There is an endpoint {name} of another kind; choose another name.")
    _complete(fields)
    _check(name, fields, problems)
    kept = row.key_env if row else ""
    problems.add("key_env", variable_problem(fields["key_env"], by_operator=actor is None, kept=kept))
    problems.refuse()
    with journal(actor, TOPIC) as log:
        before = {field: getattr(row, field) for field in fields} if row else {}
        if row is None:
            row = Endpoint.objects.create(name=name, **fields)
            log.note("endpoint", name, new=fields)
        elif log.note_fields("endpoint", name, _shown(before), _shown(fields)):
            for field, value in fields.items():
                setattr(row, field, value)
            row.save()
        _settle_default(log, row, wanted=default)
    return row


def do_make_default(*, actor: User | None, name: str) -> Endpoint:
    """Make this endpoint the default in place of the one that was."""
    row = _endpoint(name)
    require(actor, "collections_app.change_endpoint", "change endpoints")
    with journal(actor, TOPIC) as log:
        _settle_default(log, row, wanted=True)
    return row


def do_remove_endpoint(*, actor: User | None, name: str, with_models: bool = False) -> None:
    """Remove it, and the secrets that only it used. The default goes last of all.

    Models that hang on it stop that, retired ones and decision models too, unless `with_models` removes them and their
    evidence.
    """
    row = _endpoint(name)
    require(actor, "collections_app.delete_endpoint", "remove endpoints")
    if row.default and not row.scripted and _real().exclude(pk=row.pk).exists():
        raise Refused([("", f"{name} is the default; make another endpoint the default first.")])
    models = list(row.language_models.values_list("alias", flat=True))
    models += row.decision_models.values_list("alias", flat=True)
    if models and not with_models:
        raise Refused([("", f"{name} still has {len(models)} models ({_some(models)}); remove it with its models.")])
    with journal(actor, TOPIC) as log:
        for model in row.language_models.all():
            vacate(log, model)
            log.note("model", model.alias, old={"served": model.served, "endpoint": name})
        row.language_models.all().delete()
        for decision in row.decision_models.all():
            log.note("decision model", decision.alias, old={"served": decision.served, "via": name})
        row.decision_models.all().delete()
        log.note("endpoint", name, old={"base": row.base, "kind": row.kind, "api": row.api})
        forget_secrets(log, row)
        row.delete()
        heir = Endpoint.objects.order_by("id").first() if row.default else None
        if heir is not None:
            _settle_default(log, heir, wanted=True)


def _real() -> QuerySet[Endpoint]:
    return Endpoint.objects.exclude(kind=EndpointKind.PRACTICE)


def _endpoint(name: str) -> Endpoint:
    row = Endpoint.objects.filter(name=name).first()
    if row is None:
        raise NotThere([("endpoint", f"There is no endpoint “{name}”.")])
    return row


def _shown(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {**fields, "headers": shown_headers(fields["headers"])}


def _settle_default(log: Journal, row: Endpoint, *, wanted: bool) -> None:
    """The first endpoint is the default, and so is the first real one beside the practice squad."""
    present = Endpoint.objects.filter(default=True).first()
    if present is not None and (present == row or not (wanted or (present.scripted and not row.scripted))):
        return
    if present is not None:
        Endpoint.objects.filter(pk=present.pk).update(default=False)
    row.default = True
    row.save(update_fields=["default"])
    log.note("endpoint", row.name, "default", old=present.name if present else None, new=row.name)


def _complete(fields: dict[str, Any]) -> None:
    """Fill in what the address says by itself."""
    if not fields["kind"] and not address_problem(fields["base"]):
        fields["kind"] = EndpointKind.HUB.value if fields["hub"] else infer_kind(fields["base"]).value
    if fields["kind"] == EndpointKind.HUB and not fields["hub"] and fields["base"].endswith("/api"):
        fields["hub"] = "openwebui"


def _check(name: str, fields: dict[str, Any], problems: Problems) -> None:
    kind, hub = fields["kind"], fields["hub"]
    problems.check(SLUG.fullmatch(name) is not None, "name", NAME_RULE)
    problems.add("base", address_problem(fields["base"]))
    problems.check(len(fields["base"]) <= 500, "base", "An address has at most 500 characters.")
    if fields["models_url"]:
        problems.add("models_url", address_problem(fields["models_url"].partition("?")[0]))
    if kind:
        problems.check(kind in set(EndpointKind), "kind", f"The kind is one of {', '.join(list(EndpointKind)[:-1])}.")
    problems.add("decisions_url", _decisions_problem(fields["decisions_url"]))
    problems.check(fields["api"] in set(Api), "api", f"The api is one of {', '.join(Api)}.")
    if kind == EndpointKind.HUB:
        problems.check(hub in HUBS, "hub", f"A hub is one of {', '.join(HUBS)}.")
    else:
        problems.check(not hub, "hub", "Only an endpoint of kind hub has a hub.")
    for field in ("key_name", "admin_key_name"):
        given = fields.get(field, "")
        problems.check(not given or SECRET_NAME.fullmatch(given) is not None, field, NAMED_RULE)
    if fields.get("admin_key_name"):
        problems.check(kind == EndpointKind.HUB, "admin_key_name", "Only a hub has a key for its administration.")
    _check_headers(fields["headers"], problems)
    problems.check(
        all(isinstance(value, bool) for value in fields["quirks"].values()), "quirks", "A quirk is true or false."
    )


def _decisions_problem(url: str) -> str:
    """`{path}` may stand in the path, where it becomes the path of each decision model."""
    if not url:
        return ""
    if len(url) > 500:
        return "An address has at most 500 characters."
    filled = url.replace("{path}", "decisions")
    if host_of(filled) != host_of(url.replace("{path}", "systemone")):
        return "{path} stands in the path of the address, not in its host."
    return address_problem(filled)


def _check_headers(headers: Mapping[str, Any], problems: Problems) -> None:
    for header, value in headers.items():
        if _HEADER.fullmatch(header) is None:
            problems.add("headers", f"{header!r} is no header name.")
        elif header.lower() in _CLOSED_HEADERS:
            problems.add("headers", f"{header} is set by the gateway; a key belongs into the endpoint's secret.")
        elif isinstance(value, str) and (problem := header_problem(header, value)):
            problems.add("headers", problem)
        elif not isinstance(value, str) or not value.isprintable() or len(value) > 1000:
            problems.add("headers", f"The value of {header} is one line of text, at most 1000 characters.")


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
