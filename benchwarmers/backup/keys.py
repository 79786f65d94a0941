"""The vault's keys around an archive: which there are, whether they open what is sealed, and putting keys back.

A key is told by a fingerprint, from which nobody can make the key.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.contrib.auth.models import User
from django.db.models import Q

from benchwarmers.backup.refused import Refused
from benchwarmers.env import SECRET_KEY_FILE, VAULT_KEY_FILE, Environment
from benchwarmers.env_values import vault_keys
from collections_app.models import Endpoint, Secret
from collections_app.vault_rotation import sealed_values

SEALED: Final = "collections_app_secret"
"""The table of what the vault has sealed; second factors are sealed too, in a table of their own."""
FACTORS: Final = "mfa_authenticator"
_START: Final = 12


def fingerprint(key: str) -> str:
    """Twelve letters that tell a key from others."""
    return hashlib.sha256(f"benchwarmers vault key\n{key}".encode()).hexdigest()[:_START]


def keys_here(bench: Environment) -> tuple[str, ...]:
    """The vault's keys of this installation, newest first; none where none was made yet."""
    return tuple(dict.fromkeys((*bench.vault_keys, *_in_file(bench))))


def key_files(bench: Environment) -> dict[str, str]:
    """What an archive with keys holds: the name of each file in the data folder and its text.

    :raises Refused: this installation has no keys.
    """
    keys = keys_here(bench)
    if not keys:
        raise Refused("There are no keys to take along: this installation has made none yet.")
    files = {VAULT_KEY_FILE: "\n".join(keys) + "\n"}
    return files | ({SECRET_KEY_FILE: f"{bench.secret_key}\n"} if bench.secret_key else {})


def archived(files: dict[str, str]) -> tuple[str, ...]:
    """The vault's keys among an archive's files."""
    return _parted("The archive's vault-key", files.get(VAULT_KEY_FILE, ""))


@dataclass(frozen=True, slots=True)
class Lost:
    """What no key opens: the names of `secrets`, the `endpoints` that use them, and the `people` whose second factor
    it is."""

    secrets: tuple[str, ...]
    endpoints: tuple[str, ...]
    people: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.secrets or self.people)

    @property
    def sentence(self) -> str:
        """What somebody has to do about it."""
        said = []
        if self.endpoints:
            said.append(f"the key of {', '.join(self.endpoints)} has to be entered again, or signed in for")
        if others := set(self.secrets) - {""}:
            said.append(f"no key opens {', '.join(sorted(others))}")
        if self.people:
            said.append(f"{', '.join(self.people)} must set up the second factor again")
        return "; ".join(said)


def lost_with(keys: Sequence[str]) -> Lost:
    """What of the default database opens with none of these keys."""
    lock = MultiFernet([Fernet(key) for key in keys]) if keys else None
    secrets, people = [], []
    for one in sealed_values():
        if lock is not None and _opens(lock, one.cipher):
            continue
        if isinstance(one.row, Secret):
            secrets.append(one.row.name)
        else:
            people.append(one.row.user_id)
    endpoints = Endpoint.objects.filter(Q(key_name__in=secrets) | Q(admin_key_name__in=secrets))
    return Lost(
        tuple(secrets),
        tuple(endpoints.order_by("name").values_list("name", flat=True)),
        tuple(User.objects.filter(pk__in=people).order_by("username").values_list("username", flat=True)),
    )


def put_back(bench: Environment, files: dict[str, str]) -> list[str]:
    """Put an archive's keys into the data folder; a sentence for each file that changed. Keys that are here stay in
    front, so that what is sealed from now on is sealed with them."""
    said = []
    here, theirs = _in_file(bench), archived(files)
    if missing := [key for key in theirs if key not in keys_here(bench)]:
        _write(bench.home / VAULT_KEY_FILE, "\n".join((*here, *missing)) + "\n")
        said.append(f"The vault's keys of the archive are in {bench.home / VAULT_KEY_FILE} now.")
    secret = bench.home / SECRET_KEY_FILE
    if bench.secret_key is None and not secret.exists() and (text := files.get(SECRET_KEY_FILE)):
        _write(secret, text)
        said.append(f"The secret key of the archive is in {secret} now.")
    return said


def _opens(lock: MultiFernet, cipher: str) -> bool:
    try:
        lock.decrypt(cipher.encode())
    except InvalidToken:
        return False
    return True


def _in_file(bench: Environment) -> tuple[str, ...]:
    try:
        text = (bench.home / VAULT_KEY_FILE).read_text(encoding="ascii")
    except FileNotFoundError:
        return ()
    return _parted(f"The file {bench.home / VAULT_KEY_FILE}", text)


def _parted(what: str, text: str) -> tuple[str, ...]:
    return vault_keys(what, text.replace("\n", ",")) if text.strip() else ()


def _write(path: Path, text: str) -> None:
    draft = path.with_name(f".{path.name}-{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
