"""Plays the days: the morning's question, the catalogue, the daily check, what people do at noon. Time comes in as an
argument; nothing waits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.language_model import do_save_model
from collections_app.actions.paid import do_allow_paid
from collections_app.actions.retirement import do_restore_model
from collections_app.models import Alert, Endpoint, LanguageModel
from gateway.canon.fault import Unreachable
from gateway.models import Call
from probes.actions import do_retry_model
from probes.asking import Seen
from probes.catalog.connections import Connections
from probes.catalog.describe import describe_endpoint
from probes.catalog.knowledge import Knowledge
from probes.catalog.sources import FreeLlmApi, ModelsDev, OpenRouter
from probes.catalog.store import with_facts
from probes.health.fan_out import Errand, Manner, NotAsked
from probes.health.fingerprints import sweep as look
from probes.health.listings import Came
from probes.health.repoint import do_follow_rename
from probes.health.retry import retry_by
from probes.health.served_check import Reach, check_served
from probes.health.sweeps import AVAILABILITY, run_sweep
from probes.jobs import store
from probes.jobs.work import Ending, JobAtWork
from probes.listing import Listed
from probes.tests.fortnight.outside import AWAY, ENDPOINTS, PLAYED, Played
from probes.tests.health.checking import at_work, claimed

FIRST: Final = datetime(2026, 3, 2, tzinfo=UTC)
NO_FEEDS: Final = Knowledge(
    ModelsDev({}),
    OpenRouter([]),
    FreeLlmApi([]),
    Connections({}, frozenset(), {}, frozenset()),
    frozenset(),
    frozenset(),
)
WATCHED: Final = ("steady", "swapped")
"""Who is looked at for changes; all the others would only take time."""
BY_ALIAS: Final = {one.alias: one for one in PLAYED}


class Diary(Struct):
    """The kinds of the alerts that stood at each day's end, by what they are about; and the day each was retired."""

    alerts: dict[str, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))
    retired: dict[str, int] = field(default_factory=dict)


def settle_in() -> None:
    """The installation before the first day."""
    for name in ENDPOINTS:
        kind, hub = ("hub", "openwebui") if name == "hub" else ("provider", "")
        base = f"https://{name}.example/v1"
        do_save_endpoint(actor=None, name=name, base=base, default=name == "hub", kind=kind, hub=hub)
    for one in PLAYED:
        do_save_model(actor=None, alias=one.alias, served=one.served, endpoint=one.endpoint, tag=one.tag)


def play(days: Iterable[int], noon: Callable[[int], object]) -> Diary:
    """Lives through these days. `noon` does what people do at noon of a day."""
    diary = Diary()
    for day in days:
        _fingerprints(day)
        _availability(day)
        _catalogue(day)
        _served_check(day)
        _note_retired(diary, day)
        noon(day)
        _note(diary, day)
    return diary


def moment(day: int, hour: int) -> datetime:
    return FIRST + timedelta(days=day, hours=hour)


def restore(alias: str) -> Callable[[datetime], object]:
    return lambda now: do_restore_model(actor=None, alias=alias, now=now)


def allow(alias: str) -> Callable[[datetime], object]:
    return lambda now: do_allow_paid(actor=None, alias=alias, allowed=True)


def follow(alias: str) -> Callable[[datetime], object]:
    """Points the model to its new name."""
    return lambda now: do_follow_rename(actor=None, alias=alias, lister=lambda home: _listing(home, _day(now)))


def retry(alias: str) -> Callable[[datetime], object]:
    """Asks the model again by hand."""

    def ask(now: datetime) -> Ending:
        job = do_retry_model(actor=None, alias=alias, now=now)
        assert job is not None
        work = claimed(job, now)
        model = LanguageModel.objects.get(alias=alias)
        return _ended(work, retry_by(work, lambda name: _seen(model.pk, name, now)), now)

    return ask


