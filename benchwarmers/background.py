"""The worker and beat processes: `python -m benchwarmers.background worker` or `beat`.

The same programs as `celery -A benchwarmers ...`, started without Celery's command line, which would add ten megabytes
and half a second to each. Decides pool, concurrency and queues; the tasks decide nothing here.
"""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any

import django
from celery.exceptions import SecurityWarning
from celery.signals import worker_ready, worker_shutdown, worker_shutting_down

from benchwarmers.celery import app

THREADS = 8
"""Two more than long jobs may hold (`probes.jobs.run.LONG_AT_ONCE`)."""


def run_worker() -> int:
    """Work on both queues until told to stop; the exit code is Celery's."""
    worker_ready.connect(look_for_work)
    worker_shutting_down.connect(leave_work)
    worker_shutdown.connect(close_way_out)
    worker = app.Worker(
        pool_cls="threads",
        concurrency=THREADS,
        queues=["quick", "long"],
        without_gossip=True,
        without_mingle=True,
        quiet=True,
    )
    worker.start()
    return int(worker.exitcode or 0)


def look_for_work(**_: Any) -> None:
    """What a worker of this machine held when it died is taken up now, not when its lease runs out."""
    app.send_task("probes.sweep_jobs", expires=10, ignore_result=True)


def leave_work(**_: Any) -> None:
    """Jobs are put back where they check whether they should end."""
    from probes.jobs.run import LEAVING

    LEAVING.set()


def close_way_out(**_: Any) -> None:
    """What the calls of jobs have still to write is written."""
    from probes.side import side

    side().close()


def run_beat() -> int:
    """Enqueue what the schedule rows say until told to stop."""
    app.Beat(quiet=True).run()
    return 0


def main(words: list[str]) -> int:
    """Run the named process."""
    # Celery would run Django's checks here, which load every page and form into a process that shows none.
    os.environ["CELERY_SKIP_CHECKS"] = "1"
    # Its nine lines about running as root are about pickled messages; ours are JSON.
    warnings.simplefilter("ignore", SecurityWarning)
    django.setup()
    match words:
        case ["worker"]:
            return run_worker()
        case ["beat"]:
            return run_beat()
        case _:
            sys.stderr.write("Say which: python -m benchwarmers.background worker | beat\n")
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
