"""The vault: seals provider secrets and opens them. `vault_rotation` moves them to a newer key.

Keys come from the settings (newest first). Without any, a key file in the data folder is used, made on first use and
readable by its owner only; it is read anew each time, so that a rotation reaches running processes. A plain secret
is never logged and never part of an error.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, flock
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from collections_app.models import Secret
from gateway.canon.names import key_variable

KEY_FILE = "vault-key"
OWN_VARIABLES = frozenset({"DATABASE_URL", "REDIS_URL"})


class VaultLocked(Exception):
    """A sealed secret cannot be opened with any key at hand."""


def seal(plain: str) -> str:
    """The secret, encrypted with the newest key."""
    return _lock().encrypt(plain.encode()).decode()


def open_sealed(cipher: str) -> str:
    """The plain secret.

    :raises VaultLocked: no key fits, or the cipher was changed.
    """
    try:
        return _lock().decrypt(cipher.encode()).decode()
    except InvalidToken:
        raise VaultLocked("The vault has no key that opens this secret.") from None


def secret_for(name: str, key_env: str = "") -> str:
    """The secret called `name`, or empty.

    The variable BENCHWARMERS_KEY_<NAME> wins, then the one that `key_env` names, then what is stored.

    :raises VaultLocked: it is stored but cannot be opened.
    """
    if found := from_environment(name, key_env):
        return found
    cipher = Secret.objects.filter(name=name).values_list("cipher", flat=True).first()
    return open_sealed(cipher) if cipher else ""


def from_environment(name: str, key_env: str = "") -> str:
    """What the environment has for the secret called `name`, or under the variable `key_env`; empty for nothing."""
    if found := os.environ.get(key_variable(name), "").strip() if name else "":
        return found
    return os.environ.get(key_env, "").strip() if key_env and not is_own_variable(key_env) else ""


def is_own_variable(variable: str) -> bool:
    """True for the gateway's own settings, which must never be sent to an endpoint as if they were its key."""
    upper = variable.upper()
    if upper.startswith("BENCHWARMERS_KEY_"):
        return False
    return upper.startswith(("BENCHWARMERS_", "BENCH_", "DJANGO_")) or upper in OWN_VARIABLES


def reseal(cipher: str) -> str:
    """The same secret sealed anew with the newest key; the same cipher when it is sealed with that one already.

    :raises VaultLocked: no key fits, or the cipher was changed.
    """
    keys, sealed = _keys(), cipher.encode()
    try:
        Fernet(keys[0]).decrypt(sealed)
    except InvalidToken:
        pass
    else:
        return cipher
    try:
        return MultiFernet([Fernet(key) for key in keys]).rotate(sealed).decode()
    except InvalidToken:
        raise VaultLocked("The vault has no key that opens this secret.") from None


def keys_at_hand() -> tuple[int, bool]:
    """How many keys can open secrets, and whether the environment brings them."""
    return len(_keys()), _from_settings()


@contextmanager
def changing_keys() -> Iterator[list[str]]:
    """The keys of the file, newest first, to be changed by nobody else meanwhile. What the list holds at the end is
    written in one step.

    :raises ValueError: the keys come from the environment.
    """
    if _from_settings():
        raise ValueError("The keys come from BENCHWARMERS_VAULT_KEY; put a new one in front there and restart.")
    _file_keys(make=True)
    with _key_file().with_name(f"{KEY_FILE}.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        before = _file_keys(make=False)
        keys = list(before)
        yield keys
        if keys != before:
            _write_keys(keys)


def _lock() -> MultiFernet:
    return MultiFernet([Fernet(key) for key in _keys()])


def _keys() -> list[str]:
    keys = [*settings.BENCH.vault_keys, *_file_keys(make=False)] if _from_settings() else _file_keys(make=True)
    return list(dict.fromkeys(keys))


def _from_settings() -> bool:
    """False when the settings' keys were read from the file itself: the file may have been rotated since."""
    return not set(settings.BENCH.vault_keys) <= set(_file_keys(make=False))


def _file_keys(*, make: bool) -> list[str]:
    try:
        return _key_file().read_text(encoding="ascii").replace(",", "\n").split()
    except FileNotFoundError:
        if not make:
            return []
    path = _key_file()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _file_keys(make=False)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(Fernet.generate_key().decode() + "\n")
    return _file_keys(make=False)


def _write_keys(keys: list[str]) -> None:
    path = _key_file()
    fresh = path.with_name(f"{KEY_FILE}.{os.getpid()}")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write("\n".join(keys) + "\n")
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def _key_file() -> Path:
    return Path(settings.BENCH.home) / KEY_FILE
