"""Makes and changes service accounts: users for programs. They hold keys and never sign in."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Group, User

from collections_app.actions.gift import check_gift
from collections_app.actions.person import TOPIC, check_new_name
from collections_app.actions.team import LONGEST_ABOUT
from collections_app.journal import journal, require
from collections_app.models import ServiceAccount, Team
from collections_app.models.people import GROUPS
from collections_app.refusal import NotThere, Problems


def do_make_program(
    *, actor: User | None, name: str, about: str = "", group: str = "caller", team: str = ""
) -> ServiceAccount:
    """A new service account in this group and, where given, this team. Keys are made for its user like for anybody.

    :raises Refused: with every broken rule.
    """
    require(actor, "collections_app.add_serviceaccount", "make service accounts")
    name, about, team = name.strip(), about.strip(), team.strip()
    problems = Problems()
    check_new_name(name, problems)
    rows = _check(actor, about, group, team, problems)
    problems.refuse()
    with journal(actor, TOPIC) as log:
        user = User.objects.create_user(username=name, password=None)
        user.groups.set(Group.objects.filter(name=group))
        user.teams.set(rows)
        row = ServiceAccount.objects.create(user=user, about=about, made_by=actor)
        log.note("service account", name, new=_shown(row))
    return row


def do_change_program(
    *, actor: User | None, name: str, about: str = "", group: str = "caller", team: str = "", active: bool = True
) -> ServiceAccount:
    """Make the service account be exactly this. Keys of one that is not active open nothing.

    :raises Refused: with every broken rule.
    """
    require(actor, "collections_app.change_serviceaccount", "change service accounts")
    row = ServiceAccount.objects.filter(user__username=name).select_related("user").first()
    if row is None:
        raise NotThere([("username", f"There is no service account “{name}”.")])
    about, team = about.strip(), team.strip()
    problems = Problems()
    before = _shown(row)
    rows = _check(None if before["groups"] == [group] else actor, about, group, team, problems)
    problems.refuse()
    after = {"about": about, "groups": [group], "teams": [one.name for one in rows], "is_active": active}
    with journal(actor, TOPIC) as log:
        if log.note_fields("service account", name, before, after):
            row.about, row.user.is_active = about, active
            row.save(update_fields=["about"])
            row.user.save(update_fields=["is_active"])
            row.user.groups.set(Group.objects.filter(name=group))
            row.user.teams.set(rows)
    return row


def _check(giver: User | None, about: str, group: str, team: str, problems: Problems) -> list[Team]:
    problems.check(len(about) <= LONGEST_ABOUT, "about", f"At most {LONGEST_ABOUT} characters.")
    problems.check(group in GROUPS, "group", f"Choose one of the groups {', '.join(GROUPS)}.")
    check_gift(giver, Group.objects.filter(name=group), "group", problems)
    rows = list(Team.objects.filter(name=team))
    problems.check(bool(rows) or not team, "team", f"There is no team “{team}”.")
    return rows


def _shown(row: ServiceAccount) -> dict[str, Any]:
    return {
        "about": row.about,
        "groups": sorted(row.user.groups.values_list("name", flat=True)),
        "teams": sorted(row.user.teams.values_list("name", flat=True)),
        "is_active": row.user.is_active,
    }
