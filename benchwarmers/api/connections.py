"""The connections that models are reached by, and what each may be sent."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from msgspec import Struct
from rest_framework.response import Response

from benchwarmers.api.view import ApiView, Asked, asks, takes
from benchwarmers.dashboard.quota_gauges import LABELS
from collections_app.actions.limit import AXES, TOPIC, do_remove_limit, do_save_limit
from collections_app.models import ConnectionLimit, LanguageModel
from collections_app.refusal import Problems

NOTHING: Final = (None, "")


class Limits(Struct):
    """What a connection may be sent. Null or nothing takes a limit away; what is not named stays."""

    connection: str
    limits: dict[str, int | str | None]


class ConnectionsView(ApiView):
    """GET /api/connections."""

    @asks()
    def get(self, asked: Asked) -> Response:
        """Every connection that a model on the bench has, or that has a limit."""
        live = LanguageModel.objects.filter(retired_at=None).select_related("endpoint")
        models = Counter(model.connection for model in live)
        limits = {row.connection: row for row in ConnectionLimit.objects.all()}
        return self.done(
            keys=list(AXES),
            labels={axis: str(LABELS[axis]) for axis in AXES},
            connections=[
                {"name": name, "models": models[name], "limits": _limits(limits.get(name))}
                for name in sorted({*models, *limits} - {""})
            ],
        )


class LimitsView(ApiView):
    """POST /api/connection-limits."""

    @takes(Limits)
    def post(self, said: Limits) -> Response:
        """Set and take away limits of one connection."""
        problems = Problems()
        for axis, most in said.limits.items():
            problems.check(axis in AXES, "limits", f"“{axis[:32]}” is no limit; known are {', '.join(AXES)}.")
            fits = most in NOTHING or not isinstance(most, str)
            problems.check(fits, axis[:32], "It is a whole number, or null for no limit.")
        problems.refuse()
        name = said.connection.strip()
        with self.changes(TOPIC) as changed:
            row = ConnectionLimit.objects.filter(connection=name).first()
            given = {axis: None if most in NOTHING else most for axis, most in said.limits.items()}
            wanted: dict[str, Any] = {**_limits(row), **given}
            if row is not None and not any(most is not None for most in wanted.values()):
                do_remove_limit(actor=self.person, name=name)
            else:
                do_save_limit(actor=self.person, name=name, **wanted)
        return self.done(connection=name, limits=wanted, changed=changed)


def _limits(row: ConnectionLimit | None) -> dict[str, int | None]:
    return {axis: getattr(row, axis, None) for axis in AXES}
