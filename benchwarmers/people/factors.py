"""Takes the second factors of somebody who lost theirs away. What people do to their own is in `sign_in_log`."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User

from collections_app.actions.person import TOPIC, spare_superuser
from collections_app.journal import journal, require

WORDS = {"totp": "one-time codes", "webauthn": "passkey", "recovery_codes": "recovery codes"}


def do_forget_factors(*, actor: User | None, user: User) -> int:
    """Take every second factor of a person away; how many there were.

    :raises Refused: the actor may not change people, or the person is a superuser and the actor none.
    """
    require(actor, "auth.change_user", "remove second factors")
    spare_superuser(actor, user)
    with journal(actor, TOPIC) as log:
        rows = Authenticator.objects.filter(user=user)
        kinds = sorted(WORDS[kind] for kind in rows.values_list("type", flat=True))
        rows.delete()
        if kinds:
            log.note("person", user.get_username(), "second factors", old=kinds, new=[])
    return len(kinds)
