"""Notes what was done at a hub, and re-points models whose served names changed there. The hubs themselves are asked by
`probes.hubs`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.contrib.auth.models import User

from collections_app.journal import journal, note_alone, require
from collections_app.models import Endpoint, LanguageModel
from collections_app.refusal import Problems

TOPIC = "models"
LONGEST = 200


def require_hub(actor: User | None) -> None:
    """Let those pass who may take models on: adding to a hub is the beginning of it."""
    require(actor, "probes.add_job", "add models to hubs")
    require(actor, "collections_app.add_languagemodel", "add models to hubs")


def note_hub_add(
    actor: User | None,
    endpoint: Endpoint,
    served: str,
    *,
    connection: str,
    model: str,
    steps: Sequence[str],
    trouble: str = "",
) -> None:
    """One row for what a hub was changed by, finished or not (`trouble`)."""
    said = {"connection": connection, "model": model, "endpoint": endpoint.name, "steps": list(steps)}
    note_alone(actor, f"{endpoint.hub}-add", served, new=said | ({"trouble": trouble[:1000]} if trouble else {}))


def do_repoint_models(*, actor: User | None, endpoint: Endpoint, moves: Mapping[str, str]) -> list[LanguageModel]:
    """Give models of this endpoint the served names that they have now. `moves` is alias to served name; the models
    stay the same ones, with their aliases and their evidence.

    :raises Refused: with every broken rule.
    """
    require(actor, "collections_app.change_languagemodel", "change models")
    problems = Problems()
    live = LanguageModel.objects.filter(endpoint=endpoint, retired_at__isnull=True)
    found = {row.alias: row for row in live.filter(alias__in=moves)}
    taken = dict(live.values_list("served", "alias"))
    for alias, served in moves.items():
        problems.check(alias in found, "alias", f"{endpoint.name} has no model {alias}.")
        problems.check(0 < len(served) <= LONGEST, "served", f"{served[:40]} is no name that a model can be served by.")
        holder = taken.get(served, alias)
        problems.check(holder == alias, "served", f"{endpoint.name} already serves {served} under the alias {holder}.")
    problems.check(len(set(moves.values())) == len(moves), "served", "Two models cannot have one served name.")
    problems.refuse()
    with journal(actor, TOPIC) as log:
        for alias, row in found.items():
            if log.note_fields("model", alias, {"served": row.served}, {"served": moves[alias]}):
                row.served = moves[alias]
                row.save(update_fields=["served"])
    return list(found.values())
