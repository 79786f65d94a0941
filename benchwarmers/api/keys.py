"""Gateway keys: those that a person sees, a new one, and the end of one. The key itself is in the answer that made it
and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.utils import timezone
from msgspec import Struct
from rest_framework.response import Response

from benchwarmers.api.body import aware
from benchwarmers.api.view import ApiView, Asked, asks, takes
from benchwarmers.dashboard.keys import STATES, KeyFilters, KeyRow, narrow, row_of, with_use
from benchwarmers.dashboard.keys_form import PAST
from benchwarmers.sight import visible_keys
from collections_app.actions.key import do_create_key, do_revoke_key
from collections_app.actions.key_budget import TOPIC
from collections_app.refusal import NotThere, Problems

MOST: Final = 500
"""Keys that one answer tells, the newest first."""


class Wanted(Struct):
    """A key for the person. Without collections it opens all that they may call; `expires_at` has a zone; a budget is a
    unit, a period and an amount, money in dollars."""

    name: str
    collections: list[str] = []
    rpm: int | None = None
    tpm: int | None = None
    expires_at: datetime | None = None
    team: str = ""
    budgets: Sequence[Mapping[str, Any]] = ()


class Named(Struct):
    """One key."""

    name: str


class KeysView(ApiView):
    """GET /api/gateway-keys."""

    @asks("q", "state", "person", "team")
    def get(self, asked: Asked) -> Response:
        """Those that are not revoked, or with `state=revoked` these; narrowed as the list of keys is."""
        problems = Problems()
        problems.check(asked.get("state", "") in ("", *STATES), "state", f"It is one of {', '.join(STATES)}.")
        problems.refuse()
        now = timezone.now()
        found = narrow(with_use(visible_keys(self.person), now), KeyFilters.read(self.request.query_params), now)
        rows = list(found.order_by("-created_at", "-pk")[: MOST + 1])
        return self.done(
            required=settings.BENCH.require_keys,
            keys=[_row(row_of(row, now)) for row in rows[:MOST]],
            more=len(rows) > MOST,
        )


class KeyView(ApiView):
    """POST /api/gateway-key."""

    @takes(Wanted)
    def post(self, said: Wanted) -> Response:
        """Make it. `key` is never told again."""
        expires = aware(said.expires_at, "expires_at")
        problems = Problems()
        problems.check(expires is None or expires > timezone.now(), "expires_at", str(PAST))
        problems.refuse()
        with self.changes(TOPIC) as changed:
            row, plain = do_create_key(
                actor=self.person,
                owner=self.person,
                name=said.name,
                collections=said.collections,
                rpm=said.rpm,
                tpm=said.tpm,
                expires_at=expires,
                team=said.team,
                budgets=said.budgets,
            )
        return self.done(name=row.name, key=plain, hint=row.hint, changed=changed)


class RemoveView(ApiView):
    """POST /api/gateway-key/remove."""

    @takes(Named)
    def post(self, said: Named) -> Response:
        """Close it for good, from the next request on."""
        if not visible_keys(self.person).filter(name=said.name, revoked_at=None).exists():
            raise NotThere([("name", f"There is no key “{said.name[:32]}”.")])
        with self.changes(TOPIC) as changed:
            row = do_revoke_key(actor=self.person, name=said.name)
        return self.done(name=row.name, changed=changed)


def _row(one: KeyRow) -> dict[str, Any]:
    """`collections` is empty where it opens all."""
    row = one.key
    return {
        **{"name": row.name, "hint": row.hint, "collections": list(one.opens or ()), "rpm": row.rpm},
        **{"created": row.created_at, "last_used": row.last_used_at, "tpm": row.tpm, "scoped": row.scoped},
        **{"owner": row.owner.get_username(), "team": row.team.name if row.team else "", "state": one.state},
        **{"expires_at": row.expires_at, "budgets": [bar.words for bar in one.bars]},
    }