def work(alias: str, now: datetime) -> None:
    """The model answers a caller."""
    model = LanguageModel.objects.get(alias=alias)
    Call.objects.create(
        at=now, language_model=model, alias=alias, endpoint_name="north", connection="north", status="ok"
    )


def _fingerprints(day: int) -> None:
    now = moment(day, 4)
    watched = list(LanguageModel.objects.filter(alias__in=WATCHED).values_list("pk", flat=True))
    job = at_work("fingerprints", now, models=watched)

    def ask_all(
        job: JobAtWork, errands: Iterable[Errand], keep: Callable[[Seen | NotAsked], None], manner: Manner
    ) -> None:
        for errand in errands:
            name, voice = errand.question.name, _played(errand.alias).talks(day)
            text = voice.answers[name]
            keep(Seen(errand.model_id, errand.alias, name, True, tokens_in=voice.tokens, text=text))

    _ended(job, look(job, ask_all), now)


def _availability(day: int) -> None:
    now = moment(day, 5)
    job = at_work("availability", now)

    def ask_all(
        job: JobAtWork, errands: Iterable[Errand], keep: Callable[[Seen | NotAsked], None], manner: Manner
    ) -> None:
        for errand in errands:
            keep(_seen(errand.model_id, errand.alias, now))

    _ended(job, run_sweep(job, replace(AVAILABILITY, errands=ask_all)), now)


def _catalogue(day: int) -> None:
    """What listings say of prices; no feed is at hand."""
    live = with_facts(LanguageModel.objects.filter(retired_at=None))
    for endpoint in Endpoint.objects.all():
        mine = [model for model in live if model.endpoint_id == endpoint.pk]
        describe_endpoint(endpoint, mine, NO_FEEDS, lambda: moment(day, 6), lambda home: _listing(home, day))


def _served_check(day: int) -> None:
    now = moment(day, 8)
    job = at_work("served", now)

    def list_all(endpoints: Iterable[Endpoint]) -> dict[int, Came]:
        came: dict[int, Came] = {}
        for endpoint in endpoints:
            try:
                came[endpoint.pk] = _listing(endpoint, day)
            except Unreachable as fault:
                came[endpoint.pk] = fault
        return came

    def ask_all(job: JobAtWork, errands: Iterable[Errand], keep: Callable[[Seen | NotAsked], None]) -> None:
        for errand in errands:
            keep(_seen(errand.model_id, errand.alias, now))

    _ended(job, check_served(job, Reach(list_all, ask_all)), now)


def _listing(endpoint: Endpoint, day: int) -> list[Listed]:
    if day in AWAY.get(endpoint.name, range(0)):
        raise Unreachable("no route to it")
    return [
        Listed(name, price_in=one.costs(day), price_out=one.costs(day))
        for one in PLAYED
        if one.endpoint == endpoint.name and (name := one.listed_as(day))
    ]


def _seen(model_id: int, alias: str, now: datetime) -> Seen:
    said = _played(alias).says(_day(now), now.hour)
    failed = bool(said.failure)
    return Seen(
        model_id,
        alias,
        "tiny",
        not failed,
        failure=said.failure,
        detail=said.detail,
        refusal=said.refusal,
        account_wide=said.account_wide,
        seconds=1.0,
    )


def _played(alias: str) -> Played:
    return BY_ALIAS[alias]


def _day(now: datetime) -> int:
    return (now - FIRST).days


def _ended(job: JobAtWork, ending: Ending, now: datetime) -> Ending:
    store.end(job.job, ending.state, ending.note, now)
    return ending


def _note(diary: Diary, day: int) -> None:
    for alert in Alert.objects.select_related("language_model"):
        about = alert.language_model.alias if alert.language_model else alert.connection
        diary.alerts[about][day] = str(alert.kind)


def _note_retired(diary: Diary, day: int) -> None:
    for alias in LanguageModel.objects.exclude(retired_at=None).values_list("alias", flat=True):
        diary.retired.setdefault(alias, day)
