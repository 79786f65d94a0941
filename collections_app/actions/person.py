"""Adds people and says which groups they are in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from collections_app.actions.gift import ADMIN, admins, check_gift
from collections_app.journal import Journal, journal, require
from collections_app.models import ServiceAccount
from collections_app.refusal import NotAllowed, NotThere, Problems, Refused

TOPIC = "people"
STAFF_GROUPS = frozenset({"curator", "admin"})
"""Whose members may open the admin pages."""

RESERVED = frozenset({"local", "set-up", "auto"})
"""Names under which the installation itself acts."""


def do_save_person(
    *, actor: User | None, username: str, email: str = "", groups: Sequence[str] = (), active: bool = True
) -> User:
    """Add the person or make them be exactly this. A new person has no password yet and signs in by a link or single
    sign-on.

    :raises Refused: with every broken rule.
    """
    username, email = username.strip(), email.strip()
    row = User.objects.filter(username=username).first()
    require(actor, f"auth.{'change' if row else 'add'}_user", "change people")
    spare_superuser(actor, row)
    known = {group.name: group for group in Group.objects.all()}
    problems = Problems()
    check_username(username, problems)
    check_email(email, problems)
    for group in groups:
        problems.check(group in known, "groups", f"There is no group “{group}”; there are {', '.join(sorted(known))}.")
    held = set(row.groups.values_list("name", flat=True)) if row else set()
    check_gift(actor, [known[name] for name in groups if name in known and name not in held], "groups", problems)
    if row and ServiceAccount.objects.filter(user=row).exists():
        problems.add("username", f"{username} is a service account; change it among the service accounts.")
    problems.refuse()
    fields: dict[str, Any] = {
        "email": email,
        "is_active": active,
        "is_staff": bool(STAFF_GROUPS & set(groups)) or bool(row and row.is_superuser),
    }
    wanted = sorted(set(groups))
    with journal(actor, TOPIC) as log:
        if row is None:
            row = User.objects.create_user(username=username, password=None, **fields)
            log.note("person", username, new={**fields, "groups": wanted})
            row.groups.set(known[name] for name in wanted)
            return row
        before = {name: getattr(row, name) for name in fields}
        before["groups"] = sorted(row.groups.values_list("name", flat=True))
        if log.note_fields("person", username, before, {**fields, "groups": wanted}):
            _spare_last_admin(row, stays=active and (row.is_superuser or ADMIN in wanted))
            for name, value in fields.items():
                setattr(row, name, value)
            row.save(update_fields=list(fields))
            row.groups.set(known[name] for name in wanted)
    return row


def do_disable_person(*, actor: User | None, username: str) -> User:
    """Close the door to a person, and to every key of theirs; what they did stays on record."""
    require(actor, "auth.change_user", "change people")
    row = User.objects.filter(username=username).first()
    if row is None:
        raise NotThere([("username", f"There is no person “{username}”.")])
    spare_superuser(actor, row)
    if row == actor:
        raise Refused([("username", "You cannot disable yourself.")])
    with journal(actor, TOPIC) as log:
        if log.note_fields("person", username, {"is_active": row.is_active}, {"is_active": False}):
            _spare_last_admin(row, stays=False)
            row.is_active = False
            row.save(update_fields=["is_active"])
    return row


def do_sign_up(*, username: str, email: str, group: str) -> User:
    """The account of somebody whom a provider vouches for, where the settings let such people in.

    :raises Refused: the name cannot be one, or is taken.
    """
    with journal(None, TOPIC, by="sign-up") as log:
        return make_person(log, username=username, email=email, group=group)


def make_person(log: Journal, *, username: str, email: str, group: str, password: str | None = None) -> User:
    """A new account in this group, noted in the log. A password must have been found good before.

    :raises Refused: the name cannot be one, or is taken.
    """
    username, email = username.strip(), email.strip()
    problems = Problems()
    check_new_name(username, problems)
    check_email(email, problems)
    problems.refuse()
    staff = group in STAFF_GROUPS
    row = User.objects.create_user(username=username, email=email, password=password, is_staff=staff)
    row.groups.set(Group.objects.filter(name=group))
    log.note("person", username, new={"email": email, "is_active": True, "is_staff": staff, "groups": [group]})
    return row


def _spare_last_admin(row: User, *, stays: bool) -> None:
    """Called inside the transaction. The lock keeps two admins from unseating each other at once.

    :raises Refused: nobody who may do everything would be left.
    """
    list(Group.objects.select_for_update().filter(name=ADMIN))
    if not stays and admins().filter(pk=row.pk).exists() and not admins().exclude(pk=row.pk).exists():
        raise Refused([("groups", f"{row.username} is the last admin; make somebody else an admin first.")])


def spare_superuser(actor: User | None, row: User | None) -> None:
    """Who was given everything by hand is changed only by their like."""
    if row is not None and row.is_superuser and actor is not None and not actor.is_superuser:
        raise NotAllowed([("username", f"{row.username} is a superuser; only a superuser may change that person.")])


def check_email(email: str, problems: Problems) -> None:
    """A reason unless it is empty or an address."""
    if email:
        try:
            validate_email(email)
        except ValidationError:
            problems.add("email", f"{email} is no e-mail address.")


def check_new_name(username: str, problems: Problems) -> None:
    """Reasons why nobody new can be called so."""
    check_username(username, problems)
    if User.objects.filter(username__iexact=username).exists():
        problems.add("username", f"The name {username} is taken; choose another.")


def check_username(username: str, problems: Problems) -> None:
    """Reasons why nobody can be called so."""
    if username in RESERVED:
        problems.add("username", f"{username} is the installation's own name; choose another.")
    try:
        User._meta.get_field("username").run_validators(username)
    except ValidationError:
        problems.add("username", "A user name has up to 150 letters, digits and @ . + - _ characters.")
    if not username:
        problems.add("username", "Give a user name.")
