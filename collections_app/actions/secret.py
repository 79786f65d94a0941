"""Stores, replaces and removes provider secrets. The change log learns that it happened and the last four
characters, no more.
"""

from __future__ import annotations

from django.contrib.auth.models import User

from collections_app.actions.sign_in import forget_sign_ins
from collections_app.journal import journal, require
from collections_app.models import Secret
from collections_app.refusal import NotThere, Problems
from collections_app.secret_headers import SECRET_NAME
from collections_app.vault import VaultLocked, open_sealed, seal

TOPIC = "secrets"
MASKS = frozenset("•*●…")


def is_mask(text: str) -> bool:
    """True for the dots a form shows in place of a secret: they must never replace the secret itself."""
    return bool(text) and set(text) <= MASKS


def do_save_secret(*, actor: User | None, name: str, plain: str) -> Secret:
    """Store the secret under this name, in place of the one before. The same secret again writes nothing.

    :raises Refused: an empty secret, a mask, or a name that no environment variable could have.
    """
    name, plain = name.strip(), plain.strip()
    row = Secret.objects.filter(name=name).first()
    require(actor, f"collections_app.{'change' if row else 'add'}_secret", "store secrets")
    problems = Problems()
    problems.check(
        SECRET_NAME.fullmatch(name) is not None,
        "name",
        "A secret's name has up to 64 lower-case letters, digits, dots and hyphens, the first a letter or digit.",
    )
    problems.check(bool(plain), "secret", "Enter the secret.")
    problems.check(not is_mask(plain), "secret", "That is the mask of a stored secret; enter the secret itself.")
    problems.check(
        plain.isascii() and plain.isprintable() and " " not in plain,
        "secret",
        "A secret is one line of plain characters without spaces.",
    )
    problems.refuse()
    if row is not None and _opens_to(row.cipher) == plain:
        return row
    hint = plain[-4:] if len(plain) >= 12 else ""
    with journal(actor, TOPIC) as log:
        log.note("secret", name, old="set" if row else None, new=f"set …{hint}" if hint else "set")
        forget_sign_ins(log, name)
        if row is None:
            return Secret.objects.create(name=name, cipher=seal(plain), hint=hint)
        row.cipher, row.hint = seal(plain), hint
        row.save()
    return row


def do_remove_secret(*, actor: User | None, name: str) -> None:
    """Forget the stored secret. One that the environment brings is not touched."""
    require(actor, "collections_app.delete_secret", "remove secrets")
    row = Secret.objects.filter(name=name).first()
    if row is None:
        raise NotThere([("name", f"No secret “{name}” is stored.")])
    with journal(actor, TOPIC) as log:
        log.note("secret", name, old="set", new="removed")
        row.delete()


def _opens_to(cipher: str) -> str | None:
    try:
        return open_sealed(cipher)
    except VaultLocked:
        return None
