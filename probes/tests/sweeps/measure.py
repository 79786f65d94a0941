"""Measures a daily sweep: 200 models over 20 connections whose providers answer in 2 s, with and without a limit.

python -m probes.tests.sweeps.measure [SECONDS_AN_ANSWER_TAKES]
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any


def main(delay_s: float) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "benchwarmers.tests.settings"
    import django

    django.setup()
    from gateway.engine.redirect import redirected
    from gateway.tests.engine.databases import migrate
    from probes.side import side

    for rpm in (None, 5):
        with tempfile.TemporaryDirectory() as home, redirected(NAME=Path(home) / "bench.sqlite3"):
            migrate()
            print(f"limit of each connection: {rpm or 'none'}; {measured(delay_s, rpm)}", flush=True)
            side().close()


def measured(delay_s: float, rpm: int | None) -> str:
    from probes.models import ProbeSample
    from probes.tests.sweeps.provider import provider, says
    from probes.tests.sweeps.sweeping import limit, registered, swept

    def word(served: str, question: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return says("harbour")

    with provider(word, delay_s=delay_s) as one:
        registered(one.base, connections=20, models=10)
        for at in range(1, 21 if rpm else 1):
            limit(f"c{at}", rpm=rpm or 0)
        began, worked = time.monotonic(), time.process_time()
        job = swept("availability")
        took, cpu = time.monotonic() - began, time.process_time() - worked
    seconds = ProbeSample.objects.filter(job=job).values_list("seconds", flat=True)
    return (
        f"{job.note}, {took:.1f} s in all, {cpu:.1f} s of CPU (the provider's too), at most {one.overall} at once and "
        f"{max(one.most.values())} a connection, slowest answer {max(seconds):.2f} s"
    )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 2.0)
