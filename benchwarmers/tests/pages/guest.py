"""Puts people and what belongs to them into a running installation: `person NAME GROUP`, `house`.

Run as a program with the variables of that installation.
"""

from __future__ import annotations

import os
import sys


def person(name: str, group: str) -> None:
    """Somebody with the password of the tests."""
    from benchwarmers.tests.pages.seed import PASSWORD
    from collections_app.actions.person import do_save_person

    row = do_save_person(actor=None, username=name, groups=[group])
    row.set_password(PASSWORD)
    row.save()


def house() -> None:
    """A team, a service account with a key, and invitations in every state; prints the path of one that is open."""
    from datetime import timedelta

    from django.contrib.auth.models import User
    from django.utils import timezone

    from collections_app.actions.invitation import do_invite, do_revoke_invitation
    from collections_app.actions.key import do_create_key
    from collections_app.actions.program import do_make_program
    from collections_app.actions.team import do_save_team

    boss, now = User.objects.get(username="boss"), timezone.now()
    do_save_team(actor=boss, name="harbour-masters", about="Whoever keeps the ships apart", members=["maya", "ben"])
    row = do_make_program(actor=boss, name="merge-watch", about="Asks for a review of each merge", team="")
    do_create_key(actor=boss, owner=row.user, name="merge-watch-key")
    address = "somebody.with.a.long.name@ships.example.org"
    _, token = do_invite(actor=boss, now=now, team="harbour-masters", email=address)
    do_invite(actor=boss, now=now - timedelta(days=9), group="viewer")
    back, _ = do_invite(actor=boss, now=now, group="curator")
    do_revoke_invitation(actor=boss, number=back.pk, now=now)
    sys.stdout.write(f"/invitation/{token}/")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchwarmers.settings")
    import django

    django.setup()
    if sys.argv[1] == "house":
        house()
    else:
        person(*sys.argv[2:])
