"""Moves everything that is sealed to the vault's newest key, while the server runs.

Each value is replaced only if it is still the one that was read, so that a secret entered meanwhile stays. A run that
was killed is finished by the next: what is moved stays moved, and `new_key` makes no second key while the last one has
not been taken up everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cryptography.fernet import Fernet
from django.apps import apps
from django.db import transaction

from collections_app.models import Secret
from collections_app.vault import VaultLocked, changing_keys, keys_at_hand, open_sealed, reseal

SECOND_FACTOR = ("mfa", "Authenticator")
TOKEN_START = "gAAAA"  # noqa: S105  # how every Fernet token begins


@dataclass(frozen=True, slots=True)
class Sealed:
    """One sealed value: in a column of its own, or with `key` in an object."""

    row: Any
    column: str
    key: str
    title: str

    @property
    def cipher(self) -> str:
        """As it was read."""
        held = getattr(self.row, self.column)
        return str(held[self.key] if self.key else held)

    def replace(self, cipher: str) -> bool:
        """Put another cipher in its place; False when it changed since it was read."""
        with transaction.atomic():
            now = type(self.row)._default_manager.select_for_update().filter(pk=self.row.pk).first()
            if now is None or getattr(now, self.column) != getattr(self.row, self.column):
                return False
            held = {**getattr(now, self.column), self.key: cipher} if self.key else cipher
            type(self.row)._default_manager.filter(pk=self.row.pk).update(**{self.column: held})
        return True


def sealed_values() -> Iterator[Sealed]:
    """Everything that the vault has sealed: provider secrets, and second factors where they are kept."""
    for secret in Secret.objects.order_by("pk"):
        yield Sealed(secret, "cipher", "", f"The stored secret “{secret.name}”")
    if apps.is_installed("allauth.mfa"):
        factors: Any = apps.get_model(*SECOND_FACTOR)
        for factor in factors._default_manager.order_by("pk"):
            for key, held in factor.data.items():
                if isinstance(held, str) and held.startswith(TOKEN_START):
                    yield Sealed(factor, "data", key, f"The second factor {factor.pk} of user {factor.user_id}")


def rotate(*, new_key: bool = False) -> int:
    """Seal everything anew that is not sealed with the newest key; how many values there are.

    With `new_key` a fresh key is put in front of the key file first; the older ones stay, so that backups can be read
    and so that a process which had read them before seals nothing that is lost.

    :raises VaultLocked: a value cannot be opened; then nothing is changed.
    :raises ValueError: `new_key` while the keys come from the environment.
    """
    if problems := vault_problems():
        raise VaultLocked(problems[0])
    if new_key:
        with changing_keys() as keys:
            if all(reseal(one.cipher) == one.cipher for one in sealed_values()):
                keys.insert(0, Fernet.generate_key().decode())
    return _move()


@dataclass(frozen=True, slots=True)
class RotationState:
    """`sealed` values there are, of which `old` wait to be moved to the newest of the `keys`, and `locked` open with
    none of them."""

    keys: int
    from_environment: bool
    sealed: int
    old: int
    locked: int


def rotation_state() -> RotationState:
    """How far everything is moved to the newest key."""
    sealed = old = locked = 0
    for one in sealed_values():
        sealed += 1
        try:
            old += reseal(one.cipher) != one.cipher
        except VaultLocked:
            locked += 1
    return RotationState(*keys_at_hand(), sealed, old, locked)


def vault_problems() -> list[str]:
    """One sentence for each value that cannot be opened."""
    problems = []
    for one in sealed_values():
        try:
            open_sealed(one.cipher)
        except VaultLocked:
            problems.append(
                f"{one.title} opens with none of the vault's keys; "
                "bring back the key it was sealed with, or enter the secret again."
            )
    return problems


def _move() -> int:
    """Until a look over everything finds nothing left to move."""
    while True:
        values = list(sealed_values())
        old = [(one, fresh) for one in values if (fresh := reseal(one.cipher)) != one.cipher]
        if not old:
            return len(values)
        for one, fresh in old:
            one.replace(fresh)
