"""A run as tables for people and as JSON for programs."""

from __future__ import annotations

import statistics
from collections import Counter
from typing import Any

import msgspec

from benchwarmers.tests.chaos.journal import End
from benchwarmers.tests.chaos.run import Found


def as_table(found: Found) -> str:
    """Markdown: faults with their recoveries, the load with its ends, and what was found."""
    lines = [f"Seed {found.seed}, {found.seconds:.0f} s of load and faults.", ""]
    lines += ["| fault | times | away, s | back after, s: median | longest |", "|---|---|---|---|---|"]
    for (target, kind), all_of in _by_kind(found).items():
        away = sum(done.ended - done.began for done in all_of)
        took = [done.recovered_s for done in all_of if done.recovered_s is not None]
        median = f"{statistics.median(took):.1f}" if took else "never"
        longest = f"{max(took):.1f}" if took else "never"
        lines.append(f"| {target} {kind} | {len(all_of)} | {away:.1f} | {median} | {longest} |")
    ends = list(End)
    lines += ["", "| work | " + " | ".join(end.value for end in ends) + " |", "|---" * (len(ends) + 1) + "|"]
    counts = found.journal.counts()
    for what in sorted(counts):
        lines.append(f"| {what} | " + " | ".join(f"{counts[what][end.value]:,}" for end in ends) + " |")
    total: Counter[str] = sum(counts.values(), Counter())
    lines.append("| all | " + " | ".join(f"{total[end.value]:,}" for end in ends) + " |")
    journal = found.journal
    lines += [
        "",
        f"Load: {total.total() / max(found.seconds, 1):.0f} requests a second. Acknowledged and found again: "
        f"{len(journal.answered):,} answers, {len(journal.calls):,} call ids, {len(journal.panels):,} panels, "
        f"{sum(map(bool, journal.verdicts.values())):,} verdicts, {len(journal.facts):,} facts, "
        f"{len(journal.jobs):,} jobs.",
        f"Upstreams saw {found.seen:,} requests; the ledger has {found.ledger:,} attempts. {found.interrupted} calls "
        f"were on their way when their process was killed, each has its row; {found.again} of jobs were made again.",
        "",
        "| process | descriptors | threads | to Postgres | to Valkey | to others |",
        "|---|---|---|---|---|---|",
    ]
    for name, (before, after) in found.held.items():
        pairs = zip(msgspec.structs.astuple(before), msgspec.structs.astuple(after), strict=True)
        lines.append(f"| {name} | " + " | ".join(f"{was} → {now}" for was, now in pairs) + " |")
    lines += ["", f"Broken promises: {len(found.wrong)}", *(f"- {sentence}" for sentence in found.wrong[:60])]
    return "\n".join(lines)


def as_document(found: Found) -> dict[str, Any]:
    return {
        "seed": found.seed,
        "seconds": round(found.seconds, 1),
        "faults": [
            {
                "target": done.fault.target,
                "kind": done.fault.kind,
                "away_s": round(done.ended - done.began, 2),
                "recovered_s": None if done.recovered_s is None else round(done.recovered_s, 2),
            }
            for done in found.faults
        ],
        "load": found.journal.counts(),
        "upstream_saw": found.seen,
        "ledger_attempts": found.ledger,
        "interrupted_with_their_process": found.interrupted,
        "jobs_calls_made_again": found.again,
        "held": {name: [msgspec.to_builtins(one) for one in pair] for name, pair in found.held.items()},
        "wrong": found.wrong,
    }


def _by_kind(found: Found) -> dict[tuple[str, str], list[Any]]:
    grouped: dict[tuple[str, str], list[Any]] = {}
    for done in sorted(found.faults, key=lambda done: (done.fault.target, done.fault.kind)):
        grouped.setdefault((done.fault.target, done.fault.kind), []).append(done)
    return grouped
