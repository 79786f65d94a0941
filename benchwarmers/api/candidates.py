"""What could be taken on, and what somebody put aside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import timezone
from msgspec import Struct
from msgspec.structs import asdict
from rest_framework.response import Response

from benchwarmers.api.names import key_of, read_name
from benchwarmers.api.view import ApiView, Asked, asks, takes
from benchwarmers.operations.onboard.facets import INPUTS, Facets
from collections_app.models import Endpoint
from collections_app.refusal import Problems, Refused
from probes.onboarding.candidates import Candidate, Name, NothingListed, load_candidates
from probes.onboarding.store import TOPIC, do_bring_back, do_dismiss


class Dismissal(Struct):
    """One or several that are to be put aside, or with `undo` shown again."""

    served: str | list[str]
    undo: bool = False
    endpoint: str = ""


class CandidatesView(ApiView):
    """GET /api/candidates."""

    @asks("q", "endpoint", "group", "takes", "new", "free")
    def get(self, asked: Asked) -> Response:
        """What the endpoints list and nobody has taken on, narrowed as on the page; `errors` tells of endpoints that
        could not be asked. Blocks for as long as they take, unless they were asked lately."""
        problems = Problems()
        problems.check(asked.get("takes", "") in ("", *INPUTS), "takes", f"It is one of {', '.join(INPUTS)}.")
        for name in ("new", "free"):
            problems.check(asked.get(name, "") in ("", "0", "1"), name, "It is 1, or left out.")
        problems.refuse()
        facets = Facets.read(self.request.query_params)
        try:
            found = load_candidates(timezone.now())
        except NothingListed as failed:
            raise Refused([("", str(failed)), *failed.errors.items()]) from None
        default = load_default()
        return self.done(
            candidates=[_row(one, default) for one in found.candidates if facets.fits(one)],
            dismissed=[_row(one, default) for one in found.dismissed if facets.fits(one)],
            retired=[asdict(one) for one in found.retired],
            errors=_lines(found.errors),
            asked_at=found.asked_at,
        )


class DismissView(ApiView):
    """POST /api/dismiss."""

    @takes(Dismissal)
    def post(self, said: Dismissal) -> Response:
        """Put candidates aside, all or none of them, or bring exactly these back."""
        names = resolve([said.served] if isinstance(said.served, str) else said.served, said.endpoint)
        with self.changes(TOPIC) as changed:
            if said.undo:
                count = do_bring_back(actor=self.person, names=names)
            else:
                count = do_dismiss(actor=self.person, names=names, now=timezone.now())
        return self.done(count=count, changed=changed)


def resolve(said: list[str], endpoint: str = "") -> list[Name]:
    """(endpoint, served name) of each. Raises Refused where there is no endpoint at all."""
    rows = dict(Endpoint.objects.values_list("name", "default"))
    default = next((name for name, chosen in rows.items() if chosen), "")
    return [read_name(one.strip(), endpoint.strip(), rows.keys(), default) for one in said]


def load_default() -> str:
    """The name of the default endpoint; empty without one."""
    return Endpoint.objects.filter(default=True).values_list("name", flat=True).first() or ""


def _row(one: Candidate, default: str) -> dict[str, Any]:
    return {**asdict(one), "key": key_of(one.endpoint, one.served, default)}


def _lines(errors: Mapping[str, str]) -> list[str]:
    return [f"{name}: {why}" for name, why in errors.items()]
