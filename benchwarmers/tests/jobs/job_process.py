"""A process of its own that works on jobs of a database: `FILE` on the command line.

It says `ready`. After each line on standard input, the ids of jobs, it rings for them one after another and writes how
each ended as one JSON line. A job whose payload is `stay` says `here` and never ends.
"""

from __future__ import annotations

import json
import sys
import time

import django


def main(path: str) -> None:
    django.setup()
    from gateway.engine.redirect import redirected
    from probes.jobs.run import run_job
    from probes.jobs.work import Ending, JobAtWork
    from probes.tests.jobs.given import known

    def work(at_work: JobAtWork) -> Ending:
        at_work.say("worked on")
        if at_work.payload.get("stay"):
            tell("here")
            time.sleep(600)
        return Ending()

    def tell(what: object) -> None:
        sys.stdout.write(json.dumps(what) + "\n")
        sys.stdout.flush()

    with redirected(NAME=path), known(work=work):
        tell("ready")
        for line in sys.stdin:
            tell([run_job(job) for job in json.loads(line)])


if __name__ == "__main__":
    main(sys.argv[1])
