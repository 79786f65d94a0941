"""Work that a test holds and lets go, and that tells in a file each time it begins a step."""

from __future__ import annotations

import os
import time
from pathlib import Path

from probes.jobs.kinds import KINDS
from probes.jobs.work import Ending, JobAtWork


def work(at_work: JobAtWork) -> Ending:
    """`folder` of the payload: a line `<job> <step>` goes to `began` in it; step two waits until `go` is there."""
    folder = Path(at_work.payload["folder"])
    for step in KINDS["crash"].steps:
        if at_work.finished(step):
            continue
        with (folder / "began").open("a", encoding="utf-8") as began:
            began.write(f"{at_work.job.key} {step}\n")
        while step == "two" and not (folder / "go").exists():
            at_work.check()
            time.sleep(0.05)
        at_work.keep(step, os.getpid())
    return Ending(note="all three")
