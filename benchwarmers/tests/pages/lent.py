"""Puts an endpoint into a running installation whose sign-in ends in a moment, with a model and a collection `lent`.

Run as a program with the variables of that installation: `BASE REFRESH_TOKEN`.
"""

from __future__ import annotations

import os
import sys


def lend(base: str, refresh: str) -> None:
    """Its token is of no use; the refresh token is."""
    from datetime import timedelta

    from django.utils import timezone

    from collections_app.actions.collection import do_save_collection
    from collections_app.actions.endpoint import do_save_endpoint
    from collections_app.actions.language_model import do_save_model
    from collections_app.actions.secret import do_save_secret
    from collections_app.models import SignIn

    now = timezone.now()
    row = do_save_endpoint(actor=None, name="lent", base=base, key_name="lent")
    do_save_secret(actor=None, name="lent", plain="worn-out-token")
    do_save_secret(actor=None, name="lent.refresh", plain=refresh)
    do_save_model(actor=None, alias="lent-one", served="one", endpoint="lent", role="general")
    do_save_collection(actor=None, name="lent", members=["lent-one"], reply="route")
    end = now + timedelta(seconds=30)
    SignIn.objects.create(endpoint=row, provider="open", client_id="shipped", at=now, expires_at=end, refreshes=True)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchwarmers.settings")
    import django

    django.setup()
    lend(*sys.argv[1:])
