"""Reads from the installation's own database what the accounts are held against."""

from __future__ import annotations

from collections import Counter

from benchwarmers.tests.chaos.accounts import Kept
from benchwarmers.tests.chaos.recovery import rows


def load_kept(dsn: str) -> Kept:
    ledger = rows(dsn, "SELECT request, sum(attempts), count(*) FROM gateway_call WHERE request <> '' GROUP BY 1")
    probes = rows(dsn, "SELECT served, sum(attempts) FROM gateway_call WHERE request = '' GROUP BY 1")
    facts = "SELECT new FROM collections_app_change WHERE thing = 'model' AND new::text LIKE '%1%'"
    calls = "SELECT call FROM gateway_seat UNION SELECT call FROM gateway_turn WHERE call <> ''"
    open_seats = "SELECT count(*) FROM gateway_seat WHERE finished_at IS NULL"
    interrupted = "SELECT count(*) FROM gateway_call WHERE notes::text LIKE '%in the middle of this call%'"
    return Kept(
        attempts=Counter({mark: attempts for mark, attempts, _ in ledger}),
        rows=Counter({mark: count for mark, _, count in ledger}),
        panels=dict(rows(dsn, "SELECT id, state FROM gateway_panel")),
        open_seats=rows(dsn, open_seats)[0][0],
        calls={call for (call,) in rows(dsn, calls)},
        turns=Counter(
            dict(rows(dsn, "SELECT conversation_id, count(*) FROM gateway_turn WHERE status = 'ok' GROUP BY 1"))
        ),
        verdicts=dict(rows(dsn, "SELECT call, note FROM collections_app_verdict")),
        facts={str(new) for (new,) in rows(dsn, facts)},
        jobs=rows(dsn, "SELECT id, kind, key, state FROM probes_job ORDER BY id"),
        probes=Counter(dict(probes)),
        interrupted=rows(dsn, interrupted)[0][0],
    )
