"""One-time codes, recovery codes and passkeys as they are kept and named here. Secrets lie in the vault's seal."""

from __future__ import annotations

import hmac
from typing import Any

from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.contrib.auth.models import User
from django.db import transaction

from collections_app.vault import open_sealed, seal

LAST = "last_counter"
"""In a code generator's data: the period of the newest code that was used. Older ones, and itself, open no more."""


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Named by the settings."""

    def encrypt(self, text: str) -> str:
        return seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        return open_sealed(encrypted_text)

    def generate_authenticator_name(self, user: Any, type: Any) -> str:
        number = Authenticator.objects.filter(user_id=user.pk, type=type).count() + 1
        return "Passkey" if number == 1 else f"Passkey {number}"

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        host = context.request.get_host()
        return {"id": host.partition(":")[0], "name": "Benchwarmers"}

    def _get_user_identifier(self, user: Any) -> str:
        return str(user.get_username())


def use_code(user: User, code: str) -> Authenticator | None:
    """What this code belongs to, used up by it; None when it opens nothing (any more).

    :raises VaultLocked: the secret behind it cannot be read.
    """
    code = code.replace(" ", "").replace("-", "")
    with transaction.atomic():
        rows = Authenticator.objects.select_for_update().filter(user=user)
        for row in rows.exclude(type=Authenticator.Type.WEBAUTHN).order_by("type"):
            row.user = user
            fits = _use_period(row, code) if row.type == Authenticator.Type.TOTP else row.wrap().validate_code(code)
            if fits:
                return row
    return None


def _use_period(row: Authenticator, code: str) -> bool:
    secret = open_sealed(row.data["secret"])
    for counter in yield_hotp_counters_from_time():
        right = format_hotp_value(hotp_value(secret, counter))
        if counter > row.data.get(LAST, 0) and hmac.compare_digest(right.encode(), code.encode()):
            row.data[LAST] = counter
            row.save(update_fields=["data"])
            return True
    return False
