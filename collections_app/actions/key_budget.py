"""Sets what a key may use in a day and in a month."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.contrib.auth.models import User

from collections_app.actions.key_rules import Terms, require_managing, require_no_looser
from collections_app.budgets import Budget, read_budget
from collections_app.journal import journal
from collections_app.models import GatewayKey, KeyBudget
from collections_app.refusal import NotThere, Problems

TOPIC = "keys"


def do_set_budgets(*, actor: User | None, name: str, budgets: Sequence[Mapping[str, Any]]) -> GatewayKey:
    """Make the key have exactly these budgets: each a unit, a period and an amount, money in dollars. What was used
    already in a running day or month counts.

    :raises Refused: with every broken rule.
    """
    row = find_live(name)
    require_managing(actor, row)
    problems = Problems()
    wanted = check_budgets(budgets, problems)
    problems.refuse()
    terms = Terms(budgets=budgets_of(row))
    require_no_looser(actor, terms, replace(terms, budgets=wanted))
    with journal(actor, TOPIC) as log:
        before, after = ([one.words for one in some] for some in (terms.budgets, wanted))
        if log.note_fields("key", row.name, {"budgets": before}, {"budgets": after}):
            write_budgets(row, wanted)
    return row


def find_live(name: str, *, lock: bool = False) -> GatewayKey:
    """The key of this name that is not revoked; with `lock`, nobody else's until the transaction ends.

    :raises NotThere: when there is none.
    """
    rows = GatewayKey.objects.filter(name=name, revoked_at__isnull=True).select_related("owner", "team")
    row = (rows.select_for_update(of=("self",)) if lock else rows).first()
    if row is None:
        raise NotThere([("name", f"There is no key “{name}”.")])
    return row


def check_budgets(given: Sequence[Mapping[str, Any]], problems: Problems) -> tuple[Budget, ...]:
    """The budgets in their order, at most one a unit and period."""
    read = [read_budget(one) for one in given]
    for one in read:
        problems.add("budgets", one if isinstance(one, str) else "")
    good = [one for one in read if isinstance(one, Budget)]
    by_kind = {(one.unit, one.period): one for one in good}
    problems.check(len(by_kind) == len(good), "budgets", "A key has one budget for each unit and period.")
    return tuple(sorted(by_kind.values()))


def budgets_of(row: GatewayKey) -> tuple[Budget, ...]:
    """The budgets a key has, in their order."""
    return tuple(sorted(Budget(one.unit, one.period, one.amount) for one in row.budgets.all()))


def write_budgets(row: GatewayKey, wanted: Sequence[Budget]) -> None:
    """Replace the key's budgets by these, which were checked."""
    row.budgets.all().delete()
    KeyBudget.objects.bulk_create(
        KeyBudget(key=row, unit=one.unit, period=one.period, amount=one.amount) for one in wanted
    )
