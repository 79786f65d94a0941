"""How much of everything a seeded installation holds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Amounts:
    """Numbers of rows. `seats` and `turns` are about as many as said, for each panel has its own number of seats; calls
    are exactly as many: those of seats, turns, shadows and probes first, and route turns that nobody keeps for the
    rest. Probes are one a model `probes_a_day` times over `probed_days`.

    `copies` is how many times all that grows with use is there, each before the other (`grow`, Postgres alone)."""

    days: int = 180
    copies: int = 1
    people: int = 50
    keys: int = 200
    endpoints: int = 20
    models: int = 500
    collections: int = 12
    calls: int = 1_000_000
    panels: int = 40_000
    conversations: int = 5_000
    turns: int = 100_000
    listed: int = 3_000
    probed_days: int = 30
    probes_a_day: int = 12
    tasks: int = 300
    passes: int = 25
    asked_tasks: int = 120
    offers: int = 5_000
    changes: int = 20_000
    readings: int = 20_000
    jobs: int = 3_000
    lines_a_job: int = 20
    alerts: int = 80


FULL = Amounts()
"""What the product is held to."""

GROWN = Amounts(
    days=42,
    copies=10,
    panels=20_000,
    conversations=10_000,
    turns=150_000,
    probed_days=42,
    probes_a_day=4,
    jobs=20_000,
)
"""Fourteen months: ten million calls and about a million pieces of evidence."""

SMALL = Amounts(
    days=60,
    people=30,
    keys=60,
    models=120,
    endpoints=8,
    calls=20_000,
    panels=1_000,
    conversations=200,
    turns=3_000,
    listed=300,
    probed_days=10,
    probes_a_day=4,
    tasks=60,
    passes=6,
    asked_tasks=30,
    offers=600,
    changes=2_000,
    readings=600,
    jobs=200,
    lines_a_job=8,
    alerts=60,
)
"""Enough that a page which asks once for each row gives itself away."""
