"""Keeps the standings in the database: moved with each verdict, or all made anew from the evidence.

Both go through the same fold, so they come to the same numbers. The rebuild has the database make the sums of each
model, collection and shape, and folds those. Work from before a model's `evidence_since` is set aside, however late it
is judged: a call is as old as its first row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import Case, Count, Exists, F, FloatField, Func, Max, OuterRef, Q, Sum, Value, When
from django.db.models.functions import Power

from collections_app.decay import DAY_S, Lately
from collections_app.models import Evidence, LanguageModel, Setting, Standing
from collections_app.standings import PANEL_KINDS, Key, Tally, fold, key_of, keys_of, tally_of

STANDING_KEY: Final = ("language_model_id", "collection_name", "shape")
COUNTS: Final = (
    *("offloads", "judged", "useful", "real_claims", "false_claims"),
    *("panels_judged", "panels_useful", "panels_not_useful"),
)
MOVING: Final = ("last_work_at", *COUNTS, "lately_useful", "lately_judged", "lately_at")


def half_life_days() -> float:
    """The half-life of verdicts in this installation."""
    return float(Setting.load().half_life_days)


def move_standings(before: Evidence, after: Evidence) -> None:
    """`after` has taken the place of `before` as the current evidence of its call. Called inside the transaction that
    wrote it; costs the same however much evidence there is."""
    key, half_life = key_of(before), half_life_days()
    keys = keys_of(key)
    there = {_key(row): tally_of_row(row) for row in _rows_of(keys).select_for_update()}
    aside = _is_aside(before)  # once they are locked, so that who sets work aside comes before or after
    was, now = tally_of(before, aside=aside), tally_of(after, aside=aside)
    # A standing that is missing, as before the first rebuild, knows at least this piece of work.
    moved = {each: there.get(each, was).plus(was.negative(), half_life).plus(now, half_life) for each in keys}
    _write(moved)


def rebuild_standings(language_model_id: int | None = None) -> int:
    """Make every standing anew from the evidence, or those of one model; how many models have one."""
    of_whom = {} if language_model_id is None else {"language_model_id": language_model_id}
    with transaction.atomic():
        # Before the lock: whoever makes the row of settings while we hold it would wait for us, and we for them.
        Setting.load()
        if connection.vendor == "postgresql":
            # Whoever writes evidence moves its standing in the same transaction. After this line each of them either
            # has committed both, or waits with the second until we are done and then adds to what we made.
            with connection.cursor() as cursor:
                cursor.execute(f"LOCK TABLE {Standing._meta.db_table} IN EXCLUSIVE MODE")
        half_life = half_life_days()
        whole = fold(_summed(Evidence.objects.filter(**of_whom), half_life), half_life)
        Standing.objects.filter(**of_whom).delete()
        Standing.objects.bulk_create((_row(key, tally) for key, tally in whole.items()), batch_size=500)
    return len({key.language_model_id for key in whole})


def tally_of_row(row: Standing) -> Tally:
    """A stored standing as the fold takes it."""
    return Tally(
        **{name: getattr(row, name) for name in COUNTS},
        last_work_at=row.last_work_at,
        lately=Lately(row.lately_useful, row.lately_judged, row.lately_at),
    )


class Epoch(Func):
    """A time in seconds since 1970, to the microsecond. SQLite keeps times as text, in which a fraction of 0 is left
    out."""

    output_field = FloatField()

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        seconds, fraction = "strftime('%%%%s', %(expressions)s)", "'0' || substr(%(expressions)s, 20)"
        template = f"(CAST({seconds} AS REAL) + CAST({fraction} AS REAL))"
        return self.as_sql(compiler, connection, template=template, **extra)

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        template = "EXTRACT(EPOCH FROM %(expressions)s)::double precision"
        return self.as_sql(compiler, connection, template=template, **extra)


def _is_aside(piece: Evidence) -> bool:
    """Is the work of this row's call set aside?"""
    since = LanguageModel.objects.filter(pk=piece.language_model_id).values_list("evidence_since", flat=True).first()
    return since is not None and Evidence.objects.filter(call=piece.call, at__lt=since).exists()


