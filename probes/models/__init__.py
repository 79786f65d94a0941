"""Rows of background work and of what it found, one concept a file."""

from probes.models.feed import ConnectionFact, Feed, HubConnection, Offer, OwnAppProvider
from probes.models.fingerprint import Fingerprint
from probes.models.issue import OnboardingIssue
from probes.models.job import Job, JobLine, Slot
from probes.models.sample import ProbeSample
from probes.models.served import Dismissal, Served

__all__ = [
    "ConnectionFact",
    "Dismissal",
    "Feed",
    "Fingerprint",
    "HubConnection",
    "Job",
    "JobLine",
    "Offer",
    "OnboardingIssue",
    "OwnAppProvider",
    "ProbeSample",
    "Served",
    "Slot",
]
