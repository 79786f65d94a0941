"""Prints an address for every page there is, as JSON by route, naming things of the installation that it runs in.

A route that is neither here nor in `NO_PAGE` is an error, so that every new page is looked at too.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

SPACES = ("dashboard:", "operations:", "people:", "find:", "ask:", "mfa_", "account_", "socialaccount_")
NO_PAGE = {
    "account_login": "leads to our own door",
    "account_logout": "a deed",
    "account_reauthenticate": "leads to the second factor or back",
    "dashboard:conversation-live": "a part of a page",
    "dashboard:panel-file": "a file",
    "dashboard:panel-live": "a part of a page",
    "dashboard:seat": "a part of a page",
    "dashboard:usage-export": "a file",
    "dashboard:usage-table": "a part of a page",
    "mfa_add_webauthn": "asks for the password first",
    "mfa_authenticate": "between two steps of a sign-in",
    "mfa_edit_webauthn": "asks for the password first",
    "mfa_generate_recovery_codes": "needs a second factor",
    "mfa_list_webauthn": "asks for the password first",
    "mfa_login_webauthn": "a script's",
    "mfa_activate_totp": "asks for the password first",
    "mfa_deactivate_totp": "needs a second factor",
    "mfa_reauthenticate": "needs a second factor",
    "mfa_reauthenticate_webauthn": "needs a second factor",
    "mfa_remove_webauthn": "needs a passkey",
    "mfa_view_recovery_codes": "needs a second factor",
    "operations:connect": "a provider's way back",
    "operations:connect-by-path": "a provider's way back",
    "operations:discover-feeds": "a part of a page",
    "operations:endpoints-found": "a part of a page",
    "operations:logs-output": "a part of a page",
    "operations:hub": "there is no hub in this installation",
    "operations:offer-hubs": "a part of a page",
    "operations:sign-in-session": "nobody is signing an endpoint in",
    "people:invited": "for people without an account",
    "people:invited-by": "for people without an account",
    "socialaccount_login_cancelled": "a provider's way back",
}


def stock() -> None:
    """Gather the offers that come with the program, where nobody did yet; the worker of the installation does it."""
    import time

    from django.contrib.auth.models import User
    from django.utils import timezone

    from probes.catalog.press import do_refresh
    from probes.models import Offer

    if not Offer.objects.exists():
        do_refresh(actor=User.objects.get(username="boss"), now=timezone.now(), fetch=False)
    until = time.monotonic() + 60
    while not Offer.objects.exists() and time.monotonic() < until:
        time.sleep(0.2)


def things() -> dict[str, Any]:
    """One thing of each kind that an address names, by the name of the parameter."""
    from django.contrib.auth.models import User

    from collections_app.models import Collection, Endpoint, GatewayKey, LanguageModel, ServiceAccount, Team
    from gateway.models import Panel, Shadow
    from probes.models import Job, Offer
    from suite.models import Attempt, Task

    shadow = Shadow.objects.first()
    team, _made = Team.objects.get_or_create(name="house")
    boss = User.objects.get(username="boss")
    return {
        "alias": LanguageModel.objects.order_by("alias").values_list("alias", flat=True).first(),
        "attempt": Attempt.objects.values_list("pk", flat=True).first(),
        "collection": Collection.objects.get(name="core").name,
        "conversation_id": shadow.conversation_id if shadow else None,
        "turn": shadow.number if shadow else None,
        "endpoint": Endpoint.objects.order_by("name").values_list("name", flat=True).first(),
        "job": Job.objects.values_list("pk", flat=True).first(),
        "key": GatewayKey.objects.values_list("pk", flat=True).first(),
        "kind": "availability",
        "number": Offer.objects.values_list("pk", flat=True).first(),
        "panel_id": Panel.objects.filter(state="done").values_list("pk", flat=True).first(),
        "person": boss.get_username(),
        "program": ServiceAccount.objects.values_list("user__username", flat=True).first(),
        "slug": Task.objects.values_list("slug", flat=True).first(),
        "team": team.name,
    }


NAMED = {
    "people:person": "person",
    "people:program": "program",
    "people:team": "team",
    "operations:endpoint": "endpoint",
    "operations:collection": "collection",
    "operations:collection-edit": "collection",
}
"""Whose parameter is called `name`, of what kind it is."""


def addresses() -> tuple[dict[str, str], list[str]]:
    """Addresses by route, and the routes that have none because nothing of their kind exists."""
    from benchwarmers.rights.table import find_row
    from benchwarmers.tests.rights.routes import walk

    known = things()
    found: dict[str, str] = {}
    lacking: list[str] = []
    for route in walk():
        row = find_row(route.name)
        if not route.name.startswith(SPACES) or row is None or row.read is None or route.name in NO_PAGE:
            continue
        values = known | ({"name": known[NAMED[route.name]]} if route.name in NAMED else {})
        if any(values.get(name) is None for name in route.parameters):
            lacking.append(route.name)
        else:
            found[route.name] = route.address(values)
    return found, lacking


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchwarmers.settings")
    import django

    django.setup()
    stock()
    sys.stdout.write(json.dumps(addresses()))
