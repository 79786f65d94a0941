"""What the pages show of endpoints. Reads only; the list costs as many queries for fifty endpoints as for one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Q
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _

from benchwarmers.operations.sign_ins.selectors import Signed, chip_of
from collections_app.actions.endpoint_key import admin_key_name_of, key_name_of
from collections_app.models import Endpoint, LanguageModel, Secret, SignIn
from collections_app.vault import from_environment
from gateway.canon.kinds import EndpointKind, ModelStatus
from gateway.canon.names import key_variable
from probes.health.status import TONES, label_of, shown_status
from probes.models import Served

CHIPS = {"ok": "ok", "warn": "warn", "error": "err", "neutral": ""}


@dataclass(frozen=True, slots=True)
class KeyState:
    """Where the key comes from, in words; `missing` when one is named and there is none, `stored` when the vault has
    it. `variable` brings it, or is empty."""

    words: str
    stored: bool = False
    missing: bool = False
    variable: str = ""


@dataclass(frozen=True, slots=True)
class EndpointLine:
    """One endpoint of the list. `models` are those on the bench, decision models too; `listed` is how many names it
    listed last, at `listed_at` (None: never)."""

    row: Endpoint
    key: KeyState
    models: int
    retired: int
    listed: int
    listed_at: datetime | None
    alerts: int
    sign_in: Signed | None


@dataclass(frozen=True, slots=True)
class ModelLine:
    """A model on the endpoint's page."""

    model: LanguageModel
    status: str
    tone: str
    path: str
    seen: datetime | None
    listed: bool


def load_endpoints(now: datetime) -> list[EndpointLine]:
    """All of them, the default first, then by name."""
    rows = Endpoint.objects.order_by("-default", "name").annotate(
        living=Count("language_models", filter=Q(language_models__retired_at__isnull=True), distinct=True),
        retired=Count("language_models", filter=Q(language_models__retired_at__isnull=False), distinct=True),
        deciding=Count("decision_models", distinct=True),
        alerting=Count("alerts", distinct=True),
    )
    return _lines(list(rows), now)


def load_endpoint(name: str, now: datetime) -> EndpointLine | None:
    """The one of this name."""
    return next((line for line in load_endpoints(now) if line.row.name == name), None)


def load_models(row: Endpoint) -> list[ModelLine]:
    """Its models, those on the bench first."""
    seen = {one.served: one for one in Served.objects.filter(endpoint=row)}
    models = LanguageModel.objects.filter(endpoint=row).select_related("endpoint").order_by("retired_at", "alias")
    return [model_line(model, seen.get(model.served)) for model in models]


def path_to(page: str, *args: str) -> str:
    """The address of another page of operations; empty where this installation has no such page."""
    try:
        return reverse(f"operations:{page}", args=args)
    except NoReverseMatch:
        return ""


def _lines(rows: Sequence[Endpoint], now: datetime) -> list[EndpointLine]:
    secrets = dict(Secret.objects.values_list("name", "hint"))
    signed = {one.endpoint_id: chip_of(one, now) for one in SignIn.objects.select_related("endpoint")}
    listings = {
        one["endpoint"]: (one["listed"], one["at"])
        for one in Served.objects.order_by()
        .values("endpoint")
        .annotate(listed=Count("id", filter=Q(first_missing__isnull=True)), at=Max("last_seen"))
    }
    lines = []
    for row in rows:
        listed, at = listings.get(row.pk, (0, None))
        counts = vars(row)
        lines.append(
            EndpointLine(
                row=row,
                key=key_state(row, secrets),
                models=counts["living"] + counts["deciding"],
                retired=counts["retired"],
                listed=listed,
                listed_at=at,
                alerts=counts["alerting"],
                sign_in=signed.get(row.pk),
            )
        )
    return lines


def key_state(row: Endpoint, hints: dict[str, str]) -> KeyState:
    """Where its key comes from. `hints` are the last letters of the stored secrets, by name."""
    if row.kind == EndpointKind.PRACTICE:
        return KeyState(_("no key needed"))
    name = key_name_of(row)
    by_name = key_variable(name)
    if from_environment(name):
        return KeyState(_("key from %(name)s") % {"name": by_name}, variable=by_name)
    if row.key_env and from_environment("", row.key_env):
        return KeyState(_("key from %(name)s") % {"name": row.key_env}, variable=row.key_env)
    if name in hints:
        ends = _("key stored, …%(hint)s") % {"hint": hints[name]} if hints[name] else _("key stored")
        return KeyState(ends, stored=True)
    if row.key_env:
        return KeyState(_("%(name)s is not set") % {"name": row.key_env}, missing=True)
    return KeyState(_("no key"))


def admin_key_state(row: Endpoint) -> str:
    """Where the key of a hub's administration comes from, in words; empty for what is no hub."""
    if row.kind != EndpointKind.HUB:
        return ""
    name = admin_key_name_of(row)
    if from_environment(name):
        return _("from %(name)s") % {"name": key_variable(name)}
    return "stored" if Secret.objects.filter(name=name).exists() else _("none of its own")


def model_line(model: LanguageModel, seen: Served | None) -> ModelLine:
    """A model as it stands. `seen` is its name in the listing of its endpoint; None for one that was never listed."""
    status = shown_status(model.status, retired=model.retired, retire_in=model.retire_in)
    tone = CHIPS.get(TONES.get(status, "neutral"), "")
    return ModelLine(
        model=model,
        status=label_of(ModelStatus(status), model.retire_in),
        tone=tone,
        path=path_to("model", model.alias),
        seen=seen.last_seen if seen else None,
        listed=seen is not None and seen.first_missing is None,
    )
