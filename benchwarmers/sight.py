"""What a person may see of what there is. The only way from a person to a row: a page, a fragment, an export or a live
topic takes its rows from here, and answers 404 for the rest, like for what does not exist. Reads only.

One sees what is one's own, what belongs to a team one is in, and all of a kind with the right to it: `view_all_panels`
opens panels and conversations, `change_collection` collections, `view_gatewaykey` keys, `view_usageday` the ledger,
`view_team` teams. Whoever has no group and no team sees what is their own and what belongs to no team.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from collections_app.models import Collection, GatewayKey, Team
from gateway.models import Call, Conversation, KeySpend, Panel, UsageDay

SEES_PANELS = "gateway.view_all_panels"
SEES_COLLECTIONS = "collections_app.change_collection"
SEES_KEYS = "collections_app.view_gatewaykey"
SEES_USAGE = "gateway.view_usageday"
SEES_TEAMS = "collections_app.view_team"


def visible_panels(person: User) -> QuerySet[Panel]:
    """The panels this person asked, or everybody's. Their seats, verdicts and claims are seen with them."""
    if person.has_perm(SEES_PANELS):
        return Panel.objects.all()
    return Panel.objects.filter(owner=person)


def reachable_panels(person: User) -> QuerySet[Panel]:
    """The panels this person may open by their address: those above, and what others share with everybody."""
    if person.has_perm(SEES_PANELS):
        return Panel.objects.all()
    return Panel.objects.filter(Q(owner=person) | Q(shared_at__isnull=False))


def may_share(person: User, panel: Panel) -> bool:
    """Whoever asked, and whoever sees everything."""
    return panel.owner_id == person.pk or person.has_perm(SEES_PANELS)


def visible_conversations(person: User) -> QuerySet[Conversation]:
    """The conversations this person began, or everybody's. Their turns and shadows are seen with them."""
    if person.has_perm(SEES_PANELS):
        return Conversation.objects.all()
    return Conversation.objects.filter(owner=person)


def visible_collections(person: User) -> QuerySet[Collection]:
    """The collections of no team and those of this person's teams, or all of them for those who tend them."""
    if person.has_perm(SEES_COLLECTIONS):
        return Collection.objects.all()
    return Collection.objects.filter(Q(team__isnull=True) | Q(team__in=_teams(person)))


def visible_keys(person: User) -> QuerySet[GatewayKey]:
    """The keys of this person and of their teams, revoked ones too, or everybody's."""
    if person.has_perm(SEES_KEYS):
        return GatewayKey.objects.all()
    return GatewayKey.objects.filter(Q(owner=person) | Q(team__in=_teams(person)))


def visible_teams(person: User) -> QuerySet[Team]:
    """The teams this person is in, or all of them."""
    return Team.objects.all() if person.has_perm(SEES_TEAMS) else _teams(person)


def visible_calls(person: User) -> QuerySet[Call]:
    """The calls that were made for this person or for their teams, or all of them."""
    if person.has_perm(SEES_USAGE):
        return Call.objects.all()
    return Call.objects.filter(Q(owner=person) | Q(team__in=_teams(person)))


def visible_usage(person: User) -> QuerySet[UsageDay]:
    """The daily sums of this person and of their teams, or all of them."""
    if person.has_perm(SEES_USAGE):
        return UsageDay.objects.all()
    return UsageDay.objects.filter(Q(owner_id=person.pk) | Q(team_id__in=_team_ids(person)))


def visible_spends(person: User) -> QuerySet[KeySpend]:
    """What the keys that this person sees have used of their budgets."""
    return KeySpend.objects.filter(key__in=visible_keys(person))


def _team_ids(person: User) -> list[int]:
    """Asked beforehand: for a query in its place Postgres takes no index and reads every row."""
    return list(_teams(person).values_list("pk", flat=True))


def _teams(person: User) -> QuerySet[Team]:
    return Team.objects.filter(members=person)
