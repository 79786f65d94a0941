"""The endpoints, and what is done to one: tried, saved, made the default, removed. No key is ever told."""

from __future__ import annotations

from typing import Any, Final

from django.utils import timezone
from msgspec import UNSET, Struct, UnsetType
from rest_framework.response import Response

from benchwarmers.api.view import ApiView, Asked, asks, takes
from benchwarmers.operations.endpoints.form import EndpointForm, fill
from benchwarmers.operations.endpoints.saving import TAKEN, save
from benchwarmers.operations.endpoints.selectors import EndpointLine, load_endpoint, load_endpoints
from benchwarmers.operations.sign_ins.selectors import Signed
from collections_app.actions.endpoint import TOPIC, do_make_default, do_remove_endpoint
from collections_app.actions.endpoint_key import free_name
from collections_app.journal import require
from collections_app.models import Endpoint
from collections_app.refusal import NotThere, Problems, Refused
from probes.endpoint_trial import Found, try_endpoint
from probes.sign_ins.providers import providers

FIELDS: Final = {"admin_key": "admin"}
"""What the form calls otherwise than programs do."""


class Typed(Struct):
    """An endpoint as a program writes it. What is left out of one that there is stays; a key that is left out or empty
    is not touched. With `test` it is asked and nothing is saved; with `anyway` it is saved though it lists nothing."""

    name: str
    base: str | UnsetType = UNSET
    key: str = ""
    new: bool = False
    kind: str | UnsetType = UNSET
    hub: str | UnsetType = UNSET
    admin: str = ""
    test: bool = False
    api: str | UnsetType = UNSET
    key_env: str | UnsetType = UNSET
    headers: dict[str, str] | UnsetType = UNSET
    models_url: str | UnsetType = UNSET
    unlisted_models: list[str] | UnsetType = UNSET
    decisions_url: str | UnsetType = UNSET
    keys_move: bool = False
    anyway: bool = False


class Named(Struct):
    """One endpoint."""

    name: str


class Removal(Struct):
    """One endpoint, and whether its models and their records go with it."""

    name: str
    with_models: bool = False


class EndpointsView(ApiView):
    """GET /api/endpoints."""

    @asks()
    def get(self, asked: Asked) -> Response:
        """All of them, the default first."""
        return self.done(endpoints=[_row(line) for line in load_endpoints(timezone.now())])


class EndpointView(ApiView):
    """POST /api/endpoint."""

    @takes(Typed)
    def post(self, said: Typed) -> Response:
        """Try it, and save it when it lists models. Blocks for as long as it takes to ask."""
        row = self._meant(said)
        form = EndpointForm(_fields(said, row), row=row)
        if not form.is_valid():
            raise _refusal(form)
        if said.test:
            return self.done(name=form.name_meant, saved=False, tested=_tried(try_endpoint(form.typed())))
        tried = save(self.person, form)
        if tried.row is None:
            raise _refusal(form)
        line = load_endpoint(tried.row.name, timezone.now())
        tested = _tried(tried.found) if tried.found else None
        return self.done(name=tried.row.name, saved=True, tested=tested, endpoint=_row(line) if line else None)

    def _meant(self, said: Typed) -> Endpoint | None:
        row = Endpoint.objects.filter(name=said.name.strip()).first()
        if said.new:
            require(self.person, "collections_app.add_endpoint", "add endpoints")
            if row is not None:
                raise Refused([("name", TAKEN.format(name=row.name, free=free_name(row.name)))])
            return None
        if row is None:
            raise NotThere([("name", f"There is no endpoint “{said.name[:32]}”; set new to add it.")])
        if row.scripted:
            raise Refused([("name", f"{row.name} is the practice squad, which is not changed by hand.")])
        return row


class RemoveView(ApiView):
    """POST /api/endpoint/remove."""

    @takes(Removal)
    def post(self, said: Removal) -> Response:
        """Remove it, with its models only where that is said."""
        problems = Problems()
        practice = Endpoint.objects.filter(name=said.name, kind="practice").exists()
        problems.check(not practice, "name", f"{said.name[:32]} is the practice squad, which is not removed by hand.")
        problems.refuse()
        with self.changes(TOPIC) as changed:
            do_remove_endpoint(actor=self.person, name=said.name, with_models=said.with_models)
        return self.done(name=said.name, changed=changed)


class DefaultView(ApiView):
    """POST /api/endpoint/default."""

    @takes(Named)
    def post(self, said: Named) -> Response:
        """Make it the default."""
        with self.changes(TOPIC) as changed:
            do_make_default(actor=self.person, name=said.name)
        return self.done(name=said.name, changed=changed)


def _fields(said: Typed, row: Endpoint | None) -> dict[str, Any]:
    """What stands in the form."""
    given: dict[str, Any] = {"name": said.name, "key": said.key, "admin_key": said.admin}
    given |= {"keys_move": said.keys_move, "anyway": said.anyway}
    for field in ("base", "kind", "hub", "api", "key_env", "models_url", "decisions_url"):
        if (value := getattr(said, field)) is not UNSET:
            given[field] = value
    if said.headers is not UNSET:
        given["headers"] = "\n".join(_line(name, value) for name, value in said.headers.items())
    if said.unlisted_models is not UNSET:
        given["unlisted_models"] = "\n".join(said.unlisted_models)
    return (fill(row) if row else {}) | given


def _line(name: str, value: str) -> str:
    problems = Problems()
    problems.check(
        len(f"{name}: {value}".splitlines()) == 1 and ":" not in name, "headers", f"{name[:64]!r} is not one line."
    )
    problems.refuse()
    return f"{name}: {value}"


def _refusal(form: EndpointForm) -> Refused:
    """What is wrong of the form, by the names that programs have for its fields."""
    return Refused(
        ("" if field == "__all__" else FIELDS.get(field, field), str(why))
        for field, reasons in form.errors.items()
        for why in reasons
    )


def _tried(found: Found) -> dict[str, Any]:
    """What a trial found. `key` is needed, unproven, unknown or none."""
    others = [(one.guess, one.models) for one in found.suggestions]
    return {
        "listed": found.listed,
        "models": len(found.models),
        "trouble": found.trouble,
        "hint": found.hint,
        "key": found.key,
        "held_back": found.held_back,
        "hub": found.hub.hub if found.hub else "",
        "suggestions": [{"base": one.base, "api": one.api, "models": models} for one, models in others],
    }


def _row(line: EndpointLine) -> dict[str, Any]:
    row, key = line.row, line.key
    return {
        **{"name": row.name, "base": row.base, "default": row.default, "kind": row.kind, "hub": row.hub},
        **{"api": row.api, "key_set": key.stored or bool(key.variable), "key": key.words},
        **{"models": line.models, "retired": line.retired, "listed": line.listed, "listed_at": line.listed_at},
        "connect": connect_of(line.sign_in) if line.sign_in else None,
    }


def connect_of(signed: Signed) -> dict[str, Any]:
    """How an endpoint is signed in, for programs."""
    row = signed.row
    provider = providers().get(row.provider)
    return {
        **{"provider": row.provider, "at": row.at, "expires": row.expires_at, "refreshes": row.refreshes},
        **{"label": signed.label, "flow": provider.flow if provider else "", "expired": signed.tone == "err"},
        "state": signed.state,
    }
