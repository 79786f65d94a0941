"""Reads the gateway keys of a Snapshot, each with what is withheld from it. Sync.

A collection of a team is withheld from a key whose owner is not in it. A key of a team opens what that team owns and
no other, whoever made it: all members may come by its secret, and not all are in its owner's other teams. That is
worked out here, once a snapshot, so that a request only looks into a set.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from django.contrib.auth.models import User
from msgspec import structs

from collections_app.models import Collection, GatewayKey, Team
from collections_app.signed_access import load_access
from gateway.engine.snapshot import Budget, KeyView

NOTHING: frozenset[str] = frozenset()
ASK = "gateway.ask"
MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"
"""Where rights are kept, whoever lets people in."""


def load_keys() -> dict[str, KeyView]:
    """The keys that are not revoked, of people who are active, by digest. A rotated key stands under both of its
    digests: whether the one before still opens it is a matter of time."""
    views = _key_views()
    return {view.previous_digest: view for view in views if view.previous_digest} | {
        view.digest: view for view in views
    }


def load_signed(keys: dict[str, KeyView]) -> dict[str, KeyView]:
    """Those of `keys` that signed-in programs open, by the digests of their tokens, each until the token is over."""
    if not (signed := [view for view in keys.values() if view.consent]):
        return {}
    access, found = load_access(), {}
    for view in signed:
        for digest, over in access.get(view.consent, ()):
            until = over if view.expires_at is None else min(over, view.expires_at)
            found[digest] = structs.replace(view, digest=digest, expires_at=until)
    return found


def _key_views() -> list[KeyView]:
    rows = GatewayKey.objects.filter(revoked_at__isnull=True, owner__is_active=True)
    withheld = _Withheld()
    askers = set(User.objects.with_perm(ASK, backend=MODEL_BACKEND).values_list("pk", flat=True))
    return [
        _key_view(row, withheld.from_key(row), may_ask=row.owner_id in askers)
        for row in rows.select_related("owner", "signed").prefetch_related("collections", "budgets")
    ]


def _key_view(row: GatewayKey, withheld: frozenset[str], *, may_ask: bool) -> KeyView:
    scope = frozenset(collection.name for collection in row.collections.all()) - withheld if row.scoped else None
    return KeyView(
        id=row.pk,
        name=row.name,
        digest=row.digest,
        owner_id=row.owner_id,
        owner_name=row.owner.get_username(),
        scope=scope,
        rpm=row.rpm,
        expires_at=row.expires_at.timestamp() if row.expires_at else None,
        tpm=row.tpm,
        team_id=row.team_id,
        budgets=tuple(Budget(one.unit, one.period, one.amount) for one in row.budgets.all()),
        previous_digest=row.previous_digest or "",
        previous_until=row.previous_until.timestamp() if row.previous_until else None,
        withheld=withheld,
        may_ask=may_ask,
        consent=row.signed.grant if hasattr(row, "signed") else "",
    )


class _Withheld:
    """What teams own and who is in them, read once: two queries, or one where no team owns anything."""

    def __init__(self) -> None:
        self.owned: dict[int, set[str]] = defaultdict(set)
        for name, team in Collection.objects.filter(team__isnull=False).values_list("name", "team_id"):
            self.owned[team].add(name)
        self.teams_of: dict[int, set[int]] = defaultdict(set)
        if self.owned:
            members = Team.members.through.objects.filter(team__in=self.owned)
            for team, person in members.values_list("team_id", "user_id"):
                self.teams_of[person].add(team)
        self._known: dict[frozenset[int], frozenset[str]] = {}

    def from_key(self, row: GatewayKey) -> frozenset[str]:
        """The names this key must not learn. Keys of like reach share one set."""
        if not self.owned:
            return NOTHING
        reached = {row.team_id} if row.team_id else self.teams_of.get(row.owner_id, set())
        closed = frozenset(team for team in self.owned if team not in reached)
        if closed not in self._known:
            self._known[closed] = frozenset(self._names(closed))
        return self._known[closed]

    def _names(self, teams: Iterable[int]) -> Iterable[str]:
        return (name for team in teams for name in self.owned[team])
