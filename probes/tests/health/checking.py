"""A scripted world for the daily check: what endpoints list, and what models say to the one question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct, field

from collections_app.models import Alert, Endpoint, LanguageModel
from gateway.canon.fault import Unreachable
from probes.asking import Seen
from probes.health.fan_out import Errand, NotAsked
from probes.health.listings import Came
from probes.health.served_check import Reach, check_served
from probes.jobs import store
from probes.jobs.work import Ending, JobAtWork
from probes.listing import Listed
from probes.models import Job

Keep = Callable[[Seen | NotAsked], None]


class Said(Struct, frozen=True):
    """What a model says: an answer, or a failure in the provider's words."""

    failure: str = ""
    detail: str = ""
    refusal: bool = False
    account_wide: bool = False


FINE = Said()


class Outside(Struct):
    """`listed` by endpoint name (None: cannot be reached), `says` by served name. `asked` counts questions by alias."""

    listed: dict[str, list[str] | None] = field(default_factory=dict)
    says: dict[str, Said] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    listings: int = 0

    def list_all(self, endpoints: Iterable[Endpoint]) -> dict[int, Came]:
        """As `probes.health.listings.list_endpoints`."""
        self.listings += 1
        return {endpoint.pk: self._listing(endpoint.name) for endpoint in endpoints}

    def ask_all(self, at_work: JobAtWork, errands: Iterable[Errand], keep: Keep) -> None:
        """As `probes.health.fan_out.run_errands`."""
        for errand in errands:
            at_work.check()
            keep(self.seen(errand.model_id, errand.alias))

    def seen(self, model_id: int, alias: str) -> Seen:
        """What came of one question."""
        self.asked[alias] += 1
        said = self.says.get(LanguageModel.objects.get(pk=model_id).served, FINE)
        return Seen(
            model_id,
            alias,
            "tiny",
            not said.failure,
            failure=said.failure,
            detail=said.detail,
            refusal=said.refusal,
            account_wide=said.account_wide,
        )

    @property
    def reach(self) -> Reach:
        return Reach(self.list_all, self.ask_all)

    def _listing(self, name: str) -> Came:
        names = self.listed[name]
        return Unreachable("no route to it") if names is None else [Listed(served) for served in names]


def at_work(kind: str, now: datetime, **payload: Any) -> JobAtWork:
    """A job of this kind, claimed."""
    job = store.enqueue(kind, "all", now=now, payload=payload)
    assert job is not None
    return claimed(job, now)


def claimed(job: Job, now: datetime) -> JobAtWork:
    """The job at work, claimed anew."""
    mine = store.claim(job.pk, "tests", now)
    assert mine is not None
    return JobAtWork(mine, lambda: now, now + timedelta(hours=1))


def checked(outside: Outside, now: datetime) -> tuple[Ending, list[str]]:
    """A whole check: how it ended, and its lines."""
    work = at_work("served", now)
    ending = check_served(work, outside.reach)
    store.end(work.job, ending.state, ending.note, now)
    return ending, list(work.job.lines.values_list("text", flat=True))


def alerts() -> dict[tuple[str, str], str]:
    """The message of each, by its raiser and the alias or connection it is about."""
    rows = Alert.objects.select_related("language_model")
    return {
        (row.raiser, row.language_model.alias if row.language_model else row.connection): row.message for row in rows
    }


def kinds() -> dict[str, str]:
    """The kind of each alert, by what it is about."""
    rows = Alert.objects.select_related("language_model")
    return {row.language_model.alias if row.language_model else row.connection: str(row.kind) for row in rows}
