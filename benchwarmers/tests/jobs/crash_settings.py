"""The product's settings with one kind of work more: steps that tell a file when they begin and wait for another."""

from benchwarmers.settings import *  # noqa: F403
from probes.jobs.kinds import KINDS, Kind

KINDS["crash"] = Kind("Crash", "benchwarmers.tests.jobs.crash_work:work", steps=("one", "two", "three"))