def _summed(evidence: Any, half_life: float) -> Iterator[tuple[Key, Tally]]:
    """The tally of each model, collection and shape, as the database adds it up from these rows."""
    since = F("language_model__evidence_since")
    earlier = Evidence.objects.filter(call=OuterRef("call"), at__lt=OuterRef("language_model__evidence_since"))
    # The calls are looked up for those models alone that have had a change.
    aside = Q(language_model__evidence_since__isnull=False) & (Q(at__lt=since) | (~Q(call="") & Exists(earlier)))
    current = Q(current=True, aside=False)
    judged = current & Q(useful__isnull=False)
    panel = judged & Q(kind__in=PANEL_KINDS)
    told_for: datetime | None = evidence.filter(current=True, useful__isnull=False).aggregate(at=Max("at"))["at"]
    ends = told_for.timestamp() if told_for else 0.0
    left = Power(Value(0.5), (Value(ends) - Epoch(F("at"))) / Value(half_life * DAY_S), output_field=FloatField())
    sums = (
        evidence.order_by()
        .annotate(aside=Case(When(aside, then=Value(True)), default=Value(False)))
        .values(*STANDING_KEY)
        .annotate(
            worked_at=Max("at"),
            works=Count("pk", filter=current),
            judged_works=Count("pk", filter=judged),
            usefuls=Sum("useful", filter=judged),
            reals=Sum("real_claims", filter=judged),
            falses=Sum("false_claims", filter=judged),
            of_panels=Count("pk", filter=panel),
            of_panels_useful=Count("pk", filter=panel & Q(useful__gt=0.5)),
            of_panels_not=Count("pk", filter=panel & Q(useful__lt=0.5)),
            late_useful=Sum(F("useful") * left, filter=judged),
            late_judged=Sum(left, filter=judged),
        )
    )
    for each in sums.iterator(chunk_size=2000):
        yield (
            Key(each["language_model_id"], each["collection_name"], each["shape"]),
            Tally(
                offloads=each["works"],
                judged=each["judged_works"],
                useful=each["usefuls"] or 0.0,
                real_claims=each["reals"] or 0,
                false_claims=each["falses"] or 0,
                panels_judged=each["of_panels"],
                panels_useful=each["of_panels_useful"],
                panels_not_useful=each["of_panels_not"],
                last_work_at=each["worked_at"],
                lately=Lately(each["late_useful"], each["late_judged"], told_for) if each["judged_works"] else Lately(),
            ),
        )


def _rows_of(keys: Iterable[Key]) -> Any:
    """The standings of these keys, in an order that is the same for everybody who locks them."""
    wanted = Q()
    for pk, collection, shape in keys:
        wanted |= Q(language_model_id=pk, collection_name=collection, shape=shape)
    return Standing.objects.filter(wanted).order_by(*STANDING_KEY)


def _key(row: Standing) -> Key:
    return Key(row.language_model_id, row.collection_name, row.shape)


def _row(key: Key, tally: Tally) -> Standing:
    # Nothing goes below zero, not even by a rounding or where a standing knew less than it should.
    counts = {name: max(getattr(tally, name), 0) for name in COUNTS}
    late = tally.lately
    return Standing(
        **key._asdict(),
        **counts,
        last_work_at=tally.last_work_at,
        lately_useful=max(late.useful, 0.0),
        lately_judged=max(late.judged, 0.0),
        lately_at=late.at,
    )


def _write(moved: dict[Key, Tally]) -> None:
    Standing.objects.bulk_create(
        [_row(key, tally) for key, tally in moved.items()],
        update_conflicts=True,
        unique_fields=["language_model", "collection_name", "shape"],
        update_fields=MOVING,
    )
