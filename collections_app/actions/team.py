"""Makes, renames, changes and removes teams, and puts people into them."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User

from collections_app.actions.endpoint import NAME_RULE
from collections_app.journal import journal, require
from collections_app.models import Team
from collections_app.refusal import NotThere, Problems, Refused
from gateway.canon.names import SLUG

TOPIC = "people"
LONGEST_ABOUT = 300


def do_save_team(*, actor: User | None, name: str, about: str = "", members: Sequence[str] = ()) -> Team:
    """Make the team or make it be exactly this; `members` are user names.

    :raises Refused: with every broken rule.
    """
    name, about = name.strip(), " ".join(about.split())
    row = Team.objects.filter(name=name).first()
    require(actor, f"collections_app.{'change' if row else 'add'}_team", "change teams")
    problems = Problems()
    problems.check(SLUG.fullmatch(name) is not None, "name", NAME_RULE)
    problems.check(len(about) <= LONGEST_ABOUT, "about", f"about has at most {LONGEST_ABOUT} characters.")
    wanted = sorted({member.strip() for member in members if member.strip()})
    people = {person.get_username(): person for person in User.objects.filter(username__in=wanted)}
    for member in wanted:
        problems.check(member in people, "members", f"There is no person “{member}”.")
    problems.refuse()
    after = {"about": about, "members": wanted}
    with journal(actor, TOPIC) as log:
        if row is None:
            row = Team.objects.create(name=name, about=about)
            row.members.set(people.values())
            log.note("team", name, new=after)
        elif log.note_fields("team", name, {"about": row.about, "members": members_of_team(row)}, after):
            row.about = about
            row.save(update_fields=["about"])
            row.members.set(people.values())
    return row


def do_make_team(*, actor: User | None, name: str, about: str = "") -> Team:
    """A new team, in which nobody is yet.

    :raises Refused: with every broken rule; among them that there is one of this name.
    """
    if Team.objects.filter(name=name.strip()).exists():
        raise Refused([("name", f"There is a team {name.strip()} already.")])
    return do_save_team(actor=actor, name=name, about=about)


def do_rename_team(*, actor: User | None, name: str, to: str) -> Team:
    """Give the team another name; what it owns and who is in it stay.

    :raises Refused: the name cannot be one, or is another team's.
    """
    require(actor, "collections_app.change_team", "change teams")
    row, to = _find(name), to.strip()
    problems = Problems()
    problems.check(SLUG.fullmatch(to) is not None, "name", NAME_RULE)
    if to != name and Team.objects.filter(name=to).exists():
        problems.add("name", f"There is a team {to} already.")
    problems.refuse()
    with journal(actor, TOPIC) as log:
        if log.note_fields("team", name, {"name": name}, {"name": to}):
            row.name = to
            row.save(update_fields=["name"])
    return row


def do_set_teams(*, actor: User | None, username: str, teams: Sequence[str]) -> User:
    """Make the person be in exactly these teams.

    :raises Refused: an unknown team; nobody of that name.
    """
    require(actor, "collections_app.change_team", "change teams")
    person = User.objects.filter(username=username).first()
    if person is None:
        raise NotThere([("username", f"There is no person “{username}”.")])
    problems = Problems()
    known = {team.name: team for team in Team.objects.all()}
    for name in teams:
        problems.check(name in known, "teams", f"There is no team “{name}”.")
    problems.refuse()
    before, wanted = sorted(person.teams.values_list("name", flat=True)), sorted(set(teams))
    with journal(actor, TOPIC) as log:
        if log.note_fields("person", username, {"teams": before}, {"teams": wanted}):
            person.teams.set(known[name] for name in wanted)
    return person


def do_remove_team(*, actor: User | None, name: str) -> None:
    """Remove a team that owns nothing any more. What its members did stays on record.

    :raises Refused: with what it still owns; keys that were revoked count, since they are its record.
    """
    require(actor, "collections_app.delete_team", "remove teams")
    row = _find(name)
    if why := what_holds(row):
        raise Refused([("name", why)])
    with journal(actor, TOPIC) as log:
        log.note("team", name, old={"about": row.about, "members": members_of_team(row)})
        row.delete()


def what_holds(row: Team) -> str:
    """Why the team cannot be removed, in a sentence; empty when it can."""
    owned = [f"bench/{name}" for name in row.collections.values_list("name", flat=True)]
    owned += [f"the key {name}" for name in row.keys.values_list("name", flat=True)]
    return f"The team {row.name} still owns {', '.join(owned)}." if owned else ""


def members_of_team(row: Team) -> list[str]:
    """The user names, sorted."""
    return sorted(row.members.values_list("username", flat=True))


def _find(name: str) -> Team:
    row = Team.objects.filter(name=name).first()
    if row is None:
        raise NotThere([("name", f"There is no team “{name}”.")])
    return row
