"""What another installation had and this one goes on with: keys known by their digest, aliases that were renamed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.contrib.auth.models import User

from collections_app.actions.endpoint import NAME_RULE
from collections_app.aliases import follow_alias
from collections_app.journal import journal, require
from collections_app.models import AliasHistory, Collection, GatewayKey, LanguageModel
from collections_app.refusal import Problems
from gateway.canon.names import ALIAS, SLUG

_DIGEST = re.compile(r"[0-9a-f]{64}")


def do_adopt_digest(
    *,
    actor: User | None,
    owner: User,
    name: str,
    digest: str,
    hint: str,
    collections: Sequence[str] = (),
    rpm: int | None = None,
) -> GatewayKey:
    """A key whose plain text nobody here has seen, so that its clients need not change. `digest` is the SHA-256 of the
    whole key in hex. No collections means all.

    :raises Refused: with every broken rule.
    """
    require(actor, "collections_app.add_gatewaykey", "add keys")
    problems = Problems()
    problems.check(SLUG.fullmatch(name) is not None, "name", NAME_RULE)
    problems.check(_DIGEST.fullmatch(digest) is not None, "digest", "A digest is a SHA-256 in hex, 64 characters.")
    taken = GatewayKey.objects.filter(digest=digest).exists()
    problems.check(not taken, "digest", "This key is here already, under another name.")
    scope = list(Collection.objects.filter(name__in=collections))
    missing = set(collections) - {one.name for one in scope}
    problems.check(not missing, "collections", f"There is no collection {', '.join(sorted(missing))}.")
    problems.check(rpm is None or (type(rpm) is int and rpm > 0), "rpm", "rpm is a whole number above 0.")
    problems.refuse()
    with journal(actor, "keys") as log:
        row = GatewayKey.objects.create(
            owner=owner, name=name, digest=digest, hint=hint[-4:], scoped=bool(scope), rpm=rpm
        )
        row.collections.set(scope)
        log.note("key", name, new={"owner": owner.get_username(), "collections": sorted(collections), "rpm": rpm})
    return row


def do_remember_alias(*, actor: User | None, old: str, new: str) -> None:
    """Let evidence and callers that know a model as `old` find it.

    :raises Refused: the old name is a model's, or leads to none.
    """
    require(actor, "collections_app.change_languagemodel", "rename models")
    problems = Problems()
    renamed = {**dict(AliasHistory.objects.values_list("old", "new")), old: new}
    problems.check(ALIAS.fullmatch(old) is not None, "alias", f"“{old}” is no alias.")
    problems.check(not LanguageModel.objects.filter(alias=old).exists(), "alias", f"{old} is a model's alias here.")
    problems.check(new != old, "alias", "It leads to itself.")
    problems.refuse()
    last = follow_alias(old, renamed)
    problems.check(
        LanguageModel.objects.filter(alias=last).exists(), "alias", f"It leads to {last}, which is not here."
    )
    problems.refuse()
    with journal(actor, "models") as log:
        AliasHistory.objects.create(old=old, new=new)
        log.note("model", new, "alias", old=old, new=new)
