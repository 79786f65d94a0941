"""Earlier work is filled in as the product keeps it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db.models import Sum

from bench.fill import DAYS, fill
from bench.setup import PANELS, SEATS, set_up
from collections_app.models import Collection, Evidence, Standing
from collections_app.setup_file.apply import apply_setup
from gateway.models import Call, UsageDay

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def test_the_set_up_file_of_the_bench_is_one_that_the_product_takes() -> None:
    apply_setup(set_up("http://127.0.0.1:9/v1"), actor=None, environ={})
    members = {row.name: row.seatings.count() for row in Collection.objects.filter(name__startswith="panel")}
    assert members == {f"panel{count}": count for count in PANELS}
    merged = Collection.objects.get(name="merged5")
    assert (merged.reply, merged.seatings.count()) == ("merged", len(SEATS))


def test_earlier_work_is_there_with_its_standings_and_sums() -> None:
    apply_setup(set_up("http://127.0.0.1:9/v1"), actor=None, environ={})
    fill(70, 50, NOW)
    assert (Evidence.objects.count(), Call.objects.count()) == (70, 50)
    assert abs(Evidence.objects.earliest("at").at - (NOW - timedelta(days=DAYS))) < timedelta(seconds=1)
    judged = Evidence.objects.filter(useful__isnull=False)
    everywhere = Standing.objects.filter(collection_name="", shape="")
    assert sum(row.judged for row in everywhere) == judged.count() == 30
    assert UsageDay.objects.aggregate(found=Sum("requests"))["found"] == 50
