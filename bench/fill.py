"""Fills the installation of this environment with earlier work of its models, spread over half a year: pieces of
evidence, a part of them judged, and rows of the ledger. Standings and sums are then made by the product's own programs.

    python -m bench.fill --evidence 100000 --ledger 1000000
"""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final

DAYS: Final = 180
EVIDENCE: Final = (
    *("language_model", "collection", "collection_name", "kind", "shape", "call", "task", "status", "useful"),
    *("judges", "real_claims", "false_claims", "current", "at"),
)
KINDS: Final = ("route", "seat", "route", "seat", "merger")
VERDICTS: Final = (None, None, 1.0, None, 0.0, None, 0.5)


def main() -> None:
    """Needs a database that is migrated and has the bench's set-up file applied."""
    arguments = ArgumentParser("python -m bench.fill", description=__doc__)
    arguments.add_argument("--evidence", type=int, default=0)
    arguments.add_argument("--ledger", type=int, default=0)
    chosen = arguments.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "benchwarmers.settings"
    import django

    django.setup()
    from django.utils import timezone

    fill(chosen.evidence, chosen.ledger, timezone.now())


def fill(evidence: int, ledger: int, now: datetime) -> None:
    """So many rows, the oldest first."""
    from benchwarmers.tests.performance.big.ledger import COLUMNS
    from benchwarmers.tests.performance.big.pour import pour
    from collections_app.models import Collection, Evidence, Seating
    from collections_app.standings_store import rebuild_standings
    from gateway.engine.usage_store import rebuild_usage
    from gateway.models import Call

    collections = {row.pk: row.name for row in Collection.objects.all()}
    seated = [
        (one.language_model, one.collection_id, collections[one.collection_id])
        for one in Seating.objects.select_related("language_model__endpoint").order_by("pk")
    ]
    pour(Evidence, EVIDENCE, _evidence(seated, evidence, now))
    rebuild_standings()
    pour(Call, COLUMNS, _calls(seated, ledger, now))
    rebuild_usage()


def _times(number: int, now: datetime) -> Iterator[datetime]:
    step = timedelta(days=DAYS) / max(number, 1)
    return (now - step * (number - place) for place in range(number))


def _evidence(seated: list[Any], number: int, now: datetime) -> Iterator[tuple[Any, ...]]:
    for place, at in enumerate(_times(number, now)):
        model, collection, name = seated[place % len(seated)]
        useful = VERDICTS[place % len(VERDICTS)]
        judged = (useful, int(useful is not None), place % 3 if useful else 0, 0)
        kind, call = KINDS[place % len(KINDS)], f"filled-{place}.member1"
        yield model.pk, collection, name, kind, "general", call, "Earlier work", "ok", *judged, True, at


def _calls(seated: list[Any], number: int, now: datetime) -> Iterator[tuple[Any, ...]]:
    """As they would have been written for callers without a key, in the order of the ledger's columns."""
    for place, at in enumerate(_times(number, now)):
        model, _, name = seated[place % len(seated)]
        where = (f"filled-{place}", model.pk, model.alias, model.endpoint.name, model.connection, model.served)
        who = (None, None, None, f"filled-{place}", 1, "local", name, "route")
        yield at, *where, *who, "ok", 200, "", 1, 900, 120, 300, 0, None, 1.5, 0.4


if __name__ == "__main__":
    main()
