"""Which endpoints have a sign-in that ended and that nothing will renew by itself."""

from __future__ import annotations

import os
from datetime import datetime

from django.db.models import Q

from collections_app.models import SignIn
from gateway.canon.names import key_variable

UNRENEWED = Q(refreshes=False) | ~Q(trouble="")
"""Nothing renews it, or it was tried in vain."""


def ended_sign_ins(now: datetime) -> frozenset[str]:
    """The names of the endpoints. One whose key comes from the environment is none of them: its token is not used."""
    rows = SignIn.objects.filter(UNRENEWED, expires_at__lte=now)
    names = rows.values_list("endpoint__name", "endpoint__key_name", "endpoint__key_env")
    return frozenset(name for name, key, variable in names if not _brought(key or name, variable))


def _brought(key_name: str, variable: str) -> bool:
    return any(os.environ.get(one, "").strip() for one in (key_variable(key_name), variable) if one)
